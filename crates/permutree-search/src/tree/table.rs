use crate::statistics::tally::Tally;

/// A hash table from 64-bit hashes to numbers: open addressing, at most half full.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    used: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u64,
    number: u32,
}

const FREE: Slot = Slot { hash: 0, number: u32::MAX };

/// The least size of a table that is not empty. A power of two.
const FEWEST_SLOTS: usize = 1024;

impl Table {
    /// The number stored for this hash, or `new` after storing it.
    #[inline]
    pub(crate) fn find_or_insert(&mut self, hash: u64, new: u32) -> u32 {
        if 2 * (self.used + 1) > self.slots.len() {
            self.grow();
        }
        let i = self.place(hash);
        let slot = &mut self.slots[i];
        if slot.number == FREE.number {
            *slot = Slot { hash, number: new };
            self.used += 1;
        }
        slot.number
    }

    /// The number stored for this hash.
    pub(crate) fn find(&self, hash: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.place(hash)].number).filter(|&number| number != FREE.number)
    }

    /// The slot with this hash, or the free slot to store it in.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut i = hash as usize & mask;
        while self.slots[i].number != FREE.number && self.slots[i].hash != hash {
            i = (i + 1) & mask;
        }
        i
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(FEWEST_SLOTS);
        let old = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for slot in old.into_iter().filter(|slot| slot.number != FREE.number) {
            let i = self.place(slot.hash);
            self.slots[i] = slot;
        }
    }

    /// Removes everything but keeps the allocation.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(Self::needed(self.used));
        self.slots.fill(FREE);
        self.used = 0;
    }

    /// The slots of a table that grew from empty to this many numbers.
    fn needed(used: usize) -> usize {
        if used == 0 { 0 } else { (2 * used).next_power_of_two().max(FEWEST_SLOTS) }
    }

    /// Bytes in use by a table that grew from empty to these numbers.
    pub(crate) fn memory(&self) -> usize {
        Self::needed(self.used) * size_of::<Slot>()
    }

    /// The bytes that one more number would add.
    pub(crate) fn growth(&self) -> usize {
        Self::needed(self.used + 1) * size_of::<Slot>() - self.memory()
    }
}

/// A slot of a hash table of tallies. It is free while its tally is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TallySlot {
    pub(crate) hash: u64,
    pub(crate) tally: Tally,
}

impl TallySlot {
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.tally == Tally::default()
    }
}

/// The slot with this hash, or the free slot to store it in, in a table whose size is a power of two.
#[inline]
pub(crate) fn place(slots: &[TallySlot], hash: u64) -> usize {
    let mask = slots.len() - 1;
    let mut i = hash as usize & mask;
    while slots[i].hash != hash && !slots[i].is_free() {
        i = (i + 1) & mask;
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_again_after_growth_and_not_after_clearing() {
        let mut table = Table::default();
        assert_eq!(table.find(0), None);
        // Hashes that share their low bits, and the hash 0.
        let hash = |i: u64| i << 30 ^ (i & 3);
        for i in 0..5000 {
            assert_eq!(table.find_or_insert(hash(i), i as u32), i as u32);
        }
        for i in 0..5000 {
            assert_eq!(table.find_or_insert(hash(i), 0), i as u32);
            assert_eq!(table.find(hash(i)), Some(i as u32));
        }
        table.clear();
        assert_eq!((table.find(hash(7)), table.find_or_insert(hash(7), 3)), (None, 3));
    }
}
