//! Machine words as boards.

use crate::parts::bits::Bits;
use permutree_game::Hasher;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// A word that holds a board.
pub trait Word:
    Copy
    + Eq
    + Send
    + Sync
    + 'static
    + Into<u128>
    + Add<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// How many cells fit.
    const BITS: u32;
    /// No cell.
    const ZERO: Self;
    /// The first cell.
    const ONE: Self;
    /// The number of the lowest cell.
    fn trailing_zeros(self) -> u32;

    /// The word as a set of cells.
    #[inline]
    fn bits(self) -> Bits<2> {
        let word: u128 = self.into();
        Bits([word as u64, (word >> 64) as u64])
    }

    /// Adds the word to a hash.
    #[inline]
    #[must_use]
    fn hash(self, hasher: Hasher) -> Hasher {
        self.bits().0.into_iter().take(Self::BITS as usize / 64).fold(hasher, Hasher::word)
    }
}

impl Word for u64 {
    const BITS: u32 = Self::BITS;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}

impl Word for u128 {
    const BITS: u32 = Self::BITS;
    const ZERO: Self = 0;
    const ONE: Self = 1;

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}
