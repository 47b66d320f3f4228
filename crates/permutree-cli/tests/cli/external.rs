use super::{Run, permutree};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// The result of a match, which must succeed.
fn result(game: &str, agents: &[&str], games: &str) -> Value {
    let args =
        [&["match", game][..], agents, &["--games", games, "--threads", "2", "--playouts", "20", "--json"]]
            .concat();
    let run = permutree(&args);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{args:?}");
    serde_json::from_str(&run.out).unwrap()
}

/// This program as an engine.
fn itself(game: &str) -> String {
    format!("external:cmd='{}' gtp {game} random", env!("CARGO_BIN_EXE_permutree"))
}

#[test]
fn engines_that_behave() {
    for game in ["go:5,komi=0.5", "hex:4", "connect4", "gomoku:9", "pig:20", "nogo:3,players=3"] {
        let result = result(game, &[&itself(game), "uct"], "6");
        assert_eq!((&result["games"], &result["deterministic"]), (&Value::from(6), &Value::from(false)));
        assert_eq!(result["forfeits"], Value::Array(Vec::new()), "{game}");
    }
    let twice = result("go:5", &[&itself("go:5"), &itself("go:9,komi=0")], "2");
    assert_eq!(twice["forfeits"], Value::Array(Vec::new()), "size and komi are told");
}

/// An engine that fails as `how` says, and the file with its processes.
fn broken(how: &str) -> (String, PathBuf) {
    let file = std::env::temp_dir().join(format!("permutree-engine-{how}-{}", std::process::id()));
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/engine.sh");
    (format!("external:timeout=300ms,cmd=sh '{script}' {how} '{}'", file.display()), file)
}

/// An engine that fails loses every game without delay, the record says why, and no process is left.
#[cfg(unix)]
#[test]
fn engines_that_fail() {
    let ended = "ended with exit status: 3 at 'genmove black': out of memory";
    for (how, why) in [
        ("crash", ended),
        ("hang", "no answer to 'genmove black' in 300ms"),
        ("babble", "'genmove black'"),
        ("lie", "illegal move 'Z99'"),
        ("refuse", "refused 'genmove black': no idea"),
        ("resign", "resigned"),
        ("deaf", "refused 'play black "),
    ] {
        let (engine, file) = broken(how);
        let started = Instant::now();
        let result = result("hex:4", &[&engine, "random"], "4");
        assert!(started.elapsed().as_secs() < 20, "{how}");
        let forfeits = result["forfeits"].as_array().unwrap();
        let numbers: Vec<u64> = forfeits.iter().map(|forfeit| forfeit["game"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [1, 2, 3, 4], "{how}");
        assert_eq!(forfeits[0]["agent"], Value::from(engine.as_str()));
        let found = |forfeit: &Value| forfeit["why"].as_str().unwrap().contains(why);
        assert!(forfeits.iter().any(found), "{how}: {forfeits:?}");
        assert_eq!(
            (&result["agents"][0]["losses"], &result["agents"][1]["wins"]),
            (&Value::from(4), &Value::from(4))
        );
        let processes = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(&file).unwrap();
        for process in processes.split_whitespace() {
            let alive = Command::new("kill").args(["-0", process]).output().unwrap().status.success();
            assert!(!alive, "{how}: {process}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_is_shown() {
    let (engine, file) = broken("crash");
    let run = permutree(&["match", "nogo:3,players=3", &engine, "random", "random", "--games", "12"]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(run.status, Some(0), "{}", run.err);
    for part in [
        "\nAnother run will differ: time budgets, search threads and external engines are not deterministic.\n",
        "\ngame 1, external:timeout=300ms,cmd=sh ",
        ": ended with exit status: 3 at 'genmove ",
        "\n... and 2 more; --json lists all\n",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert!(run.out.contains("  50.00  "), "the others share: {}", run.out);
}

#[cfg(unix)]
#[test]
fn engines_that_do_not_start() {
    let check = |run: &Run, part: &str| {
        assert_eq!((run.status, run.out.as_str(), run.err.lines().count()), (Some(2), "", 1), "{}", run.err);
        assert!(run.err.starts_with("error: ") && run.err.contains(part), "{part}: {}", run.err);
    };
    let play = |engine: &str| permutree(&["match", "hex:4", engine, "random", "--games", "4"]);
    check(&play("external:cmd=/no/such/engine"), "cannot start /no/such/engine: ");
    check(&play("external:cmd=false"), "external:cmd=false: ended with exit status: 1 at 'boardsize 4'");
    check(&play(&itself("hexx")), "error: unknown game 'hexx'");
    check(&play("external:cmd='a"), "the command has an unclosed '");
    check(&play("external:timeout=200ms,cmd=sleep 600"), "no answer to 'boardsize 4' in 200ms");
    let (engine, file) = broken("small");
    check(&play(&engine), "refused 'boardsize 4': unacceptable size");
    std::fs::remove_file(&file).unwrap();
    check(&play("external"), "cmd=: a command is needed, as in external:cmd=gnugo --mode gtp");
    for command in ["search", "play", "gtp"] {
        check(&permutree(&[command, "hex:4", "external:cmd=gnugo"]), "external engines play only in matches");
    }
}
