use super::{Elo, reward_interval, superiority};
use std::collections::BTreeMap;

/// How often each of `N` results occurred, from the worst to the best: result i is worth i / (N - 1).
///
/// Counts are whole, unless rewards lie between two results and are split between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts<const N: usize>(pub [f64; N]);

/// Games lost, drawn and won.
pub type Trinomial = Counts<3>;

/// Pairs of games with seats swapped, by points: 0, 1/2, 1, 3/2 and 2. The advantage of a seat cancels within a pair,
/// so pairs vary less than games.
pub type Pentanomial = Counts<5>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        Self([0.0; N])
    }
}

impl<const N: usize> From<[u64; N]> for Counts<N> {
    fn from(counts: [u64; N]) -> Self {
        Self(counts.map(|count| count as f64))
    }
}

impl<const N: usize> Counts<N> {
    /// The value of result `i`, in [0, 1].
    pub(super) fn value(i: usize) -> f64 {
        i as f64 / (N - 1) as f64
    }

    /// Counts a reward in [0, 1], for a pair of games the mean of both. A reward between two results is split between
    /// them so that the mean stays the same; the variance becomes larger, never smaller.
    pub fn add(&mut self, reward: f64) {
        let place = reward.clamp(0.0, 1.0) * (N - 1) as f64;
        let below = (place as usize).min(N - 2);
        // In units of 1/65536, so that the order of games does not change a sum.
        let share = ((place - below as f64) * 65536.0).round() / 65536.0;
        self.0[below] += 1.0 - share;
        self.0[below + 1] += share;
    }

    /// The number of results.
    #[must_use]
    pub fn results(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The number of games: one for each of three results, two for each of five.
    #[must_use]
    pub fn games(&self) -> f64 {
        self.results() * Self::games_each()
    }

    fn games_each() -> f64 {
        (N - 1) as f64 / 2.0
    }

    /// The mean reward; one half without games.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let results = self.results();
        if results == 0.0 { 0.5 } else { self.sum(|value| value) / results }
    }

    /// The variance of a result's reward in [0, 1].
    #[must_use]
    pub fn variance(&self) -> f64 {
        let (results, mean) = (self.results(), self.mean());
        if results == 0.0 { 0.0 } else { self.sum(|value| (value - mean) * (value - mean)) / results }
    }

    /// The sum of `of(value)` over all results.
    pub(super) fn sum(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.0.iter().enumerate().map(|(i, count)| count * of(Self::value(i))).sum()
    }

    /// The Elo difference, with the interval of [`reward_interval`] over the results.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let (results, mean) = (self.results(), self.mean());
        let mean_square = self.sum(|value| value * value) / results.max(1.0);
        Elo::between(mean, reward_interval(results.round() as u64, mean, mean_square))
    }

    /// The normalized Elo difference ([`Elo::normalized`]).
    #[must_use]
    pub fn normalized_elo(&self) -> Elo {
        let some = self.without_zeros();
        let deviation = (some.variance() * Self::games_each()).sqrt();
        Elo::normalized(self.games(), some.mean(), deviation)
    }

    /// How many standard deviations the score is above even, with the variance that it has if both are equally strong:
    /// Σ (r - 1/2) / sqrt(Σ (r - 1/2)²) over the rewards r. For single games it is (W - L) / sqrt(W + L).
    #[must_use]
    pub fn z(&self) -> f64 {
        let squares = self.sum(|value| (value - 0.5) * (value - 0.5));
        if squares == 0.0 { 0.0 } else { self.sum(|value| value - 0.5) / squares.sqrt() }
    }

    /// The likelihood of superiority, that the true score is more than even ([`superiority`]).
    #[must_use]
    pub fn superiority(&self) -> f64 {
        superiority(self.z())
    }

    /// Counts results that did not occur as 1/1000, as fishtest does, so that every distribution is possible.
    pub(super) fn without_zeros(mut self) -> Self {
        self.0.iter_mut().filter(|count| **count <= 0.0).for_each(|count| *count = 1e-3);
        self
    }
}

/// Pairs games by their numbers, each even one with the next.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    counts: Pentanomial,
    waiting: BTreeMap<u64, f64>,
}

impl Pairs {
    /// Adds a player's reward in a game, in any order of games; returns whether its pair is complete.
    pub fn add(&mut self, number: u64, reward: f64) -> bool {
        match self.waiting.remove(&(number ^ 1)) {
            None => {
                self.waiting.insert(number, reward);
                false
            }
            Some(other) => {
                self.counts.add((reward + other) / 2.0);
                true
            }
        }
    }

    /// The complete pairs.
    #[must_use]
    pub fn counts(&self) -> &Pentanomial {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value}, not {expected}");
    }

    /// The counts of `app/tests/elo_test.cpp` of fastchess, there by the normal approximation and to 1 %.
    #[test]
    fn published_games() {
        for (losses, draws, wins, elo, normalized, los) in [
            (89.0, 123.0, 76.0, None, (-20.76, 40.13), Some(0.1553)),
            (96.0, 111.0, 136.0, Some((40.70, 30.43)), (49.77, 36.77), Some(0.9960)),
            (356.0, 0.0, 34.0, None, (-508.44, 34.48), None),
        ] {
            let games = Counts([losses, draws, wins]);
            near(games.normalized_elo().difference, normalized.0, 0.01);
            near(games.normalized_elo().error(), normalized.1, 0.005);
            if let Some((difference, error)) = elo {
                near(games.elo().difference, difference, 0.005);
                near(games.elo().error(), error, 0.01 * error);
            }
            if let Some(los) = los {
                near(games.superiority(), los, 1e-3);
            }
        }
    }

    /// From the same file. Two draws, and a win with a loss, are one count here.
    #[test]
    fn published_pairs() {
        for (counts, elo, normalized, los) in [
            ([34.0, 54.0, 63.0, 64.0, 75.0], (55.58, 27.65), (57.94, 28.28), 1.0),
            ([332.0, 433.0, 498.0, 333.0, 334.0], (-8.64, 10.33), (-9.17, 10.96), 0.0505),
            ([7895.0, 8757.0, 5685.0, 568.0, 9999.0], (-21.04, 2.95), (-19.01, 2.65), 0.0),
        ] {
            let pairs = Counts(counts);
            near(pairs.elo().difference, elo.0, 0.005);
            near(pairs.elo().error(), elo.1, 0.01 * elo.1);
            near(pairs.normalized_elo().difference, normalized.0, 0.005);
            near(pairs.normalized_elo().error(), normalized.1, 0.005);
            near(pairs.superiority(), los, 1e-3);
        }
    }

    /// 0.5 (1 + erf((W - L) / sqrt(2 (W + L)))), whatever the draws: 10 to 5 is z = 1.29099.
    #[test]
    fn superiority_of_wins_and_losses() {
        for draws in [0.0, 3.0, 1000.0] {
            near(Counts([5.0, draws, 10.0]).superiority(), 0.90165, 1e-5);
            near(Counts([10.0, draws, 5.0]).superiority(), 0.09835, 1e-5);
        }
        // With only wins, z = sqrt(n).
        near(Counts([0.0, 0.0, 1.0]).superiority(), 0.84134, 1e-5);
        near(Counts([0.0, 0.0, 9.0]).superiority(), 0.99865, 1e-5);
    }

    #[test]
    fn nothing_and_all() {
        let check = |elo: Elo| {
            assert!(!elo.difference.is_nan() && elo.ci95.0 <= elo.difference && elo.difference <= elo.ci95.1);
        };
        for counts in
            [[0.0; 5], [9.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 9.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1e9]]
        {
            let pairs = Counts(counts);
            check(pairs.elo());
            check(pairs.normalized_elo());
            assert!(pairs.superiority().is_finite() && pairs.variance() == 0.0);
        }
        let none = Trinomial::default();
        assert_eq!((none.games(), none.mean(), none.superiority()), (0.0, 0.5, 0.5));
        assert_eq!(none.elo().ci95, (f64::NEG_INFINITY, f64::INFINITY));
        assert_eq!(none.normalized_elo().ci95, (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn rewards_become_counts() {
        let mut pairs = Pairs::default();
        for (number, reward) in [(3, 1.0), (0, 0.0), (2, 1.0), (5, 0.5), (1, 0.5), (7, 0.0), (4, 0.5)] {
            pairs.add(number, reward);
        }
        assert_eq!(pairs.counts(), &Counts([0.0, 1.0, 1.0, 0.0, 1.0]));
        assert!(pairs.add(6, 1.0));
        assert_eq!((pairs.counts().results(), pairs.counts().games()), (4.0, 8.0));

        let mut between = Pentanomial::default();
        between.add(0.875);
        between.add(0.6);
        assert_eq!(between.results(), 2.0);
        near(between.mean(), 0.7375, 1e-5);
    }
}
