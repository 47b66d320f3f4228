use crate::playouts::greedy::{ByCode, Merits};
use crate::statistics::tally::CodeTallies;
use crate::tree::{Record, Step};
use grams::{Grams, UNKNOWN};
use permutree_game::Code;
use std::ops::Range;

mod grams;

/// The N-gram Selection Technique (Tak, Winands and Björnsson 2012) as defined in "Who Invented MCTS?". Grams are sequences
/// of one, two and three consecutive moves in a playout, from the root on and by any players. Each has the mean reward of
/// the player of its last move, over all occurrences.
///
/// The merit of a move is the average of the means of the grams that it would complete: the gram of one move always, those
/// of two and three if they have occurred [`Nst::EXPERIENCE`] times. Unseen moves come first.
#[derive(Debug)]
pub struct Nst {
    keep: f64,
    ones: CodeTallies,
    /// The mean of each move, `INFINITY` for unseen ones.
    means: Vec<f64>,
    longer: Grams,
    /// For each move, the mean of the gram of three that it would complete after the last steps given to
    /// [`lay_out`](Nst::lay_out), [`UNKNOWN`] if it has too few occurrences.
    threes: Vec<f64>,
    /// The moves that have such a mean, as followers of a pair.
    known: Range<usize>,
}

/// The means of the grams that each move would complete.
#[derive(Clone, Copy, Debug)]
pub struct GramMeans<'a> {
    ones: &'a [f64],
    twos: &'a [f64],
    threes: &'a [f64],
}

impl GramMeans<'_> {
    #[inline]
    pub(crate) fn merit(&self, code: Code) -> f64 {
        merit(self.ones[code as usize], self.twos[code as usize], self.threes[code as usize])
    }
}

/// The average of the means that are known.
#[inline]
fn merit(one: f64, two: f64, three: f64) -> f64 {
    let longer = usize::from(two >= 0.0) + usize::from(three >= 0.0);
    (one + two.max(0.0) + three.max(0.0)) / [1.0, 2.0, 3.0][longer]
}

impl Nst {
    /// The occurrences that a gram of two or three moves needs to be used, k = 7 in the paper.
    pub const EXPERIENCE: u32 = 7;

    /// For a coding with this many codes, with at most `memory` bytes for grams of two and three moves; after that no new
    /// grams are added. `keep` in [0, 1] is the fraction of the occurrences that carries over to the search for the next
    /// move; it is 0 in the paper.
    #[must_use]
    pub fn new(codes: usize, keep: f64, memory: usize) -> Self {
        Self {
            keep,
            ones: CodeTallies::new(codes),
            means: vec![f64::INFINITY; codes],
            longer: Grams::new(codes, memory),
            threes: vec![UNKNOWN; codes],
            known: 0..0,
        }
    }

    /// Fills `threes` with the grams that begin with the last two of these steps.
    #[inline]
    fn lay_out(&mut self, past: &[Step]) {
        let Self { longer, threes, known, .. } = self;
        for follower in longer.followers(known.clone()) {
            threes[follower.code as usize] = UNKNOWN;
        }
        *known = match *past {
            [.., a, b] => longer.counting(a.code, b.code),
            _ => 0..0,
        };
        for follower in longer.followers(known.clone()) {
            threes[follower.code as usize] = follower.tally.mean();
        }
    }
}

impl Merits for Nst {
    fn score(&mut self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        self.lay_out(past);
        let Self { means, longer, threes, .. } = self;
        let last = past.last().map(|step| step.code);
        scores.extend(codes.iter().map(|&code| {
            let two = last.map_or(UNKNOWN, |last| longer.mean(last, code));
            merit(means[code as usize], two, threes[code as usize])
        }));
    }

    fn by_code(&mut self, past: &[Step]) -> Option<ByCode<'_>> {
        if !self.longer.has_rows() {
            return None;
        }
        self.lay_out(past);
        let twos = self.longer.row(past.last().map(|step| step.code));
        Some(ByCode::Grams(GramMeans { ones: &self.means, twos, threes: &self.threes }))
    }

    fn learn(&mut self, record: &Record) {
        // The previous code, and the pair that ends with it.
        let (mut last, mut two) = (None, None);
        for step in &record.steps {
            let reward = record.rewards[step.player.index()];
            self.ones.count(step.code, reward);
            self.means[step.code as usize] = self.ones.get(step.code).mean();
            if let Some(two) = two {
                self.longer.count_follower(two, step.code, reward);
            }
            two = last.and_then(|last| self.longer.count_pair(last, step.code, reward));
            last = Some(step.code);
        }
    }

    fn restart(&mut self) {
        self.lay_out(&[]);
        self.means.fill(f64::INFINITY);
        self.ones.decay(self.keep);
        for &code in self.ones.seen() {
            self.means[code as usize] = self.ones.get(code).mean();
        }
        self.longer.decay(self.keep);
    }

    fn memory(&self) -> usize {
        let single = size_of_val(&*self.means) + size_of_val(&*self.threes);
        self.ones.memory() + single + self.longer.memory()
    }

    fn freeze(&mut self) {
        self.longer.frozen = true;
    }
}
