//! The tree search and its tree.
//!
//! [`Search`] runs the iterations and [`Tree`] holds the nodes and edges. Policies see the tree, and the [`Record`] of each
//! playout: the [`Visit`]s of the descent, the [`Step`]s of the players from the root to the end of the game, and the
//! rewards. Nodes and edges are indices, so that a policy can keep its own statistics in arrays.

mod arena;
mod log;
mod record;
mod search;
mod solver;
pub(crate) mod table;

#[cfg(test)]
pub(crate) use arena::{Group, UNUSED};
pub(crate) use arena::{LANES, NONE, Own};
pub use arena::{NodeId, ROOT, Tree};
pub use record::{CodeSets, Record, Step, Visit};
pub(crate) use search::Exchange;
pub use search::{Options, Search};
