//! Finds the playouts that contain a path and adds them to tallies.

use super::isa::Isa;
use super::kernel;
use super::kinds::{KIND_BITS, Split};
use crate::statistics::tally::Tally;
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
