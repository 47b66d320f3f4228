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

/// The 95 % interval for the true mean of rewards in [0, 1] from the mean of `games` independent ones and the mean of their
/// squares: Student's interval (1908), m ± t s / sqrt(n), where s² is the sample's variance with n - 1 and t the 97.5 %
/// point of Student's distribution with n - 1 degrees of freedom, cut to [0, 1].
///
/// It is for rewards that vary little, such as the scores of a puzzle, where [`interval`] is far too wide. Fewer than two
/// games give (0, 1).
#[must_use]
pub fn mean_interval(games: u64, mean: f64, mean_square: f64) -> (f64, f64) {
    if games < 2 {
        return (0.0, 1.0);
    }
    let freedom = (games - 1) as f64;
    // Rounding may leave less than nothing where all rewards are the same.
    let variance_of_mean = (mean_square - mean * mean).max(0.0) / freedom;
    let half = student(games - 1) * variance_of_mean.sqrt();
    ((mean - half).max(0.0), (mean + half).min(1.0))
}

/// The 97.5 % point of Student's distribution: from tables for the first three degrees of freedom, and then by its
/// expansion in 1/ν (Abramowitz and Stegun, 26.7.5), which is right to 0.3 %.
fn student(freedom: u64) -> f64 {
    match freedom {
        ..=1 => 12.706_205,
        2 => 4.302_653,
        3 => 3.182_446,
        _ => {
            let (v, z2) = (freedom as f64, Z * Z);
            let first = (z2 + 1.0) / 4.0;
            let second = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
            let third = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
            Z * (1.0 + (first + (second + third / v) / v) / v)
        }
    }
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

    /// From printed tables.
    #[test]
    fn student_s_points() {
        for (freedom, point) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ] {
            assert!((student(freedom) / point - 1.0).abs() < 3e-3, "{freedom}: {}", student(freedom));
        }
    }

    /// 0.2, 0.4, 0.6 and 0.8 by hand: s² = 0.2 / 3, so s / sqrt(4) = 0.129099, times 3.182446 = 0.410852.
    #[test]
    fn intervals_of_means() {
        check(mean_interval(4, 0.5, 0.3), (0.08915, 0.91085));
        // 0.1 and 0.5 reach beyond both ends: s / sqrt(2) = 0.2, times 12.7.
        assert_eq!(mean_interval(2, 0.3, 0.13), (0.0, 1.0));
        assert_eq!((mean_interval(0, 0.0, 0.0), mean_interval(1, 0.7, 0.49)), ((0.0, 1.0), (0.0, 1.0)));
        check(mean_interval(1000, 0.9, 0.9 * 0.9), (0.9, 0.9));
        // Wins and losses of a long match: Wilson's and Student's agree.
        let (n, m) = (100_000, 0.3);
        check(mean_interval(n, m, m), interval(n, m));
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
