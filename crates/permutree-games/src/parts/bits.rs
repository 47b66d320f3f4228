//! Sets of up to `64 * W` cells.

use permutree_game::Rng;
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

    /// Removes `cell`.
    #[inline]
    pub fn remove(&mut self, cell: usize) {
        self.0[cell / 64] &= !(1 << (cell % 64));
    }

    /// Whether the set is empty.
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

    /// Cell number `index` in ascending order, from 0.
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

    /// Moves every cell `c` to `c + by`; cells beyond the `64 * W` bits are dropped.
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

    /// Moves every cell `c` to `c - by`; cells below 0 are dropped.
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

    /// A random cell, uniformly; `None` from an empty set.
    #[inline]
    pub fn draw(self, rng: &mut Rng) -> Option<usize> {
        let count = self.count();
        let mut left = rng.below(count);
        (count > 0).then(|| {
            let mut i = 0;
            while i + 1 < W && left >= self.0[i].count_ones() as usize {
                left -= self.0[i].count_ones() as usize;
                i += 1;
            }
            i * 64 + select(self.0[i], left)
        })
    }

    /// A random cell, uniformly, among those with the greatest merit of the cells that fit; `None` if none fits.
    ///
    /// Calls `fits` only for cells that no earlier one surpasses, which are few if merits are in no particular order. Draws no
    /// random number for a single best cell.
    #[inline]
    pub fn draw_greatest(
        self,
        rng: &mut Rng,
        merit: impl Fn(usize) -> f64,
        fits: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (mut most, mut greatest) = (f64::NEG_INFINITY, Self::EMPTY);
        for cell in self.iter() {
            let merit = merit(cell);
            if merit >= most && fits(cell) {
                if merit > most {
                    (most, greatest) = (merit, Self::EMPTY);
                }
                greatest.insert(cell);
            }
        }
        if greatest.count() < 2 { greatest.nth(0) } else { greatest.draw(rng) }
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

/// The cells of a board, for numbering them without the gaps between their bits.
#[derive(Clone, Debug)]
pub struct Gapless {
    runs: Vec<Run>,
}

/// Consecutive bits whose numbers are consecutive, within one word each.
#[derive(Clone, Copy, Debug)]
struct Run {
    word: usize,
    shift: u32,
    mask: u64,
    to_word: usize,
    to_shift: u32,
}

impl Gapless {
    /// For the cells of this board.
    #[must_use]
    pub fn new<const W: usize>(board: Bits<W>) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for (number, bit) in board.iter().enumerate() {
            let goes_on = bit % 64 > 0 && number % 64 > 0 && board.contains(bit - 1);
            match runs.last_mut() {
                Some(run) if goes_on => run.mask = run.mask << 1 | 1,
                _ => runs.push(Run {
                    word: bit / 64,
                    shift: (bit % 64) as u32,
                    mask: 1,
                    to_word: number / 64,
                    to_shift: (number % 64) as u32,
                }),
            }
        }
        Self { runs }
    }

    /// The numbers of these cells of the board: cell number `n` is bit `n`.
    #[inline]
    #[must_use]
    pub fn numbers<const W: usize>(&self, cells: Bits<W>) -> Bits<W> {
        let mut numbers = Bits::EMPTY;
        for run in &self.runs {
            numbers.0[run.to_word] |= (cells.0[run.word] >> run.shift & run.mask) << run.to_shift;
        }
        numbers
    }
}

/// The bit of `word` that has `rank` set bits below it.
///
/// Every step works on eight bytes at once (Vigna, Broadword implementation of rank/select queries, 2008). The end of a loop
/// over the bits would be an unpredictable branch.
#[inline]
fn select(word: u64, rank: usize) -> usize {
    const LOW: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = LOW << 7;
    // Flags for the bytes of `sums`, all below 128, that are at most `limit`; and the number of flags that are set.
    let at_most = |sums: u64, limit: u64| (((limit * LOW) | HIGH) - sums) >> 7 & LOW;
    let bytes = |flags: u64| flags.wrapping_mul(LOW) >> 56;
    // Each byte counts the set bits up to and including it.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & (LOW * 15)).wrapping_mul(LOW);
    let shift = bytes(at_most(sums, rank as u64)) * 8;
    let rank = rank as u64 - ((sums << 8) >> shift & 0xFF);
    // The same within that byte, its bits spread over eight bytes.
    let spread = ((word >> shift & 0xFF) * LOW) & 0x8040_2010_0804_0201;
    let bits = (spread + (HIGH - LOW)) >> 7 & LOW;
    (shift + bytes(at_most(bits.wrapping_mul(LOW), rank))) as usize
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
    fn numbers_have_no_gaps() {
        for size in 3..=19 {
            let board: Bits<6> = (0..size * size).map(|number| number + number / size).collect();
            let gapless = Gapless::new(board);
            let mut rng = Rng::new(size as u64);
            for _ in 0..20 {
                let some: Vec<usize> = (0..size * size).filter(|_| rng.below(3) == 0).collect();
                let cells: Bits<6> = some.iter().map(|number| number + number / size).collect();
                assert_eq!(gapless.numbers(cells), some.into_iter().collect());
            }
        }
    }

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
        for word in [1, 1 << 63, u64::MAX, 0x8000_0000_0000_0001, rng.bits(), rng.bits() & rng.bits()] {
            for (rank, bit) in Bits([word]).iter().enumerate() {
                assert_eq!(select(word, rank), bit, "{word:x} {rank}");
            }
        }
    }

    #[test]
    fn draws_are_uniform() {
        let mut rng = Rng::new(7);
        let cells: Bits<3> = [0, 63, 64, 130, 191].into_iter().collect();
        let mut counts = [0u32; 192];
        for _ in 0..50_000 {
            counts[cells.draw(&mut rng).unwrap()] += 1;
        }
        for (cell, &count) in counts.iter().enumerate() {
            // Binomial with standard deviation 89.
            assert!(
                if cells.contains(cell) { count.abs_diff(10_000) < 447 } else { count == 0 },
                "{cell}: {count}"
            );
        }
        assert_eq!(Bits::<3>::EMPTY.draw(&mut rng), None);
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
