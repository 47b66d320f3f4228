use crate::budget::{Budget, Meter};
use crate::policy::PlayoutPolicy;
use crate::record::{Record, Step};
use crate::report::{FinalMove, Report};
use crate::root::Root;
use crate::searcher::Searcher;
use permutree_game::{Game, Rewards, Rng, Turn};

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

    /// The rewards of a playout that begins with the move at `index`.
    fn sample(&mut self, index: usize) -> Rewards {
        let Root { game, moves, turn, .. } = &self.root;
        let mut position = self.root.position.clone();
        let coded = self.playouts.coded();
        self.record.clear();
        if let (Turn::Player(player), true) = (*turn, coded) {
            self.record.steps.push(Step { player, code: game.code(&position, moves[index], self.coding) });
        }
        game.play(&mut position, moves[index]);
        let record = coded.then_some(&mut self.record);
        self.playouts.playout(game, &mut position, self.coding, &mut self.rng, record);
        let rewards = game.rewards(&position);
        if coded {
            self.record.finish(&rewards);
            self.playouts.learn(&self.record);
        }
        rewards
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
            let rewards = self.sample(index);
            self.root.count(index, &rewards);
            self.root.playouts += 1;
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
