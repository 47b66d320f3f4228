/// The one generator of the project: xoshiro256++ (Blackman and Vigna 2019), seeded through SplitMix64.
///
/// The stream follows that specification and is pinned by a test: a seed gives the same game on every machine.
///
/// ```
/// use permutree_game::Rng;
///
/// let mut rng = Rng::new(7);
/// let die = 1 + rng.below(6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(Rng::new(7).bits(), Rng::new(7).bits());
/// // One generator for each game of a match.
/// assert_ne!(Rng::stream(7, 0), Rng::stream(7, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// The generator whose state is the first four outputs of SplitMix64 started at `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut x)) }
    }

    /// The generator for part `index` of a job with this seed, such as one game of a match. Parts are independent.
    #[must_use]
    pub fn stream(seed: u64, index: u64) -> Self {
        let mut x = seed;
        let base = split_mix(&mut x);
        let mut y = index;
        Self::new(base ^ split_mix(&mut y).rotate_left(32))
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A number in `0..n`; 0 when `n` is 0.
    ///
    /// This is the high half of a 64 x 64 bit product, without division or loop. Its bias is below n / 2^64, too small for
    /// any experiment to detect.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// One element, or `None` from an empty slice.
    #[inline]
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn split_mix(x: &mut u64) -> u64 {
    *x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *x;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SplitMix64 from seed 1234567 as published with the algorithm.
    #[test]
    fn split_mix_follows_its_specification() {
        let mut x = 1_234_567;
        let got: Vec<u64> = (0..3).map(|_| split_mix(&mut x)).collect();
        assert_eq!(got, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    /// xoshiro256++ from state 1, 2, 3, 4: the reference vector that the authors' C code gives.
    #[test]
    fn xoshiro_follows_its_specification() {
        let mut rng = Rng { state: [1, 2, 3, 4] };
        let got: Vec<u64> = (0..5).map(|_| rng.bits()).collect();
        assert_eq!(
            got,
            [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205]
        );
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[rng.below(6)] += 1;
        }
        // Each count is binomial with standard deviation 91; five of them is one failure in two million.
        assert!(counts.iter().all(|&c| c.abs_diff(10_000) < 456), "{counts:?}");
        assert_eq!(rng.below(0), 0);
        assert_eq!(rng.choose::<u8>(&[]), None);
    }

    #[test]
    fn streams_differ() {
        let firsts: Vec<u64> = (0..100).map(|i| Rng::stream(1, i).bits()).collect();
        let mut unique = firsts.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), firsts.len());
        assert_ne!(Rng::stream(1, 0), Rng::stream(2, 0));
    }
}
