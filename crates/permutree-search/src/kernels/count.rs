//! Finds the playouts that contain a path and adds them to tallies.

use super::isa::Isa;
use super::kernel;
use super::kinds::{KIND_BITS, Split};
use crate::statistics::tally::{Line, Tally};
use crate::tree::LANES;

/// Legal codes of a node in the same word of a playout's row. Their bits, extracted by `mask` and shifted left by `shift`, are
/// the slots of group `group`; a group has 64 slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) mask: u64,
    pub(crate) word: u32,
    pub(crate) group: u16,
    pub(crate) shift: u16,
}

/// Lays out ascending codes in slots, one for each distinct code. Returns the number of slots.
pub(crate) fn spans_of(codes: &[u32], spans: &mut Vec<Span>) -> usize {
    let (mut slots, mut mask) = (0, 0u64);
    for (i, &code) in codes.iter().enumerate() {
        mask |= 1 << (code % 64);
        if codes.get(i + 1).is_some_and(|next| next / 64 == code / 64) {
            continue;
        }
        while mask != 0 {
            // Take the lowest bits that fit in the group.
            let mut rest = 0;
            if slots % 64 + mask.count_ones() > 64 {
                rest = mask;
                (slots % 64..64).for_each(|_| rest &= rest - 1);
            }
            mask &= !rest;
            let (group, shift) = ((slots / 64) as u16, (slots % 64) as u16);
            spans.push(Span { mask, word: code / 64, group, shift });
            slots += mask.count_ones();
            mask = rest;
        }
    }
    slots as usize
}

/// The playouts of a search: `stride` words for each, with a bit for every code and the number of its [`Kinds`](super::Kinds)
/// in the highest bits of the last word. Both are needed together, and a separate array would be another cache miss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playouts<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) stride: usize,
    /// What each playout adds to a tally: `every` tallies per playout, of which the current player's is at `player`.
    pub(crate) tallies: &'a [Tally],
    pub(crate) every: usize,
    pub(crate) player: usize,
}

impl Playouts<'_> {
    #[inline(always)]
    pub(super) fn row(&self, playout: u32) -> &[u64] {
        &self.words[playout as usize * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn tally(&self, playout: u32) -> u64 {
        self.tallies[playout as usize * self.every + self.player].0
    }
}

kernel! {
    /// Adds the playouts of `matches` to the tallies of a node's legal codes: each playout's tally to the slot of every code
    /// in its row. The number of slots is a multiple of [`LANES`].
    absorb = absorb_body(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, split: &Split, matches: &[u32])
        -> ()
}

#[inline(always)]
fn absorb_body<I: Isa>(
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    split: &Split,
    matches: &[u32],
) {
    if matches.len() < I::FEW {
        for &playout in matches {
            add_playout::<I>(slots, spans, playouts, playout);
        }
        return;
    }
    I::count(slots, spans, playouts, split, matches);
    if split.others & split.used != 0 {
        for eight in matches.chunks(LANES) {
            let mut others = I::among(playouts, split.others, eight);
            while others != 0 {
                add_playout::<I>(slots, spans, playouts, eight[others.trailing_zeros() as usize]);
                others &= others - 1;
            }
        }
    }
}

kernel! {
    /// [`absorb`] for a few playouts: the bits that are set, counted from number `first`.
    absorb_few = absorb_few_body(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, first: u32, bits: u64)
        -> ()
}

#[inline(always)]
fn absorb_few_body<I: Isa>(
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    first: u32,
    bits: u64,
) {
    let mut bits = bits;
    while bits != 0 {
        add_playout::<I>(slots, spans, playouts, first + bits.trailing_zeros());
        bits &= bits - 1;
    }
}

#[inline(always)]
fn add_playout<I: Isa>(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, playout: u32) {
    add_one::<I>(slots, spans, playouts.row(playout), playouts.tally(playout));
}

/// A tally to add for every code of a row, at the slots of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Share {
    pub(crate) first_slot: u32,
    pub(crate) slots: u32,
    pub(crate) first_span: u32,
    pub(crate) span_count: u32,
    pub(crate) tally: Tally,
}

kernel! {
    /// Adds one playout to the tallies of several nodes.
    add_row = add_row_body(slots: &mut [Tally], spans: &[Span], row: &[u64], shares: &[Share]) -> ()
}

#[inline(always)]
fn add_row_body<I: Isa>(slots: &mut [Tally], spans: &[Span], row: &[u64], shares: &[Share]) {
    for share in shares {
        let spans = &spans[share.first_span as usize..][..share.span_count as usize];
        let slots = &mut slots[share.first_slot as usize..][..(share.slots as usize).next_multiple_of(LANES)];
        add_one::<I>(slots, spans, row, share.tally.0);
    }
}

/// Adds a playout's tally to the slot of every code in its row.
#[inline(always)]
fn add_one<I: Isa>(slots: &mut [Tally], spans: &[Span], row: &[u64], tally: u64) {
    let mut spans = spans;
    for (group, slots) in slots.chunks_mut(64).enumerate() {
        let mut bits = 0;
        while let [span, rest @ ..] = spans
            && usize::from(span.group) == group
        {
            bits |= part::<I>(row, span);
            spans = rest;
        }
        I::add_where(slots, bits, tally);
    }
}

kernel! {
    /// Adds a playout to the tallies of all codes: to the slot of each code in `set` the tally of the player who owns it.
    /// `owners` has a set of as many words for each player.
    add_set = add_set_body(slots: &mut [Line], set: &[u64], owners: &[u64], tallies: &[Tally]) -> ()
}

#[inline(always)]
fn add_set_body<I: Isa>(slots: &mut [Line], set: &[u64], owners: &[u64], tallies: &[Tally]) {
    let owned = |player: usize, word: usize| owners[player * set.len() + word];
    for (word, (slots, &bits)) in slots.chunks_mut(64 / LANES).zip(set).enumerate() {
        // With very many codes most words are empty.
        if bits == 0 {
            continue;
        }
        match tallies {
            [first, second] => I::add_either(slots, bits, owned(1, word), [first.0, second.0]),
            _ => {
                for (player, tally) in tallies.iter().enumerate() {
                    I::add_either(slots, bits & owned(player, word), 0, [tally.0; 2]);
                }
            }
        }
    }
}

kernel! {
    /// Adds what [`add_set`] has made of a playout's codes to the rows of its path, of as many lines, last row first. Of the
    /// codes that the playout met on the path, `met`, each row counts the first `len`; they are removed from `added` on the way.
    add_path = add_path_body(rows: &mut [Line], path: &[(u32, u32)], added: &mut [Line], met: &[u32]) -> ()
}

#[inline(always)]
fn add_path_body<I: Isa>(rows: &mut [Line], path: &[(u32, u32)], added: &mut [Line], met: &[u32]) {
    let mut left = met.len();
    for &(row, len) in path.iter().rev() {
        for &code in &met[len as usize..left] {
            I::clear(&mut added[code as usize / LANES], code as usize % LANES);
        }
        left = len as usize;
        let row = &mut rows[row as usize * added.len()..][..added.len()];
        for (line, added) in row.iter_mut().zip(&*added) {
            for i in 0..LANES {
                line.0[i].0 += added.0[i].0;
            }
        }
    }
}

kernel! {
    /// Sets `bit` in the word of each code in `set`. The number of words is a multiple of [`LANES`].
    mark = mark_body(words: &mut [u64], set: &[u64], bit: u64) -> ()
}

#[inline(always)]
fn mark_body<I: Isa>(words: &mut [u64], set: &[u64], bit: u64) {
    for (words, &bits) in words.chunks_mut(64).zip(set) {
        if bits != 0 {
            I::mark(words, bits, bit);
        }
    }
}

/// The bits of a span's codes in a row, at the positions of their slots.
#[inline(always)]
pub(super) fn part<I: Isa>(row: &[u64], span: &Span) -> u64 {
    I::extract(row[span.word as usize], span.mask) << span.shift
}

/// The kind of a row.
#[inline(always)]
pub(super) fn kind_of(row: &[u64]) -> u64 {
    row[row.len() - 1] >> (64 - KIND_BITS)
}

/// How many numbers are filtered at a time.
pub(super) const FILTERED: usize = 16;

/// How many words of a column are processed at a time.
pub(crate) const COLUMN_LANES: usize = 2 * LANES;

kernel! {
    /// Writes the numbers of the playouts in blocks `first..whole` (64 playouts each) whose bit is set in the columns of all
    /// `codes` to `matches`, and returns how many. In the first block only the bits of `keep` count. Columns have `stride`
    /// words, a multiple of [`COLUMN_LANES`].
    conjoin = conjoin_body(columns: &[u64], stride: usize, codes: &[u32], first: usize, whole: usize, keep: u64,
        matches: &mut [u32]) -> usize
}

#[inline(always)]
fn conjoin_body<I: Isa>(
    columns: &[u64],
    stride: usize,
    codes: &[u32],
    first: usize,
    whole: usize,
    keep: u64,
    matches: &mut [u32],
) -> usize {
    let mut found = 0;
    let columns = columns.as_chunks::<COLUMN_LANES>().0;
    let stride = stride / COLUMN_LANES;
    for chunk in first / COLUMN_LANES..whole.div_ceil(COLUMN_LANES) {
        let mut words = [u64::MAX; COLUMN_LANES];
        for &code in codes {
            let column = &columns[code as usize * stride + chunk];
            for i in 0..COLUMN_LANES {
                words[i] &= column[i];
            }
        }
        let at = chunk * COLUMN_LANES;
        if at <= first {
            words[..first - at].fill(0);
            words[first - at] &= keep;
        }
        if whole - at < COLUMN_LANES {
            words[whole - at..].fill(0);
        }
        let [low, high] = words.as_chunks().0 else { unreachable!() };
        let mut some = I::nonzero(low) | I::nonzero(high) << LANES;
        while some != 0 {
            let i = some.trailing_zeros() as usize;
            found = I::list(words[i % COLUMN_LANES], (at + i) * 64, matches, found);
            some &= some - 1;
        }
    }
    found
}

kernel! {
    /// Appends those of `numbers` whose bit is set in the columns of all `codes`, of `stride` words each, to the `found`
    /// matches. Returns the new number of matches.
    filter = filter_body(columns: &[u64], stride: usize, codes: &[u32], numbers: &[u32], matches: &mut [u32],
        found: usize) -> usize
}

#[inline(always)]
fn filter_body<I: Isa>(
    columns: &[u64],
    stride: usize,
    codes: &[u32],
    numbers: &[u32],
    matches: &mut [u32],
    found: usize,
) -> usize {
    let mut found = found;
    for some in numbers.chunks(FILTERED) {
        let mut keep = u64::MAX;
        for &code in codes {
            keep &= I::bits_at(&columns[code as usize * stride..][..stride], some);
        }
        found = I::pick(keep, some, matches, found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::{Kinds, Level};
    use permutree_game::Rng;

    #[test]
    fn sets_are_added_and_marked() {
        let mut rng = Rng::new(5);
        for (codes, players) in [(5usize, 1usize), (64, 2), (98, 2), (130, 3), (70, 4), (1000, 2)] {
            let (words, lines) = (codes.div_ceil(64) + 1, codes.div_ceil(LANES));
            let owner: Vec<usize> = (0..codes).map(|_| rng.below(players)).collect();
            let mut owners = vec![0; words * players];
            (0..codes).for_each(|code| owners[owner[code] * words + code / 64] |= 1 << (code % 64));
            let tallies: Vec<Tally> = (0..players).map(|player| Tally::one(7 * player as u32 + 1)).collect();
            let mut set = vec![0; words];
            (0..codes).filter(|_| rng.below(2) == 0).for_each(|code| set[code / 64] |= 1 << (code % 64));
            for level in Level::all() {
                let mut sums = vec![Line([Tally::one(9); LANES]); lines];
                add_set(level, &mut sums, &set, &owners, &tallies);
                let mut marked = vec![1; lines * LANES];
                mark(level, &mut marked, &set, 2);
                for code in 0..codes {
                    let present = set[code / 64] >> (code % 64) & 1;
                    let mut expected = Tally::one(9);
                    if present == 1 {
                        expected.add(tallies[owner[code]]);
                    }
                    let sum = sums[code / LANES].0[code % LANES];
                    assert_eq!((sum, marked[code]), (expected, 1 + 2 * present), "{level:?}");
                }
            }
        }
    }

    /// Small and large batches, two rewards and three, slots in one group and in several, on every level.
    #[test]
    fn absorb_adds_to_the_codes_that_are_present() {
        let mut rng = Rng::new(4);
        let (players, count) = (2, 500);
        for (words, rewards, share, batch) in [
            (3, 2, 3, 3),
            (3, 2, 3, 200),
            (2, 3, 3, 200),
            (5, 5, 1, 77),
            (1, 2, 1, 16),
            (3, 1, 9, 8),
            (2, 100, 2, 150),
        ] {
            let codes = (64 * words - KIND_BITS) as u32;
            let mut kinds = Kinds::new(players);
            let (mut rows, mut tallies) = (Vec::new(), Vec::new());
            for _ in 0..count {
                let own: Vec<Tally> = (0..players).map(|_| Tally::one(rng.below(rewards) as u32)).collect();
                rows.extend((0..words).map(|_| rng.bits()));
                let last = rows.last_mut().unwrap();
                *last = *last << KIND_BITS >> KIND_BITS | kinds.mark(&own);
                tallies.extend(own);
            }
            let legal: Vec<u32> = (0..codes).filter(|_| rng.below(share) == 0).collect();
            let mut spans = Vec::new();
            assert_eq!(spans_of(&legal, &mut spans), legal.len());
            let matches: Vec<u32> = (0..batch).map(|i| i * 2).collect();
            for player in 0..players {
                let expected: Vec<Tally> = legal
                    .iter()
                    .map(|&code| {
                        let mut tally = Tally::default();
                        for p in matches.iter().map(|&p| p as usize) {
                            if rows[p * words + code as usize / 64] >> (code % 64) & 1 == 1 {
                                tally.add(tallies[p * players + player]);
                            }
                        }
                        tally
                    })
                    .collect();
                let playouts =
                    Playouts { words: &rows, stride: words, tallies: &tallies, every: players, player };
                for level in Level::all() {
                    let mut slots = vec![Tally::default(); legal.len().next_multiple_of(LANES)];
                    absorb(level, &mut slots, &spans, playouts, kinds.split(player), &matches);
                    assert_eq!(slots[..legal.len()], expected);
                    slots.fill(Tally::default());
                    for &playout in &matches {
                        let share = Share {
                            first_slot: 0,
                            slots: legal.len() as u32,
                            first_span: 0,
                            span_count: spans.len() as u32,
                            tally: Tally(playouts.tally(playout)),
                        };
                        add_row(level, &mut slots, &spans, playouts.row(playout), &[share]);
                    }
                    assert_eq!(slots[..legal.len()], expected);
                }
            }
        }
    }
}
