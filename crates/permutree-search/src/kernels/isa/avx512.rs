use super::super::count::{FILTERED, Playouts, Span};
use super::super::kinds::{KIND_BITS, Split};
use super::{Isa, LANES, Line, Tally};
use std::arch::x86_64::*;

/// AVX-512 with the extensions for bytes and bits.
pub(in super::super) struct Avx512;

// SAFETY (all blocks): the trait allows use only where the level's features are available. Pointers come from arrays of
// eight words or from slices whose length is checked; a `Tally` is one `u64`.
impl Isa for Avx512 {
    const FEW: usize = 4;

    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u64 {
        unsafe { _pext_u64(word, mask) }
    }

    #[inline(always)]
    fn nonzero(words: &[u64; LANES]) -> u64 {
        unsafe {
            let words = _mm512_loadu_si512(words.as_ptr().cast());
            u64::from(_mm512_test_epi64_mask(words, words))
        }
    }

    #[inline(always)]
    fn zeros(numbers: &[u32; LANES]) -> u64 {
        unsafe {
            let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
            u64::from(_mm256_testn_epi32_mask(numbers, numbers))
        }
    }

    #[inline(always)]
    fn gather(row: &[Line], codes: &[u32; LANES]) -> [Tally; LANES] {
        let mut tallies = [Tally(0); LANES];
        unsafe {
            let numbers = _mm256_loadu_si256(codes.as_ptr().cast());
            let inside = _mm256_cmplt_epu32_mask(numbers, _mm256_set1_epi32((row.len() * LANES) as i32));
            if inside == 0xFF {
                let slots = row.as_ptr().cast::<i64>();
                // Volatile, since the compiler would extract the codes from `numbers`, which is slower than reading them again.
                let slot = |i| *slots.add(codes.as_ptr().add(i).read_volatile() as usize);
                let found =
                    _mm512_set_epi64(slot(7), slot(6), slot(5), slot(4), slot(3), slot(2), slot(1), slot(0));
                _mm512_storeu_si512(tallies.as_mut_ptr().cast(), found);
            }
        }
        tallies
    }

    #[inline(always)]
    fn raise(maxima: &mut [f64; LANES], scores: &[f64; LANES]) {
        unsafe {
            let (max, score) = (_mm512_loadu_pd(maxima.as_ptr()), _mm512_loadu_pd(scores.as_ptr()));
            _mm512_storeu_pd(maxima.as_mut_ptr(), _mm512_max_pd(score, max));
        }
    }

    #[inline(always)]
    fn equal(scores: &[f64; LANES], value: f64) -> u64 {
        unsafe {
            let scores = _mm512_loadu_pd(scores.as_ptr());
            u64::from(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(scores, _mm512_set1_pd(value)))
        }
    }

    #[inline(always)]
    fn add_where(slots: &mut [Tally], bits: u64, tally: u64) {
        unsafe {
            let tally = _mm512_set1_epi64(tally as i64);
            for (i, slots) in slots.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let slots = slots.as_mut_ptr().cast();
                let sums = _mm512_loadu_si512(slots);
                let set = (bits >> (i * LANES)) as __mmask8;
                _mm512_storeu_si512(slots, _mm512_mask_add_epi64(sums, set, sums, tally));
            }
        }
    }

    #[inline(always)]
    fn add_either(slots: &mut [Line], bits: u64, second: u64, tallies: [u64; 2]) {
        unsafe {
            let [a, b] = tallies.map(|tally| _mm512_set1_epi64(tally as i64));
            let [bits, second] = [bits, second].map(|bits| _mm512_set1_epi64(bits as i64));
            let mut place = _mm512_setr_epi64(1, 2, 4, 8, 16, 32, 64, 128);
            for line in slots {
                let slots = line.0.as_mut_ptr().cast();
                let sums = _mm512_load_si512(slots);
                let tally = _mm512_mask_mov_epi64(a, _mm512_test_epi64_mask(second, place), b);
                let set = _mm512_test_epi64_mask(bits, place);
                _mm512_store_si512(slots, _mm512_mask_add_epi64(sums, set, sums, tally));
                place = _mm512_slli_epi64::<8>(place);
            }
        }
    }

    /// Writes the whole line: a wide load soon after a narrow store would wait for it.
    #[inline(always)]
    fn clear(line: &mut Line, lane: usize) {
        unsafe {
            let slots = line.0.as_mut_ptr().cast();
            _mm512_store_si512(slots, _mm512_maskz_mov_epi64(!(1 << lane), _mm512_load_si512(slots)));
        }
    }

    #[inline(always)]
    fn mark(words: &mut [u64], bits: u64, bit: u64) {
        unsafe {
            let bit = _mm512_set1_epi64(bit as i64);
            for (i, words) in words.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
                let words = words.as_mut_ptr().cast();
                let (before, set) = (_mm512_loadu_si512(words), (bits >> (i * LANES)) as __mmask8);
                _mm512_storeu_si512(words, _mm512_mask_or_epi64(before, set, before, bit));
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
            let counts = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(counts as i64));
            let product = _mm512_mullo_epi64(counts, _mm512_set1_epi64(tally as i64));
            let slots = slots.as_mut_ptr().cast();
            _mm512_storeu_si512(slots, _mm512_add_epi64(_mm512_loadu_si512(slots), product));
        }
    }

    /// Eight rows at a time.
    #[inline(always)]
    fn count(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, split: &Split, matches: &[u32]) {
        let last = playouts.stride - 1;
        for batch in matches.chunks(BATCH * LANES) {
            // The rows that count, and those of them that count twice.
            let mut kinds = [[0; 2]; BATCH];
            for (i, span) in spans.iter().enumerate() {
                let word = (span.word as usize).min(last);
                let first = usize::from(span.group) * 64 + usize::from(span.shift);
                let slots = &mut slots[first..][..span.mask.count_ones() as usize];
                let (mut all, mut second) = unsafe { (_mm512_setzero_si512(), _mm512_setzero_si512()) };
                for (eight, kinds) in batch.chunks(LANES).zip(&mut kinds) {
                    let rows = Rows::of(playouts, eight);
                    unsafe {
                        let words = rows.word(word);
                        if i == 0 {
                            let ends = if word == last { words } else { rows.word(last) };
                            *kinds = [!rows.among(ends, split.others), rows.among(ends, split.second)];
                        }
                        let [counted, twice] = *kinds;
                        let words = _mm512_maskz_mov_epi64(counted, words);
                        all = _mm512_add_epi8(all, bits_in_eight(words));
                        let words = _mm512_maskz_mov_epi64(twice, words);
                        second = _mm512_add_epi8(second, bits_in_eight(words));
                    }
                }
                unsafe { add_counts(slots, span.mask, [all, second], [split.first, split.difference]) };
            }
        }
    }

    #[inline(always)]
    fn among(playouts: Playouts<'_>, kinds: u64, some: &[u32]) -> u64 {
        let rows = Rows::of(playouts, some);
        unsafe { u64::from(rows.among(rows.word(playouts.stride - 1), kinds)) }
    }

    #[inline(always)]
    fn bits_at(column: &[u64], numbers: &[u32]) -> u64 {
        unsafe {
            let (numbers, lanes) = sixteen(numbers);
            let (words, bits) =
                (_mm512_srli_epi32::<5>(numbers), _mm512_and_si512(numbers, _mm512_set1_epi32(31)));
            let lanes =
                _mm512_mask_cmplt_epu32_mask(lanes, words, _mm512_set1_epi32(2 * column.len() as i32));
            let nothing = _mm512_setzero_si512();
            let words = _mm512_mask_i32gather_epi32::<4>(nothing, lanes, words, column.as_ptr().cast());
            let hit = _mm512_srlv_epi32(words, bits);
            u64::from(_mm512_test_epi32_mask(hit, _mm512_set1_epi32(1)))
        }
    }

    #[inline(always)]
    fn pick(bits: u64, numbers: &[u32], matches: &mut [u32], found: usize) -> usize {
        unsafe {
            let (numbers, lanes) = sixteen(numbers);
            let wanted = bits as __mmask16 & lanes;
            let room = matches[found..][..FILTERED].as_mut_ptr();
            _mm512_storeu_si512(room.cast(), _mm512_maskz_compress_epi32(wanted, numbers));
            found + wanted.count_ones() as usize
        }
    }

    #[inline(always)]
    fn list(word: u64, first: usize, matches: &mut [u32], found: usize) -> usize {
        let room = &mut matches[found..][..64];
        let count = word.count_ones() as usize;
        unsafe {
            let places = _mm512_maskz_compress_epi8(word, _mm512_loadu_si512(PLACES.as_ptr().cast()));
            let first = _mm512_set1_epi32(first as i32);
            let write = |at: usize, places: __m128i| {
                let numbers = _mm512_add_epi32(_mm512_cvtepu8_epi32(places), first);
                _mm512_storeu_si512(room[at..][..16].as_mut_ptr().cast(), numbers);
            };
            let mut write = write;
            write(0, _mm512_castsi512_si128(places));
            if count > 16 {
                write(16, _mm512_extracti32x4_epi32::<1>(places));
                write(32, _mm512_extracti32x4_epi32::<2>(places));
                write(48, _mm512_extracti32x4_epi32::<3>(places));
            }
        }
        found + count
    }
}

/// How many groups of eight rows a byte can count.
const BATCH: usize = 31;

/// The bytes 0 to 63.
const PLACES: [u8; 64] = {
    let mut places = [0; 64];
    let mut i = 0;
    while i < 64 {
        places[i] = i as u8;
        i += 1;
    }
    places
};

/// The permutation of the bytes of eight words that moves byte `j` of word `r` to byte `7 - r` of word `j`.
const BYTES_TRANSPOSED: [u8; 64] = {
    let mut from = [0; 64];
    let mut i = 0;
    while i < 64 {
        from[i] = ((7 - i % 8) * 8 + i / 8) as u8;
        i += 1;
    }
    from
};

/// At most sixteen numbers, and a mask of the lanes that have one.
#[inline(always)]
unsafe fn sixteen(numbers: &[u32]) -> (__m512i, __mmask16) {
    let lanes = 0xFFFF_u16 >> (FILTERED - numbers.len().min(FILTERED));
    (unsafe { _mm512_maskz_loadu_epi32(lanes, numbers.as_ptr().cast()) }, lanes)
}

/// The rows of at most eight playouts.
struct Rows<'a> {
    words: &'a [u64],
    /// The lanes that have a playout, and the start of its row.
    lanes: __mmask8,
    at: __m512i,
}

impl<'a> Rows<'a> {
    /// Masks out numbers without a playout.
    #[inline(always)]
    fn of(playouts: Playouts<'a>, eight: &[u32]) -> Self {
        let Playouts { words, stride, .. } = playouts;
        unsafe {
            let lanes = 0xFF_u8 >> (LANES - eight.len().min(LANES));
            let numbers = _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(lanes, eight.as_ptr().cast()));
            let count = _mm512_set1_epi64((words.len() / stride) as i64);
            let lanes = _mm512_mask_cmplt_epu64_mask(lanes, numbers, count);
            Self { words, lanes, at: _mm512_mul_epu32(numbers, _mm512_set1_epi64(stride as i64)) }
        }
    }

    /// The word at `i`, which must be within a row, of each row; 0 for lanes without a playout.
    #[inline(always)]
    unsafe fn word(&self, i: usize) -> __m512i {
        unsafe {
            let (nothing, words) = (_mm512_setzero_si512(), self.words.as_ptr().add(i).cast());
            _mm512_mask_i64gather_epi64::<8>(nothing, self.lanes, self.at, words)
        }
    }

    /// A mask of the rows whose kind is one of `kinds`. `ends` are their last words.
    #[inline(always)]
    unsafe fn among(&self, ends: __m512i, kinds: u64) -> __mmask8 {
        unsafe {
            let kind = _mm512_srli_epi64::<{ 64 - KIND_BITS as u32 }>(ends);
            let hit = _mm512_srlv_epi64(_mm512_set1_epi64(kinds as i64), kind);
            _mm512_mask_test_epi64_mask(self.lanes, hit, _mm512_set1_epi64(1))
        }
    }
}

/// For each of the 64 bits, how many of eight words have it set, as bytes. The words are transposed, so that each bit becomes a
/// byte with a bit for each word.
#[inline(always)]
unsafe fn bits_in_eight(words: __m512i) -> __m512i {
    unsafe {
        let order = _mm512_loadu_si512(BYTES_TRANSPOSED.as_ptr().cast());
        let bytes = _mm512_permutexvar_epi8(order, words);
        // Byte k of the result is the product of the matrix with 1 << k: its column k.
        let columns = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
        _mm512_popcnt_epi8(_mm512_gf2p8affine_epi64_epi8::<0>(columns, bytes))
    }
}

/// Adds to the slot of each code in `mask` its first count times the first tally plus its second count times the second.
#[inline(always)]
unsafe fn add_counts(slots: &mut [Tally], mask: u64, counts: [__m512i; 2], tallies: [u64; 2]) {
    let mut bytes = [[0_u8; 64]; 2];
    unsafe {
        for (bytes, counts) in bytes.iter_mut().zip(counts) {
            _mm512_storeu_si512(bytes.as_mut_ptr().cast(), _mm512_maskz_compress_epi8(mask, counts));
        }
        let tallies = tallies.map(|tally| _mm512_set1_epi64(tally as i64));
        for (i, slots) in slots.chunks_mut(LANES).enumerate() {
            let lanes = 0xFF_u8 >> (LANES - slots.len());
            let product = |which: usize| {
                let counts = _mm_loadl_epi64(bytes[which][i * LANES..][..LANES].as_ptr().cast());
                _mm512_mullo_epi64(_mm512_cvtepu8_epi64(counts), tallies[which])
            };
            let added = _mm512_add_epi64(product(0), product(1));
            let slots = slots.as_mut_ptr().cast();
            let sums = _mm512_maskz_loadu_epi64(lanes, slots);
            _mm512_mask_storeu_epi64(slots, lanes, _mm512_add_epi64(sums, added));
        }
    }
}
