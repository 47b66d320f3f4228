use crate::kernels::Level;
use crate::playouts::nst::GramMeans;
use crate::playouts::{PlayoutPolicy, play_out};
use crate::policies::scoring::greatest;
use crate::tree::{Record, Step};
use permutree_game::{Code, Game, Rng};

/// Playouts that are ε-greedy: with probability ε a move is random, else it is the one of the greatest merit by its code,
/// any of them if they are several. What the merits are is for [`crate::Mast`] and [`crate::Nst`] to say.
pub struct Greedy<M> {
    merits: Box<dyn Merits>,
    epsilon: f64,
    scores: Vec<f64>,
    codes: Vec<Code>,
    moves: Vec<M>,
    scratch: Vec<M>,
    level: Level,
}

/// What playouts know of moves by their codes.
pub trait Merits: Send {
    /// Puts the merit of each of `codes` into `scores`, which comes empty: moves of one player after the steps `past`.
    fn score(&mut self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>);

    /// The merit of every code after the steps `past`, none of them negative, if it can be had one by one: many games then
    /// find the best move without listing any.
    fn by_code(&mut self, _past: &[Step]) -> Option<ByCode<'_>> {
        None
    }

    /// A playout is finished.
    fn learn(&mut self, record: &Record);

    /// Forgets what is not kept for a search from another root.
    fn restart(&mut self);

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: from now on keep what there is and make nothing new.
    fn freeze(&mut self) {}
}

/// Merits that are asked for one by one.
#[derive(Clone, Copy, Debug)]
pub enum ByCode<'a> {
    /// The merit of every code.
    Means(&'a [f64]),
    /// The grams that every code would complete.
    Grams(GramMeans<'a>),
}

impl<M> Greedy<M> {
    /// Playouts by these merits, random with probability `epsilon`.
    #[must_use]
    pub fn new(merits: Box<dyn Merits>, epsilon: f64) -> Self {
        Self {
            merits,
            epsilon,
            scores: Vec::new(),
            codes: Vec::new(),
            moves: Vec::new(),
            scratch: Vec::new(),
            level: Level::detect(),
        }
    }
}

impl<G: Game> PlayoutPolicy<G> for Greedy<G::Move> {
    fn coded(&self) -> bool {
        true
    }

    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        let Self { merits, epsilon, scores, codes, moves, scratch, level } = self;
        play_out(game, position, coding, rng, record, scratch, &mut |position, past, rng| {
            if rng.unit() < *epsilon {
                return None;
            }
            let found = match merits.by_code(past) {
                Some(ByCode::Means(means)) => {
                    game.move_of_merit(position, coding, |code| means[code as usize], rng)
                }
                Some(ByCode::Grams(grams)) => {
                    game.move_of_merit(position, coding, |code| grams.merit(code), rng)
                }
                None => None,
            };
            if found.is_some() {
                return found;
            }
            moves.clear();
            game.playout_moves(position, moves);
            codes.clear();
            codes.extend(moves.iter().map(|&mv| game.code(position, mv, coding)));
            scores.clear();
            merits.score(past, codes, scores);
            greatest(*level, scores, rng).map(|index| moves[index])
        });
    }

    fn prefer(&mut self, past: &[Step], codes: &[Code], rng: &mut Rng) -> Option<usize> {
        self.scores.clear();
        self.merits.score(past, codes, &mut self.scores);
        greatest(self.level, &mut self.scores, rng)
    }

    fn restart(&mut self) {
        self.merits.restart();
    }

    fn learn(&mut self, record: &Record) {
        self.merits.learn(record);
    }

    fn memory(&self) -> usize {
        self.merits.memory()
    }

    fn freeze(&mut self) {
        self.merits.freeze();
    }
}
