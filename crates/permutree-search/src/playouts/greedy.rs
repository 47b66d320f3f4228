use crate::kernels::Level;
use crate::playouts::nst::GramMeans;
use crate::playouts::{PlayoutPolicy, play_out};
use crate::policies::scoring::greatest;
use crate::tree::{Record, Step};
use permutree_game::{Code, Game, Rng};

/// ε-greedy playouts: with probability ε the move is random, otherwise the one whose code has the greatest merit, with ties
/// broken at random. The merits come from [`Mast`](super::Mast), [`Nst`](super::Nst) or your own [`Merits`].
pub struct Greedy<M> {
    merits: Box<dyn Merits>,
    epsilon: f64,
    scores: Vec<f64>,
    codes: Vec<Code>,
    moves: Vec<M>,
    scratch: Vec<M>,
    level: Level,
}

/// The merits of codes, by which playouts choose moves.
pub trait Merits: Send {
    /// Fills `scores`, which is empty, with the merits of `codes`: those of a player's moves after the steps `past`.
    fn score(&mut self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>);

    /// The merit of each code after the steps `past`, if it can be computed for single codes and is never negative. Many
    /// games then find the best move without listing the others.
    fn by_code(&mut self, _past: &[Step]) -> Option<ByCode<'_>> {
        None
    }

    /// Learns from a finished playout.
    fn learn(&mut self, record: &Record);

    /// Clears what is not kept for a search from another root.
    fn restart(&mut self);

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: update existing statistics only and allocate nothing more.
    fn freeze(&mut self) {}
}

/// Merits of single codes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ByCode<'a> {
    /// The merit of every code.
    Means(&'a [f64]),
    /// The means of the grams that each code would complete.
    Grams(GramMeans<'a>),
}

impl<M> Greedy<M> {
    /// Playouts by these merits, with a random move with probability `epsilon`.
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
