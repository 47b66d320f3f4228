//! Playout policies: how a search plays from a leaf of the tree to the end of the game.
//!
//! [`Uniform`] is random play. [`Greedy`] plays ε-greedily by what it has learned of codes: [`Mast`], [`Nst`] or your own
//! [`Merits`]. [`Heuristic`] and [`Pattern`] use what the game knows of its moves. Every policy works under every search.

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

/// How a search plays from a leaf of the tree to the end of the game.
pub trait PlayoutPolicy<G: Game>: Send {
    /// Whether the policy uses codes. If it does, it gets a record of every playout, to learn from.
    fn coded(&self) -> bool {
        false
    }

    /// Plays `position` to the end of the game, by default with [`PlayoutPolicy::choose`]. `record`, if given, has the steps so far;
    /// appends the code of every player's move to it.
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        let choose: Choose<'_, G> = &mut |position, _, rng| self.choose(game, position, rng);
        play_out(game, position, coding, rng, record, &mut Vec::new(), choose);
    }

    /// The move of a playout in this position, as far as it depends on nothing else; `None` for a random one.
    fn choose(&mut self, _game: &G, _position: &G::Position, _rng: &mut Rng) -> Option<G::Move> {
        None
    }

    /// The index of the move to try first among the untried moves of a node, which have these codes and follow the steps
    /// `past`; `None` without a preference.
    fn prefer(&mut self, _past: &[Step], _codes: &[Code], _rng: &mut Rng) -> Option<usize> {
        None
    }

    /// Clears the statistics for a search from another root, except those that the policy is configured to keep.
    fn restart(&mut self) {}

    /// Learns from a finished playout.
    fn learn(&mut self, _record: &Record) {}

    /// Bytes in use.
    fn memory(&self) -> usize {
        0
    }

    /// The memory limit is reached: update existing statistics only and allocate nothing more.
    fn freeze(&mut self) {}
}

/// The move of a playout in a position after these steps, which are empty without a record; `None` for a random one.
pub(crate) type Choose<'a, G> =
    &'a mut dyn FnMut(&<G as Game>::Position, &[Step], &mut Rng) -> Option<<G as Game>::Move>;

/// After this many plies a playout continues at random: a deterministic choice may cycle where random play would end.
const MOST_CHOSEN: usize = 1000;

/// Plays to the end by `choose`, and at random where it returns `None`. All policies share this loop, since it is compiled
/// for every game.
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
