use statrs::function::erf::{erf, erfc};
use std::f64::consts::SQRT_2;

/// The likelihood of superiority of a score `z` standard deviations above even: (1 + erf(z / sqrt(2))) / 2.
#[must_use]
pub fn superiority(z: f64) -> f64 {
    (1.0 + erf(z / SQRT_2)) / 2.0
}

/// The two-sided p-value of a difference of `z` standard deviations: how often equals differ by as much or more.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

/// Corrects the p-values of many comparisons (Holm 1979): with a certainty of 95 %, all that stay below 5 % are true
/// differences. The smallest of m is multiplied by m, the next by m - 1 and so on, and none is less than the one
/// before.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![1.0; p_values.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        least = least.max(p_values[i] * (p_values.len() - rank) as f64).min(1.0);
        corrected[i] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(p_values: &[f64], expected: &[f64]) {
        let corrected = holm(p_values);
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(
            corrected.len() == expected.len() && corrected.iter().zip(expected).all(near),
            "{corrected:?}"
        );
    }

    /// The first example is Wikipedia's (Holm-Bonferroni method), where at 5 % the first and the last are rejected;
    /// the others are what R's `p.adjust(p, "holm")` gives.
    #[test]
    fn many_comparisons() {
        check(&[0.01, 0.04, 0.03, 0.005], &[0.03, 0.06, 0.06, 0.02]);
        check(&[0.01, 0.02, 0.03, 0.04, 0.05], &[0.05, 0.08, 0.09, 0.09, 0.09]);
        check(&[0.5, 0.9], &[1.0, 1.0]);
        check(&[0.04], &[0.04]);
        check(&[], &[]);
    }

    /// From printed tables of the normal distribution.
    #[test]
    fn normal_points() {
        for (z, below) in [(0.0, 0.5), (1.0, 0.841_345), (1.959_964, 0.975), (-3.0, 0.001_350)] {
            assert!((superiority(z) - below).abs() < 1e-6, "{z}");
            assert!((two_sided(z) - 2.0 * below.min(1.0 - below)).abs() < 1e-6, "{z}");
        }
        assert_eq!((superiority(1e9), superiority(-1e9), two_sided(1e9)), (1.0, 0.0, 0.0));
    }
}
