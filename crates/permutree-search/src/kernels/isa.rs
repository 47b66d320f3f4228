//! Instruction set levels, and the few operations that the compiler does not vectorise well.

use super::adders;
use super::count::{Playouts, Span, kind_of};
use super::kinds::Split;
use crate::statistics::tally::{Line, Tally};
use crate::tree::LANES;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(super) use {avx2::Avx2, avx512::Avx512};

/// The instruction set of the processor. Only [`Level::detect`] returns the SIMD levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// Any machine.
    Portable,
    /// x86-64 with AVX2 and BMI2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// x86-64 with the AVX-512 of Ice Lake, Zen 4 and later.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Whether the processor has all of these features.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($feature:tt),*) => { $(is_x86_feature_detected!($feature))&&* };
}

impl Level {
    /// The level of this processor.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if detected!("avx2", "bmi1", "bmi2", "popcnt") {
            // The same features as in `kernel!`.
            let wide = detected!("avx512f", "avx512bw", "avx512dq", "avx512vl", "gfni")
                && detected!("avx512vbmi", "avx512vbmi2", "avx512bitalg");
            return if wide { Self::Avx512 } else { Self::Avx2 };
        }
        Self::Portable
    }

    /// The level for short loops dominated by square roots and divisions, which take twice as long with 512 bits as with 256.
    pub(crate) fn detect_for_short_loops() -> Self {
        match Self::detect() {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => Self::Avx2,
            level => level,
        }
    }

    /// Every level that this machine supports.
    #[cfg(test)]
    pub(crate) fn all() -> Vec<Self> {
        #[cfg(target_arch = "x86_64")]
        let levels = vec![Self::Portable, Self::Avx2, Self::Avx512];
        #[cfg(not(target_arch = "x86_64"))]
        let levels = vec![Self::Portable];
        levels.into_iter().filter(|level| *level <= Self::detect()).collect()
    }
}

/// The operations. An implementation may only be used inside a function that is compiled for its level.
pub(super) trait Isa: Sized {
    /// Fewer matches than this are added singly.
    const FEW: usize = 8;

    /// The bits of `word` under `mask`, contiguous from bit 0 up.
    fn extract(word: u64, mask: u64) -> u64;

    /// A bit for each word that is not 0.
    fn nonzero(words: &[u64; LANES]) -> u64;

    /// A bit for each number that is 0.
    fn zeros(numbers: &[u32; LANES]) -> u64;

    /// The tallies of these codes in a row; none for codes beyond it.
    #[inline(always)]
    fn gather(row: &[Line], codes: &[u32; LANES]) -> [Tally; LANES] {
        codes
            .map(|code| row.get(code as usize / LANES).map_or(Tally(0), |line| line.0[code as usize % LANES]))
    }

    /// Raises each of `maxima` to its score, unless that is NaN.
    ///
    /// As a separate operation it also keeps the compiler from vectorising the loop around the lanes, which it does badly,
    /// instead of the lanes.
    fn raise(maxima: &mut [f64; LANES], scores: &[f64; LANES]);

    /// A bit for each score that equals `value`.
    fn equal(scores: &[f64; LANES], value: f64) -> u64;

    /// Adds `tally` to the slots whose bit is set; there are at most 64 slots, a multiple of [`LANES`].
    fn add_where(slots: &mut [Tally], bits: u64, tally: u64);

    /// Adds to the slots whose bit is set the second tally where the bit of `second` is set too, and the first elsewhere; there
    /// are at most 64 slots.
    fn add_either(slots: &mut [Line], bits: u64, second: u64, tallies: [u64; 2]);

    /// Sets a tally of a line to 0.
    #[inline(always)]
    fn clear(line: &mut Line, lane: usize) {
        line.0[lane] = Tally(0);
    }

    /// Sets `bit` in the words whose bit is set in `bits`; there are at most 64 words, a multiple of [`LANES`].
    fn mark(words: &mut [u64], bits: u64, bit: u64);

    /// The bits of a byte as bytes, with bit 0 in the lowest.
    fn spread(byte: u8) -> u64;

    /// Adds the product of each byte of `counts` and `tally` to its slot.
    fn add_times(slots: &mut [Tally; LANES], counts: u64, tally: u64);

    /// Adds the playouts of `matches` to the slots, except those of the split's other kinds.
    #[inline(always)]
    fn count(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, split: &Split, matches: &[u32]) {
        adders::count::<Self>(slots, spans, playouts, split, matches);
    }

    /// A bit for each of at most [`LANES`] playouts whose kind is one of `kinds`.
    #[inline(always)]
    fn among(playouts: Playouts<'_>, kinds: u64, some: &[u32]) -> u64 {
        let bit = |playout: u32| kinds >> kind_of(playouts.row(playout)) & 1;
        some.iter().rev().fold(0, |bits, &playout| bits << 1 | bit(playout))
    }

    /// A bit for each of at most [`FILTERED`](super::count::FILTERED) numbers whose bit is set in a column.
    #[inline(always)]
    fn bits_at(column: &[u64], numbers: &[u32]) -> u64 {
        let bit = |number: u32| column[number as usize / 64] >> (number % 64) & 1;
        numbers.iter().rev().fold(0, |bits, &number| bits << 1 | bit(number))
    }

    /// Appends those of at most [`FILTERED`](super::count::FILTERED) numbers whose bit is set to the `found` matches, where all
    /// of them would fit. Returns the new number of matches.
    #[inline(always)]
    fn pick(bits: u64, numbers: &[u32], matches: &mut [u32], found: usize) -> usize {
        let mut found = found;
        for (i, &number) in numbers.iter().enumerate() {
            // Branchless, since a branch would be mispredicted half of the time: every number is written, and the next one
            // overwrites it if its bit is not set.
            matches[found] = number;
            found += (bits >> i & 1) as usize;
        }
        found
    }

    /// Appends `first` plus the position of each bit of `word` to the `found` matches, where 64 more fit. Returns the new number
    /// of matches.
    #[inline(always)]
    fn list(word: u64, first: usize, matches: &mut [u32], found: usize) -> usize {
        list_bits(word, first, matches, found)
    }
}

/// [`Isa::list`] in portable code. There are usually few bits, and their number is unpredictable, so the first four are written
/// without a branch.
#[inline(always)]
pub(crate) fn list_bits(word: u64, first: usize, matches: &mut [u32], found: usize) -> usize {
    let (mut rest, mut count) = (word, 0);
    let room = &mut matches[found..][..64];
    for place in &mut room[..4] {
        *place = first as u32 + rest.trailing_zeros();
        count += usize::from(rest != 0);
        rest &= rest.wrapping_sub(1);
    }
    while rest != 0 {
        room[count] = first as u32 + rest.trailing_zeros();
        count += 1;
        rest &= rest - 1;
    }
    found + count
}

/// Portable Rust.
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
    fn zeros(numbers: &[u32; LANES]) -> u64 {
        (0..LANES).fold(0, |bits, i| bits | u64::from(numbers[i] == 0) << i)
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
    fn add_either(slots: &mut [Line], bits: u64, second: u64, [a, b]: [u64; 2]) {
        for (i, slot) in slots.iter_mut().flat_map(|line| &mut line.0).enumerate() {
            let tally = a ^ (a ^ b) & (second >> i & 1).wrapping_neg();
            slot.0 = slot.0.wrapping_add(tally & (bits >> i & 1).wrapping_neg());
        }
    }

    #[inline(always)]
    fn mark(words: &mut [u64], bits: u64, bit: u64) {
        for (i, word) in words.iter_mut().enumerate() {
            *word |= bit & (bits >> i & 1).wrapping_neg();
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
