//! Experiments: tables of many matches, described in a TOML file, played in parts and kept in an SQLite store.
//!
//! - The file: [`Experiment`] has [tables](ExperimentTable) of [`Cell`]s, which are matches, or of [`Probe`]s, which are
//!   measurements. Everything is checked when it is read.
//! - Playing: [`Run`] plays what a [`Store`] lacks, a [`Shard`] at a time if wanted; [`Tuning`] finds the best agent.
//! - Results: [`Report`] has the tables with the paper's figures beside ours, as Markdown, HTML or JSON;
//!   [`Store::result`] has a single cell, [`export`] the games, [`Store::history`] the [`Measurement`]s.
//!
//! The files are described in [docs/experiments.md](https://github.com/permutree/permutree/blob/main/docs/experiments.md).
//!
//! ```
//! use permutree_arena::experiment::{Experiment, Report, Run, Shard, Store};
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//!
//! let text = r#"
//!     game = "tic-tac-toe"
//!     agents = ["mcps", "random"]
//!     playouts = [20, 40]
//!     games = 10
//! "#;
//! let experiment = Experiment::parse(Path::new("example.toml"), text)?;
//! let path = std::env::temp_dir().join(format!("permutree-example-{}.db", std::process::id()));
//! let mut store = Store::create(&path)?;
//! let stop = AtomicBool::new(false);
//! let run = Run { experiment: &experiment, shard: Shard::WHOLE, threads: 2, sprt: None, stop: &stop };
//! let progress = run.play(&mut store, &mut |progress| println!("{} games", progress.done()))?;
//! assert_eq!(progress.added, 20);
//! println!("{}", Report::of(&experiment, &store)?.markdown());
//! # drop(store);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), permutree_arena::ArenaError>(())
//! ```

mod cells;
mod duel;
mod export;
mod file;
mod measurements;
mod page;
mod paper;
mod plots;
mod probe;
mod report;
mod results;
mod run;
mod settings;
mod source;
mod store;
mod tune;
mod upgrade;

pub use cells::{Cell, CellKey};
pub use export::{Format, export};
pub use file::{Experiment, ExperimentTable, Total};
pub use measurements::{Measurement, PastMeasurement, Trend};
pub use paper::Figure;
pub use probe::{Probe, ProbeKind};
pub use report::{CellReport, ProbeReport, Report, TableReport};
pub use results::{CellResult, PastGame};
pub use run::{Glimpse, Progress, Run, Shard};
pub use store::{Merged, Store};
pub use tune::{Candidate, Tuned, Tuning};
