use super::{Z, interval};

/// The Elo difference at which the expected score is `score`: 400 log10(s / (1 - s)). Minus and plus infinity at 0
/// and 1.
#[must_use]
pub fn elo(score: f64) -> f64 {
    let s = score.clamp(0.0, 1.0);
    400.0 * (s / (1.0 - s)).log10()
}

/// The expected score at an Elo difference: 1 / (1 + 10^(-d/400)).
#[must_use]
pub fn expected_score(difference: f64) -> f64 {
    // From libm, so that an SPRT ends at the same game on every machine.
    1.0 / (1.0 + libm::exp10(-difference / 400.0))
}

/// An Elo difference with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Elo {
    /// The difference. Infinite if every game was won or every game lost, which JSON shows as null.
    pub difference: f64,
    /// The differences at the ends of the score's interval.
    #[cfg_attr(feature = "openapi", schema(value_type = [f64; 2]))]
    pub ci95: (f64, f64),
}

impl Elo {
    /// The difference at a mean reward of `games` games, with [`interval`].
    #[must_use]
    pub fn of(games: u64, mean: f64) -> Self {
        Self::between(mean, interval(games, mean))
    }

    /// The difference at a mean reward, with the interval of the mean.
    #[must_use]
    pub fn between(mean: f64, (low, high): (f64, f64)) -> Self {
        Self { difference: elo(mean), ci95: (elo(low), elo(high)) }
    }

    /// Normalized Elo (Van den Bergh 2020): how many standard deviations of a game's result the mean is above one half,
    /// times 800 / ln 10, with the error of the mean of `games` games. The number of games needed to detect a
    /// difference depends on nothing else.
    #[must_use]
    pub fn normalized(games: f64, mean: f64, deviation: f64) -> Self {
        let unit = 800.0 / std::f64::consts::LN_10;
        let difference = if games == 0.0 || mean == 0.5 { 0.0 } else { unit * (mean - 0.5) / deviation };
        let error = Z * unit / games.sqrt();
        Self { difference, ci95: (difference - error, difference + error) }
    }

    /// Half the width of the interval.
    #[must_use]
    pub fn error(&self) -> f64 {
        (self.ci95.1 - self.ci95.0) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_differences() {
        let near = |score: f64, expected: f64| assert!((elo(score) - expected).abs() < 5e-3, "{score}");
        near(0.5, 0.0);
        near(0.64, 99.95);
        near(0.75, 190.85);
        near(0.25, -190.85);
        near(10.0 / 11.0, 400.0);
        assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
        for score in [0.01, 0.3, 0.5, 0.75, 0.999] {
            assert!((expected_score(elo(score)) - score).abs() < 1e-12, "{score}");
        }
        assert_eq!((expected_score(f64::INFINITY), expected_score(f64::NEG_INFINITY)), (1.0, 0.0));
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
