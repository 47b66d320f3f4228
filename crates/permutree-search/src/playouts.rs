//! Playout policies: how a game is played from a leaf of the tree to its end.

mod greedy;
mod heuristic;
mod mast;
mod nst;
mod pattern;
mod uniform;

pub use greedy::{ByCode, Greedy, Merits};
pub use heuristic::Heuristic;
pub use mast::Mast;
pub use nst::{GramMeans, Nst};
pub use pattern::Pattern;
pub use uniform::Uniform;

use crate::tree::{Record, Step};
use permutree_game::{Code, Game, Recorder, Rng, Turn};

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
