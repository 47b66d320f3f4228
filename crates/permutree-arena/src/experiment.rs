//! Experiments: tables of many matches from one file, played in parts, kept in a store, and read from it.

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
