use super::Played;
use crate::statistics::storage::{Storage, hash};
use crate::statistics::tally::Tally;
use crate::tree::table::{TallySlot, place};

/// The rows of the reference nodes: a tally for each code.
#[derive(Debug)]
pub(super) enum Rows {
    Dense(Dense),
    Sparse(Sparse),
}

impl Rows {
    pub(super) fn new(storage: Storage, codes: usize) -> Self {
        match storage {
            Storage::Dense => Self::Dense(Dense { codes, tallies: Vec::new() }),
            Storage::Sparse => Self::Sparse(Sparse { outgrown: vec![Vec::new(); 32], ..Sparse::default() }),
        }
    }

    /// Removes all rows but keeps the allocations.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Dense(dense) => dense.tallies.clear(),
            Self::Sparse(sparse) => {
                sparse.rows.clear();
                sparse.slots.clear();
                sparse.outgrown.iter_mut().for_each(Vec::clear);
            }
        }
    }

    /// Adds an empty row and returns its number.
    pub(super) fn push(&mut self) -> u32 {
        match self {
            Self::Dense(dense) => dense.push(),
            Self::Sparse(sparse) => sparse.push(),
        }
    }

    /// Counts a playout: adds the tally of its player to each of these distinct codes.
    #[inline]
    pub(super) fn count(&mut self, row: u32, played: &[Played], tallies: &[Tally]) {
        match self {
            Self::Dense(dense) => dense.count(row, played, tallies),
            Self::Sparse(sparse) => sparse.count(row, played, tallies),
        }
    }

    /// Sets `out` to a row's tallies of these codes.
    #[inline(always)]
    pub(super) fn gather(&self, row: u32, codes: &[u32], out: &mut Vec<Tally>) {
        match self {
            Self::Dense(dense) => dense.gather(row, codes, out),
            Self::Sparse(sparse) => sparse.gather(row, codes, out),
        }
    }

    /// The whole row, if rows are arrays.
    pub(super) fn row(&self, row: u32) -> Option<&[Tally]> {
        match self {
            Self::Dense(dense) => Some(&dense.tallies[row as usize * dense.codes..][..dense.codes]),
            Self::Sparse(_) => None,
        }
    }

    /// Adds tallies to a whole row, if rows are arrays.
    pub(super) fn add(&mut self, row: u32, words: &[u64]) {
        if let Self::Dense(dense) = self {
            let row = &mut dense.tallies[row as usize * dense.codes..];
            row.iter_mut().zip(words).for_each(|(tally, &word)| tally.add(Tally(word)));
        }
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Dense(dense) => size_of_val(&*dense.tallies),
            Self::Sparse(sparse) => size_of_val(&*sparse.slots) + size_of_val(&*sparse.rows),
        }
    }
}

/// Rows as arrays.
#[derive(Debug)]
pub(super) struct Dense {
    codes: usize,
    tallies: Vec<Tally>,
}

impl Dense {
    fn push(&mut self) -> u32 {
        // There are no codes before `TreePolicy::fit`.
        let row = self.tallies.len() / self.codes.max(1);
        self.tallies.resize(self.tallies.len() + self.codes, Tally::default());
        row as u32
    }

    #[inline]
    fn count(&mut self, row: u32, played: &[Played], tallies: &[Tally]) {
        let row = &mut self.tallies[row as usize * self.codes..][..self.codes];
        for played in played {
            row[played.code()].add(tallies[played.player()]);
        }
    }

    #[inline(always)]
    fn gather(&self, row: u32, codes: &[u32], out: &mut Vec<Tally>) {
        let row = &self.tallies[row as usize * self.codes..][..self.codes];
        out.clear();
        out.extend(codes.iter().map(|&code| row[code as usize]));
    }
}

/// Rows as hash tables in one arena: open addressing, at most five eighths full. A table that its row has outgrown is
/// reused by the next row that needs its size.
#[derive(Debug, Default)]
pub(super) struct Sparse {
    rows: Vec<Row>,
    slots: Vec<TallySlot>,
    /// The start of the outgrown tables, which are empty, by the logarithm of their size. That is below 32 because codes are
    /// below 2^28.
    outgrown: Vec<Vec<usize>>,
}

/// The table of a row. Its size is a power of two.
#[derive(Clone, Copy, Debug)]
struct Row {
    start: usize,
    size: usize,
    used: usize,
}

/// The size of a new row's table. A power of two.
const FEWEST_SLOTS: usize = 64;

impl Sparse {
    fn push(&mut self) -> u32 {
        let start = self.clean(FEWEST_SLOTS);
        self.rows.push(Row { start, size: FEWEST_SLOTS, used: 0 });
        self.rows.len() as u32 - 1
    }

    /// The start of an empty table of this size.
    fn clean(&mut self, size: usize) -> usize {
        self.outgrown[size.ilog2() as usize].pop().unwrap_or_else(|| {
            self.slots.resize(self.slots.len() + size, TallySlot::default());
            self.slots.len() - size
        })
    }

    /// Grows a row's table for `more` codes.
    fn grow(&mut self, row: u32, more: usize) {
        let Row { start, size, used } = self.rows[row as usize];
        let new_size = ((used + more) * 8 / 5 + 1).next_power_of_two();
        if new_size <= size {
            return;
        }
        let new_start = self.clean(new_size);
        for i in start..start + size {
            let slot = std::mem::take(&mut self.slots[i]);
            if !slot.is_free() {
                let table = &mut self.slots[new_start..new_start + new_size];
                table[place(table, slot.hash)] = slot;
            }
        }
        self.outgrown[size.ilog2() as usize].push(start);
        self.rows[row as usize] = Row { start: new_start, size: new_size, used };
    }

    fn count(&mut self, row: u32, played: &[Played], tallies: &[Tally]) {
        self.grow(row, played.len());
        let row = &mut self.rows[row as usize];
        let slots = &mut self.slots[row.start..row.start + row.size];
        for played in played {
            let hash = hash(played.code() as u32);
            let i = place(slots, hash);
            let slot = &mut slots[i];
            row.used += usize::from(slot.is_free());
            slot.hash = hash;
            slot.tally.add(tallies[played.player()]);
        }
    }

    /// Not inlined, so that gathering from dense rows stays small enough to be inlined.
    #[inline(never)]
    fn gather(&self, row: u32, codes: &[u32], out: &mut Vec<Tally>) {
        let Row { start, size, .. } = self.rows[row as usize];
        let slots = &self.slots[start..start + size];
        out.clear();
        out.extend(codes.iter().map(|&code| slots[place(slots, hash(code))].tally));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_game::Rng;

    /// Rows that grow alternately, with scattered codes, codes that share their low bits, and the code 0.
    #[test]
    fn sparse_rows_hold_what_dense_rows_hold() {
        let codes = 1 << 16;
        let mut dense = Rows::new(Storage::Dense, codes);
        let mut sparse = Rows::new(Storage::Sparse, codes);
        let mut rng = Rng::new(3);
        for again in 0..2 {
            for row in 0..3 {
                assert_eq!((dense.push(), sparse.push()), (row, row));
            }
            for i in 0..200 {
                let mut played: Vec<u32> = (0..rng.below(80))
                    .map(|_| if i % 2 == 0 { rng.below(codes) } else { rng.below(64) << 10 } as u32)
                    .collect();
                played.sort_unstable();
                played.dedup();
                let played: Vec<Played> =
                    played.into_iter().map(|code| Played::new((code % 2) as u8, code)).collect();
                let tallies = [Tally::one(rng.below(9) as u32), Tally::one(rng.below(9) as u32)];
                for rows in [&mut dense, &mut sparse] {
                    rows.count(i % 3, &played, &tallies);
                }
            }
            let every: Vec<u32> = (0..codes as u32).collect();
            let (mut expected, mut got) = (Vec::new(), Vec::new());
            for row in 0..3 {
                dense.gather(row, &every, &mut expected);
                sparse.gather(row, &every, &mut got);
                assert!(expected == got, "row {row}, {again}");
            }
            dense.clear();
            sparse.clear();
        }
    }
}
