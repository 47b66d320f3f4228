//! Experiments: what a file asks for, what it is refused for, and that a store holds each game once.

use permutree_arena::experiment::{
    Cell, CellReport, Duel, Experiment, Format, Measurement, Progress, Report, Run, Shard, Store, Tuning,
    export,
};
use permutree_arena::statistics::{Sprt, SprtVerdict};
use permutree_arena::{ArenaError, Match};
use permutree_zoo::{Budget, agent, game};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

fn parse(text: &str) -> Result<Experiment, ArenaError> {
    Experiment::parse(Path::new("x.toml"), text)
}

/// A file that is not there yet, in a directory of the tests.
fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for end in ["", "-wal", "-shm", "-lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    path
}

fn progress(total: u64, found: u64, added: u64) -> Progress {
    Progress { total, found, added, ..Progress::default() }
}

fn run(experiment: &Experiment, store: &mut Store, threads: usize, shard: &str) -> Progress {
    let stop = &AtomicBool::new(false);
    let run = Run { experiment, shard: shard.parse().unwrap(), threads, sprt: None, stop };
    run.play(store, &mut |_| {}).unwrap()
}

/// The stored games without their times.
fn games(experiment: &Experiment, store: &Store) -> Vec<Value> {
    let mut text = Vec::new();
    export(experiment, store, Format::JsonLines, &mut text).unwrap().unwrap();
    let lines = String::from_utf8(text).unwrap();
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).unwrap();
        assert!(game["time_s"].as_array_mut().is_some_and(|times| !std::mem::take(times).is_empty()));
        game
    };
    lines.lines().map(game).collect()
}

const SMALL: &str = r#"
title = "A small one"
games = 10
playouts = 30
agents = ["uct:c={c}", "random"]
vary.c = [0.2, 1]
rows = [{ game = "tic-tac-toe", paper = [80, "70 ± 5"] }, { game = "nim", paper = ["", 50.5] }]
"#;

/// Every file can be run, and those of the MCPS paper have the cells of its tables.
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
        found.push((name, experiment.cells().count(), papers, experiment.codes().count()));
    }
    found.sort();
    let mcps: Vec<_> = found.iter().filter(|file| file.0.starts_with("mcps-table")).collect();
    let counts: Vec<_> = mcps.iter().map(|(_, cells, papers, codes)| (*cells, *papers, *codes)).collect();
    // Tables 3 and 5 have the investment game with a second reading of its codes.
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
    check("game = 7", "x.toml:1: game is 7; it must be a game such as \"hex:7\"");
    check("game = []", "x.toml:1: game is an empty list");
    check("agents = 'random'", "x.toml:1: a row has no game");
    check("agents = 'random'\nrows = [{ game = 'hex' },\n{ games = 3 }]", "x.toml:3: a row has no game");
    check("game = 'hex'\n\n[[table]]\ngames = 3", "x.toml:3: a row has no agents, round-robin or codes");
    check("game = 'hex'", "a row has no agents, round-robin or codes");
    check("game = 'hex'\nagents = 'random'\ncodes = 5", "agents and codes exclude each other");
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
        "x.toml:2: size varies, but no game or agent has '{size}' in it",
    );
    check(
        "game = 'hex:{sise}'\nvary.size = 7\nagents = 'random'",
        "'{sise}' stands for nothing in vary; did you mean '{size}'?",
    );
    check(
        "game = 'hex'\ncodes = 10\npaper = { exat = 1 }",
        "x.toml:3: unknown key 'exat' in the paper's figures; did you mean 'exact'?",
    );
    check(
        "game = 'hex'\nagents = 'random'\nquick = 2",
        "x.toml:3: quick is 2; it must be a part of the games",
    );
    check("title = 'a\nb'", "x.toml:1: ");
    check("title = 'a'\ntitle = 'b'", "x.toml:2: ");
    let missing = Experiment::read(Path::new("nowhere.toml")).unwrap_err().to_string();
    assert!(missing.starts_with("nowhere.toml: "), "{missing}");
}

/// Seats stay even, and a cell has at least one round.
#[test]
fn quick_runs() {
    let text = "agents = ['random', 'heuristic']\ngames = 100\nquick = 0.07\nrows = [{game = 'hex:5'}, {game = 'nogo:4,players=3'}, {game = 'tsp:5'}]";
    let quick = parse(text).unwrap().quickly();
    assert_eq!(quick.cells().map(|cell| cell.games).collect::<Vec<_>>(), [8, 12, 7]);
    let none = parse(&text.replace("0.07", "0")).unwrap().quickly();
    assert_eq!(none.cells().map(|cell| cell.games).collect::<Vec<_>>(), [2, 6, 1]);
}

/// Threads, shards and interruptions change nothing; a second run finds everything.
#[test]
fn the_same_games_in_parts() {
    let experiment = parse(SMALL).unwrap();
    let mut whole = Store::create(&fresh("whole.db")).unwrap();
    assert_eq!(run(&experiment, &mut whole, 1, "1/1"), progress(40, 0, 40));
    assert_eq!(run(&experiment, &mut whole, 2, "1/1"), progress(40, 40, 0));
    let all = games(&experiment, &whole);
    assert_eq!(all.len(), 40);

    // Two shards in two stores, one of them stopped again and again, and a merge.
    let (first, second) = (fresh("first.db"), fresh("second.db"));
    run(&experiment, &mut Store::create(&first).unwrap(), 2, "1/2");
    let mut sum = 0;
    while sum < 16 {
        let stop = AtomicBool::new(false);
        let shard = "2/2".parse().unwrap();
        let part = Run { experiment: &experiment, shard, threads: 1, sprt: None, stop: &stop };
        let mut store = Store::create(&second).unwrap();
        let done =
            part.play(&mut store, &mut |progress| stop.store(progress.added > 0, Ordering::Relaxed)).unwrap();
        assert!(done.added > 0 && done.added < 16, "{done:?}");
        sum += done.added;
    }
    assert_eq!(sum, 16, "5 rounds of 2 seatings: 3 and 2 in each of 4 cells");
    let mut merged = Store::create(&fresh("merged.db")).unwrap();
    let counts = [&first, &second, &second].map(|path| merged.merge(path).unwrap());
    assert_eq!(
        counts.map(|merged| (merged.added, merged.known, merged.different)),
        [(24, 0, 0), (16, 0, 0), (0, 16, 0)]
    );
    assert_eq!(games(&experiment, &merged), all);
}

/// Every stored game is a match of one game with the agents in the order of their seats.
#[test]
fn games_are_matches() {
    let text = "game = 'nogo:4,players=3'\nagents = ['mcps', 'uct']\nplayouts = 20\ngames = 6\nseed = 5";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("matches.db")).unwrap();
    run(&experiment, &mut store, 0, "1/1");
    let stored = games(&experiment, &store);
    assert_eq!(stored.len(), 6);
    for (number, stored) in stored.iter().enumerate() {
        assert_eq!((&stored["number"], &stored["seed"]), (&Value::from(number), &Value::from(5 + number)));
        let seats = stored["seats"].as_array().unwrap();
        let agents = seats.iter().map(|spec| agent(spec.as_str().unwrap()).unwrap()).collect();
        let game = game("nogo:4,players=3").unwrap();
        let seed = 5 + number as u64;
        let contest = Match { game, agents, games: 1, seed, threads: 1, budget: Budget::playouts(20) };
        contest
            .play(&mut |record, _| {
                assert_eq!(stored["moves"], Value::from(record.moves.clone()));
                assert_eq!(stored["rewards"], Value::from(record.rewards.as_slice()));
            })
            .unwrap();
    }
}

/// What is read from a store is what the games say, in games for one player too.
#[test]
fn results_are_those_of_the_games() {
    let text = "agents = ['uct', 'random']\nplayouts = 20\ngames = 9\nrows = [{game = 'tic-tac-toe'}, {game = 'tsp:6'}]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("results.db")).unwrap();
    run(&experiment, &mut store, 0, "1/1");
    let stored = games(&experiment, &store);
    for cell in experiment.cells() {
        let mine: Vec<&Value> = stored.iter().filter(|game| game["game"] == cell.key.game.as_str()).collect();
        let found = store.result(cell).unwrap();
        assert_eq!(
            (found.wanted, found.result.games, mine.len() as u64),
            (cell.total(), cell.total(), cell.total())
        );
        for (number, result) in found.result.agents.iter().enumerate() {
            let rewards: Vec<f64> = mine
                .iter()
                .flat_map(|game| {
                    game["seats"].as_array().unwrap().iter().zip(game["rewards"].as_array().unwrap())
                })
                .filter(|(seat, _)| **seat == result.spec.as_str())
                .map(|(_, reward)| reward.as_f64().unwrap())
                .collect();
            assert_eq!(rewards.len(), 9);
            let mean = rewards.iter().sum::<f64>() / 9.0;
            assert!((result.score - mean).abs() < 1e-12, "{} {mean}", result.score);
            let playouts: u64 = mine.iter().map(|game| game["playouts"][number].as_u64().unwrap()).sum();
            assert_eq!(result.playouts, playouts);
        }
        let plies: u64 = mine.iter().map(|game| game["plies"].as_u64().unwrap()).sum();
        assert!((found.plies - plies as f64 / mine.len() as f64).abs() < 1e-12);
        assert_eq!(found.versions, [env!("CARGO_PKG_VERSION")]);
    }
}

#[test]
fn reports_say_whether_the_paper_agrees() {
    let experiment = parse(SMALL).unwrap();
    let mut store = Store::create(&fresh("report.db")).unwrap();
    let nothing = Report::of(&experiment, &store).unwrap();
    assert!(nothing.tables[0].cells.iter().all(|cell| cell.agrees.is_none()));
    assert!(nothing.markdown().contains("40 games are not played yet."), "{}", nothing.markdown());
    run(&experiment, &mut store, 0, "1/1");
    let report = Report::of(&experiment, &store).unwrap();
    let page = report.markdown();
    assert!(page.starts_with("# A small one\n\n30 playouts; 10 games each.\n\n| game | agents | score | Elo | paper | agrees |\n|---|"), "{page}");
    let cell = &report.tables[0].cells[1];
    let (ours, paper) = (cell.found.result.agents[0].ci95, cell.cell.paper.unwrap().ci95);
    assert_eq!(cell.agrees, Some(ours.0 <= paper.1 && paper.0 <= ours.1));
    assert_eq!(report.tables[0].cells[2].agrees, None);
    let named = SMALL.replace("\"random\"]", "\"Nobody\"]") + "[names]\nNobody = 'random'\n";
    let page = Report::of(&parse(&named).unwrap(), &store).unwrap().markdown();
    assert!(page.contains(" against Nobody | ") && page.contains("\nNobody is `random`.\n"), "{page}");
    let by_seat = parse(&format!("by-seat = true{SMALL}")).unwrap();
    let page = Report::of(&by_seat, &store).unwrap().markdown();
    assert!(page.contains("| game | agents | seat | score | Elo |") && page.contains(" | 2 | "), "{page}");
    assert_eq!(page.lines().filter(|line| line.starts_with("| tic-tac-toe")).count(), 6, "{page}");
}

/// Sixty games against random play are sure; a few games between equals are not.
#[test]
fn reports_mark_what_is_sure() {
    let text = "playouts = 50\ngame = 'tic-tac-toe'\nrows = [
        { agents = ['uct', 'random'], games = 60 }, { agents = ['random', 'random'], games = 12 },
        { agents = ['uct', 'uct:c=0.5'], games = 4 }]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("sure.db")).unwrap();
    let p_values = |store: &Store| -> Vec<Option<f64>> {
        let report = Report::of(&experiment, store).unwrap();
        report.tables[0].cells.iter().map(|cell| cell.p_value).collect()
    };
    assert_eq!(p_values(&store), [None; 3]);
    run(&experiment, &mut store, 0, "1/1");
    let found = p_values(&store);
    assert!(found[0].unwrap() < 1e-6 && found[1].unwrap() > 0.05 && found[2].unwrap() > 0.05, "{found:?}");
    let page = Report::of(&experiment, &store).unwrap().markdown();
    let marked: Vec<bool> =
        page.lines().filter(|line| line.contains(" against ")).map(|line| line.contains(" * |")).collect();
    assert_eq!(marked, [true, false, false], "{page}");
    assert!(page.contains("one with a * is not even"), "{page}");
}

/// A total is its cells' games added up, with the paper's figure of its own; other budgets are other totals.
#[test]
fn all_games_together() {
    let text = "agents = ['uct', 'random']\nplayouts = [20, 40]\ngames = 10\ngame = ['tic-tac-toe', 'connect4:4,rows=4']\n";
    let experiment = parse(&format!("{text}all-games = [70, '']")).unwrap();
    let mut store = Store::create(&fresh("totals.db")).unwrap();
    run(&experiment, &mut store, 0, "1/1");
    let table = Report::of(&experiment, &store).unwrap().tables.remove(0);
    let wins = |cell: &CellReport| cell.found.result.agents[0].wins;
    for (total, playouts) in table.totals.iter().zip([20, 40]) {
        let mine = table.cells.iter().filter(|cell| cell.cell.key.playouts == Some(playouts));
        assert_eq!(wins(total), mine.map(wins).sum::<u64>());
        assert_eq!((total.found.result.games, total.found.wanted), (20, 20));
        assert_eq!(total.agrees.is_some(), playouts == 20);
    }
    let fewer = Report::of(&experiment.at_playouts(40), &store).unwrap();
    assert_eq!(fewer.tables[0].totals.len(), 1);
    let page = fewer.markdown();
    assert!(page.contains("\n| all games | 20 | "), "{page}");
    for (wrong, why) in [
        ("all-games = [70]", "all-games has 1 figures, but the table has 2 totals"),
        ("all-games = 1000", "all-games is 1000; it must be a score in percent"),
        (
            "game = 'nogo:3,players=3'\nagents = ['random', 'random', 'random']\nall-games = true",
            "games for two",
        ),
    ] {
        let text = if wrong.contains("nogo") { wrong.to_string() } else { format!("{text}{wrong}") };
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// A test ends a cell early, spares what is left, says the same for any number of threads, and leaves cells alone that are
/// not about two players.
#[test]
fn a_test_ends_cells() {
    let text = "playouts = 30\nrows = [
        { game = 'tic-tac-toe', agents = ['uct', 'random'], games = 2000 },
        { game = 'nogo:3,players=3', agents = ['random', 'random', 'random'], games = 12 }]";
    let experiment = parse(text).unwrap();
    let test = Sprt::new(0.0, 50.0).unwrap();
    let mut verdicts = Vec::new();
    for threads in [1, 2] {
        let mut store = Store::create(&fresh(&format!("sprt-{threads}.db"))).unwrap();
        let stop = &AtomicBool::new(false);
        let run = Run { experiment: &experiment, shard: Shard::WHOLE, threads, sprt: Some(test), stop };
        let first = run.play(&mut store, &mut |_| {}).unwrap();
        assert!(first.done() == first.total && first.spared > 1000, "{first:?}");
        assert!(first.llr.is_some_and(|llr| llr > 0.0), "{first:?}");
        let again = run.play(&mut store, &mut |_| {}).unwrap();
        assert_eq!((again.found, again.added), (first.added, 0));
        let cells: Vec<&Cell> = experiment.cells().collect();
        assert_eq!(store.result(cells[1]).unwrap().result.games, 12);
        assert!(Duel::new(test, cells[1], &store).unwrap().is_none());
        let duel = Duel::new(test, cells[0], &store).unwrap().unwrap();
        assert_eq!(duel.verdict(), SprtVerdict::Elo1);
        verdicts.push((duel.games(), duel.llr()));
    }
    assert_eq!(verdicts[0], verdicts[1]);
}

#[test]
fn counts_of_codes() {
    let text = "codes = 200\nrows = [{ game = 'wargame:4', paper = { plies = 20.5, exact = 0.2 } }, { game = 'hex:5' }]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("codes.db")).unwrap();
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(2, 0, 2));
    assert_eq!(run(&experiment, &mut store, 2, "1/1"), progress(2, 2, 0));
    let report = Report::of(&experiment, &store).unwrap();
    let presence = game("wargame:4").unwrap().presence(200, 0);
    let expected = Measurement::of_presence("wargame:4", 200, 0, &presence);
    let expected: Vec<_> =
        expected.iter().map(|measured| (measured.quantity.clone(), measured.value)).collect();
    assert_eq!(report.tables[0].codes[0].found, expected);
    let page = report.markdown();
    assert!(
        page.contains("| game | moves | plies | abstract | exact |") && page.contains(" (paper 20.5) |"),
        "{page}"
    );
}

/// What was measured comes back in order; the same result of the same version only once.
#[test]
fn measurements_over_runs() {
    let mut store = Store::create(&fresh("history.db")).unwrap();
    let speed = |agent: &str, value: f64| Measurement {
        command: "bench".to_string(),
        game: "hex:7".to_string(),
        agent: agent.to_string(),
        quantity: "playouts_per_s".to_string(),
        playouts: 10_000,
        seed: 1,
        value,
        note: "abc".to_string(),
    };
    store.measure(&[speed("uct", 1.0), speed("mcps", 2.0)]).unwrap();
    store.measure(&[speed("uct", 3.0), speed("mcps", 2.0)]).unwrap();
    let history = store.history().unwrap();
    let values =
        |place: usize| history[place].runs.iter().map(|run| run.measurement.value).collect::<Vec<_>>();
    assert_eq!((history.len(), values(0), values(1)), (2, vec![2.0], vec![1.0, 3.0]));
}

/// Files that are no store, or not one that this version knows, are refused in one line and stay as they are.
#[test]
fn files_that_are_no_store() {
    let check = |path: &Path, part: &str| {
        for error in [Store::open(path).unwrap_err(), Store::create(path).unwrap_err()] {
            let error = error.to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    };
    let text = fresh("text.db");
    std::fs::write(
        &text,
        "This is a text that is longer than the head of an SQLite file would be.\n".repeat(20),
    )
    .unwrap();
    let before = std::fs::read(&text).unwrap();
    check(&text, "not a store of experiments");
    assert_eq!(std::fs::read(&text).unwrap(), before);

    let other = fresh("other.db");
    let db = rusqlite::Connection::open(&other).unwrap();
    db.execute_batch("CREATE TABLE cells (x)").unwrap();
    check(&other, "an SQLite file of another program");
    let newer = fresh("newer.db");
    drop(Store::create(&newer).unwrap());
    rusqlite::Connection::open(&newer).unwrap().pragma_update(None, "user_version", 99).unwrap();
    check(&newer, "a newer permutree made this store (its version is 99");

    let none = Store::open(&fresh("none.db")).unwrap_err().to_string();
    assert!(none.contains("there is no such file"), "{none}");
    let nowhere = Store::create(Path::new("/nowhere/at/all.db")).unwrap_err().to_string();
    assert!(nowhere.contains("cannot be written"), "{nowhere}");
}

#[test]
fn one_writer_at_a_time() {
    let path = fresh("locked.db");
    let first = Store::create(&path).unwrap();
    let error = Store::create(&path).unwrap_err().to_string();
    let expected = format!("another run (process {}) is writing to it", std::process::id());
    assert!(error.contains(&expected), "{error}");
    Store::open(&path).expect("reading is possible meanwhile");
    drop(first);
    Store::create(&path).expect("it was given back");
}

/// A report on a million games, in a store of 100 MB.
#[test]
fn a_million_games() {
    let cells = 100;
    let rows: Vec<String> = (0..cells).map(|seed| format!("{{ seed = {seed} }}")).collect();
    let text = format!(
        "game = 'hex:7,opening=b2'\nagents = ['mcps', 'grave']\nplayouts = 1000\ngames = 10000\nrows = [{}]",
        rows.join(", ")
    );
    let experiment = parse(&text).unwrap();
    let path = fresh("million.db");
    drop(Store::create(&path).unwrap());
    let db = rusqlite::Connection::open(&path).unwrap();
    db.execute_batch(&format!(
        "BEGIN;
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {cells} - 1)
        INSERT INTO cells (game, agents, playouts, time_ns, wall, seed)
            SELECT 'hex:7,opening=b2', '[\"mcps\",\"grave\"]', 1000, 0, 0, i FROM n;
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
        INSERT INTO games
            SELECT id, i, seed + i, iif(i % 2, '[1,0]', '[0,1]'), iif(random() % 3, '[1,0]', '[0,1]'), 40, '[20000,20000]',
                '[41234567,31234567]', 0, NULL, NULL, '0.1.0' FROM cells, n;
        INSERT INTO moves SELECT cell, number, 'a1 b2 c3 d4 e5 f6 g7 a2 b3 c4 d5 e6 f7 g1 a3 b4 c5 d6 e7 f1 g2' FROM games;
        COMMIT"
    ))
    .unwrap();
    drop(db);
    let started = std::time::Instant::now();
    let page = Report::of(&experiment, &Store::open(&path).unwrap()).unwrap().markdown();
    let time = started.elapsed();
    assert!(page.contains("10000 games each") && time.as_secs() < 5, "{time:?}");
    std::fs::remove_file(&path).unwrap();
}

/// The better half plays on, the best is checked in new games, and all of it is kept.
#[test]
fn tuning_halves() {
    let text = r#"
        game = ["tic-tac-toe", "nim"]
        agents = ["uct:playouts={n}", "uct:playouts=30"]
        vary.n = [1, 3, 300, 10, 2]
    "#;
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("tuning.db")).unwrap();
    let stop = AtomicBool::new(false);
    let tuning = Tuning { experiment: &experiment, games: 2000, threads: 2, stop: &stop };
    let mut rounds = Vec::new();
    let tuned = tuning.run(&mut store, &mut |round, _| rounds.push(round)).unwrap();
    assert_eq!(tuned.rounds.iter().map(Vec::len).collect::<Vec<_>>(), [5, 3, 2]);
    assert!(tuned.rounds.iter().all(|round| round[0].names[0] == "uct:playouts=300"));
    assert_eq!(tuned.rounds[0][4].names[0], "uct:playouts=1");
    let check = tuned.check.unwrap();
    let last = &tuned.rounds[2][0];
    assert_eq!((check.names[0].as_str(), check.games), ("uct:playouts=300", last.games));
    assert!(check.score > 0.5 && check.ci95.0 < check.score && check.score < check.ci95.1);
    let seeds: Vec<u64> = check.cells.iter().map(|(cell, _)| cell.key.seed).collect();
    assert_eq!(seeds, [1 << 32, 1 << 32]);
    let all: u64 = tuned.rounds.concat().iter().map(|candidate| candidate.games).sum();
    assert!(all <= 2 * 2000, "{all} games, some counted in several rounds");
    // Nothing is played twice.
    let mut added = 0;
    tuning.run(&mut store, &mut |_, progress| added += progress.added).unwrap();
    assert_eq!(added, 0);
    let one = parse("game = 'nim'\nagents = ['uct:playouts=5', 'random']").unwrap();
    let error =
        Tuning { experiment: &one, games: 10, threads: 1, stop: &stop }.run(&mut store, &mut |_, _| {});
    assert!(error.unwrap_err().to_string().starts_with("there is nothing to tune"));
}

/// The page has every plot that suits its table, is well formed, and says nothing that could be taken for markup.
#[test]
fn pages() {
    let text = r#"
        title = "A <b>page</b> & more"
        games = 4
        [[table]]
        title = "Everybody"
        game = "tic-tac-toe"
        playouts = 20
        round-robin = ["uct", "flat", "random"]
        [[table]]
        title = "By playouts"
        game = ["nim", "tic-tac-toe"]
        playouts = [10, 40]
        agents = ["uct", "random"]
        [[table]]
        rows = [{ game = "nim", paper = 70 }, { game = "tic-tac-toe", paper = "60 ± 9" }]
        playouts = 10
        agents = ["uct", "random"]
    "#;
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("pages.db")).unwrap();
    let empty = Report::of(&experiment, &store).unwrap().html();
    assert_eq!(empty.matches("<svg").count(), 0);
    run(&experiment, &mut store, 2, "1/1");
    let page = Report::of(&experiment, &store).unwrap().html();
    assert!(page.contains("<h1>A &lt;b&gt;page&lt;/b&gt; &amp; more</h1>"));
    // A heat map and a ladder, curves, whiskers.
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(page.matches("<rect").count(), 6);
    assert_eq!(page.matches("<polyline").count(), 2);
    assert_eq!(page.matches("class=\"paper\"").count(), 2);
    for tag in ["svg", "g", "table", "section", "figure", "text"] {
        let opened = page.matches(&format!("<{tag} ")).count() + page.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf\"") && !page.contains("<script"));
}
