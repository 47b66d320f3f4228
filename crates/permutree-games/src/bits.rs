//! Sets of up to `64 * W` cells.

use permutree_game::Rng;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of cells, one bit each. Games choose `W` by board size, so that small boards are one machine word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Bits<const W: usize>(pub [u64; W]);

impl<const W: usize> Bits<W> {
    /// No cell.
    pub const EMPTY: Self = Self([0; W]);

    /// One cell.
    #[inline]
    #[must_use]
    pub fn one(cell: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.insert(cell);
        bits
    }

    /// Whether `cell` is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    /// Adds `cell`.
    #[inline]
    pub fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    /// Takes `cell` out.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Whether no cell is in the set.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The number of cells in the set.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Every cell `c` as `c + by`; what leaves the `64 * W` bits is lost.
    #[inline]
    #[must_use]
    pub fn up(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut out = [0; W];
        for i in (words..W).rev() {
            out[i] = self.0[i - words] << bits;
            if bits > 0 && i > words {
                out[i] |= self.0[i - words - 1] >> (64 - bits);
            }
        }
        Self(out)
    }

    /// Every cell `c` as `c - by`; what falls below 0 is lost.
    #[inline]
    #[must_use]
    pub fn down(&self, by: usize) -> Self {
        let (words, bits) = (by / 64, by % 64);
        let mut out = [0; W];
        for (i, word) in out.iter_mut().enumerate().take(W.saturating_sub(words)) {
            *word = self.0[i + words] >> bits;
            if bits > 0 && i + words + 1 < W {
                *word |= self.0[i + words + 1] << (64 - bits);
            }
        }
        Self(out)
    }

    /// One cell, each with the same probability; `None` from the empty set.
    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> Option<usize> {
        let sums = self.0.map(byte_sums);
        let total: usize = sums.iter().map(|s| (s >> 56) as usize).sum();
        if total == 0 {
            return None;
        }
        let mut n = rng.below(total);
        for i in 0..W - 1 {
            let here = (sums[i] >> 56) as usize;
            if n < here {
                return Some(i * 64 + select(self.0[i], sums[i], n));
            }
            n -= here;
        }
        Some((W - 1) * 64 + select(self.0[W - 1], sums[W - 1], n))
    }

    /// The cells in ascending order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, mut word)| {
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// In each byte the number of bits set in it and in the bytes below; the highest byte counts the whole word.
#[inline]
fn byte_sums(word: u64) -> u64 {
    let pairs = word - (word >> 1 & (LOW * 0x55));
    let nibbles = (pairs & (LOW * 0x33)) + (pairs >> 2 & (LOW * 0x33));
    (nibbles + (nibbles >> 4) & (LOW * 0x0F)).wrapping_mul(LOW)
}

/// The place of bit number `n`, from 0, of those set in `word` (Vigna 2008, Broadword implementation of rank/select
/// queries). No branch and no instruction that old machines lack.
#[inline]
fn select(word: u64, sums: u64, n: usize) -> usize {
    // The high bit of a byte stays where the sum is at most n: those bytes lie below the one wanted.
    let below = (((n as u64 * LOW | HIGH) - sums) & HIGH) >> 7;
    let byte = below.wrapping_mul(LOW) >> 56 & 7;
    let before = (sums << 8) >> (byte * 8) & 0xFF;
    let bits = (word >> (byte * 8) & 0xFF) as usize;
    (byte * 8) as usize + usize::from(IN_BYTE[n - before as usize & 7][bits])
}

/// The place of bit number `n` in a byte, as `IN_BYTE[n][byte]`.
static IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut n) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[n][byte] = place;
                n += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(cells: I) -> Self {
        let mut bits = Self::EMPTY;
        cells.into_iter().for_each(|cell| bits.insert(cell));
        bits
    }
}

impl<const W: usize> BitAnd for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const W: usize> BitOr for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const W: usize> BitAndAssign for Bits<W> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
    }
}

impl<const W: usize> BitOrAssign for Bits<W> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_agree_with_cells() {
        let cells = [0, 1, 63, 64, 100, 127, 128, 190];
        let bits: Bits<3> = cells.into_iter().collect();
        for by in [0, 1, 7, 63, 64, 65, 128, 130, 191, 192, 300] {
            let up: Vec<usize> = cells.iter().map(|c| c + by).filter(|c| *c < 192).collect();
            let down: Vec<usize> = cells.iter().filter_map(|c| c.checked_sub(by)).collect();
            assert_eq!(bits.up(by).iter().collect::<Vec<_>>(), up, "up {by}");
            assert_eq!(bits.down(by).iter().collect::<Vec<_>>(), down, "down {by}");
        }
    }

    #[test]
    fn select_finds_every_bit() {
        let mut rng = Rng::new(3);
        for round in 0..1000 {
            let word = if round == 0 { u64::MAX } else { rng.bits() & rng.bits() };
            for (n, cell) in Bits([word]).iter().enumerate() {
                assert_eq!(select(word, byte_sums(word), n), cell, "bit {n} of {word:x}");
            }
        }
    }

    #[test]
    fn draw_is_uniform() {
        let cells = [0, 5, 63, 64, 127, 190];
        let bits: Bits<3> = cells.into_iter().collect();
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 192];
        for _ in 0..60_000 {
            counts[bits.draw(&mut rng).unwrap()] += 1;
        }
        // Each count is binomial with standard deviation 91; all others must be 0.
        assert!(cells.iter().all(|&c| counts[c].abs_diff(10_000) < 456), "{counts:?}");
        assert_eq!(cells.iter().map(|&c| counts[c]).sum::<u32>(), 60_000);
        assert_eq!(Bits::<3>::EMPTY.draw(&mut rng), None);
    }

    #[test]
    fn set_operations() {
        let mut a: Bits<2> = [3, 70].into_iter().collect();
        assert!(a.contains(70) && !a.contains(71));
        assert_eq!((a.count(), (a & !Bits::one(3)).count(), (a | Bits::one(9)).count()), (2, 1, 3));
        a.remove(3);
        a.remove(70);
        assert!(a.is_empty());
    }
}
