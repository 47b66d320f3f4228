use super::{json, keys, prints};
use serde_json::json as value;

#[test]
fn a_match_of_two() {
    let text = prints("match tic-tac-toe uct random --playouts 20 --games 6");
    for part in ["tic-tac-toe, 6 games, seed 1\n", "wins", "draws", "Elo", "by seat"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let result = json("match tic-tac-toe uct random --playouts 20 --games 6");
    assert_eq!(keys(&result), ["game", "games", "seed", "deterministic", "unfinished", "forfeits", "agents"]);
    assert_eq!(keys(&result["agents"][0]), AGENT);
}

const AGENT: [&str; 10] =
    ["spec", "score", "ci95", "wins", "draws", "losses", "elo", "playouts", "time_s", "seats"];

/// In a game for one player everybody plays alone: there are rewards and nothing to win.
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
