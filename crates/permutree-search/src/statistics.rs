//! What searches count: tallies, all-moves-as-first and permutation statistics, means by code, values of positions.

pub(crate) mod amaf;
mod means;
pub(crate) mod permutations;
pub(crate) mod storage;
pub(crate) mod tally;
mod values;

pub(crate) use means::CodeMeans;
pub use storage::Storage;
pub use tally::{ONE, fixed};
pub use values::Values;
