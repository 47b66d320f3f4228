//! Counts bits in many positions at once.

use super::count::{Playouts, Span, kind_of, part};
use super::isa::Isa;
use super::kinds::Split;
use super::lanes_mut;
use crate::statistics::tally::Tally;
use crate::tree::LANES;

/// [`Isa::count`] by a [`Counter`].
#[inline(always)]
pub(super) fn count<I: Isa>(
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
        // One or two spans are the usual case, unrolled. The first span of a group has no shift.
        match *mine {
            [one] => count_group::<I>(slots, |row| part::<I>(row, &one), playouts, split, matches),
            [one, two] => {
                let present =
                    |row: &[u64]| I::extract(row[one.word as usize], one.mask) | part::<I>(row, &two);
                count_group::<I>(slots, present, playouts, split, matches);
            }
            _ => {
                let present = |row: &[u64]| mine.iter().fold(0, |bits, span| bits | part::<I>(row, span));
                count_group::<I>(slots, present, playouts, split, matches);
            }
        }
    }
}

/// Adds the playouts of `matches` to one group of slots. `present` returns their bits in a row.
#[inline(always)]
fn count_group<I: Isa>(
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
}

/// Two words of bits that are processed together.
type Pair = [u64; 2];

/// How many rows a [`Counter`] takes at a time.
const BATCH: usize = 16;

/// Two counts in each of 64 positions, sixteen rows of bits at a time: a tree of carry-save adders (Harley and Seal), of which
/// only every sixteenth carry reaches the higher binary digits.
struct Counter {
    /// The binary digits of the counts, lowest first.
    digits: [Pair; DIGITS],
}

/// Enough for as many playouts as a [`Tally`] holds.
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

    /// Adds the product of each count and its tally to the slots.
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

/// Adds two rows to `sum` in each position and returns the carries.
#[inline(always)]
fn carry(sum: &mut Pair, a: Pair, b: Pair) -> Pair {
    let half = [sum[0] ^ a[0], sum[1] ^ a[1]];
    let carry = [sum[0] & a[0] | half[0] & b[0], sum[1] & a[1] | half[1] & b[1]];
    *sum = [half[0] ^ b[0], half[1] ^ b[1]];
    carry
}
