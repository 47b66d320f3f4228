use permutree_game::Rng;

/// Several small random numbers out of one 64-bit word (Brackett-Rozinsky and Lemire 2024).
///
/// The word is a fraction of 1. Multiplied by `n`, its integer part is the number drawn, and its fractional part is again
/// uniform, for the next draw. After draws below `n1`, `n2`, ... the bias is under `n1 * n2 * ... / 2^64`: keep that product
/// below 2^35 and no experiment can detect it.
pub(crate) struct Draws(u64);

impl Draws {
    #[inline]
    pub(crate) fn new(rng: &mut Rng) -> Self {
        Self(rng.bits())
    }

    /// A number in `0..n`; 0 when `n` is 0.
    #[inline]
    pub(crate) fn below(&mut self, n: usize) -> usize {
        let product = u128::from(self.0) * n as u128;
        self.0 = product as u64;
        (product >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of draws from one word are uniform, so the second does not follow from the first.
    #[test]
    fn draws_from_one_word_are_independent() {
        let mut rng = Rng::new(3);
        let mut counts = [0u32; 35];
        for _ in 0..350_000 {
            let mut draws = Draws::new(&mut rng);
            counts[draws.below(7) * 5 + draws.below(5)] += 1;
        }
        // Each count is binomial with standard deviation 98.6; five of them is one failure in fifty thousand.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 493), "{counts:?}");
    }
}
