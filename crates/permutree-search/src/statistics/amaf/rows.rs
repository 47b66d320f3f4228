use super::codes::{Codes, Played, Sets};
use crate::kernels::{self, Level};
use crate::statistics::history::History;
use crate::statistics::storage::{Storage, hash};
use crate::statistics::tally::{Line, Tally};
use crate::tree::LANES;
use crate::tree::table::{TallySlot, place};

/// The rows of the reference nodes: a tally for each code.
#[derive(Debug)]
pub(super) enum Rows {
    Dense(Dense),
    Sparse(Sparse),
}

impl Rows {
    pub(super) fn new(storage: Storage, codes: usize, level: Level) -> Self {
        match storage {
            Storage::Dense => {
                let width = codes.div_ceil(LANES);
                let added = vec![Line::default(); width];
                Self::Dense(Dense { width, lines: Vec::new(), added, set: Vec::new(), level })
            }
            Storage::Sparse => Self::Sparse(Sparse { outgrown: vec![Vec::new(); 32], ..Sparse::default() }),
        }
    }

    /// Removes all rows but keeps the allocations.
    pub(super) fn clear(&mut self) {
        match self {
            Self::Dense(dense) => dense.lines.clear(),
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

    /// Counts the current playout at each of these rows, with the codes met there.
    pub(super) fn count_path(&mut self, path: &[(u32, u32)], codes: &mut Codes, tallies: &[Tally]) {
        match (self, codes) {
            (Self::Dense(Dense { lines, level, added, .. }), Codes::Sets(sets)) => {
                let (set, met, owners) = sets.path();
                added.fill(Line::default());
                kernels::add_set(*level, added, set, owners, tallies);
                kernels::add_path(*level, lines, path, added, met);
            }
            (Self::Sparse(sparse), Codes::Lists(lists)) => {
                path.iter().for_each(|&(row, len)| sparse.count(row, lists.first(len), tallies));
            }
            _ => unreachable!("{OTHER_STORAGE}"),
        }
    }

    /// Counts earlier playouts at an empty row: their numbers, each with how many codes of its path it had met there.
    pub(super) fn build(&mut self, row: u32, past: &[(u32, u32)], codes: &Codes, history: &History) {
        match (self, codes) {
            (Self::Dense(dense), Codes::Sets(sets)) => dense.build(row, past, sets, history),
            (Self::Sparse(sparse), Codes::Lists(lists)) => {
                for &(playout, len) in past {
                    sparse.count(row, lists.past(playout, len), history.tallies(playout));
                }
            }
            _ => unreachable!("{OTHER_STORAGE}"),
        }
    }

    /// Sets `out` to a row's tallies of these codes, if rows are hash tables.
    pub(super) fn gather(&self, row: u32, codes: &[u32], out: &mut Vec<Line>) {
        if let Self::Sparse(sparse) = self {
            sparse.gather(row, codes, out);
        }
    }

    /// The whole row, if rows are arrays.
    pub(super) fn row(&self, row: u32) -> Option<&[Line]> {
        match self {
            Self::Dense(dense) => Some(dense.row(row)),
            Self::Sparse(_) => None,
        }
    }

    /// Adds tallies to a whole row, if rows are arrays.
    pub(super) fn add(&mut self, row: u32, words: &[u64]) {
        if let Self::Dense(dense) = self {
            let tallies = dense.row_mut(row).iter_mut().flat_map(|line| &mut line.0);
            tallies.zip(words).for_each(|(tally, &word)| tally.add(Tally(word)));
        }
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Dense(dense) => size_of_val(&*dense.lines),
            Self::Sparse(sparse) => size_of_val(&*sparse.slots) + size_of_val(&*sparse.rows),
        }
    }
}

const OTHER_STORAGE: &str = "dense rows count sets, and sparse rows lists";

/// Rows as arrays.
#[derive(Debug)]
pub(super) struct Dense {
    /// The lines of a row.
    width: usize,
    lines: Vec<Line>,
    /// What the current playout adds to a row.
    added: Vec<Line>,
    /// The codes of an earlier playout.
    set: Vec<u64>,
    level: Level,
}

impl Dense {
    fn push(&mut self) -> u32 {
        // There are no codes before `TreePolicy::fit`.
        let row = self.lines.len() / self.width.max(1);
        self.lines.resize(self.lines.len() + self.width, Line::default());
        row as u32
    }

    fn build(&mut self, row: u32, past: &[(u32, u32)], sets: &Sets, history: &History) {
        let lines = &mut self.lines[row as usize * self.width..][..self.width];
        for &(playout, len) in past {
            self.set.clear();
            // The bits of the kind are beyond all codes: they add to unused tallies, if to any.
            self.set.extend_from_slice(history.row(playout));
            for &code in sets.met_after(playout, len) {
                self.set[code as usize / 64] &= !(1 << (code % 64));
            }
            kernels::add_set(self.level, lines, &self.set, sets.owners(), history.tallies(playout));
        }
    }

    #[inline]
    fn row(&self, row: u32) -> &[Line] {
        &self.lines[row as usize * self.width..][..self.width]
    }

    fn row_mut(&mut self, row: u32) -> &mut [Line] {
        &mut self.lines[row as usize * self.width..][..self.width]
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

    fn gather(&self, row: u32, codes: &[u32], out: &mut Vec<Line>) {
        let Row { start, size, .. } = self.rows[row as usize];
        let slots = &self.slots[start..start + size];
        let tally = |code: &u32| slots[place(slots, hash(*code))].tally;
        out.clear();
        out.extend(codes.chunks(LANES).map(|codes| {
            let mut line = Line::default();
            line.0.iter_mut().zip(codes).for_each(|(to, code)| *to = tally(code));
            line
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Step;
    use permutree_game::{Player, Rng};

    /// Playouts with scattered codes, codes that share their low bits, and the code 0, which are counted at rows on their paths
    /// and later at rows that are built from them.
    #[test]
    fn sparse_rows_hold_what_dense_rows_hold() {
        const CODES: usize = 1 << 16;
        let every: Vec<u32> = (0..CODES as u32).collect();
        let run = |storage: Storage| {
            let mut rows = Rows::new(storage, CODES, Level::detect());
            let mut codes = Codes::new(storage, CODES, 2);
            let dense = storage == Storage::Dense;
            let mut history = History::new(dense.then_some(CODES), 2);
            let mut rng = Rng::new(3);
            let mut found = Vec::new();
            for _ in 0..2 {
                rows.clear();
                codes.restart();
                history.restart();
                let on_path = [rows.push(), rows.push()];
                let mut past = Vec::new();
                for i in 0..100 {
                    let step = |rng: &mut Rng| {
                        let code = if i % 2 == 0 { rng.below(CODES) } else { rng.below(64) << 10 };
                        Step { player: Player((code % 3 % 2) as u8), code: code as u32 }
                    };
                    let [playout, path] = [80, 9]
                        .map(|most| -> Vec<Step> { (0..rng.below(most)).map(|_| step(&mut rng)).collect() });
                    codes.begin(&playout, None);
                    let mut visits = vec![(on_path[0], codes.len())];
                    path.iter().for_each(|step| codes.enter(*step));
                    past.push((i, visits[0].1));
                    visits.push((on_path[1], codes.len()));
                    let tallies = [0, 1].map(|_| Tally::one(rng.below(9) as u32));
                    rows.count_path(&visits, &mut codes, &tallies);
                    history.push(codes.set(), &tallies);
                    codes.keep();
                }
                let built = rows.push();
                rows.build(built, &past, &codes, &history);
                for row in [on_path[0], on_path[1], built] {
                    let mut lines = rows.row(row).unwrap_or_default().to_vec();
                    rows.gather(row, &every, &mut lines);
                    found.push(lines.iter().flat_map(|line| line.0).collect::<Vec<_>>());
                }
                assert!(found[found.len() - 1] == found[found.len() - 3]);
            }
            found
        };
        assert!(run(Storage::Dense) == run(Storage::Sparse));
    }
}
