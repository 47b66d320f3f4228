//! What a number of games says about strength.

/// The 97.5 % point of the normal distribution: between minus and plus this lie 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval for the true mean of rewards in [0, 1], from the mean of `games` independent ones: Wilson's score
/// interval (1927) with the mean reward `m` in place of the proportion,
///
/// (m + z²/2n ± z sqrt(m (1 - m) / n + z²/4n²)) / (1 + z²/n).
///
/// It holds every true mean μ with |m - μ| ≤ z sqrt(μ (1 - μ) / n). For wins and losses μ (1 - μ) is the variance. For
/// rewards in between, draws and shared wins, the variance is smaller, never larger, since x² ≤ x in [0, 1]. So
/// fractional rewards make the interval wider than it need be and never too narrow. It stays inside [0, 1] and says
/// something even when every game was won or every game lost. No games give (0, 1).
#[must_use]
pub fn interval(games: u64, mean: f64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let (n, m) = (games as f64, mean.clamp(0.0, 1.0));
    let z2n = Z * Z / n;
    let middle = (m + z2n / 2.0) / (1.0 + z2n);
    let half = (m * (1.0 - m) * z2n + z2n * z2n / 4.0).sqrt() / (1.0 + z2n);
    // At the ends rounding must not keep the interval from the mean it was made of.
    ((middle - half).clamp(0.0, m), (middle + half).clamp(m, 1.0))
}

/// The Elo difference at which the expected score is `score`: 400 log10(s / (1 - s)). Minus and plus infinity at 0
/// and 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    let s = score.clamp(0.0, 1.0);
    400.0 * (s / (1.0 - s)).log10()
}

/// An Elo difference with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference. Infinite if every game was won or every game lost.
    pub difference: f64,
    /// The differences at the ends of the score's interval.
    pub ci95: (f64, f64),
}

impl Elo {
    /// The difference that a mean reward over so many games shows.
    #[must_use]
    pub fn of(games: u64, mean: f64) -> Self {
        let (low, high) = interval(games, mean);
        Self { difference: elo(mean), ci95: (elo(low), elo(high)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check((low, high): (f64, f64), expected: (f64, f64)) {
        let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
        assert!(near(low, expected.0) && near(high, expected.1), "({low}, {high}), not {expected:?}");
    }

    /// Newcombe 1998, Two-sided confidence intervals for the single proportion, table I, method 3: 81 of 263, 15 of
    /// 148, 0 of 20 and 1 of 29.
    #[test]
    fn published_intervals() {
        check(interval(263, 81.0 / 263.0), (0.2553, 0.3662));
        check(interval(148, 15.0 / 148.0), (0.0624, 0.1605));
        check(interval(20, 0.0), (0.0, 0.1611));
        check(interval(29, 1.0 / 29.0), (0.0061, 0.1718));
    }

    /// All wins leave n / (n + z²) to 1, and all losses the mirror image.
    #[test]
    fn all_won_and_all_lost() {
        check(interval(10, 1.0), (0.7225, 1.0));
        check(interval(10, 0.0), (0.0, 0.2775));
        for games in [1, 2, 3, 7, 10, 99, 800, 1_000_000_007] {
            let ((low, one), (zero, high)) = (interval(games, 1.0), interval(games, 0.0));
            assert_eq!((one, zero), (1.0, 0.0));
            assert!((low + high - 1.0).abs() < 1e-12 && low < 1.0);
        }
        assert_eq!(interval(0, 0.5), (0.0, 1.0));
    }

    /// 527 of 800 by hand: m = 0.65875, z²/n = 0.0048018, so middle (0.65875 + 0.0024009) / 1.0048018 = 0.657991 and
    /// half sqrt(0.224798 * 0.0048018 + 0.0048018² / 4) / 1.0048018 = sqrt(0.00108520) / 1.0048018 = 0.032785.
    #[test]
    fn a_match_of_800_games() {
        check(interval(800, 527.0 / 800.0), (0.62521, 0.69078));
        check(interval(800, 0.5), (0.46544, 0.53456));
    }

    #[test]
    fn elo_differences() {
        let near = |score: f64, expected: f64| assert!((elo(score) - expected).abs() < 5e-3, "{score}");
        near(0.5, 0.0);
        near(0.64, 99.95);
        near(0.75, 190.85);
        near(0.25, -190.85);
        near(10.0 / 11.0, 400.0);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    #[test]
    fn elo_intervals_come_from_score_intervals() {
        let all = Elo::of(10, 1.0);
        assert_eq!((all.difference, all.ci95.1), (f64::INFINITY, f64::INFINITY));
        // 400 log10(10 / z²): the lower end of ten wins.
        assert!((all.ci95.0 - 166.20).abs() < 5e-3, "{}", all.ci95.0);
        assert_eq!(Elo::of(0, 0.5).ci95, (f64::NEG_INFINITY, f64::INFINITY));
    }
}
