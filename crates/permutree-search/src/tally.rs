/// A count of playouts and the sum of their rewards in one word: the count in the high 24 bits, the sum in the low 40.
///
/// AMAF and permutation statistics change by the thousand for every playout; one addition and one load for both halves
/// is what makes them cheap. The word holds [`Tally::LIMIT`] playouts, after which the tables that use it stop learning.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally(pub(crate) u64);

/// A reward of 1 as it is summed: rewards are whole multiples of 1 / 65536, so sums do not depend on their order.
pub(crate) const ONE: u32 = 1 << 16;

const COUNT_SHIFT: u32 = 40;
const SUM_MASK: u64 = (1 << COUNT_SHIFT) - 1;

impl Tally {
    /// The most playouts that a tally can count.
    pub(crate) const LIMIT: u32 = (1 << 24) - 1;

    /// One playout with this reward.
    #[inline]
    pub(crate) fn one(reward: u32) -> Self {
        Self(1 << COUNT_SHIFT | u64::from(reward))
    }

    /// Counts the playouts of `other` too.
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

    /// The mean reward, 0 when nothing was counted.
    pub(crate) fn mean(self) -> f64 {
        mean(self.count(), self.sum())
    }
}

/// The mean reward of `count` playouts whose fixed-point rewards add up to `sum`; 0 for none.
pub(crate) fn mean(count: u32, sum: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / f64::from(ONE) / f64::from(count) }
}

/// A reward in [0, 1] as it is summed.
#[inline]
pub(crate) fn fixed(reward: f64) -> u32 {
    // Adding a half and cutting off rounds; the standard `round` is a library call in portable builds.
    (reward * f64::from(ONE) + 0.5) as u32
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
    fn rewards_round() {
        assert_eq!((fixed(0.0), fixed(0.5), fixed(1.0), fixed(1.0 / 3.0)), (0, ONE / 2, ONE, 21845));
    }
}
