use super::{json, keys, permutree, prints};
use serde_json::{Value, json as value};

#[test]
fn games_and_agents_are_listed() {
    let names = |items: &Value| -> Vec<String> {
        items.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_string()).collect()
    };
    let games = json("games");
    for (items, text) in [(&games, "rules"), (&json("agents"), "about")] {
        for item in items.as_array().unwrap() {
            let has = |value: &Value, all: &[&str]| all.iter().all(|key| keys(value).contains(key));
            assert!(has(item, &["name", "title", text, "source", "params"]), "{item}");
            for param in item["params"].as_array().unwrap() {
                assert!(has(param, &["key", "kind", "default", "help"]), "{param}");
            }
        }
    }
    for name in names(&games) {
        assert!(prints("games").contains(&format!("\n{name}: ")) || name == "atarigo", "{name}");
        assert_eq!(names(&json(&format!("games {name}"))), [name]);
    }
    let agents = names(&json("agents"));
    assert_eq!(agents[..5], ["best", "mcps", "grave", "rave", "uct"]);
    for name in ["sarsa-uct", "flat", "ams-nst", "nmcs", "lnmcs", "nrpa", "heuristic", "random", "external"] {
        assert!(agents.iter().any(|agent| agent == name), "{name} in {agents:?}");
    }
    assert_eq!(json("games hex")[0]["params"][0]["max"], 19);
    let hex = prints("games hex:7");
    assert!(hex.contains("rhombus of hexagons") && hex.contains("size=7"), "{hex}");
    assert!(!hex.contains("connect4"));
}

#[test]
fn perft_counts() {
    for (line, game, counts) in [
        ("hex:7 --depth 3", "hex:7", value!([49, 2352, 110_544])),
        ("hex --depth 2", "hex:7", value!([49, 2352])),
        ("hex:4 --depth 3", "hex:4", value!([16, 240, 3360])),
        ("hex:7,opening=b2 --depth 2", "hex:7,opening=b2", value!([48, 48 * 47])),
        ("breakthrough:8 --depth 4", "breakthrough:8", value!([22, 484, 11_132, 256_036])),
        ("connect4 --depth 7", "connect4:7", value!([7, 49, 343, 2401, 16_807, 117_649, 823_536])),
        // Column d is full.
        ("connect4 --depth 3 --moves d,d,d,d,d,d", "connect4:7", value!([6, 36, 216])),
        // c1 wins at once, and nothing follows it.
        ("tic-tac-toe --depth 2 --moves a1,a2,b1,b2", "tic-tac-toe", value!([5, 16])),
        ("tic-tac-toe --depth 3 --moves a1,a2,b1,b2,c1", "tic-tac-toe", value!([0, 0, 0])),
        (
            "tic-tac-toe --depth 10",
            "tic-tac-toe",
            value!([9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872, 0]),
        ),
        // The die counts.
        ("pig --depth 3", "pig:100", value!([1, 6, 11])),
    ] {
        assert_eq!(json(&format!("perft {line}")), value!({ "game": game, "perft": counts }), "{line}");
    }
    let text = prints("perft connect4 --depth 6");
    assert!(text.lines().last().unwrap().contains("117,649"), "{text}");
}

#[test]
fn codes_are_counted() {
    let hex = json("codes hex:7,opening=b2 --playouts 2000 --seed 5");
    assert_eq!(keys(&hex), ["game", "moves", "plies", "presence"]);
    assert_eq!((&hex["game"], &hex["moves"]), (&value!("hex:7,opening=b2"), &value!(48)));
    let plies = hex["plies"].as_f64().unwrap();
    assert!((30.0..49.0).contains(&plies), "{plies}");
    assert_eq!(json("codes hex:7,opening=b2 --playouts 2000 --seed 5"), hex);
    assert_eq!(keys(&json("codes wargame --playouts 100")["presence"]), ["abstract", "exact"]);
    assert!(prints("codes wargame --playouts 100").contains("abstract"));
}

const REPORT: [&str; 14] = [
    "game",
    "agent",
    "moves_played",
    "best",
    "turn",
    "playouts",
    "time_s",
    "deterministic",
    "nodes",
    "memory",
    "full",
    "moves",
    "principal_variation",
    "rewards",
];

#[test]
fn memory_is_limited() {
    for agent in ["uct", "grave", "mcps", "best"] {
        let report = json(&format!("search hex:7 {agent} --memory 8MB --playouts 100000"));
        let memory = report["memory"].as_u64().unwrap();
        // What untried edges will need counts too, so that a search may stop well below its limit.
        assert!((4 << 20..8 << 20).contains(&memory), "{agent}: {memory}");
        assert_eq!((&report["full"], &report["playouts"]), (&value!(true), &value!(100_000)), "{agent}");
    }
}

#[test]
fn search_reports() {
    let report = json("search connect4 mcps --moves d,e --playouts 700");
    assert_eq!(keys(&report), REPORT);
    assert_eq!((&report["game"], &report["agent"]), (&value!("connect4:7"), &value!("mcps")));
    assert_eq!((&report["moves_played"], &report["turn"]), (&value!(["d", "e"]), &value!(1)));
    assert_eq!((&report["playouts"], &report["deterministic"]), (&value!(700), &value!(true)));
    let moves = report["moves"].as_array().unwrap();
    assert_eq!((moves.len(), &report["best"]), (7, &moves[0]["move"]));
    assert_eq!(report["principal_variation"][0], report["best"]);
    assert_eq!(moves.iter().map(|mv| mv["visits"].as_u64().unwrap()).sum::<u64>(), 700);
    for mv in moves {
        assert_eq!(keys(mv), ["move", "index", "visits", "mean", "amaf", "permutation", "weights", "proven"]);
        assert_eq!(
            (keys(&mv["amaf"]), keys(&mv["permutation"])),
            (vec!["count", "mean"], vec!["count", "mean"])
        );
        let weights: f64 =
            mv["weights"].as_array().unwrap().iter().map(|weight| weight.as_f64().unwrap()).sum();
        assert!((weights - 1.0).abs() < 1e-9, "{mv}");
    }
    let uct = json("search connect4 uct --playouts 100");
    assert_eq!((&uct["moves"][0]["amaf"], &uct["moves"][0]["permutation"]), (&Value::Null, &Value::Null));
}

#[test]
fn the_seed_is_the_result() {
    let search = |line: &str| {
        let mut report = json(&format!("search hex:5 {line} --playouts 500"));
        report["time_s"] = Value::Null;
        report
    };
    for agent in ["mcps", "grave", "rave", "uct", "flat", "heuristic", "random"] {
        let report = search(&format!("{agent} --seed 7"));
        assert_eq!(search(&format!("{agent} --seed 7")), report, "{agent}");
        assert_ne!(search(&format!("{agent} --seed 8")), report, "{agent}");
    }
    assert_eq!(search(""), search("best --seed 1"), "the defaults");
}

#[test]
fn budgets_are_kept() {
    assert_eq!(json("search hex:5")["playouts"], 10_000);
    assert_eq!(json("search hex:5 mcps:playouts=50 --playouts 400")["playouts"], 50);
    assert_eq!(json("search hex:5 --playouts 60 --time 1m --clock wall")["playouts"], 60);
    for clock in ["wall", "thread"] {
        let timed = json(&format!("search hex:5 uct --time 20ms --clock {clock}"));
        assert_eq!(timed["deterministic"], false);
        assert!(timed["time_s"].as_f64().unwrap() >= 0.02 && timed["playouts"].as_u64() > Some(0), "{timed}");
    }
}

#[test]
fn search_threads_are_not_deterministic() {
    assert_eq!(json("search hex:5 uct:threads=2 --playouts 100")["deterministic"], false);
}

/// A renamed parameter works under its old name, with a note.
#[test]
fn renamed_parameters_get_a_note() {
    let run = permutree(&["search", "hex:5", "uct:playout=mast", "--playouts", "100", "--json"]);
    assert_eq!((run.status, run.err.as_str()), (Some(0), "note: playout=mast is now policy=mast\n"));
    let mut old: Value = serde_json::from_str(&run.out).unwrap();
    let mut new = json("search hex:5 uct:policy=mast --playouts 100");
    for report in [&mut old, &mut new] {
        report["time_s"] = Value::Null;
    }
    assert_eq!(old, new);
}

#[test]
fn search_is_readable() {
    let text = prints("search hex:5 mcps --playouts 300 --top 3");
    for part in [
        "a b c d e\n",
        "hex:5: player 1 to move",
        "permuted",
        "AMAF %",
        "... and 22 more",
        "\nline ",
        "300 in",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = prints("search hex:5 uct --playouts 300");
    assert!(!text.contains("AMAF") && !text.contains("perm"), "{text}");
    let text = prints("search tic-tac-toe grave --playouts 300");
    assert!(text.contains("AMAF") && !text.contains("perm") && !text.contains("more"), "{text}");
}

#[test]
fn a_finished_game_has_nothing_to_search() {
    let over = "search tic-tac-toe --moves a1,a2,b1,b2,c1";
    assert!(prints(over).contains("the game is over, player 1 wins (rewards 1, 0)"));
    let report = json(over);
    assert_eq!(keys(&report), REPORT);
    assert_eq!(
        (&report["moves"], &report["best"], &report["turn"]),
        (&value!([]), &Value::Null, &Value::Null)
    );
    assert_eq!(report["rewards"], value!([1.0, 0.0]));
}

#[test]
fn moves_are_separated_by_spaces_too() {
    let run = permutree(&["search", "hex:5", "--moves", " a1  b2\nc3 ", "--playouts", "10", "--json"]);
    assert!(run.out.contains(r#""moves_played":["a1","b2","c3"]"#), "{}", run.out);
}

#[test]
fn help_and_version() {
    let help = prints("--help");
    let narrow = |text: &str| text.lines().all(|line| line.chars().count() <= 100);
    assert!(narrow(&help), "{help}");
    for command in ["games", "agents", "perft", "codes", "search", "play", "match", "bench"] {
        assert!(help.contains(command), "{command}");
        let help = prints(&format!("{command} --help"));
        assert!(help.contains("Usage: permutree") && narrow(&help), "{help}");
    }
    assert!(prints("--version").starts_with("permutree "));
}
