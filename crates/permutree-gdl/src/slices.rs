//! Numbers for sequences of words: terms and atoms are compared once, when they are made.

/// Sequences by number, each stored once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slices {
    words: Vec<u32>,
    ends: Vec<u32>,
    /// An open hash table of numbers plus 1; 0 is free. Its length is a power of two, at least twice the number of sequences.
    slots: Vec<u32>,
}

/// A hash of words, the same everywhere.
#[inline]
pub(crate) fn hash(words: impl IntoIterator<Item = u32>) -> u64 {
    let mut hash = 0x243F_6A88_85A3_08D3_u64;
    for word in words {
        hash = (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 32;
    }
    hash
}

impl Slices {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[u32] {
        let number = number as usize;
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.words[start..self.ends[number] as usize]
    }

    /// The slot that holds the sequence, or the free one where it belongs.
    #[inline]
    fn slot(&self, words: &[u32]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(words.iter().copied()) as usize & mask;
        while self.slots[slot] != 0 && self.get(self.slots[slot] - 1) != words {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of a sequence, which is new if it has not occurred.
    pub(crate) fn number(&mut self, words: &[u32]) -> u32 {
        if self.ends.len() * 2 >= self.slots.len() {
            self.slots = vec![0; (self.slots.len() * 2).max(1024)];
            for number in 0..self.ends.len() as u32 {
                let slot = self.slot(self.get(number));
                self.slots[slot] = number + 1;
            }
        }
        let slot = self.slot(words);
        if self.slots[slot] == 0 {
            self.words.extend_from_slice(words);
            self.ends.push(self.words.len() as u32);
            self.slots[slot] = self.ends.len() as u32;
        }
        self.slots[slot] - 1
    }

    /// The number of a sequence that has occurred.
    pub(crate) fn find(&self, words: &[u32]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(words)].checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_share_a_number() {
        let mut slices = Slices::default();
        assert_eq!(slices.find(&[1]), None);
        let numbers: Vec<u32> = (0..10_000).map(|i| slices.number(&[i % 1000, i % 7, 3])).collect();
        assert_eq!((slices.len(), numbers[0], numbers[7000]), (7000, 0, 0));
        assert_eq!(slices.get(numbers[1234]), [234, 2, 3]);
        assert_eq!(slices.find(&[234, 2, 3]), Some(numbers[1234]));
        assert_eq!((slices.number(&[]), slices.find(&[9, 9])), (7000, None));
    }
}
