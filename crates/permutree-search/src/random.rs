use crate::budget::Budget;
use crate::report::{FinalMove, Report};
use crate::root::Root;
use crate::searcher::Searcher;
use permutree_game::{Game, Rng};

/// Plays as random playouts do. It never searches: its report has one visit, to the move it draws.
pub struct Random<G: Game> {
    root: Root<G>,
    rng: Rng,
}

impl<G: Game> Random<G> {
    /// A random player at `root`.
    pub fn new(game: G, root: G::Position, rng: Rng) -> Self {
        Self { root: Root::new(game, root), rng }
    }
}

impl<G: Game> Searcher<G> for Random<G> {
    fn advance(&mut self, _budget: &Budget) {
        let Root { game, position, .. } = &self.root;
        let drawn = game.random_move(position, &mut self.rng, &mut Vec::new());
        self.root.take(drawn);
    }

    fn report(&mut self) -> Report<G::Move> {
        self.root.report(FinalMove::Visits, Vec::new(), 0)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.rng = rng;
    }
}
