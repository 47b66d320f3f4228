//! What the processor can do, and the few operations that cannot be left to the compiler.

use crate::tally::Tally;
use crate::tree::LANES;

/// What the processor can do. Only [`Level::detect`] makes the wide one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Any machine.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Level {
    /// Asks the processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            return Self::Avx2;
        }
        Self::Portable
    }

    /// Every level that this machine has.
    #[cfg(test)]
    pub(crate) fn all() -> [Self; 2] {
        [Self::Portable, Self::detect()]
    }
}

/// The operations. An implementation may be used only inside a function that is compiled for its level.
pub(super) trait Isa {
    /// The bits of `word` under `mask`, next to each other from bit 0 up.
    fn extract(word: u64, mask: u64) -> u64;

    /// A bit for each word that is not 0.
    fn nonzero(words: &[u64; LANES]) -> u64;

    /// Makes each of `maxima` at least as great as its score.
    ///
    /// Being an operation of its own it also keeps the compiler from vectorising the loop around the lanes, which it
    /// does badly, and leads it to vectorise the lanes.
    fn raise(maxima: &mut [f64; LANES], scores: &[f64; LANES]);

    /// A bit for each score that equals `value`.
    fn equal(scores: &[f64; LANES], value: f64) -> u64;

    /// Adds `tally` to the slots whose bit is set; there are at most 64 slots, a multiple of [`LANES`].
    fn add_where(slots: &mut [Tally], bits: u64, tally: u64);

    /// The bits of a byte, each as a byte of its own: bit 0 in the lowest.
    fn spread(byte: u8) -> u64;

    /// Adds each byte of `counts` times `tally` to its slot.
    fn add_times(slots: &mut [Tally; LANES], counts: u64, tally: u64);
}

/// Plain Rust.
pub(super) struct Portable;

impl Isa for Portable {
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        let (mut out, mut present) = (0, word & mask);
        while present != 0 {
            let below = (present & present.wrapping_neg()) - 1;
            out |= 1 << (mask & below).count_ones();
            present &= present - 1;
        }
        out
    }

    #[inline(always)]
    fn nonzero(words: &[u64; LANES]) -> u64 {
        (0..LANES).fold(0, |bits, i| bits | u64::from(words[i] != 0) << i)
    }

    #[inline(always)]
    fn raise(maxima: &mut [f64; LANES], scores: &[f64; LANES]) {
        for (max, &score) in maxima.iter_mut().zip(scores) {
            *max = if score > *max { score } else { *max };
        }
    }

    #[inline(always)]
    fn equal(scores: &[f64; LANES], value: f64) -> u64 {
        (0..LANES).fold(0, |bits, i| bits | u64::from(scores[i] == value) << i)
    }

    #[inline(always)]
    fn add_where(slots: &mut [Tally], bits: u64, tally: u64) {
        for (i, slot) in slots.iter_mut().enumerate() {
            slot.0 = slot.0.wrapping_add(tally & (bits >> i & 1).wrapping_neg());
        }
    }

    #[inline(always)]
    fn spread(byte: u8) -> u64 {
        (0..LANES).fold(0, |out, i| out | u64::from(byte >> i & 1) << (8 * i))
    }

    #[inline(always)]
    fn add_times(slots: &mut [Tally; LANES], counts: u64, tally: u64) {
        for (i, slot) in slots.iter_mut().enumerate() {
            slot.0 = slot.0.wrapping_add((counts >> (8 * i) & 0xFF).wrapping_mul(tally));
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::Avx2;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Isa, LANES, Tally};
    use std::arch::x86_64::*;

    /// AVX2 and BMI2.
    pub(in super::super) struct Avx2;

    // SAFETY (all blocks): the trait allows use only where the level's features are there. The pointers cover exactly
    // the arrays of eight words that they come from; a `Tally` is one `u64`.
    impl Isa for Avx2 {
        #[inline(always)]
        fn extract(word: u64, mask: u64) -> u64 {
            unsafe { _pext_u64(word, mask) }
        }

        #[inline(always)]
        fn nonzero(words: &[u64; LANES]) -> u64 {
            unsafe {
                let half = |first: usize| {
                    let words = _mm256_loadu_si256(words.as_ptr().add(first).cast());
                    let zero = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
                    _mm256_movemask_pd(_mm256_castsi256_pd(zero)) as u64
                };
                (half(0) | half(4) << 4) ^ 0xFF
            }
        }

        #[inline(always)]
        fn raise(maxima: &mut [f64; LANES], scores: &[f64; LANES]) {
            unsafe {
                for half in [0, 4] {
                    let (max, score) = (maxima.as_mut_ptr().add(half), scores.as_ptr().add(half));
                    _mm256_storeu_pd(max, _mm256_max_pd(_mm256_loadu_pd(score), _mm256_loadu_pd(max)));
                }
            }
        }

        #[inline(always)]
        fn equal(scores: &[f64; LANES], value: f64) -> u64 {
            unsafe {
                let value = _mm256_set1_pd(value);
                let half = |first: usize| {
                    let scores = _mm256_loadu_pd(scores.as_ptr().add(first));
                    _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_EQ_OQ>(scores, value)) as u64
                };
                half(0) | half(4) << 4
            }
        }

        #[inline(always)]
        fn add_where(slots: &mut [Tally], bits: u64, tally: u64) {
            unsafe {
                let (bits, tally) = (_mm256_set1_epi64x(bits as i64), _mm256_set1_epi64x(tally as i64));
                let mut place = _mm256_setr_epi64x(1, 2, 4, 8);
                for half in slots.as_chunks_mut::<4>().0 {
                    let slots = half.as_mut_ptr().cast::<__m256i>();
                    let set = _mm256_cmpeq_epi64(_mm256_and_si256(bits, place), place);
                    let sum = _mm256_add_epi64(_mm256_loadu_si256(slots), _mm256_and_si256(set, tally));
                    _mm256_storeu_si256(slots, sum);
                    place = _mm256_slli_epi64::<4>(place);
                }
            }
        }

        #[inline(always)]
        fn spread(byte: u8) -> u64 {
            unsafe { _pdep_u64(u64::from(byte), 0x0101_0101_0101_0101) }
        }

        #[inline(always)]
        fn add_times(slots: &mut [Tally; LANES], counts: u64, tally: u64) {
            unsafe {
                // A 64-bit product by two of 32 bits: counts are small.
                let low = _mm256_set1_epi64x((tally & 0xFFFF_FFFF) as i64);
                let high = _mm256_set1_epi64x((tally >> 32) as i64);
                for half in [0, 4] {
                    let counts = _mm_cvtsi32_si128((counts >> (8 * half)) as i32);
                    let counts = _mm256_cvtepu8_epi64(counts);
                    let product = _mm256_add_epi64(
                        _mm256_mul_epu32(counts, low),
                        _mm256_slli_epi64::<32>(_mm256_mul_epu32(counts, high)),
                    );
                    let slots = slots.as_mut_ptr().add(half).cast::<__m256i>();
                    _mm256_storeu_si256(slots, _mm256_add_epi64(_mm256_loadu_si256(slots), product));
                }
            }
        }
    }
}
