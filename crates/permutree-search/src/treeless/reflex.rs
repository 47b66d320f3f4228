use crate::budget::Budget;
use crate::playouts::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::searcher::Searcher;
use crate::treeless::root::Root;
use permutree_game::{Game, Rng};

/// Plays as a playout policy does, without a search. Its report has one visit, at the move that it chooses.
pub struct Reflex<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    rng: Rng,
}

impl<G: Game> Reflex<G> {
    /// A player at `root`.
    pub fn new(game: G, root: G::Position, playouts: Box<dyn PlayoutPolicy<G>>, rng: Rng) -> Self {
        Self { root: Root::new(game, root), playouts, rng }
    }
}

impl<G: Game> Searcher<G> for Reflex<G> {
    fn advance(&mut self, _budget: &Budget) {
        let Root { game, position, .. } = &self.root;
        let chosen = self.playouts.choose(game, position, &mut self.rng);
        let mv = chosen.or_else(|| game.random_move(position, &mut self.rng, &mut Vec::new()));
        self.root.take(mv);
    }

    fn report(&mut self) -> Report<G::Move> {
        self.root.report(FinalMove::Visits, Vec::new(), 0)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.rng = rng;
    }
}
