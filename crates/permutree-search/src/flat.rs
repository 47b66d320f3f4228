use crate::budget::{Budget, Meter};
use crate::policy::PlayoutPolicy;
use crate::record::Record;
use crate::report::{FinalMove, Report};
use crate::root::Root;
use crate::searcher::Searcher;
use permutree_game::{Game, Rng};

/// Flat Monte Carlo (Abramson 1990): as many playouts from each move as from any other; the best mean is played.
pub struct Flat<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    coding: usize,
    record: Record,
    rng: Rng,
}

impl<G: Game> Flat<G> {
    /// A search from `root` with playouts that know moves by this coding; nothing is done yet.
    pub fn new(
        game: G,
        root: G::Position,
        playouts: Box<dyn PlayoutPolicy<G>>,
        coding: usize,
        rng: Rng,
    ) -> Self {
        Self { root: Root::new(game, root), playouts, coding, record: Record::default(), rng }
    }
}

impl<G: Game> Searcher<G> for Flat<G> {
    fn advance(&mut self, budget: &Budget) {
        if self.root.moves.len() < 2 {
            return;
        }
        let mut meter = Meter::start(budget);
        while meter.go_on() {
            let index = (self.root.playouts % self.root.moves.len() as u64) as usize;
            let record = self.playouts.coded().then_some(&mut self.record);
            self.root.play_out(index, &mut *self.playouts, self.coding, &mut self.rng, record);
        }
        self.root.spend(budget, meter.elapsed());
    }

    fn report(&mut self) -> Report<G::Move> {
        self.root.report(FinalMove::Mean, Vec::new(), self.playouts.memory())
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.playouts.restart();
        self.rng = rng;
    }
}
