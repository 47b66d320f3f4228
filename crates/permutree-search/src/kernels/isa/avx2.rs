use super::{Isa, LANES, Line, Tally};
use std::arch::x86_64::*;

/// AVX2 and BMI2.
pub(in super::super) struct Avx2;

// SAFETY (all blocks): the trait allows use only where the level's features are available. The pointers cover exactly the
// arrays of eight words that they come from; a `Tally` is one `u64`.
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
    fn zeros(numbers: &[u32; LANES]) -> u64 {
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            let zero = _mm256_cmpeq_epi32(numbers, _mm256_setzero_si256());
            _mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u64
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
    fn add_either(slots: &mut [Line], bits: u64, second: u64, [a, b]: [u64; 2]) {
        unsafe {
            let [bits, second] = [bits, second].map(|bits| _mm256_set1_epi64x(bits as i64));
            let [a, other] = [a, a ^ b].map(|tally| _mm256_set1_epi64x(tally as i64));
            let mut place = _mm256_setr_epi64x(1, 2, 4, 8);
            for half in slots.iter_mut().flat_map(|line| line.0.as_chunks_mut::<4>().0) {
                let slots = half.as_mut_ptr().cast::<__m256i>();
                let [set, second] =
                    [bits, second].map(|bits| _mm256_cmpeq_epi64(_mm256_and_si256(bits, place), place));
                let tally = _mm256_xor_si256(a, _mm256_and_si256(second, other));
                let sum = _mm256_add_epi64(_mm256_loadu_si256(slots), _mm256_and_si256(set, tally));
                _mm256_storeu_si256(slots, sum);
                place = _mm256_slli_epi64::<4>(place);
            }
        }
    }

    #[inline(always)]
    fn mark(words: &mut [u64], bits: u64, bit: u64) {
        unsafe {
            let (bits, bit) = (_mm256_set1_epi64x(bits as i64), _mm256_set1_epi64x(bit as i64));
            let mut place = _mm256_setr_epi64x(1, 2, 4, 8);
            for half in words.as_chunks_mut::<4>().0 {
                let words = half.as_mut_ptr().cast::<__m256i>();
                let set = _mm256_cmpeq_epi64(_mm256_and_si256(bits, place), place);
                let marked = _mm256_or_si256(_mm256_loadu_si256(words), _mm256_and_si256(set, bit));
                _mm256_storeu_si256(words, marked);
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
            // A 64-bit product as two of 32 bits: counts are small.
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
