//! Searches that grow no tree.

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

/// A search without a tree, one playout at a time. Whatever is one is a [`Searcher`].
pub trait Treeless: Send {
    /// The game that is searched.
    type Game: Game;

    /// The position that is searched, and what is known of its moves.
    fn root(&mut self) -> &mut Root<Self::Game>;

    /// One playout, wherever the search stands. It can stop after any of them and go on from there.
    fn playout(&mut self);

    /// Whether more playouts would find nothing more.
    fn is_finished(&self) -> bool {
        false
    }

    /// What was found so far.
    fn report(&mut self) -> Report<Move<Self>>;

    /// As [`Searcher::follow`].
    fn follow(&mut self, _moves: &[Move<Self>], _rng: Rng) -> bool {
        false
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
        Treeless::follow(self, moves, rng)
    }

    fn restart(&mut self, root: Position<S>, rng: Rng) {
        Treeless::restart(self, root, rng);
    }
}
