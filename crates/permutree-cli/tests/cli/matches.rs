use super::{json, keys, prints};
use serde_json::json as value;

#[test]
fn a_match_of_two() {
    let text = prints("match tic-tac-toe uct random --playouts 20 --games 6");
    for part in ["tic-tac-toe, 6 games, seed 1\n", "wins", "draws", "Elo", "by seat"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let result = json("match tic-tac-toe uct random --playouts 20 --games 6");
    assert_eq!(keys(&result), KEYS);
    let pairs = &result["pairs"];
    assert_eq!(keys(pairs), ["counts", "elo", "normalized_elo", "superiority"]);
    let counts: Vec<f64> = pairs["counts"].as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    let points: f64 =
        counts.iter().zip([0.0, 0.5, 1.0, 1.5, 2.0]).map(|(count, points)| count * points).sum();
    assert_eq!((counts.len(), counts.iter().sum()), (5, 3.0));
    assert_eq!(points / 6.0, result["agents"][0]["score"].as_f64().unwrap());
    assert_eq!(keys(&result["agents"][0]), AGENT);
}

/// The threads of a search share what they find, so that another run differs.
#[test]
fn search_threads_are_not_deterministic() {
    let line = "match tic-tac-toe uct:threads=2 random --playouts 20 --games 2";
    assert_eq!(json(line)["deterministic"], false);
    assert!(prints(line).contains("\nAnother run will differ: "));
    assert_eq!(json("match tic-tac-toe uct random --playouts 20 --games 2")["deterministic"], true);
}

const KEYS: [&str; 8] =
    ["game", "games", "unfinished", "forfeits", "seed", "deterministic", "agents", "pairs"];

const AGENT: [&str; 10] =
    ["spec", "score", "ci95", "elo", "wins", "draws", "losses", "seats", "playouts", "time_s"];

/// In a one-player game every agent plays alone: there are rewards, but no wins.
#[test]
fn agents_side_by_side() {
    let line = "match tsp:6 uct random random --playouts 50 --games 8";
    let text = prints(line);
    for part in ["24 games, seed 1\n", "reward %", "95 % interval"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("wins") && !text.contains("Elo") && !text.contains("seat"), "{text}");
    let result = json(line);
    assert_eq!(result["games"], 24);
    let agents = result["agents"].as_array().unwrap();
    for agent in agents {
        assert_eq!(keys(agent), AGENT);
        assert_eq!((&agent["wins"], &agent["draws"], &agent["losses"]), (&value!(0), &value!(0), &value!(0)));
        assert_eq!((&agent["elo"], &agent["seats"][0]["games"]), (&value!(null), &value!(8)));
    }
    assert!(agents[0]["score"].as_f64() > agents[1]["score"].as_f64(), "{result}");
    assert_eq!(agents[1]["score"], agents[2]["score"], "the same seeds");
}

/// The signal may come before the program is ready for it, so a slow machine gets another try.
#[cfg(unix)]
#[test]
fn an_interrupted_match_shows_what_was_played() {
    use std::process::{Command, Stdio};
    let tries = [300, 2000, 10_000].map(std::time::Duration::from_millis);
    let stopped = tries.into_iter().find_map(|wait| {
        let child = Command::new(env!("CARGO_BIN_EXE_permutree"))
            .args("match tic-tac-toe random random --games 1000000000 --threads 1".split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(wait);
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        (output.status.code() == Some(130)).then_some(output)
    });
    let output = stopped.expect("exit status 130");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("tic-tac-toe, ") && text.contains("by seat"), "{text}");
    assert!(!text.contains("1,000,000,000 games"), "{text}");
}

/// The SPRT is decided long before the last game, and after the same one on any number of threads.
#[test]
fn a_match_that_the_test_ends() {
    let line = "match tic-tac-toe uct random --playouts 20 --games 100000 --sprt 0,100";
    let result = json(&format!("{line} --threads 1"));
    assert_eq!(keys(&result), [&KEYS[..], &["sprt"]].concat());
    let sprt = &result["sprt"];
    assert_eq!(keys(sprt), ["elo0", "elo1", "llr", "lower", "upper", "verdict"]);
    assert_eq!(
        (&sprt["elo0"], &sprt["elo1"], &sprt["verdict"]),
        (&value!(0.0), &value!(100.0), &value!("H1"))
    );
    let (llr, upper) = (sprt["llr"].as_f64().unwrap(), sprt["upper"].as_f64().unwrap());
    assert!((upper - 2.944).abs() < 1e-3 && llr >= upper && sprt["lower"] == value!(-upper), "{sprt}");
    let games = result["games"].as_u64().unwrap();
    assert!(games.is_multiple_of(2) && games < 100, "{games}");
    for threads in [2, 5] {
        let other = json(&format!("{line} --threads {threads}"));
        for key in ["games", "pairs", "sprt"] {
            assert_eq!(other[key], result[key], "{threads} threads");
        }
        assert_eq!(other["agents"][0]["wins"], result["agents"][0]["wins"]);
    }
    let text = prints(line);
    for part in [
        "by pairs of games",
        "normalized Elo",
        "SPRT 0,100: LLR ",
        "(-2.94..2.94), H1: uct is 100 Elo above random",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let other_way = json("match tic-tac-toe random uct --playouts 20 --games 100000 --sprt -50,50");
    assert_eq!(other_way["sprt"]["verdict"], "H0");
    let short = json("match tic-tac-toe uct random --playouts 20 --games 3 --sprt 0,5");
    assert_eq!((&short["sprt"]["verdict"], &short["games"]), (&value!("undecided"), &value!(3)));
}
