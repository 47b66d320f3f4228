use crate::budget::{Budget, Meter};
use crate::policy::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::root::Root;
use crate::searcher::Searcher;
use permutree_game::{Game, Rng};

/// Flat Monte Carlo (Abramson 1990): as many playouts from each move as from any other; the best mean is played.
pub struct Flat<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    rng: Rng,
}

impl<G: Game> Flat<G> {
    /// A search from `root`; nothing is done yet.
    pub fn new(game: G, root: G::Position, playouts: Box<dyn PlayoutPolicy<G>>, rng: Rng) -> Self {
        Self { root: Root::new(game, root), playouts, rng }
    }
}

impl<G: Game> Searcher<G> for Flat<G> {
    fn advance(&mut self, budget: &Budget) {
        let root = &mut self.root;
        if root.moves.len() < 2 {
            return;
        }
        let mut meter = Meter::start(budget);
        while meter.go_on() {
            let index = (root.playouts % root.moves.len() as u64) as usize;
            let mut position = root.position.clone();
            root.game.play(&mut position, root.moves[index]);
            self.playouts.playout(&root.game, &mut position, 0, &mut self.rng, None);
            root.count(index, &root.game.rewards(&position));
            root.playouts += 1;
        }
        root.spend(budget, meter.elapsed());
    }

    fn report(&mut self) -> Report<G::Move> {
        self.root.report(FinalMove::Mean, Vec::new(), 0)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.playouts.restart();
        self.rng = rng;
    }
}
