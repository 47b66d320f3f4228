use super::lists::{ListId, Lists};
use super::{Legal, Path, PathRecord};
use crate::kernels::{self, COLUMN_LANES, Level, Share, Span};
use crate::statistics::history::History;
use crate::statistics::tally::Tally;
use crate::tree::LANES;
use permutree_game::Hasher;

/// The rows of the history, one bit per code, transposed to columns, one bit per playout. The playouts that contain a path are
/// the conjunction of its codes' columns, 64 playouts per word.
///
/// A record that is new, or was not visited for long, has many playouts to scan. The record above it then keeps a list of its
/// matches, if they are few, and only those are tested.
#[derive(Debug)]
pub(super) struct Dense {
    codes: usize,
    /// `stride` words for each code: the playouts of complete blocks of 64.
    columns: Vec<u64>,
    stride: usize,
    /// One word for each code, and unused ones up to a multiple of [`LANES`]: the playouts of the incomplete block.
    block: Vec<u64>,
    pub(super) playouts: u32,
    /// The legal codes of the records.
    spans: Vec<Span>,
    lists: Lists,
    list_rule: ListRule,
    /// A buffer for the numbers of all playouts.
    matches: Vec<u32>,
    shares: Vec<Share>,
    level: Level,
}

/// When records keep a list of their matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ListRule {
    /// Lists are kept from this many playouts on. With fewer, scanning the columns is fast enough.
    pub(crate) playouts: u32,
    /// The cost of a playout in a list, relative to conjoining 512 playouts of one column: that of testing it, and of the room
    /// that the list takes from others in the caches, which is the larger part. Records with so many matches that columns are
    /// cheaper keep no list.
    pub(crate) cost: u64,
}

impl Default for ListRule {
    fn default() -> Self {
        Self { playouts: 1 << 12, cost: 32 }
    }
}

/// Fewer new playouts than this are added singly.
const FEW: u32 = 4;

impl Dense {
    pub(super) fn new(codes: usize, list_rule: ListRule, level: Level) -> Self {
        Self {
            codes,
            columns: Vec::new(),
            stride: 0,
            block: vec![0; codes.next_multiple_of(LANES)],
            playouts: 0,
            spans: Vec::new(),
            lists: Lists::default(),
            list_rule,
            matches: vec![0; 64],
            shares: Vec::new(),
            level,
        }
    }

    /// Clears everything but keeps the allocations. The words of columns are not cleared: they are written before they are
    /// read.
    pub(super) fn restart(&mut self) {
        self.block.fill(0);
        self.playouts = 0;
        self.spans.clear();
        self.lists.clear();
    }

    /// Adds the last playout of the history, which has this set of codes, and counts it at the records that it passed.
    pub(super) fn learn(
        &mut self,
        history: &History,
        set: &[u64],
        records: &mut [PathRecord],
        passed: &[(u32, u8)],
        slots: &mut [Tally],
    ) {
        let tallies = history.tallies(self.playouts);
        self.shares.clear();
        for &(index, player) in passed {
            let record = &mut records[index as usize];
            // A path may pass a record twice.
            if record.counted == self.playouts {
                record.counted += 1;
                record.matched += 1;
                if record.list.is_kept() {
                    self.lists.append(record.list, &[self.playouts]);
                }
                self.shares.push(record.share(tallies[usize::from(player)]));
            }
        }
        kernels::add_row(self.level, slots, &self.spans, set, &self.shares);
        kernels::mark(self.level, &mut self.block, set, 1 << (self.playouts % 64));
        self.playouts += 1;
        if self.playouts.is_multiple_of(64) {
            self.flush();
        }
    }

    /// Moves a complete block to the columns.
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

    /// Lays out the legal codes of a node in slots. Returns the layout and a hash of the set of codes.
    pub(super) fn lay_out(&mut self, codes: &[u32]) -> (Legal, u64) {
        let first = self.spans.len();
        let slots = kernels::spans_of(codes, &mut self.spans);
        let words = self.spans[first..].iter().flat_map(|span| [u64::from(span.word), span.mask]);
        let hash = words.fold(Hasher::new(), Hasher::word).finish();
        let span_count = (self.spans.len() - first) as u32;
        (Legal { slots: slots as u32, first_span: first as u32, span_count }, hash)
    }

    /// Removes the last layout.
    pub(super) fn take_back(&mut self, legal: Legal) {
        self.spans.truncate(legal.first_span as usize);
    }

    /// Counts the playouts that a record has not counted yet, for the node's `player`.
    pub(super) fn count(
        &mut self,
        records: &mut [PathRecord],
        index: usize,
        path: &mut Path,
        history: &History,
        player: usize,
        tallies: &mut [Tally],
    ) {
        let PathRecord { counted: from, legal, list, .. } = records[index];
        // The usual case: the node was visited recently and there are few new playouts.
        if from / 64 == self.playouts / 64 && !list.is_kept() {
            let new = self.recent_matches(path) & u64::MAX << (from % 64);
            if new == 0 {
                return;
            }
            if new.count_ones() < FEW {
                let (spans, playouts) = (self.spans(legal), history.seen_by(player));
                kernels::absorb_few(self.level, tallies, spans, playouts, from / 64 * 64, new);
                records[index].matched += new.count_ones();
                return;
            }
        }
        let found = self.find_matches(records, path, from);
        let matches = &self.matches[..found];
        let record = &mut records[index];
        record.matched += found as u32;
        if record.list.is_kept() {
            self.lists.append(record.list, matches);
        }
        let (spans, playouts) = (self.spans(legal), history.seen_by(player));
        kernels::absorb(self.level, tallies, spans, playouts, history.kinds().split(player), matches);
    }

    fn spans(&self, legal: Legal) -> &[Span] {
        &self.spans[legal.first_span as usize..][..legal.span_count as usize]
    }

    /// Fills `matches` with the playouts from number `from` on that contain all codes of the path, and returns their number.
    fn find_matches(&mut self, records: &mut [PathRecord], path: &mut Path, from: u32) -> usize {
        if let Some((above, known)) = path.above
            && self.prefers_list(&records[above as usize], path.codes.len(), from)
        {
            let above = above as usize;
            if !records[above].list.is_kept() {
                let codes = &path.codes[..known];
                let found = self.conjoin(codes, self.recent(u64::MAX, codes), 0);
                records[above].list = self.lists.begin(&self.matches[..found]);
            }
            self.filter_list(records[above].list, &path.codes[known..], from)
        } else {
            let recent = self.recent_matches(path);
            self.conjoin(&path.codes, recent, from)
        }
    }

    /// Whether the playouts from number `from` on that contain a path of this many codes are found faster among the matches of
    /// the record above than in the columns.
    fn prefers_list(&self, above: &PathRecord, codes: usize, from: u32) -> bool {
        let rest = u64::from(self.playouts - from);
        if rest < u64::from(self.list_rule.playouts) {
            return false;
        }
        let share = u64::from(above.matched) * rest / u64::from(self.playouts.max(1));
        let columns = rest / 512 * codes as u64;
        share * self.list_rule.cost < columns
    }

    /// The playouts of the incomplete block that contain all codes of the path.
    fn recent_matches(&self, path: &mut Path) -> u64 {
        path.recent = self.recent(path.recent, &path.codes[path.looked_up..]);
        path.looked_up = path.codes.len();
        path.recent
    }

    /// The playouts of the incomplete block, out of `among`, that contain all `codes`.
    fn recent(&self, among: u64, codes: &[u32]) -> u64 {
        // Without codes, all playouts of the block match.
        let played = !(u64::MAX << (self.playouts % 64));
        codes.iter().fold(among & played, |word, &code| word & self.block[code as usize])
    }

    /// Fills `matches` with the playouts from number `from` on that contain all `codes`, and returns their number. `recent` has
    /// those of the incomplete block.
    fn conjoin(&mut self, codes: &[u32], recent: u64, from: u32) -> usize {
        let (first, whole) = (from as usize / 64, self.playouts as usize / 64);
        let keep = u64::MAX << (from % 64);
        let mut found = 0;
        if first < whole {
            let (columns, stride) = (&self.columns, self.stride);
            found =
                kernels::conjoin(self.level, columns, stride, codes, first, whole, keep, &mut self.matches);
        }
        let last = recent & if first == whole { keep } else { u64::MAX };
        kernels::list_bits(last, whole * 64, &mut self.matches, found)
    }

    /// Fills `matches` with the playouts of `list` from number `from` on that contain all `codes`, and returns their number.
    fn filter_list(&mut self, list: ListId, codes: &[u32], from: u32) -> usize {
        let whole = self.playouts as usize / 64;
        let recent = self.recent(u64::MAX, codes);
        let matches = self.matches.as_mut_slice();
        let mut found = 0;
        for piece in self.lists.iter(list) {
            let piece = &piece[piece.partition_point(|&playout| playout < from)..];
            let begun = piece.partition_point(|&playout| playout as usize / 64 < whole);
            let (columns, block) = piece.split_at(begun);
            found = kernels::filter(self.level, &self.columns, self.stride, codes, columns, matches, found);
            for &playout in block {
                matches[found] = playout;
                found += (recent >> (playout % 64) & 1) as usize;
            }
        }
        found
    }

    /// Bytes in use. Columns count as far as the playouts since the last restart need them, so that a restarted search reaches
    /// its limit at the same playout as a new one.
    pub(super) fn memory(&self) -> usize {
        let blocks = self.playouts as usize / 64;
        let stride = if blocks == 0 { 0 } else { stride_for(blocks) };
        self.codes * stride * 8 + self.lists.memory() + size_of_val(&*self.spans)
    }
}

impl PathRecord {
    /// The share of one playout with this tally.
    fn share(&self, tally: Tally) -> Share {
        let Legal { slots, first_span, span_count } = self.legal;
        Share { first_slot: self.first_tally, slots, first_span, span_count, tally }
    }
}

/// The words of a column with capacity for this many blocks: a power of two plus padding, since with a power of two all
/// columns would map to the same few cache sets.
fn stride_for(blocks: usize) -> usize {
    blocks.next_power_of_two().max(COLUMN_LANES) + COLUMN_LANES
}
