use crate::statistics::tally::Tally;

/// Finds numbers by hash: open addressing, at most half full.
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

/// The size of a table with anything in it. A power of two.
const FEWEST_SLOTS: usize = 1024;

impl Table {
    /// The number that was entered with this hash, or `new` after entering it.
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

    /// The number that was entered with this hash.
    pub(crate) fn find(&self, hash: u64) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        Some(self.slots[self.place(hash)].number).filter(|&number| number != FREE.number)
    }

    /// The slot with this hash, or the free one where it belongs.
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

    /// Forgets everything and keeps as much memory as was needed.
    pub(crate) fn clear(&mut self) {
        self.slots.truncate(Self::needed(self.used));
        self.slots.fill(FREE);
        self.used = 0;
    }

    /// How many slots a table that grew from nothing has for so many numbers.
    fn needed(used: usize) -> usize {
        if used == 0 { 0 } else { (2 * used).next_power_of_two().max(FEWEST_SLOTS) }
    }

    /// Bytes that a table that grew from nothing uses.
    pub(crate) fn memory(&self) -> usize {
        Self::needed(self.used) * size_of::<Slot>()
    }

    /// Bytes that one more number would add to them.
    pub(crate) fn growth(&self) -> usize {
        Self::needed(self.used + 1) * size_of::<Slot>() - self.memory()
    }
}

/// A place for a tally in a table that finds it by hash. It is free as long as nothing was counted.
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

/// The slot with this hash, or the free one where it belongs, in a table whose size is a power of two.
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
