//! Stores of experiments, whose games come from other machines and are merged.
//!
//! The input replaces what a store holds of a game: a column in each line. Everything that reads games must answer or refuse, and
//! scores stay in [0, 1].

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_arena::experiment::{Experiment, Format, Report, Run, Shard, Store, export};
use rusqlite::Connection;
use std::cell::OnceCell;
use std::sync::atomic::AtomicBool;

thread_local! {
    static STORED: OnceCell<Stored> = const { OnceCell::new() };
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    STORED.with(|stored| stored.get_or_init(Stored::new).check(text));
});

/// A store with two games, and a connection that writes to it what no program of ours would.
struct Stored {
    experiment: Experiment,
    store: Store,
    raw: Connection,
}

impl Stored {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("permutree-fuzz-{}.db", std::process::id()));
        let text = "game = 'tic-tac-toe'\nagents = ['random', 'heuristic']\ngames = 2";
        let experiment = Experiment::parse_closed(&path, text).unwrap_or_else(|error| panic!("{error}"));
        let mut store = Store::create(&path).unwrap_or_else(|error| panic!("{error}"));
        let stop = &AtomicBool::new(false);
        let run = Run { experiment: &experiment, shard: Shard::WHOLE, threads: 1, sprt: None, stop };
        run.play(&mut store, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
        let raw = Connection::open(&path).unwrap_or_else(|error| panic!("{error}"));
        // Nothing has to be safe on the disk.
        raw.execute_batch("PRAGMA synchronous = off; DELETE FROM measurements")
            .unwrap_or_else(|error| panic!("{error}"));
        // Both connections are open, so the files are needed no longer by name.
        for end in ["", "-wal", "-shm", "-lock"] {
            let _ = std::fs::remove_file(format!("{}{end}", path.display()));
        }
        Self { experiment, store, raw }
    }

    fn check(&self, text: &str) {
        let mut columns = text.split('\n');
        let mut next = || columns.next().unwrap_or_default();
        let game = [next(), next(), next(), next(), next(), next(), next(), next(), next()];
        let sql =
            "UPDATE games SET seats = ?, rewards = ?, playouts = ?, time_ns = ?, plies = ?, unfinished = ?,
            forfeit = nullif(?, ''), why = ?, version = ? WHERE number = 0";
        self.raw.execute(sql, game).unwrap_or_else(|error| panic!("{error}"));
        let sql = "UPDATE moves SET moves = ? WHERE number = 0";
        self.raw.execute(sql, [next()]).unwrap_or_else(|error| panic!("{error}"));

        for cell in self.experiment.cells() {
            if let Ok(found) = self.store.result(cell) {
                assert_eq!(found.result.games, 2);
                let scores = found.result.agents.iter().map(|agent| agent.score);
                assert!(
                    scores.clone().all(|score| (0.0..=1.0).contains(&score)),
                    "{:?}",
                    found.result.agents
                );
            }
            if let Ok(games) = self.store.games(cell, 0, 2) {
                assert_eq!(games.len(), 2);
                assert!(games.iter().all(|game| game.seating.len() == 2 && game.rewards.len() == 2));
            }
        }
        if let Ok(report) = Report::of(&self.experiment, &self.store) {
            assert!(!report.markdown().is_empty() && !report.html().is_empty());
        }
        for format in [Format::Csv, Format::JsonLines, Format::Parquet, Format::Records] {
            let _ = export(&self.experiment, &self.store, format, &mut Vec::new());
        }
    }
}
