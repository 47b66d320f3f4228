use crate::kit::{SMALL, fresh, games, parse, run};
use permutree_arena::experiment::{CellReport, Report, Store};
use serde_json::Value;

/// Results in a store are those of its games, in one-player games too.
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
    assert!(nothing.markdown().contains("40 games are not yet played."), "{}", nothing.markdown());
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

/// The threads of a search share what they find, so that another run differs, and the report says so.
#[test]
fn reports_say_what_is_not_deterministic() {
    let text = "game = 'tic-tac-toe'\nplayouts = 20\ngames = 2\nagents = ['uct:threads={n}', 'random']\nvary.n = [1, 2]";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("threads.db")).unwrap();
    run(&experiment, &mut store, 1, "1/1");
    let report = Report::of(&experiment, &store).unwrap();
    let cells = serde_json::to_value(&report).unwrap()["tables"][0]["cells"].clone();
    assert_eq!((&cells[0]["deterministic"], &cells[1]["deterministic"]), (&true.into(), &false.into()));
    assert!(report.markdown().contains("Another run will differ: "), "{}", report.markdown());
}

/// Sixty games against random play are significant; a few games between equals are not.
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
    assert!(page.contains("a * marks a score that is not even"), "{page}");
}

/// A total adds up the games of its cells, and has its own figure from the paper; each budget has its own total.
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
            "all-games needs two-player games; nogo:3,players=3 is for 3",
        ),
    ] {
        let text = if wrong.contains("nogo") { wrong.to_string() } else { format!("{text}{wrong}") };
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
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

/// The page has every plot that suits its table, is well formed, and has its texts escaped.
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
        [[table]]
        title = "In no paper"
        game = ["nim", "tic-tac-toe"]
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
    // A heat map and a ladder, curves, whiskers with rings and without.
    assert_eq!(page.matches("<svg").count(), 5);
    assert_eq!(page.matches("rings are").count(), 1);
    assert_eq!(page.matches("<rect").count(), 6);
    assert_eq!(page.matches("<polyline").count(), 2);
    assert_eq!(page.matches("class=\"paper\"").count(), 2);
    for tag in ["svg", "g", "table", "section", "figure", "text"] {
        let opened = page.matches(&format!("<{tag} ")).count() + page.matches(&format!("<{tag}>")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(!page.contains("NaN") && !page.contains("inf\"") && !page.contains("<script"));
}
