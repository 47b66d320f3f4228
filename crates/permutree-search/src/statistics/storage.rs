/// How statistics by code are kept. It decides what they cost and nothing else: results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// In arrays with a place for every code, and playouts as rows of bits.
    Dense,
    /// In tables and lists of the codes that occurred.
    Sparse,
}

/// Codings with more codes than this are sparse.
///
/// Measured with MCPS at 10,000 playouts: with the 16,200 exact codes of a Wargame of 30 units a side, dense is more than
/// twice as fast as sparse and needs about the same memory; with the 172,800 of the skirmish arena of size 4, sparse is
/// three times as fast and needs a sixteenth of the memory.
const MOST_DENSE_CODES: usize = 1 << 15;

impl Storage {
    /// What suits a coding with so many codes.
    #[must_use]
    pub fn of(codes: usize) -> Self {
        if codes <= MOST_DENSE_CODES { Self::Dense } else { Self::Sparse }
    }
}

/// The hash of a code. No two codes share one.
#[inline]
pub(crate) fn hash(code: u32) -> u64 {
    mix(u64::from(code))
}

/// Spreads a word over all its bits. Each step can be undone, so no two words become one.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let x = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    x ^ x >> 32
}
