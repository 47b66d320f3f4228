//! The search tree, and the search that grows it.

mod arena;
mod log;
mod record;
mod search;
mod solver;
pub(crate) mod table;

#[cfg(test)]
pub(crate) use arena::UNUSED;
pub(crate) use arena::{LANES, NONE, Own};
pub use arena::{NodeId, ROOT, Tree};
pub use record::{Record, Step, Visit};
pub(crate) use search::Exchange;
pub use search::{Options, Search};
