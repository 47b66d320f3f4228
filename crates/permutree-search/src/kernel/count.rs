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
    let (mut slots, mut mask) = (0, 0u64);
    for (i, &code) in codes.iter().enumerate() {
        mask |= 1 << (code % 64);
        if codes.get(i + 1).is_some_and(|next| next / 64 == code / 64) {
            continue;
        }
        while mask != 0 {
            // The lowest bits for which there is room in the group.
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

/// The playouts of a search: `stride` words for each, a bit for every code and in the highest bits of the last word its
/// [`Kinds`] number. Together, because both are looked at together and each look may be a cache miss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playouts<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) stride: usize,
    /// What each playout adds to a tally of the player at hand: `every` tallies for each, of which his is `player`.
    pub(crate) tallies: &'a [Tally],
    pub(crate) every: usize,
    pub(crate) player: usize,
}

impl Playouts<'_> {
    #[inline(always)]
    fn row(&self, playout: u32) -> &[u64] {
        &self.words[playout as usize * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn tally(&self, playout: u32) -> u64 {
        self.tallies[playout as usize * self.every + self.player].0
    }
}

kernel! {
    /// Adds the playouts of `matches` to the tallies of a node's legal codes: each playout's tally to the slot of every
    /// code that its row contains. There are as many slots as a multiple of [`LANES`]. For a few matches.
    absorb_few = absorb_few_body(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, matches: &[u32]) -> ()
}

kernel! {
    /// [`absorb_few`] for any number of matches.
    absorb = absorb_body(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, split: &Split, matches: &[u32])
        -> ()
}

#[inline(always)]
fn absorb_few_body<I: Isa>(slots: &mut [Tally], spans: &[Span], playouts: Playouts<'_>, matches: &[u32]) {
    for &playout in matches {
        let (row, tally) = (playouts.row(playout), playouts.tally(playout));
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
}

#[inline(always)]
fn absorb_body<I: Isa>(
    slots: &mut [Tally],
    spans: &[Span],
    playouts: Playouts<'_>,
    split: &Split,
    matches: &[u32],
) {
    let mut spans = spans;
    for slots in slots.chunks_mut(64) {
        let group = spans.first().map_or(0, |span| span.group);
        let (mine, rest) = spans.split_at(spans.iter().take_while(|span| span.group == group).count());
        spans = rest;
        // One span or two are the usual case, and not worth a loop inside the loop. The first has no shift.
        match *mine {
            [one] => absorb_group::<I>(slots, |row| part::<I>(row, &one), playouts, split, matches),
            [one, two] => {
                let present =
                    |row: &[u64]| I::extract(row[one.word as usize], one.mask) | part::<I>(row, &two);
                absorb_group::<I>(slots, present, playouts, split, matches);
            }
            _ => {
                let present = |row: &[u64]| mine.iter().fold(0, |bits, span| bits | part::<I>(row, span));
                absorb_group::<I>(slots, present, playouts, split, matches);
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
    split: &Split,
    matches: &[u32],
) {
    let Split { first, difference, second, others, used } = *split;
    let mut counter = Counter::default();
    let strange = others & used != 0;
    for chunk in matches.chunks(BATCH) {
        let mut pairs = [[0; 2]; BATCH];
        let pairs_used = &mut pairs[..chunk.len()];
        for i in 0..pairs_used.len() {
            let row = playouts.row(chunk[i]);
            let (bits, kind) = (present(row), kind_of(row));
            pairs_used[i] = [bits, bits & (second >> kind & 1).wrapping_neg()];
            if strange && others >> kind & 1 == 1 {
                pairs_used[i] = [0; 2];
            }
        }
        counter.add(&pairs);
    }
    counter.finish::<I>(slots, [first, difference]);
    if strange {
        for &playout in matches {
            let row = playouts.row(playout);
            if others >> kind_of(row) & 1 == 1 {
                I::add_where(slots, present(row), playouts.tally(playout));
            }
        }
    }
}

/// The kinds of playouts, by what they add to each player's tally, and how one player sees them.
#[derive(Debug)]
pub(crate) struct Kinds {
    players: usize,
    /// The tallies of each kind, one for each player.
    tallies: Vec<Tally>,
    splits: Vec<Split>,
}

/// How a player sees the kinds: most games have two rewards, win and loss. All playouts are counted as if they added
/// `first`, those of the `second` kinds are counted again with the difference; the `others` are added one by one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    first: u64,
    difference: u64,
    /// A bit for each kind.
    second: u64,
    others: u64,
    /// All kinds that there are.
    used: u64,
}

/// The bits of a row that its kind takes.
pub(crate) const KIND_BITS: usize = 6;

/// The kind of all playouts for which there was no number left.
const UNNUMBERED: usize = (1 << KIND_BITS) - 1;

#[inline(always)]
fn kind_of(row: &[u64]) -> u64 {
    row[row.len() - 1] >> (64 - KIND_BITS)
}

impl Kinds {
    pub(crate) fn new(players: usize) -> Self {
        let split = Split { others: u64::MAX, ..Split::default() };
        Self { players, tallies: Vec::new(), splits: vec![split; players] }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.players);
    }

    /// How `player` sees the kinds.
    pub(crate) fn split(&self, player: usize) -> &Split {
        &self.splits[player]
    }

    /// The kind of a playout that adds these tallies, as the highest bits of a word.
    pub(crate) fn mark(&mut self, tallies: &[Tally]) -> u64 {
        let known = self.tallies.chunks_exact(self.players).position(|known| known == tallies);
        let kind = known.unwrap_or_else(|| self.add(tallies));
        (kind as u64) << (64 - KIND_BITS)
    }

    fn add(&mut self, tallies: &[Tally]) -> usize {
        let kind = self.tallies.len() / self.players;
        if kind == UNNUMBERED {
            self.splits.iter_mut().for_each(|split| split.used |= 1 << UNNUMBERED);
            return UNNUMBERED;
        }
        self.tallies.extend_from_slice(tallies);
        for (split, tally) in self.splits.iter_mut().zip(tallies) {
            split.used |= 1 << kind;
            let difference = tally.0.wrapping_sub(split.first);
            if kind == 0 {
                split.first = tally.0;
            } else if split.second == 0 {
                split.difference = difference;
            }
            if kind == 0 || difference == 0 || difference == split.difference {
                split.others &= !(1 << kind);
                split.second |= u64::from(kind > 0 && difference != 0) << kind;
            }
        }
        kind
    }
}

/// Two words of bits, worked on together.
type Pair = [u64; 2];

/// How many rows a [`Counter`] takes at a time.
const BATCH: usize = 16;

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
    fn add(&mut self, rows: &[Pair; BATCH]) {
        let [ones, twos, fours, eights, higher @ ..] = &mut self.digits;
        let mut carries = [[0; 2]; BATCH / 2];
        for i in 0..8 {
            carries[i] = carry(ones, rows[2 * i], rows[2 * i + 1]);
        }
        for i in 0..4 {
            carries[i] = carry(twos, carries[2 * i], carries[2 * i + 1]);
        }
        for i in 0..2 {
            carries[i] = carry(fours, carries[2 * i], carries[2 * i + 1]);
        }
        let mut carry = carry(eights, carries[0], carries[1]);
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
        if used <= 8 {
            for (chunk, slots) in lanes_mut(slots).enumerate() {
                for (which, tally) in tallies.into_iter().enumerate() {
                    let mut counts = 0;
                    for power in 0..used {
                        counts |= I::spread((self.digits[power][which] >> (chunk * LANES)) as u8) << power;
                    }
                    I::add_times(slots, counts, tally);
                }
            }
            return;
        }
        for (power, bits) in self.digits[..used].iter().enumerate() {
            for (bits, tally) in bits.iter().zip(tallies) {
                I::add_where(slots, *bits, tally.wrapping_shl(power as u32));
            }
        }
    }
}

/// Adds two rows to `sum` in each place; returns the carries.
#[inline(always)]
fn carry(sum: &mut Pair, a: Pair, b: Pair) -> Pair {
    let half = [sum[0] ^ a[0], sum[1] ^ a[1]];
    let carry = [sum[0] & a[0] | half[0] & b[0], sum[1] & a[1] | half[1] & b[1]];
    *sum = [half[0] ^ b[0], half[1] ^ b[1]];
    carry
}

/// How many words of a column are worked on at a time.
pub(crate) const COLUMN_LANES: usize = 2 * LANES;

kernel! {
    /// Writes down the numbers of the playouts in blocks `first..whole` (64 playouts each) whose bit is set in the
    /// columns of all `codes`, `stride` words each, a multiple of [`COLUMN_LANES`]. Of the first block, only those in
    /// `keep`. Returns how many there are.
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
            found = list_bits(words[i % COLUMN_LANES], (at + i) * 64, matches, found);
            some &= some - 1;
        }
    }
    found
}

/// Writes down `first` plus the place of each bit of `word` after the `found` matches; returns how many there are then.
#[inline(always)]
pub(crate) fn list_bits(word: u64, first: usize, matches: &mut [u32], found: usize) -> usize {
    let (mut rest, mut found) = (word, found);
    while rest != 0 {
        matches[found] = first as u32 + rest.trailing_zeros();
        found += 1;
        rest &= rest - 1;
    }
    found
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
                }
            }
        }
    }
}
