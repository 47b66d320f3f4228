use super::Z;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 95 % confidence interval for the true mean of rewards in [0, 1], from the mean of `games` independent ones:
/// Wilson's score interval (1927) with the mean reward `m` in place of the proportion,
///
/// (m + z²/2n ± z sqrt(m (1 - m) / n + z²/4n²)) / (1 + z²/n).
///
/// It contains every true mean μ with |m - μ| ≤ z sqrt(μ (1 - μ) / n). For wins and losses μ (1 - μ) is the variance.
/// For fractional rewards (draws and shared wins) the variance is smaller, never larger, since x² ≤ x in [0, 1], so the
/// interval is wider than necessary, never too narrow. It stays inside [0, 1] and is informative even when every game
/// was won or every game lost. Without games it is (0, 1).
#[must_use]
pub fn interval(games: u64, mean: f64) -> (f64, f64) {
    if games == 0 { (0.0, 1.0) } else { wilson(games as f64, mean.clamp(0.0, 1.0)) }
}

/// The 95 % confidence interval for the true mean of rewards in [0, 1] from the mean of `games` independent ones and
/// the mean of their squares: Wilson's interval with the effective number of games n / d (Korn and Graubard 1998),
/// where d, the design effect of Kish (1965), is the variance of the rewards over m (1 - m), the variance that wins and
/// losses of the same mean have.
///
/// With only wins and losses it equals [`interval`]. Draws and shared wins vary less, and make it narrower. One more
/// game, half won and half lost, is counted for d, so that games that were all drawn are not taken for certainty.
/// Without games it is (0, 1).
#[must_use]
pub fn reward_interval(games: u64, mean: f64, mean_square: f64) -> (f64, f64) {
    if games == 0 {
        return (0.0, 1.0);
    }
    let (n, m) = (games as f64, mean.clamp(0.0, 1.0));
    let with_one_more = (n * m + 0.5) / (n + 1.0);
    // x (1 - x) is 0 for wins and losses; for other rewards it is what the variance lacks.
    let lacking = n * (m - mean_square).clamp(0.0, m * (1.0 - m)) / (n + 1.0);
    let design_effect = 1.0 - lacking / (with_one_more * (1.0 - with_one_more));
    wilson(n / design_effect, m)
}

fn wilson(n: f64, m: f64) -> (f64, f64) {
    let z2n = Z * Z / n;
    let middle = (m + z2n / 2.0) / (1.0 + z2n);
    let half = (m * (1.0 - m) * z2n + z2n * z2n / 4.0).sqrt() / (1.0 + z2n);
    // Rounding must not exclude the mean from the interval.
    ((middle - half).clamp(0.0, m), (middle + half).clamp(m, 1.0))
}

/// The 95 % confidence interval for the true mean of rewards in [0, 1] from the mean of `games` independent ones and
/// the mean of their squares: Student's interval (1908), m ± t s / sqrt(n), where s² is the sample's variance with n -
/// 1 and t the 97.5 % quantile of Student's distribution with n - 1 degrees of freedom, clipped to [0, 1].
///
/// It is for rewards that vary little, such as puzzle scores, where [`interval`] is far too wide. With fewer than two
/// games it is (0, 1).
#[must_use]
pub fn mean_interval(games: u64, mean: f64, mean_square: f64) -> (f64, f64) {
    if games < 2 {
        return (0.0, 1.0);
    }
    let freedom = (games - 1) as f64;
    // Rounding may make the difference negative where all rewards are the same.
    let variance_of_mean = (mean_square - mean * mean).max(0.0) / freedom;
    let half = student(games - 1) * variance_of_mean.sqrt();
    ((mean - half).max(0.0), (mean + half).min(1.0))
}

/// The 97.5 % quantile of Student's distribution, with at least one degree of freedom.
fn student(freedom: u64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64).map_or(Z, |student| student.inverse_cdf(0.975))
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

    /// All wins give n / (n + z²) to 1, and all losses the mirror image.
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

    /// Of three games one is drawn: with one game more, half won, the mean is 2.0 / 4, so d = 1 - (3 (1/2 - 5/12) / 4)
    /// / (1/4) = 3/4, and Wilson's interval of 4 games with mean 1/2 is 0.5 ± sqrt(z²/16 + z⁴/64) / (1 + z²/4) = 0.5 ±
    /// 0.34996.
    #[test]
    fn draws_count_as_more_games() {
        check(reward_interval(3, 0.5, 5.0 / 12.0), (0.15004, 0.84996));
        for (games, won) in [(1, 0), (1, 1), (7, 3), (800, 527), (1000, 1000), (1_000_000_007, 5)] {
            let mean = won as f64 / games as f64;
            assert_eq!(reward_interval(games, mean, mean), interval(games, mean), "{won} of {games}");
        }
        let ((low, high), wins) = (reward_interval(100, 0.5, 0.25), interval(100, 0.5));
        assert!(0.48 < low && low < 0.495 && wins.0 < 0.41 && (low + high - 1.0).abs() < 1e-12, "{low}");
        assert_eq!(reward_interval(0, 0.5, 0.25), (0.0, 1.0));
    }

    /// How often the interval contains the true mean, over all results of 40 games: not far from 95 %, whatever the
    /// draw rate.
    #[test]
    fn coverage() {
        let n = 40;
        let ln_factorial: Vec<f64> = (0..=n)
            .scan(0.0, |sum, k| {
                Some(*{
                    *sum += f64::from(k.max(1)).ln();
                    &*sum
                })
            })
            .collect();
        for (win, draw) in [(0.3, 0.4), (0.2, 0.7), (0.6, 0.35), (0.5, 0.01), (0.08, 0.9)] {
            let (loss, mean) = (1.0 - win - draw, win + draw / 2.0);
            let mut held = 0.0;
            for wins in 0..=n {
                for draws in 0..=n - wins {
                    let losses = n - wins - draws;
                    let [w, d, l] = [wins, draws, losses].map(f64::from);
                    let ways = ln_factorial[n as usize]
                        - [wins, draws, losses].map(|k| ln_factorial[k as usize]).iter().sum::<f64>();
                    let chance = (ways + w * f64::ln(win) + d * f64::ln(draw) + l * f64::ln(loss)).exp();
                    let n = f64::from(n);
                    let (low, high) = reward_interval(40, (w + d / 2.0) / n, (w + d / 4.0) / n);
                    held += chance * f64::from(u8::from(low <= mean && mean <= high));
                }
            }
            assert!((0.93..0.985).contains(&held), "{win} {draw}: {held}");
        }
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
            assert!((student(freedom) / point - 1.0).abs() < 3e-4, "{freedom}: {}", student(freedom));
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
}
