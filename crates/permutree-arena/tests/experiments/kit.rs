use permutree_arena::ArenaError;
use permutree_arena::experiment::{Experiment, Format, Progress, Run, Store, export};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

pub(crate) fn parse(text: &str) -> Result<Experiment, ArenaError> {
    Experiment::parse(Path::new("x.toml"), text)
}

/// The path of a file that does not exist, in a directory of the tests.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for end in ["", "-wal", "-shm", "-lock"] {
        let _ = std::fs::remove_file(format!("{}{end}", path.display()));
    }
    path
}

pub(crate) fn progress(total: u64, found: u64, added: u64) -> Progress {
    Progress { total, found, added, ..Progress::default() }
}

pub(crate) fn run(experiment: &Experiment, store: &mut Store, threads: usize, shard: &str) -> Progress {
    let stop = &AtomicBool::new(false);
    let run = Run { experiment, shard: shard.parse().unwrap(), threads, sprt: None, stop };
    run.play(store, &mut |_| {}).unwrap()
}

/// The stored games without their times.
pub(crate) fn games(experiment: &Experiment, store: &Store) -> Vec<Value> {
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

pub(crate) const SMALL: &str = r#"
title = "A small one"
games = 10
playouts = 30
agents = ["uct:c={c}", "random"]
vary.c = [0.2, 1]
rows = [{ game = "tic-tac-toe", paper = [80, "70 ± 5"] }, { game = "nim", paper = ["", 50.5] }]
"#;
