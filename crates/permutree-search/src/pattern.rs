use crate::greedy::greatest;
use crate::kernel::Level;
use crate::policy::{PlayoutPolicy, play_out};
use crate::record::Record;
use permutree_game::{Game, Rng};

/// The pattern playouts of the report "Monte Carlo Search algorithms for Order & Chaos": with probability ε a move is
/// random, else it has the greatest score by the lines that it makes and its neighbours ([`Game::pattern_scores`]), any of
/// them if they are several. In a game without patterns play is random.
pub struct Pattern<M> {
    epsilon: f64,
    scores: Vec<f64>,
    moves: Vec<M>,
    scratch: Vec<M>,
    level: Level,
}

impl<M> Pattern<M> {
    /// Playouts that are random with probability `epsilon`, 0.2 in the report.
    #[must_use]
    pub fn new(epsilon: f64) -> Self {
        Self { epsilon, scores: Vec::new(), moves: Vec::new(), scratch: Vec::new(), level: Level::detect() }
    }
}

impl<G: Game> PlayoutPolicy<G> for Pattern<G::Move> {
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        let Self { epsilon, scores, moves, scratch, level } = self;
        play_out(game, position, coding, rng, record, scratch, &mut |position, _, rng| {
            if rng.unit() < *epsilon {
                return None;
            }
            moves.clear();
            game.playout_moves(position, moves);
            scores.clear();
            game.pattern_scores(position, moves, scores);
            greatest(*level, scores, rng).map(|index| moves[index])
        });
    }
}
