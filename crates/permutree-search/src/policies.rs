//! Tree policies: how a search selects moves inside the tree.
//!
//! A [`TreePolicy`] selects an edge at every node of the descent and learns from every playout. [`Uct`], [`Grave`] (also
//! RAVE), [`Mcps`] and [`Sarsa`] are policies; [`scoring`] has what a new one needs to turn scores into a choice. A policy
//! is passed to [`Search::new`](crate::Search::new).

mod grave;
mod mcps;
mod sarsa;
pub mod scoring;
mod uct;

pub use grave::Grave;
pub use mcps::{Mcps, Weights};
pub use sarsa::{Sarsa, SarsaRule};
pub use uct::Uct;

use crate::report::Source;
use crate::statistics::Values;
use crate::tree::{NodeId, Record, Tree};
use permutree_game::Rng;

/// How a tree search selects moves: which statistics it keeps beside the tree, how it scores moves by them, and what it
/// learns from a playout.
///
/// A policy is independent of the game: it sees edges and their codes, never moves or positions.
pub trait TreePolicy: Send {
    /// Called once, before everything else, with the number of codes of the search's coding and of players of its game.
    fn fit(&mut self, _codes: usize, _players: usize) {}

    /// Whether the policy uses codes. If it does not, none are computed.
    fn coded(&self) -> bool;

    /// Whether the policy needs the moves of a playout in their order, from [`Record::steps`]. Without the order, games play out
    /// faster, and the moves are in [`Record::rest`].
    fn ordered(&self) -> bool {
        true
    }

    /// Whether the policy needs the hashes of positions. If it does not, [`meet`](Self::meet) is not called.
    fn hashed(&self) -> bool {
        false
    }

    /// Clears all statistics but keeps the allocations, for a search from another root.
    fn restart(&mut self);

    /// A node was created for the position with this hash.
    fn meet(&mut self, _node: NodeId, _hash: u64) {}

    /// A descent from the root begins.
    fn begin(&mut self) {}

    /// The edge that the descent follows from `node`, where a player is to move.
    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize;

    /// Whether untried moves come before all others and are equal to the policy, so that the playout policy may choose
    /// among them.
    fn untried_alike(&self) -> bool {
        false
    }

    /// A playout was backed up. At a proven node no playout is played; the proven rewards are backed up instead.
    fn count(&mut self, _tree: &Tree, _record: &Record) {}

    /// A playout was played to the end of the game and backed up.
    fn learn(&mut self, _tree: &Tree, _record: &Record) {}

    /// Appends the policy's sums for a node to `words`, for another search from the same root to add to its own. Their number
    /// may grow from call to call.
    fn tell(&self, _tree: &Tree, _node: NodeId, _words: &mut Vec<u64>) {}

    /// Adds the sums that another search has appended for a node. Returns false if they cannot be added.
    fn hear(&mut self, _tree: &Tree, _node: NodeId, _words: &[u64]) -> bool {
        false
    }

    /// Adds the values of positions that the policy has learned, if it learns any.
    fn learned(&self, _into: &mut Values) {}

    /// The policy's statistics of the moves at a player's node, in the order of its edges. `path` has the edges from the root
    /// to the node and is empty for the root.
    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence>;

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: update existing statistics only and allocate nothing more.
    fn freeze(&mut self) {}
}

/// The statistics of a move that a policy keeps beside its visits and mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Playouts that contain the move anywhere.
    pub amaf: Option<Source>,
    /// Playouts that contain the path and the move in any order.
    pub permutation: Option<Source>,
    /// The weights of the move's own mean, of AMAF and of permutations in its score.
    pub weights: [f64; 3],
}
