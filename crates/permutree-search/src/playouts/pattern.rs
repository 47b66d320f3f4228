use crate::kernels::Level;
use crate::playouts::PlayoutPolicy;
use crate::policies::scoring::greatest;
use permutree_game::{Game, Rng};

/// The pattern playouts of the report "Monte Carlo Search algorithms for Order & Chaos": with probability ε the move is
/// random, otherwise the one with the greatest score for its lines and neighbours ([`Game::pattern_scores`]), with ties
/// broken at random. In games without patterns all moves are random.
pub struct Pattern<M> {
    epsilon: f64,
    scores: Vec<f64>,
    moves: Vec<M>,
    level: Level,
}

impl<M> Pattern<M> {
    /// Pattern playouts with a random move with probability `epsilon`, 0.2 in the report.
    #[must_use]
    pub fn new(epsilon: f64) -> Self {
        Self { epsilon, scores: Vec::new(), moves: Vec::new(), level: Level::detect() }
    }
}

impl<G: Game> PlayoutPolicy<G> for Pattern<G::Move> {
    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        if rng.unit() < self.epsilon {
            return None;
        }
        self.moves.clear();
        game.playout_moves(position, &mut self.moves);
        self.scores.clear();
        game.pattern_scores(position, &self.moves, &mut self.scores);
        greatest(self.level, &mut self.scores, rng).map(|index| self.moves[index])
    }
}
