use super::{Counts, expected_score};

/// The sequential probability ratio test (Wald 1945) between H0, that one player is `elo0` stronger than the other, and
/// H1, that it is `elo1` stronger. Either error has a probability of 5 %.
///
/// It uses the generalised ratio of Van den Bergh, as fishtest and fastchess do: that of the likelihoods of the counted
/// results under the likeliest distributions whose means are the expected scores at `elo1` and `elo0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
}

/// The verdict of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum SprtVerdict {
    /// H0: the difference is `elo0` rather than `elo1`.
    #[serde(rename = "H0")]
    Elo0,
    /// H1: the difference is `elo1` rather than `elo0`.
    #[serde(rename = "H1")]
    Elo1,
    /// More games are needed.
    #[serde(rename = "undecided")]
    Undecided,
}

impl Sprt {
    /// The probability of each error.
    pub const ERROR: f64 = 0.05;

    /// The largest difference, in either direction.
    pub const MAX_ELO: f64 = 1000.0;

    /// The test between two differences. `None` unless `elo0` is less than `elo1` and both are within
    /// ±[`Sprt::MAX_ELO`].
    #[must_use]
    pub fn new(elo0: f64, elo1: f64) -> Option<Self> {
        (-Self::MAX_ELO <= elo0 && elo0 < elo1 && elo1 <= Self::MAX_ELO).then_some(Self { elo0, elo1 })
    }

    /// The smaller difference.
    #[must_use]
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The larger difference.
    #[must_use]
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The log-likelihood ratios at which the test ends, for `elo0` and for `elo1`: ± ln(0.95 / 0.05).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let bound = libm::log((1.0 - Self::ERROR) / Self::ERROR);
        (-bound, bound)
    }

    /// The log-likelihood ratio of pairs of games, or of single games. 0 without games.
    #[must_use]
    pub fn llr<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        if counts.results() == 0.0 {
            return 0.0;
        }
        let counts = counts.without_zeros();
        let [s0, s1] = [self.elo0, self.elo1].map(expected_score);
        let [x0, x1] = [s0, s1].map(|score| multiplier(&counts, score));
        counts.sum(|value| libm::log((1.0 + x0 * (value - s0)) / (1.0 + x1 * (value - s1))))
    }

    /// The verdict at a log-likelihood ratio.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> SprtVerdict {
        let (lower, upper) = self.bounds();
        match llr {
            llr if llr <= lower => SprtVerdict::Elo0,
            llr if llr >= upper => SprtVerdict::Elo1,
            _ => SprtVerdict::Undecided,
        }
    }
}

/// Of all distributions over the results with mean `score`, the likeliest gives p / (1 + x (v - score)) to the value v
/// whose share of the counts is p (Van den Bergh, Comments on the multinomial maximum likelihood). Returns x, the root
/// of Σ p (v - score) / (1 + x (v - score)), which falls from +∞ to -∞ between the poles of the best and the worst
/// result.
fn multiplier<const N: usize>(counts: &Counts<N>, score: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    // Bisects until no number is left in between, or nearly none.
    for _ in 0..100 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || high <= middle {
            break;
        }
        if counts.sum(|value| (value - score) / (1.0 + middle * (value - score))) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::Rng;

    fn check<const N: usize>(counts: [f64; N], elo0: f64, elo1: f64, expected: f64) {
        let llr = Sprt::new(elo0, elo1).unwrap().llr(&Counts(counts));
        assert!((llr - expected).abs() < 0.0051, "{counts:?}: {llr}, not {expected}");
    }

    /// The logistic cases of `app/tests/sprt_test.cpp` of fastchess.
    #[test]
    fn published_ratios() {
        check([223.0, 9863.0, 21279.0, 10037.0, 246.0], 0.5, 2.5, -3.07);
        check([871.0, 26175.0, 55983.0, 26678.0, 821.0], 0.0, 2.0, -4.98);
        check([21184.0, 40708.0, 21404.0], 0.5, 2.5, -1.57);
        check([57030.0, 106593.0, 57433.0], 0.0, 2.0, -2.59);
    }

    /// Where all results have one value the likeliest distributions are known: with no draws, n wins give n ln(s1 / s0).
    #[test]
    fn all_wins_and_all_losses() {
        let test = Sprt::new(0.0, 100.0).unwrap();
        let ratio = (expected_score(100.0) / 0.5f64).ln();
        for (n, wins) in [(1.0, [0.0, 0.0, 1.0]), (50.0, [0.0, 0.0, 50.0]), (1e9, [0.0, 0.0, 1e9])] {
            let llr = test.llr(&Counts(wins));
            assert!((llr / (n * ratio) - 1.0).abs() < 0.03, "{n}: {llr}");
            let lost = Sprt::new(-100.0, 0.0).unwrap().llr(&Counts([n, 0.0, 0.0]));
            assert!((lost + llr).abs() <= 1e-9 * llr, "{lost} {llr}");
        }
        assert_eq!(test.llr(&Counts([0.0; 5])), 0.0);
        for counts in [[0.0, 0.0, 1e6, 0.0, 0.0], [1e12, 0.0, 0.0, 0.0, 0.0], [0.5, 0.0, 0.0, 0.0, 1e-9]] {
            for (elo0, elo1) in [(-1000.0, 1000.0), (0.0, 1e-9), (999.0, 1000.0)] {
                assert!(Sprt::new(elo0, elo1).unwrap().llr(&Counts(counts)).is_finite(), "{counts:?} {elo0}");
            }
        }
    }

    #[test]
    fn bounds_and_verdicts() {
        let test = Sprt::new(0.0, 10.0).unwrap();
        let (lower, upper) = test.bounds();
        assert!((upper - 2.944).abs() < 5e-4 && lower == -upper);
        assert_eq!(test.verdict(upper), SprtVerdict::Elo1);
        assert_eq!((test.verdict(lower), test.verdict(2.9)), (SprtVerdict::Elo0, SprtVerdict::Undecided));
        for (elo0, elo1) in [(10.0, 0.0), (5.0, 5.0), (f64::NAN, 0.0), (0.0, f64::NAN), (0.0, f64::INFINITY)]
        {
            assert_eq!(Sprt::new(elo0, elo1), None);
        }
    }

    /// Each error occurs in about 5 % of all matches, here of 400 each: four standard deviations are 4.4 %.
    #[test]
    fn errors() {
        let test = Sprt::new(0.0, 100.0).unwrap();
        for (elo, wrong) in [(0.0, SprtVerdict::Elo1), (100.0, SprtVerdict::Elo0)] {
            let score = expected_score(elo);
            let errors = (0..400).filter(|&seed| {
                let mut rng = Rng::new(seed);
                let mut counts = Counts([0.0; 5]);
                loop {
                    // A quarter of the games are drawn.
                    let mut game = || {
                        if rng.below(4) == 0 {
                            0.5
                        } else {
                            f64::from(u8::from(rng.unit() < (score - 0.125) / 0.75))
                        }
                    };
                    counts.add((game() + game()) / 2.0);
                    match test.verdict(test.llr(&counts)) {
                        SprtVerdict::Undecided => {}
                        verdict => break verdict == wrong,
                    }
                }
            });
            let errors = errors.count();
            assert!((4..=38).contains(&errors), "{elo}: {errors} of 400");
        }
    }
}
