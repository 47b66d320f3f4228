use crate::greedy::Merits;
use crate::record::{Record, Step};
use crate::storage::mix;
use crate::table::{TallySlot, place};
use crate::tally::{CodeTallies, Tally};
use permutree_game::Code;

/// The N-gram Selection Technique (Tak, Winands and Björnsson 2012) as "Who Invented MCTS?" writes it. Grams are the
/// sequences of one, two and three moves that follow each other in a playout, from the root on and whoever makes them.
/// Each has the mean reward of who makes its last move, counted for every occurrence.
///
/// The merit of a move is the mean of the means of the grams that it would complete: of one move always, of two and three
/// only if they occurred [`Nst::EXPERIENCE`] times. Moves never seen come first.
#[derive(Debug)]
pub struct Nst {
    keep: f64,
    ones: CodeTallies,
    /// Grams of two and three moves.
    grams: Grams,
}

impl Nst {
    /// How often a gram of two or three moves must have occurred to count, k = 7 in the paper.
    pub const EXPERIENCE: u32 = 7;

    /// For a coding with this many codes, with at most `memory` bytes for grams of two and three moves: when they are used
    /// up there are no new ones. `keep` in [0, 1] is the part of the occurrences that is still counted in the search for
    /// the next move; the paper keeps none.
    #[must_use]
    pub fn new(codes: usize, keep: f64, memory: usize) -> Self {
        let grams =
            Grams { slots: Vec::new(), used: 0, most: memory / size_of::<TallySlot>(), frozen: false };
        Self { keep, ones: CodeTallies::new(codes), grams }
    }
}

/// The gram of two moves.
#[inline]
fn pair(a: Code, b: Code) -> u64 {
    mix(u64::from(a) << 32 | u64::from(b))
}

/// The gram of three moves, of which the first two are this pair.
#[inline]
fn triple(pair: u64, c: Code) -> u64 {
    mix(pair ^ u64::from(c))
}

#[inline]
fn counts(tally: Tally) -> bool {
    tally.count() >= Nst::EXPERIENCE
}

impl Merits for Nst {
    // No gram occurs more often than a shorter one in it, and it is never there without: what does not count need not be
    // looked up in anything longer.
    fn score(&self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        let last = past.last().map(|step| step.code).filter(|&last| counts(self.ones.get(last)));
        let two = match *past {
            [.., a, b] => Some(pair(a.code, b.code)).filter(|&two| counts(self.grams.get(two))),
            _ => None,
        };
        let score = |&code: &Code| {
            let one = self.ones.get(code);
            if one == Tally::default() {
                return f64::INFINITY;
            }
            let (mut sum, mut grams) = (one.mean(), 1.0);
            if let Some(last) = last.filter(|_| counts(one)) {
                let ending = self.grams.get(pair(last, code));
                if counts(ending) {
                    (sum, grams) = (sum + ending.mean(), 2.0);
                    let whole = two.map_or(Tally::default(), |two| self.grams.get(triple(two, code)));
                    if counts(whole) {
                        (sum, grams) = (sum + whole.mean(), 3.0);
                    }
                }
            }
            sum / grams
        };
        scores.extend(codes.iter().map(score));
    }

    fn learn(&mut self, record: &Record) {
        let (mut last, mut two) = (None, None);
        for step in &record.steps {
            let reward = record.rewards[step.player.index()];
            self.ones.count(step.code, reward);
            let next = last.map(|last| pair(last, step.code));
            for gram in [next, two.map(|two| triple(two, step.code))].into_iter().flatten() {
                self.grams.count(gram, reward);
            }
            (last, two) = (Some(step.code), next);
        }
    }

    fn restart(&mut self) {
        self.ones.decay(self.keep);
        self.grams.decay(self.keep);
    }

    fn memory(&self) -> usize {
        self.ones.memory() + self.grams.memory()
    }

    fn freeze(&mut self) {
        self.grams.frozen = true;
    }
}

/// A tally for each gram that occurred: open addressing, at most half full.
#[derive(Debug)]
struct Grams {
    slots: Vec<TallySlot>,
    used: usize,
    /// The most slots that the table may have.
    most: usize,
    frozen: bool,
}

/// The size of a table with anything in it. A power of two.
const FEWEST_SLOTS: usize = 1024;

/// How many slots `used` grams need.
fn needed(used: usize) -> usize {
    if used == 0 { 0 } else { (2 * used).next_power_of_two().max(FEWEST_SLOTS) }
}

impl Grams {
    #[inline]
    fn get(&self, gram: u64) -> Tally {
        if self.slots.is_empty() { Tally::default() } else { self.slots[place(&self.slots, gram)].tally }
    }

    #[inline]
    fn count(&mut self, gram: u64, reward: u32) {
        if 2 * (self.used + 1) > self.slots.len() && !self.grow() && self.slots.is_empty() {
            return;
        }
        let i = place(&self.slots, gram);
        let slot = &mut self.slots[i];
        if slot.is_free() {
            if self.frozen {
                return;
            }
            self.used += 1;
            slot.hash = gram;
        }
        slot.tally.count_one(reward);
    }

    /// Doubles the table; false, and it is frozen, if it may not grow.
    #[cold]
    fn grow(&mut self) -> bool {
        let size = needed(self.used + 1);
        self.frozen |= size > self.most;
        if !self.frozen {
            let old = std::mem::replace(&mut self.slots, vec![TallySlot::default(); size]);
            self.fill(old.into_iter());
        }
        !self.frozen
    }

    /// Enters what is counted in `from`, which the table has room for.
    fn fill(&mut self, from: impl Iterator<Item = TallySlot>) {
        for slot in from.filter(|slot| !slot.is_free()) {
            let i = place(&self.slots, slot.hash);
            self.slots[i] = slot;
        }
    }

    /// Keeps this part of what was counted, and as much memory as was needed.
    fn decay(&mut self, keep: f64) {
        self.frozen = false;
        let size = needed(self.used);
        if keep == 0.0 {
            self.slots.truncate(size);
            self.slots.fill(TallySlot::default());
            self.used = 0;
            return;
        }
        let old = std::mem::replace(&mut self.slots, vec![TallySlot::default(); size]);
        let kept = old.into_iter().map(|slot| TallySlot { tally: slot.tally.decayed(keep), ..slot });
        self.fill(kept);
        self.used = self.slots.iter().filter(|slot| !slot.is_free()).count();
    }

    /// Bytes that a table that grew from nothing uses.
    fn memory(&self) -> usize {
        needed(self.used) * size_of::<TallySlot>()
    }
}
