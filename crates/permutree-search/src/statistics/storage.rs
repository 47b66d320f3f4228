/// How statistics by code are stored. It changes their cost but not their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// Arrays indexed by code, and playouts as rows of bits.
    Dense,
    /// Hash tables and lists of the codes that occur.
    Sparse,
}

/// Codings with more codes than this are sparse.
///
/// Measured with MCPS at 10,000 playouts: with the 16,200 exact codes of a Wargame of 30 units a side, dense is more than
/// twice as fast as sparse and needs about the same memory; with the 172,800 of the skirmish arena of size 4, sparse is
/// three times as fast and needs a sixteenth of the memory.
const MOST_DENSE_CODES: usize = 1 << 15;

impl Storage {
    /// The storage for a coding with this many codes.
    #[must_use]
    pub fn of(codes: usize) -> Self {
        if codes <= MOST_DENSE_CODES { Self::Dense } else { Self::Sparse }
    }
}

/// The hash of a code. Different codes have different hashes.
#[inline]
pub(crate) fn hash(code: u32) -> u64 {
    mix(u64::from(code))
}

/// Mixes the bits of a word. Each step is invertible, so different words stay different.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let x = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}
