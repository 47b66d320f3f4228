//! Which playouts contain a path, and the tallies that they add to.

use super::isa::Isa;
use super::{kernel, lanes_mut};
use crate::tally::Tally;
use crate::tree::LANES;

/// Legal codes of a node that share a word of a playout's row. Their bits there, brought next to each other and moved up
/// by `shift`, are slots of group `group`; a group is 64 slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) mask: u64,
    pub(crate) word: u32,
    pub(crate) group: u16,
    pub(crate) shift: u16,
}

/// Lays ascending codes out in slots, one for each distinct code. Returns the number of slots.
pub(crate) fn spans_of(codes: &[u32], spans: &mut Vec<Span>) -> usize {
    let mut slots = 0u32;
    let mut open = Span { mask: 0, word: 0, group: 0, shift: 0 };
    let mut last = None;
    for &code in codes.iter().filter(|&&code| last.replace(code) != Some(code)) {
        if code / 64 != open.word || slots / 64 != u32::from(open.group) {
            if open.mask != 0 {
                spans.push(open);
            }
            open = Span { mask: 0, word: code / 64, group: (slots / 64) as u16, shift: (slots % 64) as u16 };
        }
        open.mask |= 1 << (code % 64);
        slots += 1;
    }
    if open.mask != 0 {
        spans.push(open);
    }
    slots as usize
}

/// The playouts of a search, `stride` words each: first a bit for every code, from word `tallies` on what the playout
/// adds to a tally of each player. Side by side, because both are looked at together and each look is a cache miss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playouts<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) stride: usize,
    pub(crate) tallies: usize,
}

kernel! {
    /// Adds the playouts of `matches` to the tallies of a node's legal codes: each playout's tally for `player` to the
    /// slot of every code that its row contains. There are as many slots as a multiple of [`LANES`].
    absorb = absorb_body(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, player: usize, matches: &[u32])
        -> ()
}

#[inline(always)]
fn absorb_body<I: Isa>(
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    player: usize,
    matches: &[u32],
) {
    let mut spans = spans;
    for slots in slots.chunks_mut(64) {
        let group = spans.first().map_or(0, |span| span.group);
        let (mine, rest) = spans.split_at(spans.iter().take_while(|span| span.group == group).count());
        spans = rest;
        // One span or two are the usual case, and not worth a loop inside the loop.
        match mine {
            [one] => absorb_group::<I>(slots, |row| part::<I>(row, one), playouts, player, matches),
            [one, two] => {
                let present = |row: &[u64]| part::<I>(row, one) | part::<I>(row, two);
                absorb_group::<I>(slots, present, playouts, player, matches);
            }
            _ => {
                let present = |row: &[u64]| mine.iter().fold(0, |bits, span| bits | part::<I>(row, span));
                absorb_group::<I>(slots, present, playouts, player, matches);
            }
        }
    }
}

/// The bits of a span's codes in a row, as bits of their slots.
#[inline(always)]
fn part<I: Isa>(row: &[u64], span: &Span) -> u64 {
    I::extract(row[span.word as usize], span.mask) << span.shift
}

/// Adds the playouts of `matches` to one group of slots, whose bits in a row `present` gives.
#[inline(always)]
fn absorb_group<I: Isa>(
    slots: &mut [Tally],
    present: impl Fn(&[u64]) -> u64,
    playouts: Playouts<'_>,
    player: usize,
    matches: &[u32],
) {
    let row = |playout: u32| {
        let first = playout as usize * playouts.stride;
        &playouts.words[first..first + playouts.stride]
    };
    let tally = |row: &[u64]| row[playouts.tallies + player];
    // A batch this small is faster one by one.
    if matches.len() < 8 {
        for &playout in matches {
            let row = row(playout);
            add_where::<I>(slots, present(row), tally(row));
        }
        return;
    }
    // Most games have two rewards, win and loss. All playouts are counted as if they had the first reward, those with
    // the second are counted again with the difference; what has neither is added by itself.
    let first = tally(row(matches[0]));
    let second = matches.iter().map(|&playout| tally(row(playout))).find(|tally| *tally != first);
    let second = second.unwrap_or(first);
    let mut counter = Counter::default();
    for (at, chunk) in (0..).step_by(16).zip(matches.chunks(16)) {
        // The rows are far apart in memory; those of the next chunk are on their way while this one is counted.
        for &playout in matches.iter().skip(at + 16).take(16) {
            I::prefetch(playouts.words, playout as usize * playouts.stride);
        }
        let mut rows = [[0; 2]; 16];
        for (&playout, pair) in chunk.iter().zip(&mut rows) {
            let row = row(playout);
            let (bits, tally) = (present(row), tally(row));
            *pair = [bits, bits & u64::from(tally == second).wrapping_neg()];
            if tally != first && tally != second {
                add_where::<I>(slots, bits, tally);
                *pair = [0; 2];
            }
        }
        counter.add(rows);
    }
    counter.finish::<I>(slots, [first, second.wrapping_sub(first)]);
}

/// Adds `tally` to the slots whose bit is set.
#[inline(always)]
fn add_where<I: Isa>(slots: &mut [Tally], bits: u64, tally: u64) {
    let mut bits = bits;
    for slots in lanes_mut(slots) {
        I::add_where(slots, bits & 0xFF, tally);
        bits >>= LANES;
    }
}

/// Two words of bits, worked on together.
type Pair = [u64; 2];

/// Counts in 64 places at once and two counts side by side, sixteen rows of bits at a time: a tree of carry-save adders
/// (Harley and Seal), of which only every sixteenth carry goes on to the higher binary digits.
struct Counter {
    /// The binary digits of the counts, lowest first.
    digits: [Pair; DIGITS],
}

/// Enough to count as many playouts as a [`Tally`] can.
const DIGITS: usize = 25;

impl Default for Counter {
    fn default() -> Self {
        Self { digits: [[0; 2]; DIGITS] }
    }
}

impl Counter {
    #[inline(always)]
    fn add(&mut self, rows: [Pair; 16]) {
        /// Adds the rows, two by two, to `sum` in each place; returns the carries.
        #[inline(always)]
        fn carries<const IN: usize, const OUT: usize>(sum: &mut Pair, rows: [Pair; IN]) -> [Pair; OUT] {
            std::array::from_fn(|i| {
                let (a, b) = (rows[2 * i], rows[2 * i + 1]);
                let half = [sum[0] ^ a[0], sum[1] ^ a[1]];
                let carry = [sum[0] & a[0] | half[0] & b[0], sum[1] & a[1] | half[1] & b[1]];
                *sum = [half[0] ^ b[0], half[1] ^ b[1]];
                carry
            })
        }
        let [ones, twos, fours, eights, higher @ ..] = &mut self.digits;
        let rows: [Pair; 8] = carries(ones, rows);
        let rows: [Pair; 4] = carries(twos, rows);
        let rows: [Pair; 2] = carries(fours, rows);
        let [mut carry] = carries(eights, rows);
        for digit in higher {
            if carry == [0; 2] {
                break;
            }
            let next = [digit[0] & carry[0], digit[1] & carry[1]];
            *digit = [digit[0] ^ carry[0], digit[1] ^ carry[1]];
            carry = next;
        }
    }

    /// Adds each count times its tally to the slots.
    #[inline(always)]
    fn finish<I: Isa>(self, slots: &mut [Tally], tallies: [u64; 2]) {
        let used = self.digits.iter().rposition(|digit| *digit != [0; 2]).map_or(0, |last| last + 1);
        for (power, bits) in self.digits[..used].iter().enumerate() {
            for (bits, tally) in bits.iter().zip(tallies) {
                add_where::<I>(slots, *bits, tally.wrapping_shl(power as u32));
            }
        }
    }
}

kernel! {
    /// Appends the numbers of the playouts in blocks `first..whole` (64 playouts each) whose bit is set in the columns
    /// of all `codes`, `stride` words each, a multiple of [`LANES`]. Of the first block, only those in `keep`.
    conjoin = conjoin_body(columns: &[u64], stride: usize, codes: &[u32], first: usize, whole: usize, keep: u64,
        matches: &mut Vec<u32>) -> ()
}

#[inline(always)]
fn conjoin_body<I: Isa>(
    columns: &[u64],
    stride: usize,
    codes: &[u32],
    first: usize,
    whole: usize,
    keep: u64,
    matches: &mut Vec<u32>,
) {
    for at in (first / LANES * LANES..whole).step_by(LANES) {
        let mut words = [u64::MAX; LANES];
        for &code in codes {
            let column = &columns[code as usize * stride + at..][..LANES];
            for (word, other) in words.iter_mut().zip(column) {
                *word &= other;
            }
        }
        if words == [0; LANES] {
            continue;
        }
        for (block, &word) in (at..whole).zip(&words).skip(first.saturating_sub(at)) {
            list_bits(if block == first { word & keep } else { word }, block * 64, matches);
        }
    }
}

/// Appends `first` plus the place of each bit of `word`.
#[inline(always)]
pub(crate) fn list_bits(word: u64, first: usize, matches: &mut Vec<u32>) {
    let mut rest = word;
    while rest != 0 {
        matches.push(first as u32 + rest.trailing_zeros());
        rest &= rest - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Level;
    use permutree_game::Rng;

    /// Small and large batches, two rewards and three, slots in one group and in several, on every level.
    #[test]
    fn absorb_adds_to_the_codes_that_are_present() {
        let mut rng = Rng::new(4);
        let (words, players, count) = (3, 2, 500);
        for (rewards, share, batch) in
            [(2, 3, 3), (2, 3, 200), (3, 3, 200), (5, 1, 77), (2, 1, 16), (1, 9, 8)]
        {
            let stride = words + players;
            let mut rows = Vec::new();
            for _ in 0..count {
                rows.extend((0..words).map(|_| rng.bits()));
                rows.extend((0..players).map(|_| Tally::one(rng.below(rewards) as u32).0));
            }
            let playouts = Playouts { words: &rows, stride, tallies: words };
            let legal: Vec<u32> = (0..64 * words as u32).filter(|_| rng.below(share) == 0).collect();
            let mut spans = Vec::new();
            assert_eq!(spans_of(&legal, &mut spans), legal.len());
            let matches: Vec<u32> = (0..batch).map(|i| i * 2).collect();
            for player in 0..players {
                let expected: Vec<Tally> = legal
                    .iter()
                    .map(|&code| {
                        let mut tally = Tally::default();
                        for p in matches.iter().map(|&p| p as usize) {
                            if rows[p * stride + code as usize / 64] >> (code % 64) & 1 == 1 {
                                tally.add(Tally(rows[p * stride + words + player]));
                            }
                        }
                        tally
                    })
                    .collect();
                for level in Level::all() {
                    let mut slots = vec![Tally::default(); legal.len().next_multiple_of(LANES)];
                    absorb(level, &mut slots, &spans, playouts, player, &matches);
                    assert_eq!(slots[..legal.len()], expected);
                }
            }
        }
    }
}
