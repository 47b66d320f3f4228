use crate::kernels::Level;
use crate::playouts::{PlayoutPolicy, play_out};
use crate::policies::scoring::greatest;
use crate::tree::Record;
use permutree_game::{Game, Rng};

/// The pattern playouts of the report "Monte Carlo Search algorithms for Order & Chaos": with probability ε the move is
/// random, otherwise the one with the greatest score for its lines and neighbours ([`Game::pattern_scores`]), with ties
/// broken at random. In games without patterns all moves are random.
pub struct Pattern<M> {
    picks: Picks<M>,
    scratch: Vec<M>,
}

struct Picks<M> {
    epsilon: f64,
    scores: Vec<f64>,
    moves: Vec<M>,
    level: Level,
}

impl<M> Pattern<M> {
    /// Pattern playouts with a random move with probability `epsilon`, 0.2 in the report.
    #[must_use]
    pub fn new(epsilon: f64) -> Self {
        let picks = Picks { epsilon, scores: Vec::new(), moves: Vec::new(), level: Level::detect() };
        Self { picks, scratch: Vec::new() }
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
        let Self { picks, scratch } = self;
        play_out(game, position, coding, rng, record, scratch, &mut |position, _, rng| {
            picks.choose(game, position, rng)
        });
    }

    fn choose(&mut self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
        self.picks.choose(game, position, rng)
    }
}

impl<M: Copy> Picks<M> {
    fn choose<G: Game<Move = M>>(&mut self, game: &G, position: &G::Position, rng: &mut Rng) -> Option<M> {
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
