use crate::policy::{PlayoutPolicy, play_out};
use crate::record::{Record, Step};
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
}

/// What playouts know of moves by their codes.
pub trait Merits: Send {
    /// Puts the merit of each of `codes` into `scores`, which comes empty: moves of one player after the steps `past`.
    fn score(&self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>);

    /// A playout is finished.
    fn learn(&mut self, record: &Record);

    /// Forgets what is not kept for a search from another root.
    fn restart(&mut self);

    /// Bytes in use.
    fn memory(&self) -> usize;

    /// The memory limit is reached: from now on keep what there is and make nothing new.
    fn freeze(&mut self) {}
}

impl<M> Greedy<M> {
    /// Playouts by these merits, random with probability `epsilon`.
    #[must_use]
    pub fn new(merits: Box<dyn Merits>, epsilon: f64) -> Self {
        let (scores, codes) = (Vec::new(), Vec::new());
        Self { merits, epsilon, scores, codes, moves: Vec::new(), scratch: Vec::new() }
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
        let Self { merits, epsilon, scores, codes, moves, scratch } = self;
        play_out(game, position, coding, rng, record, scratch, &mut |position, past, rng| {
            if rng.unit() < *epsilon {
                return None;
            }
            moves.clear();
            game.playout_moves(position, moves);
            codes.clear();
            codes.extend(moves.iter().map(|&mv| game.code(position, mv, coding)));
            scores.clear();
            merits.score(past, codes, scores);
            greatest(scores, rng).map(|index| moves[index])
        });
    }

    fn prefer(&mut self, past: &[Step], codes: &[Code], rng: &mut Rng) -> Option<usize> {
        self.scores.clear();
        self.merits.score(past, codes, &mut self.scores);
        greatest(&self.scores, rng)
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

/// Where the greatest score is, at random among several; `None` of none.
pub(crate) fn greatest(scores: &[f64], rng: &mut Rng) -> Option<usize> {
    let (mut max, mut first, mut count) = (f64::NEG_INFINITY, 0, 0);
    for (index, &score) in scores.iter().enumerate() {
        if score > max {
            (max, first, count) = (score, index, 1);
        } else if score == max {
            count += 1;
        }
    }
    if count < 2 {
        return (count == 1).then_some(first);
    }
    (first..scores.len()).filter(|&index| scores[index] == max).nth(rng.below(count))
}
