use crate::kit::{SMALL, parse};
use permutree_arena::experiment::{Cell, Experiment};
use permutree_zoo::game;
use std::path::Path;

/// Every file is valid, and those of the MCPS paper have the cells of its tables.
#[test]
fn files_of_the_papers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let experiment = Experiment::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let study = path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("study-"));
        let explained = if study { &experiment.note } else { &experiment.source };
        assert!(!experiment.title.is_empty() && !explained.is_empty(), "{}", path.display());
        let papers = experiment.cells().filter(|cell| cell.paper.is_some()).count();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        found.push((name, experiment.cells().count(), papers, experiment.probes().count()));
    }
    found.sort();
    let mcps: Vec<_> = found.iter().filter(|file| file.0.starts_with("mcps-table")).collect();
    let counts: Vec<_> = mcps.iter().map(|(_, cells, papers, codes)| (*cells, *papers, *codes)).collect();
    // Tables 3 and 5 have the investment game with a second interpretation of its codes.
    assert_eq!(counts, [(48, 48, 0), (6, 6, 0), (12, 12, 0), (2, 0, 0), (8, 8, 0), (8, 7, 0), (0, 0, 14)]);
}

#[test]
fn rows_become_cells() {
    let experiment = parse(SMALL).unwrap();
    let cell = |cell: &Cell| (cell.key.game.clone(), cell.key.agents[0].clone(), cell.games);
    let cells: Vec<_> = experiment.cells().map(cell).collect();
    let nim = game("nim").unwrap();
    let expected = ["tic-tac-toe", nim.spec()]
        .into_iter()
        .flat_map(|game| ["uct:c=0.2", "uct:c=1"].map(|agent| (game.to_string(), agent.to_string(), 10)));
    assert_eq!(cells, expected.collect::<Vec<_>>());
    let papers: Vec<_> =
        experiment.cells().map(|cell| cell.paper.map(|paper| (paper.score, paper.ci95))).collect();
    let wilson = permutree_arena::statistics::interval(10, 0.8);
    assert_eq!(papers[..3], [Some((0.8, wilson)), Some((0.7, (0.7 - 0.05, 0.7 + 0.05))), None]);
}

#[test]
fn products_round_robins_and_names() {
    let pairs = |text: &str| {
        let experiment = parse(&format!("game = 'hex:5'\n{text}")).unwrap();
        experiment.cells().map(|cell| (cell.names.join("-"), cell.key.budget())).collect::<Vec<_>>()
    };
    let named =
        |names: &[&str]| names.iter().map(|name| (name.to_string(), String::new())).collect::<Vec<_>>();
    assert_eq!(
        pairs("agents = [['random', 'heuristic'], ['random', 'x']]\nnames.x = 'heuristic'"),
        named(&["random-random", "random-x", "heuristic-random", "heuristic-x"])
    );
    assert_eq!(
        pairs("round-robin = ['random', 'heuristic', 'random']"),
        named(&["random-heuristic", "random-random", "heuristic-random"])
    );
    let budgets: Vec<String> = pairs("agents = ['uct', 'uct']\nplayouts = [10, 20]\ntime = '5ms'")
        .into_iter()
        .map(|pair| pair.1)
        .collect();
    assert_eq!(budgets, ["10 playouts", "20 playouts", "5ms"]);
    // A row's budget replaces the file's; specs may have their own.
    let row = "agents = ['uct', 'uct:playouts=5']\nplayouts = 10\nrows = [{ time = '1ms' }, {}]";
    let budgets: Vec<String> = pairs(row).into_iter().map(|pair| pair.1).collect();
    assert_eq!(budgets, ["1ms", "10 playouts"]);
}

/// The line, what is wrong, and what was meant.
#[test]
fn refusals() {
    let check = |text: &str, part: &str| {
        let error = parse(text).unwrap_err().to_string();
        assert!(
            error.starts_with("x.toml:") && error.contains(part) && !error.contains('\n'),
            "{part}: {error}"
        );
    };
    check(
        "title = 'x'\ngaem = 'hex'",
        "x.toml:2: unknown key 'gaem' in an experiment; did you mean 'game'? keys: title, ",
    );
    check("[[table]]\nroes = []", "x.toml:2: unknown key 'roes' in a table; did you mean 'rows'?");
    check("rows = [\n{ gam = 1 } ]", "x.toml:2: unknown key 'gam' in a row; did you mean 'game'?");
    check("\n\ngame = 'hexx'\nagents = 'random'", "x.toml:3: unknown game 'hexx'; did you mean 'hex'?");
    check(
        "game = 'hex'\nagents = [\n'random',\n'mpcs']",
        "x.toml:4: unknown agent 'mpcs'; did you mean 'mcps'?",
    );
    check(
        "game = 'hex'\nplayouts = 9\nagents = 'mcps:rf=3'",
        "x.toml:3: mcps has no parameter 'rf'; did you mean 'ref'?",
    );
    check(
        "game = 'hex'\nplayouts = 9\nagents = 'mcps:coding=abstract'",
        "x.toml:3: hex:7 has no coding 'abstract'",
    );
    check("game = 'hex'\nagents = ['mcps', 'uct']", "x.toml:2: mcps has no budget");
    check(
        "game = 'hex'\nagents = ['random', 'random', 'random']",
        "x.toml:2: hex:7 takes 1 to 2 agents, not 3",
    );
    check(
        "game = 'hex'\nagents = 'random'\nplayouts = 0",
        "x.toml:3: playouts is 0; it must be a whole number 1..",
    );
    check(
        "game = 'hex'\nagents = 'random'\ntime = '5'",
        "x.toml:3: time is '5'; it must be a time such as \"20ms\"",
    );
    check(
        "game = 'hex'\nagents = 'random'\ngames = ['hex']",
        "x.toml:3: games is a list; it must be a whole number",
    );
    // Values of values would make specs of gigabytes.
    check(
        "game = 'hex'\nplayouts = 9\nagents = ['{a}{b}', 'uct']\nvary = { a = '{b}', b = 'uct' }",
        "x.toml:3: unknown agent '{b}uct'",
    );
    let long = format!("game = 'hex'\nagents = '{}'\nvary.a = '{}'", "{a}".repeat(64), "x".repeat(65));
    check(&long, "x.toml:2: a spec may have at most 4096 bytes");
    check("game = 7", "x.toml:1: game is 7; it must be a game such as \"hex:7\"");
    check("game = []", "x.toml:1: game is an empty list");
    check("agents = 'random'", "x.toml:1: a row has no game");
    check("agents = 'random'\nrows = [{ game = 'hex' },\n{ games = 3 }]", "x.toml:3: a row has no game");
    check("game = 'hex'\n\n[[table]]\ngames = 3", "x.toml:3: a row has no agents, round-robin or codes");
    check("game = 'hex'", "a row has no agents, round-robin or codes");
    check("game = 'hex'\nagents = 'random'\ncodes = 5", "agents and codes cannot be combined");
    check("game = 'hex'\nround-robin = 'random'", "x.toml:2: round-robin needs at least two agents");
    check(
        "game = 'hex'\nagents = 'random'\nclock = 'sun'",
        "x.toml:3: clock is 'sun'; it must be \"thread\" or \"wall\"",
    );
    check(
        "game = 'hex'\nagents = 'random'\npaper = [1, 2]",
        "x.toml:3: paper has 2 figures, but the row has 1 cells",
    );
    check(
        "game = 'hex'\nagents = 'random'\npaper = 150",
        "x.toml:3: paper is 150; it must be a score in percent",
    );
    check("game = 'hex'\nagents = 'random'\npaper = '50 +- 3'", "x.toml:3: paper is '50 +- 3'; it must be");
    check(
        "game = 'hex'\nvary.size = 7\nagents = 'random'",
        "x.toml:2: size is in vary, but no game or agent uses '{size}'",
    );
    check(
        "game = 'hex:{sise}'\nvary.size = 7\nagents = 'random'",
        "'{sise}' is not in vary; did you mean '{size}'? vary has: size",
    );
    check(
        "game = 'hex'\ncodes = 10\npaper = { exat = 1 }",
        "x.toml:3: unknown key 'exat' in the paper's figures; did you mean 'exact'?",
    );
    check(
        "game = 'hex'\nagents = 'random'\nquick = 2",
        "x.toml:3: quick is 2; it must be a fraction 0..1 of the games",
    );
    check("title = 'a\nb'", "x.toml:1: ");
    check("title = 'a'\ntitle = 'b'", "x.toml:2: ");
    let missing = Experiment::read(Path::new("nowhere.toml")).unwrap_err().to_string();
    assert!(missing.starts_with("nowhere.toml: "), "{missing}");
}

/// Seats stay balanced, and a cell has at least one round.
#[test]
fn quick_runs() {
    let text = "agents = ['random', 'heuristic']\ngames = 100\nquick = 0.07\nrows = [{game = 'hex:5'}, {game = 'nogo:4,players=3'}, {game = 'tsp:5'}]";
    let quick = parse(text).unwrap().quickly();
    assert_eq!(quick.cells().map(|cell| cell.games).collect::<Vec<_>>(), [8, 12, 7]);
    let none = parse(&text.replace("0.07", "0")).unwrap().quickly();
    assert_eq!(none.cells().map(|cell| cell.games).collect::<Vec<_>>(), [2, 6, 1]);
}
