use crate::kernel::{self, COLUMN_LANES, KIND_BITS, Kinds, Level, Playouts, Span};
use crate::table::Table;
use crate::tally::Tally;
use crate::tree::{LANES, NONE, NodeId, Tree};
use permutree_game::{Hasher, Turn};

/// Permutation statistics: for a node and the codes of a path to it, how the playouts since the root did that contain
/// all codes of the path in any order, by each legal code that they contain too.
///
/// They are exact and cost little because nothing is counted twice. Playouts are numbered. Each has a row, one bit per
/// code; transposed, each code has a column, one bit per playout, so the playouts that contain a whole path are the
/// conjunction of a few columns, sixty-four playouts at a time. A record remembers up to which playout it has counted
/// and on its next visit looks only at those that came since. A new record has all of them to look at, so when playouts
/// have become many, a record that gets one below it also keeps the list of its matches, and the new one tests only those.
/// A leaf has no record: it never pays.
#[derive(Debug)]
pub(crate) struct Permutations {
    codes: usize,
    players: usize,
    /// `words` words for each playout: its codes and its kind.
    rows: Vec<u64>,
    words: usize,
    kinds: Kinds,
    /// `stride` words for each code: the playouts of whole blocks of 64.
    columns: Vec<u64>,
    stride: usize,
    /// One word for each code: the playouts of the block that is not whole yet.
    block: Vec<u64>,
    playouts: u32,
    records: Vec<PathRecord>,
    /// The record of each key.
    table: Table,
    /// The hash of each node's legal codes, 0 if not known yet, and the record that it used last.
    nodes: Vec<(u64, u32)>,
    spans: Vec<Span>,
    tallies: Vec<Tally>,
    lists: Lists,
    listed_playouts: u32,
    /// Room for the numbers of all playouts.
    matches: Vec<u32>,
    expanded: Vec<Tally>,
    level: Level,
}

/// The codes on the way from the root: a set, since order does not matter.
#[derive(Debug, Default)]
pub(crate) struct Path {
    codes: Vec<u32>,
    key: u64,
    /// The last record on the way that is up to date, and how many codes the path had there.
    above: Option<(u32, usize)>,
}

/// Lists are kept from this many playouts on. With fewer, whole columns are short.
const LISTED_PLAYOUTS: u32 = 1 << 12;

/// What testing one playout of a list costs, in units of what conjoining 512 playouts of one column costs. A record with
/// so many matches that columns are cheaper keeps no list.
const LIST_COST: u64 = 2;

/// Fewer matches than this are added one by one.
const FEW_MATCHES: usize = 8;

impl Path {
    pub(crate) fn clear(&mut self) {
        self.codes.clear();
        self.key = 0;
        self.above = None;
    }

    pub(crate) fn insert(&mut self, code: u32) {
        if !self.codes.contains(&code) {
            self.codes.push(code);
            // A sum of hashes is the same in any order.
            self.key = self.key.wrapping_add(Hasher::new().word(u64::from(code)).finish());
        }
    }
}

/// What is known for one set of path codes and one set of legal codes. Nothing else matters, so nodes that share both
/// share the record, and a node that is reached with several sets of codes has several.
#[derive(Clone, Copy, Debug)]
struct PathRecord {
    key: u64,
    /// The playouts below this number are counted.
    counted: u32,
    /// How many of them contain all codes of the path.
    matched: u32,
    first_tally: u32,
    slots: u32,
    first_span: u32,
    span_count: u32,
    list: List,
}

impl Permutations {
    pub(crate) fn new(codes: usize, players: usize, level: Level) -> Self {
        Self {
            codes,
            players,
            rows: Vec::new(),
            words: (codes + KIND_BITS).div_ceil(64),
            kinds: Kinds::new(players),
            columns: Vec::new(),
            stride: 0,
            block: vec![0; codes],
            playouts: 0,
            records: Vec::new(),
            table: Table::default(),
            nodes: Vec::new(),
            spans: Vec::new(),
            tallies: Vec::new(),
            lists: Lists::default(),
            listed_playouts: LISTED_PLAYOUTS,
            matches: vec![0; 64],
            expanded: Vec::new(),
            level,
        }
    }

    /// Forgets everything and keeps the memory. The columns need no cleaning: a word of theirs is written before it is
    /// looked at.
    pub(crate) fn restart(&mut self) {
        self.rows.clear();
        self.kinds.clear();
        self.block.fill(0);
        self.playouts = 0;
        self.records.clear();
        self.table.clear();
        self.nodes.clear();
        self.spans.clear();
        self.tallies.clear();
        self.lists.numbers.clear();
    }

    /// Keeps lists from this many playouts on.
    #[cfg(test)]
    pub(crate) fn keep_lists_from(&mut self, playouts: u32) {
        self.listed_playouts = playouts;
    }

    /// Adds a playout with these codes, which adds these tallies, one for each player.
    pub(crate) fn learn(&mut self, present: &[u64], tallies: &[Tally]) {
        let row = self.rows.len();
        self.rows.extend_from_slice(present);
        self.rows.resize(row + self.words, 0);
        self.rows[row + self.words - 1] |= self.kinds.mark(tallies);
        let bit = 1 << (self.playouts % 64);
        for (i, &word) in present.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                self.block[i * 64 + rest.trailing_zeros() as usize] |= bit;
                rest &= rest - 1;
            }
        }
        self.playouts += 1;
        if self.playouts.is_multiple_of(64) {
            self.flush();
        }
    }

    /// Moves a whole block to the columns.
    fn flush(&mut self) {
        let at = self.playouts as usize / 64 - 1;
        self.matches.resize(self.matches.len().max((at + 2) * 64), 0);
        let capacity = self.stride.saturating_sub(COLUMN_LANES);
        if at == capacity {
            let stride = stride_for(at + 1);
            let mut columns = vec![0; self.codes * stride];
            let old = self.columns.chunks_exact(self.stride.max(1));
            for (to, from) in columns.chunks_exact_mut(stride).zip(old) {
                to[..capacity].copy_from_slice(&from[..capacity]);
            }
            (self.columns, self.stride) = (columns, stride);
        }
        for (column, word) in self.columns.chunks_exact_mut(self.stride).zip(&mut self.block) {
            column[at] = std::mem::take(word);
        }
    }

    /// The tallies of each edge of `node` after `path`, up to date. `played` is what each playout adds to a tally of each
    /// player, as [`Permutations::learn`] was told. Nothing is known (`None`) if there is no record and
    /// `make` does not allow a new one.
    pub(crate) fn tallies(
        &mut self,
        tree: &Tree,
        node: NodeId,
        path: &mut Path,
        played: &[Tally],
        make: bool,
    ) -> Option<&[Tally]> {
        let index = self.record(tree, node, path, make)?;
        let record = self.records[index];
        let slots = record.first_tally as usize..(record.first_tally + record.slots) as usize;
        let lanes = slots.start..slots.end.next_multiple_of(LANES);
        if record.counted < self.playouts
            && let Turn::Player(player) = tree.turn(node)
        {
            let found = self.find_matches(path, record.counted);
            let matches = &self.matches[..found];
            self.records[index].counted = self.playouts;
            self.records[index].matched += found as u32;
            if record.list.is_kept() {
                self.lists.append(&mut self.records[index].list, matches);
            }
            let tallies = &mut self.tallies[lanes.clone()];
            let spans = &self.spans[record.first_span as usize..][..record.span_count as usize];
            let (words, stride, player) = (&self.rows, self.words, player.index());
            let playouts = Playouts { words, stride, tallies: played, every: self.players, player };
            if matches.len() < FEW_MATCHES {
                kernel::absorb_few(self.level, tallies, spans, playouts, matches);
            } else {
                kernel::absorb(self.level, tallies, spans, playouts, self.kinds.split(player), matches);
            }
        }
        path.above = Some((index as u32, path.codes.len()));
        let codes = tree.codes(tree.edges(node));
        if codes.len() == slots.len() {
            return Some(&self.tallies[lanes]);
        }
        // Several moves share a code: each gets the tally of its code. Codes ascend, so slots do.
        self.expanded.clear();
        let mut slot = slots.start;
        for (i, code) in codes.iter().enumerate() {
            slot += usize::from(i > 0 && codes[i - 1] != *code);
            self.expanded.push(self.tallies[slot]);
        }
        self.expanded.resize(codes.len().next_multiple_of(LANES), Tally::default());
        Some(&self.expanded)
    }

    /// The record of a node reached with the codes of `path`.
    fn record(&mut self, tree: &Tree, node: NodeId, path: &Path, make: bool) -> Option<usize> {
        if self.nodes.len() <= node as usize {
            self.nodes.resize(tree.len(), (0, NONE));
        }
        let (legal, last) = &mut self.nodes[node as usize];
        let codes = tree.codes(tree.edges(node));
        let first = self.spans.len();
        let mut slots = 0;
        if *legal == 0 {
            slots = kernel::spans_of(codes, &mut self.spans);
            let words = self.spans[first..].iter().flat_map(|span| [u64::from(span.word), span.mask]);
            *legal = words.fold(Hasher::new(), Hasher::word).finish();
        }
        let key = path.key.wrapping_add(*legal);
        if self.records.get(*last as usize).is_some_and(|record| record.key == key) {
            return Some(*last as usize);
        }
        let new = self.records.len() as u32;
        let index = if make { Some(self.table.find_or_insert(key, new)) } else { self.table.find(key) };
        if index != Some(new) {
            self.spans.truncate(first);
            *last = index.unwrap_or(NONE);
            return index.map(|index| index as usize);
        }
        let (mut first_span, mut span_count) = (first as u32, (self.spans.len() - first) as u32);
        if let Some(known) = self.records.get(*last as usize) {
            // Records of one node share their spans.
            (slots, first_span, span_count) = (known.slots as usize, known.first_span, known.span_count);
        } else if slots == 0 {
            slots = kernel::spans_of(codes, &mut self.spans);
            span_count = (self.spans.len() - first) as u32;
        }
        *last = new;
        self.records.push(PathRecord {
            key,
            counted: 0,
            matched: 0,
            first_tally: self.tallies.len() as u32,
            slots: slots as u32,
            first_span,
            span_count,
            list: List::default(),
        });
        self.tallies.resize((self.tallies.len() + slots).next_multiple_of(LANES), Tally::default());
        Some(new as usize)
    }

    /// Fills `matches` with the playouts from number `from` on that contain all codes of the path; returns how many.
    fn find_matches(&mut self, path: &Path, from: u32) -> usize {
        if let Some((above, known)) = path.above
            && self.prefers_list(&self.records[above as usize], path.codes.len(), from)
        {
            let above = above as usize;
            if !self.records[above].list.is_kept() {
                let found = self.conjoin(&path.codes[..known], 0);
                self.lists.begin(&mut self.records[above].list, &self.matches[..found]);
            }
            self.filter_list(self.records[above].list, &path.codes[known..], from)
        } else {
            self.conjoin(&path.codes, from)
        }
    }

    /// Whether the playouts from number `from` on that contain a path of so many `codes` are found faster among the
    /// matches of the record above it than in the columns.
    fn prefers_list(&self, above: &PathRecord, codes: usize, from: u32) -> bool {
        let rest = u64::from(self.playouts - from);
        let share = u64::from(above.matched) * rest / u64::from(self.playouts.max(1));
        let columns = rest / 512 * codes as u64;
        rest >= u64::from(self.listed_playouts) && share * LIST_COST < columns
    }

    /// Fills `matches` with the playouts from number `from` on that contain all `codes`; returns how many.
    fn conjoin(&mut self, codes: &[u32], from: u32) -> usize {
        let (first, whole) = (from as usize / 64, self.playouts as usize / 64);
        let keep = u64::MAX << (from % 64);
        let mut found = 0;
        if first < whole {
            let (columns, stride) = (&self.columns, self.stride);
            found =
                kernel::conjoin(self.level, columns, stride, codes, first, whole, keep, &mut self.matches);
        }
        // Bits of playouts to come are 0 in the block, but a path without codes matches everything.
        let begun = !(u64::MAX << (self.playouts % 64));
        let last = codes.iter().fold(begun, |word, &code| word & self.block[code as usize]);
        let last = if first == whole { last & keep } else { last };
        kernel::list_bits(last, whole * 64, &mut self.matches, found)
    }

    /// Fills `matches` with the playouts of `list` from number `from` on that contain all `codes`; returns how many.
    fn filter_list(&mut self, list: List, codes: &[u32], from: u32) -> usize {
        let whole = self.playouts as usize / 64;
        let matches = self.matches.as_mut_slice();
        let mut found = 0;
        for piece in self.lists.iter(list) {
            let piece = &piece[piece.partition_point(|&playout| playout < from)..];
            let begun = piece.partition_point(|&playout| playout as usize / 64 < whole);
            let (columns, block) = piece.split_at(begun);
            // Every number is written, and the next one overwrites it if it was no match: a branch would be guessed
            // wrong half of the time.
            if let &[code] = codes {
                let column = &self.columns[code as usize * self.stride..][..whole];
                for &playout in columns {
                    matches[found] = playout;
                    found += (column[playout as usize / 64] >> (playout % 64) & 1) as usize;
                }
            } else {
                for &playout in columns {
                    let at = playout as usize / 64;
                    let word = |code: u32| self.columns[code as usize * self.stride + at];
                    matches[found] = playout;
                    found += (codes.iter().fold(u64::MAX, |all, &code| all & word(code)) >> (playout % 64)
                        & 1) as usize;
                }
            }
            let word = codes.iter().fold(u64::MAX, |all, &code| all & self.block[code as usize]);
            for &playout in block {
                matches[found] = playout;
                found += (word >> (playout % 64) & 1) as usize;
            }
        }
        found
    }

    /// Bytes in use. Of the columns, what the playouts since the last restart need, or a search that was started over
    /// would reach its limit sooner than a new one.
    pub(crate) fn memory(&self) -> usize {
        let blocks = self.playouts as usize / 64;
        let stride = if blocks == 0 { 0 } else { stride_for(blocks) };
        (self.rows.len() + self.codes * stride + self.tallies.len()) * 8
            + self.records.len() * size_of::<PathRecord>()
            + self.nodes.len() * 16
            + self.lists.numbers.len() * 4
            + self.table.memory()
            + self.spans.len() * size_of::<Span>()
    }
}

/// The words of a column with room for this many blocks: a power of two, and a little more, or all columns would compete
/// for the same few places of the processor's caches.
fn stride_for(blocks: usize) -> usize {
    blocks.next_power_of_two().max(COLUMN_LANES) + COLUMN_LANES
}

/// Lists of playout numbers that only grow, in one arena. A list is a chain of pieces, each as long as all before it.
#[derive(Debug, Default)]
struct Lists {
    numbers: Vec<u32>,
}

/// One list: where its first and its last piece start, and how much of the last is used.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    last: u32,
    used: u32,
    len: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, last: NONE, used: 0, len: 0 }
    }
}

/// Before the numbers of a piece stand its size and the start of the next piece.
const HEAD: usize = 2;

impl List {
    /// Whether the record keeps a list.
    fn is_kept(&self) -> bool {
        self.first != NONE
    }
}

impl Lists {
    /// Begins to keep a list, even if there is nothing to put on it yet.
    fn begin(&mut self, list: &mut List, numbers: &[u32]) {
        (list.first, list.last) = (self.numbers.len() as u32, self.numbers.len() as u32);
        self.numbers.extend([0, NONE]);
        self.append(list, numbers);
    }

    fn append(&mut self, list: &mut List, numbers: &[u32]) {
        let mut rest = numbers;
        while !rest.is_empty() {
            let room = (self.numbers[list.last as usize] - list.used) as usize;
            if room == 0 {
                let size = rest.len().max(list.len as usize).max(4);
                let piece = self.numbers.len() as u32;
                self.numbers[list.last as usize + 1] = piece;
                (list.last, list.used) = (piece, 0);
                self.numbers.extend([size as u32, NONE]);
                self.numbers.resize(self.numbers.len() + size, 0);
                continue;
            }
            let (now, later) = rest.split_at(room.min(rest.len()));
            let start = list.last as usize + HEAD + list.used as usize;
            self.numbers[start..start + now.len()].copy_from_slice(now);
            list.used += now.len() as u32;
            list.len += now.len() as u32;
            rest = later;
        }
    }

    /// The pieces of a list in order.
    fn iter(&self, list: List) -> impl Iterator<Item = &[u32]> {
        let mut piece = list.first;
        std::iter::from_fn(move || {
            let start = Some(piece).filter(|&piece| piece != NONE)? as usize;
            let len = if piece == list.last { list.used } else { self.numbers[start] };
            piece = self.numbers[start + 1];
            Some(&self.numbers[start + HEAD..][..len as usize])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_what_they_are_given() {
        let mut lists = Lists::default();
        let mut heads = [List::default(); 3];
        heads.iter_mut().for_each(|head| lists.begin(head, &[]));
        let mut expected = [const { Vec::new() }; 3];
        for i in 0..100u32 {
            let which = i as usize % 3;
            let numbers: Vec<u32> = (0..i % 7).map(|k| i * 10 + k).collect();
            lists.append(&mut heads[which], &numbers);
            expected[which].extend(numbers);
        }
        for (head, expected) in heads.into_iter().zip(expected) {
            let got: Vec<u32> = lists.iter(head).flatten().copied().collect();
            assert_eq!((got.len() as u32, got), (head.len, expected));
        }
    }
}
