//! Tree policies: how a search chooses among the moves of a node, and what it learns from playouts.

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

/// What makes one tree search differ from another: which statistics it keeps beside the tree, how it scores moves by
/// them, and what it learns from a playout.
///
/// A policy knows nothing of games: moves are edges, and edges have codes.
pub trait TreePolicy: Send {
    /// The search says, before anything else, how many codes its coding has and how many players its game.
    fn fit(&mut self, _codes: usize, _players: usize) {}

    /// Whether the policy uses codes. If not, none are computed.
    fn coded(&self) -> bool;

    /// Whether the policy wants to know the positions of nodes by their hashes. If not, it is not told.
    fn hashed(&self) -> bool {
        false
    }

    /// Forgets everything and keeps the memory for a search from another root.
    fn restart(&mut self);

    /// A node was made for the position with this hash.
    fn meet(&mut self, _node: NodeId, _hash: u64) {}

    /// A descent from the root begins.
    fn begin(&mut self) {}

    /// The descent enters `node`, where a player is to move: which edge does it follow?
    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize;

    /// Whether all moves never tried in a node come first and are the same to the policy, so that the playout policy may
    /// choose among them.
    fn untried_alike(&self) -> bool {
        false
    }

    /// A playout was counted in the tree. It need not have been played: above a proven node what is proven counts.
    fn count(&mut self, _tree: &Tree, _record: &Record) {}

    /// A playout was played to its end and counted.
    fn learn(&mut self, _tree: &Tree, _record: &Record) {}

    /// Adds to `words` the sums that the policy keeps for a node, for another search from the same root to add to its own.
    /// How many there are may grow.
    fn tell(&self, _tree: &Tree, _node: NodeId, _words: &mut Vec<u64>) {}

    /// Adds what another search told of a node. False if it cannot be added.
    fn hear(&mut self, _tree: &Tree, _node: NodeId, _words: &[u64]) -> bool {
        false
    }

    /// Adds what the search has learned of positions, if the policy learns values of positions.
    fn learned(&self, _into: &mut Values) {}

    /// What the policy knows of the moves of a player's node, in the order of its edges. `path` are the edges that lead to it
    /// from the root; it is empty for the root itself.
    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence>;

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: from now on keep what there is and make nothing new.
    fn freeze(&mut self) {}
}

/// What a policy knows of a move besides its visits and mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Playouts that contain the move anywhere.
    pub amaf: Option<Source>,
    /// Playouts that contain the path and the move in any order.
    pub permutation: Option<Source>,
    /// How much of the move's score comes from its own mean, from AMAF and from permutations.
    pub weights: [f64; 3],
}
