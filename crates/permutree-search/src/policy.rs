use crate::record::{Record, Step};
use crate::tree::{NodeId, Tree};
use crate::values::Values;
use permutree_game::{Code, Game, Ignore, Recorder, Rng, Turn};

/// What makes one tree search differ from another: which statistics it keeps beside the tree, how it scores moves by
/// them, and what it learns from a playout.
///
/// A policy knows nothing of games: moves are edges, and edges have codes.
pub trait TreePolicy: Send {
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
    /// Whether the policy uses codes. It then wants a record of every playout and is told to learn from it.
    fn coded(&self) -> bool {
        false
    }

    /// Plays `position` to its end. If `record` is given, it has the steps so far and gets every player's code.
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    );

    /// The move that a playout would begin with in a position where nothing was learned yet; `None` for any.
    fn choose(&mut self, _game: &G, _position: &G::Position, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// Which of these codes, those of moves never tried in a node of the tree after the steps `past`, to try first, as its
    /// place in the list; `None` if the policy does not know.
    fn prefer(&mut self, _past: &[Step], _codes: &[Code], _rng: &mut Rng) -> Option<usize> {
        None
    }

    /// Forgets everything before a search from another root, but for what it was made to keep.
    fn restart(&mut self) {}

    /// A playout is finished.
    fn learn(&mut self, _record: &Record) {}

    /// Bytes in use.
    fn memory(&self) -> usize {
        0
    }

    /// The memory limit is reached: from now on keep what there is and make nothing new.
    fn freeze(&mut self) {}
}

/// Which move a playout makes in a position after the steps before it, as far as they are recorded; `None` for any.
pub(crate) type Choose<'a, G> =
    &'a mut dyn FnMut(&<G as Game>::Position, &[Step], &mut Rng) -> Option<<G as Game>::Move>;

/// After so many plies a playout goes on at random: who chooses may go round in circles where random play would end.
const MOST_CHOSEN: usize = 1000;

/// Plays to the end by `choose`, and at random where it has no wish. One loop for all who choose, since it is compiled for
/// every game.
pub(crate) fn play_out<G: Game>(
    game: &G,
    position: &mut G::Position,
    coding: usize,
    rng: &mut Rng,
    mut record: Option<&mut Record>,
    scratch: &mut Vec<G::Move>,
    choose: Choose<'_, G>,
) {
    for ply in 0.. {
        let turn = game.turn(position);
        let chosen = match turn {
            Turn::Player(_) if ply < MOST_CHOSEN => {
                choose(position, record.as_ref().map_or(&[], |record| &record.steps), rng)
            }
            _ => None,
        };
        let Some(mv) = chosen.or_else(|| game.random_move(position, rng, scratch)) else { return };
        if let (Some(record), Turn::Player(player)) = (&mut record, turn) {
            record.record(player, game.code(position, mv, coding));
        }
        game.play(position, mv);
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
