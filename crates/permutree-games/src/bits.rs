//! Sets of up to `64 * W` cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

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

    /// The cell that so many others precede, in ascending order; the first with `index` 0.
    #[inline]
    #[must_use]
    pub fn nth(&self, mut index: usize) -> Option<usize> {
        for (i, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if index < count {
                let rest = (0..index).fold(word, |rest, _| rest & (rest - 1));
                return Some(i * 64 + rest.trailing_zeros() as usize);
            }
            index -= count;
        }
        None
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

impl<const W: usize> BitXor for Bits<W> {
    type Output = Self;
    #[inline]
    fn bitxor(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a ^= b);
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
    fn set_operations() {
        let mut a: Bits<2> = [3, 70].into_iter().collect();
        assert!(a.contains(70) && !a.contains(71));
        assert_eq!([0, 1, 2].map(|index| a.nth(index)), [Some(3), Some(70), None]);
        assert_eq!((a.count(), (a & !Bits::one(3)).count(), (a | Bits::one(9)).count()), (2, 1, 3));
        a.remove(3);
        a.remove(70);
        assert!(a.is_empty());
    }
}
