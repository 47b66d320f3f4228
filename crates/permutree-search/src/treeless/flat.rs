use crate::playouts::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::tree::Record;
use crate::treeless::Treeless;
use crate::treeless::root::Root;
use permutree_game::{Game, Rng};

/// Flat Monte Carlo (Abramson 1990): the same number of playouts for every move. The best mean is played.
pub struct Flat<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    coding: usize,
    record: Record,
    rng: Rng,
}

impl<G: Game> Flat<G> {
    /// A search from `root`. `coding` is for playout policies that use codes.
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

impl<G: Game> Treeless for Flat<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        let index = (self.root.playouts % self.root.moves.len() as u64) as usize;
        let record = self.playouts.coded().then_some(&mut self.record);
        self.root.play_out(index, &mut *self.playouts, self.coding, &mut self.rng, record);
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
