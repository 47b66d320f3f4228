/// Hashes the words that make up a position.
///
/// A search hashes positions when it looks them up, once per playout and not at every ply: for bitboards, a few
/// multiplications cost less than an incremental hash. The function is fixed, so hashes are the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Hasher(u64);

impl Hasher {
    /// A hasher without input.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self(0x243F_6A88_85A3_08D3)
    }

    /// Adds a word. Order matters.
    #[inline]
    #[must_use]
    pub fn word(self, word: u64) -> Self {
        // The folded 128-bit product of wyhash and similar functions: every input bit reaches every output bit.
        let product = u128::from(self.0 ^ word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        Self(((product >> 64) as u64 ^ product as u64).rotate_left(29) ^ word)
    }

    /// Adds bytes, eight at a time.
    #[inline]
    #[must_use]
    pub fn bytes(self, bytes: &[u8]) -> Self {
        let mut hash = self;
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            hash = hash.word(u64::from_le_bytes(word));
        }
        hash
    }

    /// The hash.
    #[inline]
    #[must_use]
    pub fn finish(self) -> u64 {
        let x = self.0 ^ self.0 >> 32;
        let x = x.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        x ^ x >> 32
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn near_inputs_do_not_collide() {
        let mut seen = HashSet::new();
        for i in 0..64 {
            for j in 0..64 {
                assert!(seen.insert(Hasher::new().word(1 << i).word(1 << j).finish()));
            }
        }
        // The low bits, which index a table, must spread too.
        let low: HashSet<u64> = (0..4096u64).map(|i| Hasher::new().word(i << 40).finish() & 0xFFFF).collect();
        assert!(low.len() > 3800, "{}", low.len());
    }
}
