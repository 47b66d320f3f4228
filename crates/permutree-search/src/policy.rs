use crate::record::Record;
use crate::tree::{NodeId, Tree};
use permutree_game::{Game, Ignore, Rng};

/// What makes one tree search differ from another: which statistics it keeps beside the tree, how it scores moves by
/// them, and what it learns from a playout.
///
/// A policy knows nothing of games: moves are edges, and edges have codes.
pub trait TreePolicy: Send {
    /// Whether the policy uses codes. If not, none are computed.
    fn coded(&self) -> bool;

    /// Forgets everything and keeps the memory for a search from another root.
    fn restart(&mut self);

    /// A descent from the root begins.
    fn begin(&mut self) {}

    /// The descent enters `node`, where a player is to move: which edge does it follow?
    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize;

    /// A playout is finished and counted in the tree.
    fn learn(&mut self, tree: &Tree, record: &Record);

    /// What the policy knows of the moves at the root, in the order of the root's edges.
    fn evidence(&mut self, tree: &Tree) -> Vec<Evidence>;

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: from now on keep what there is and make nothing new.
    fn freeze(&mut self) {}
}

/// What a policy knows of a move at the root besides its visits and mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Playouts that contain the move anywhere.
    pub amaf: Option<Source>,
    /// Playouts that contain the path and the move in any order.
    pub permutation: Option<Source>,
    /// How much of the move's score comes from its own mean, from AMAF and from permutations.
    pub weights: [f64; 3],
}

/// One source of statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// How many playouts.
    pub count: u64,
    /// Their mean reward for the player to move.
    pub mean: f64,
}

/// How games are played to their end from a leaf of the tree.
pub trait PlayoutPolicy<G: Game>: Send {
    /// Whether the policy uses codes.
    fn coded(&self) -> bool {
        false
    }

    /// Plays `position` to its end. If `record` is given, it gets every player's code.
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    );

    /// Forgets everything before a search from another root.
    fn restart(&mut self) {}

    /// A playout is finished.
    fn learn(&mut self, _record: &Record) {}

    /// Bytes in use.
    fn memory(&self) -> usize {
        0
    }
}

/// Random play as the game defines it.
#[derive(Debug)]
pub struct Uniform<M> {
    scratch: Vec<M>,
}

impl<M> Default for Uniform<M> {
    fn default() -> Self {
        Self { scratch: Vec::new() }
    }
}

impl<G: Game> PlayoutPolicy<G> for Uniform<G::Move> {
    // Never inlined: a game's playout is the largest piece of a search, and all tree policies can share it.
    #[inline(never)]
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        match record {
            Some(record) => game.playout(position, coding, rng, &mut self.scratch, record),
            None => game.playout(position, coding, rng, &mut self.scratch, &mut Ignore),
        }
    }
}
