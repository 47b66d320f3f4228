use crate::report::Source;
use crate::tree::LANES;
use permutree_game::Code;

/// A count of playouts and the sum of their rewards in one word: the count in the high 24 bits, the sum in the low 40.
///
/// A playout changes thousands of AMAF and permutation tallies, so one load and one addition for both halves matter. A tally
/// holds [`Tally::LIMIT`] playouts; after that the tables that use it stop learning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally(pub(crate) u64);

/// Tallies that fill a cache line: wide loads and stores that cross lines take twice as long.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [Tally; LANES]);

/// A reward of 1 in fixed point. Rewards are added as whole multiples of 1 / 65536, so that sums do not depend on their
/// order.
pub const ONE: u32 = 1 << 16;

const COUNT_SHIFT: u32 = 40;
const SUM_MASK: u64 = (1 << COUNT_SHIFT) - 1;

impl Tally {
    /// The most playouts that a tally holds.
    pub(crate) const LIMIT: u32 = (1 << 24) - 1;

    /// One playout with this reward.
    #[inline]
    pub(crate) fn one(reward: u32) -> Self {
        Self(1 << COUNT_SHIFT | u64::from(reward))
    }

    /// Adds the playouts of `other`.
    #[inline]
    pub(crate) fn add(&mut self, other: Self) {
        self.0 += other.0;
    }

    /// The number of playouts.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        (self.0 >> COUNT_SHIFT) as u32
    }

    /// The sum of rewards in units of 1 / 65536.
    #[inline]
    pub(crate) fn sum(self) -> u64 {
        self.0 & SUM_MASK
    }

    /// Counts one playout with this reward, unless the tally is full.
    #[inline]
    pub(crate) fn count_one(&mut self, reward: u32) {
        if self.count() < Self::LIMIT {
            self.add(Self::one(reward));
        }
    }

    /// The fraction `keep` of the playouts, rounded down to a whole number, with the same mean.
    pub(crate) fn decayed(self, keep: f64) -> Self {
        let (count, sum) = (f64::from(self.count()), self.sum() as f64);
        let kept = (count * keep).floor();
        Self((kept as u64) << COUNT_SHIFT | (sum * (kept / count.max(1.0))) as u64)
    }

    /// The mean reward; 0 without playouts.
    #[inline]
    pub(crate) fn mean(self) -> f64 {
        mean(self.count(), self.sum())
    }
}

impl From<Tally> for Source {
    fn from(tally: Tally) -> Self {
        Self { count: u64::from(tally.count()), mean: tally.mean() }
    }
}

/// The mean reward of `count` playouts whose fixed-point rewards add up to `sum`; 0 without playouts.
#[inline]
pub(crate) fn mean(count: u32, sum: u64) -> f64 {
    // Without a branch, which would be mispredicted.
    sum as f64 / f64::from(ONE) / f64::from(count.max(1))
}

/// A reward in [0, 1] in fixed point: rounded to a multiple of 1 / 65536, in units of that.
#[inline]
pub fn fixed(reward: f64) -> u32 {
    // Adding a half and truncating rounds. The standard `round` is a library call in portable builds.
    (reward * f64::from(ONE) + 0.5) as u32
}

/// A tally for every code.
#[derive(Debug)]
pub(crate) struct CodeTallies {
    tallies: Vec<Tally>,
    /// The codes that have a count.
    seen: Vec<Code>,
}

impl CodeTallies {
    pub(crate) fn new(codes: usize) -> Self {
        Self { tallies: vec![Tally::default(); codes], seen: Vec::new() }
    }

    #[inline]
    pub(crate) fn get(&self, code: Code) -> Tally {
        self.tallies[code as usize]
    }

    /// The codes that have a count.
    pub(crate) fn seen(&self) -> &[Code] {
        &self.seen
    }

    /// Counts a playout with this reward.
    #[inline]
    pub(crate) fn count(&mut self, code: Code, reward: u32) {
        let tally = &mut self.tallies[code as usize];
        if *tally == Tally::default() {
            self.seen.push(code);
        }
        tally.count_one(reward);
    }

    /// Keeps this fraction of the counts.
    pub(crate) fn decay(&mut self, keep: f64) {
        let tallies = &mut self.tallies;
        self.seen.retain(|&code| {
            let tally = &mut tallies[code as usize];
            *tally = tally.decayed(keep);
            *tally != Tally::default()
        });
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.tallies) + size_of_val(&*self.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_mix() {
        let mut tally = Tally::default();
        assert_eq!(tally.mean(), 0.0);
        for _ in 0..3 {
            tally.add(Tally::one(ONE));
        }
        tally.add(Tally::one(0));
        assert_eq!((tally.count(), tally.sum(), tally.mean()), (4, 3 * u64::from(ONE), 0.75));
        let full = Tally(u64::from(Tally::LIMIT) * Tally::one(ONE).0);
        assert_eq!((full.count(), full.mean()), (Tally::LIMIT, 1.0));
    }

    #[test]
    fn decay_keeps_the_mean_and_whole_playouts() {
        let tally = Tally((7 << COUNT_SHIFT) + 5 * u64::from(ONE));
        assert_eq!(tally.decayed(1.0), tally);
        assert_eq!(tally.decayed(0.0), Tally::default());
        let half = tally.decayed(0.5);
        assert!(half.count() == 3 && (half.mean() - 5.0 / 7.0).abs() < 1e-4);
        assert_eq!(Tally::default().decayed(0.5), Tally::default());
        // A fraction of a playout counts as none, and its reward is dropped too.
        assert_eq!(Tally::one(ONE).decayed(0.9), Tally::default());
    }

    #[test]
    fn rewards_round() {
        assert_eq!((fixed(0.0), fixed(0.5), fixed(1.0), fixed(1.0 / 3.0)), (0, ONE / 2, ONE, 21845));
    }
}
