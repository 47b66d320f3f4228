//! What searches count.
//!
//! Rewards are added as whole multiples of 1 / 65536 ([`fixed`], [`ONE`]), so that sums do not depend on their order and the
//! same seed gives the same result on every machine. [`Storage`] chooses between arrays and hash tables for statistics by
//! code, and [`Values`] are learned values of positions. AMAF and permutation statistics are internal.

pub(crate) mod amaf;
pub(crate) mod history;
mod means;
pub(crate) mod permutations;
pub(crate) mod storage;
pub(crate) mod tally;
mod values;

pub use amaf::AmafMoves;
pub(crate) use means::CodeMeans;
pub use storage::Storage;
pub use tally::{ONE, fixed};
pub use values::Values;
