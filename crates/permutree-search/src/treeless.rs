//! Searches without a tree.
//!
//! [`Flat`] Monte Carlo, adaptive multi-stage sampling ([`Ams`]), nested Monte Carlo search ([`Nmcs`]; with [`Lazy`] pruning
//! LNMCS), nested rollout policy adaptation ([`Nrpa`]), Virtual Global Search ([`Vgs`]) and its baseline [`Global`], and
//! [`Gobble`]. [`Reflex`] plays as a playout policy does, without searching.
//!
//! A search implements [`Treeless`], one playout at a time, and thereby [`Searcher`]. Its [`Root`] has the position, the
//! statistics of its moves, and the report.

mod ams;
mod arms;
mod flat;
mod global;
mod gobble;
mod incumbent;
mod lnmcs;
mod memo;
mod nmcs;
mod nrpa;
mod reflex;
mod root;
mod sequences;
mod shortlist;
mod vgs;

pub use ams::{Ams, Plan, Samples};
pub use flat::Flat;
pub use global::Global;
pub use gobble::{Gobble, Noise};
pub use incumbent::Incumbent;
pub use lnmcs::Lazy;
pub use nmcs::Nmcs;
pub use nrpa::{Form, Learning, Nrpa};
pub use reflex::Reflex;
pub use root::Root;
pub use shortlist::Scope;
pub use vgs::Vgs;

use crate::budget::{Budget, Meter};
use crate::report::Report;
use crate::searcher::Searcher;
use permutree_game::{Game, Rng};

/// A search without a tree, as steps of one playout. Every `Treeless` is a [`Searcher`].
pub trait Treeless: Send {
    /// The game that is searched.
    type Game: Game;

    /// The position that is searched, and the statistics of its moves.
    fn root(&mut self) -> &mut Root<Self::Game>;

    /// Makes one playout. The search may stop after any playout and continue from there.
    fn playout(&mut self);

    /// Whether the search is complete, so that more playouts would change nothing.
    fn is_finished(&self) -> bool {
        false
    }

    /// The result so far.
    fn report(&mut self) -> Report<Move<Self>>;

    /// The best sequence so far, if it can be played as it is: nobody else moves, and nothing is left to chance. What is left of it
    /// is kept when the game goes on.
    fn incumbent(&mut self) -> Option<&mut Incumbent<Move<Self>>> {
        None
    }

    /// As [`Searcher::restart`].
    fn restart(&mut self, root: Position<Self>, rng: Rng);
}

/// A move of the game that is searched.
type Move<S> = <<S as Treeless>::Game as Game>::Move;
/// A position of the game that is searched.
type Position<S> = <<S as Treeless>::Game as Game>::Position;

impl<S: Treeless> Searcher<S::Game> for S {
    fn advance(&mut self, budget: &Budget) {
        if self.root().moves.len() < 2 {
            return;
        }
        let mut meter = Meter::start(budget);
        while !self.is_finished() && meter.go_on() {
            self.playout();
        }
        self.root().spend(budget, meter.elapsed());
    }

    fn report(&mut self) -> Report<Move<S>> {
        Treeless::report(self)
    }

    fn follow(&mut self, moves: &[Move<S>], rng: Rng) -> bool {
        let Some(best) = self.incumbent().and_then(|best| best.after(moves)) else { return false };
        let root = self.root().after(moves);
        Treeless::restart(self, root, rng);
        if let Some(incumbent) = self.incumbent() {
            *incumbent = best;
        }
        true
    }

    fn restart(&mut self, root: Position<S>, rng: Rng) {
        Treeless::restart(self, root, rng);
    }
}
