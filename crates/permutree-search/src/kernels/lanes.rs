//! Networks of conjunctions and random choices for [`WIDTH`] games at once, each in one bit of every word.

use super::isa::Isa;
use super::{Level, kernel};
use permutree_game::Rng;

/// How many games are played at once.
pub const WIDTH: usize = 64 * WORDS;

const WORDS: usize = 8;

/// A bit for each game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Lanes(pub [u64; WORDS]);

impl Lanes {
    /// No game.
    pub const NONE: Self = Self([0; WORDS]);
    /// All games.
    pub const ALL: Self = Self([u64::MAX; WORDS]);

    #[inline(always)]
    fn with(self, other: Self, op: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| op(self.0[i], other.0[i])))
    }

    /// The games in both.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.with(other, |a, b| a & b)
    }

    /// The games that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.with(other, |a, b| a & !b)
    }

    /// The games in either.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.with(other, |a, b| a | b)
    }

    /// The games in one of the two.
    #[inline(always)]
    #[must_use]
    pub fn xor(self, other: Self) -> Self {
        self.with(other, |a, b| a ^ b)
    }

    /// Whether there is no game.
    #[inline(always)]
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// How many games there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether a game is among them.
    #[must_use]
    pub fn has(&self, game: usize) -> bool {
        self.0[game / 64] >> (game % 64) & 1 == 1
    }
}

/// Random bits for all games: the generator of [`Rng`] in each of the words.
#[derive(Clone, Debug)]
pub struct LaneRng {
    state: [Lanes; 4],
}

impl LaneRng {
    /// Generators that `rng` seeds.
    #[must_use]
    pub fn new(rng: &mut Rng) -> Self {
        let mut state = [Lanes::NONE; 4];
        for word in 0..WORDS {
            state.iter_mut().for_each(|part| part.0[word] = rng.bits());
        }
        Self { state }
    }

    #[inline(always)]
    fn bits(&mut self) -> Lanes {
        let s = &mut self.state;
        let sum = |a: Lanes, b: Lanes| a.with(b, u64::wrapping_add);
        let each = |a: Lanes, op: fn(u64) -> u64| Lanes(a.0.map(op));
        let out = sum(each(sum(s[0], s[3]), |x| x.rotate_left(23)), s[0]);
        let t = each(s[1], |x| x << 17);
        s[2] = s[2].xor(s[0]);
        s[3] = s[3].xor(s[1]);
        s[1] = s[1].xor(s[2]);
        s[0] = s[0].xor(s[3]);
        s[2] = s[2].xor(t);
        s[3] = each(s[3], |x| x.rotate_left(45));
        out
    }
}

/// The kernels for this processor.
#[derive(Clone, Copy, Debug)]
pub struct LaneKernels(Level);

impl LaneKernels {
    /// The widest that the processor has.
    #[must_use]
    pub fn detect() -> Self {
        Self(Level::detect())
    }

    /// Those that every processor has. All do the same.
    #[must_use]
    pub fn portable() -> Self {
        Self(Level::Portable)
    }

    /// Computes gates in the order of the program.
    ///
    /// A gate is its place in `values`, the number of signals that must hold, of those that must not, and their places.
    ///
    /// # Panics
    /// If a place is not in `values`, or the program ends within a gate.
    pub fn gates(self, program: &[u32], values: &mut [Lanes]) {
        gates(self.0, program, values);
    }

    /// Lets each of the `open` games choose one of its moves at random, all with the same probability. Returns the games that
    /// have none.
    ///
    /// # Panics
    /// If a place is not in `values`.
    pub fn choose(
        self,
        banks: &[Bank],
        values: &mut [Lanes],
        open: Lanes,
        rng: &mut LaneRng,
        room: &mut Room,
    ) -> Lanes {
        choose(self.0, banks, values, open, rng, room)
    }
}

/// Moves with a guard: they are legal where the guard holds too.
#[derive(Clone, Debug)]
pub struct Bank {
    /// Twice a place in the values, plus one for the opposite.
    pub guard: u32,
    /// For each move where it is legal, as a signal like the guard, and the place that says where it is chosen.
    pub moves: Vec<(u32, u32)>,
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub struct Room {
    legal: Vec<Lanes>,
    /// The place of each of these moves.
    places: Vec<u32>,
    counts: Vec<[Lanes; BLOCK_BITS]>,
}

impl Room {
    /// The places that were written by the last choice.
    #[must_use]
    pub fn places(&self) -> &[u32] {
        &self.places
    }
}

/// Moves are counted in blocks, so that counters within a block are short.
const BLOCK: usize = 15;
const BLOCK_BITS: usize = 4;

/// Numbers of moves have at most so many bits.
const BITS: usize = 24;

#[inline(always)]
fn signal(values: &[Lanes], signal: u32) -> Lanes {
    let value = values[(signal >> 1) as usize];
    value.xor(if signal & 1 == 1 { Lanes::ALL } else { Lanes::NONE })
}

#[inline(always)]
fn gates_body<I: Isa>(program: &[u32], values: &mut [Lanes]) {
    let mut rest = program;
    while let [place, hold, fail, after @ ..] = rest {
        let (hold, after) = after.split_at(*hold as usize);
        let (fail, after) = after.split_at(*fail as usize);
        let mut value = Lanes::ALL;
        for &place in hold {
            value = value.and(values[place as usize]);
        }
        for &place in fail {
            value = value.without(values[place as usize]);
        }
        values[*place as usize] = value;
        rest = after;
    }
}

kernel! {
    /// See [`LaneKernels::gates`].
    gates = gates_body(program: &[u32], values: &mut [Lanes]) -> ()
}

/// Counts legal moves in every game with counters that have a word for each bit, draws a number below the count, and subtracts
/// legal moves from it until it is used up.
#[inline(always)]
fn choose_body<I: Isa>(
    banks: &[Bank],
    values: &mut [Lanes],
    open: Lanes,
    rng: &mut LaneRng,
    room: &mut Room,
) -> Lanes {
    let Room { legal, places, counts } = room;
    legal.clear();
    places.clear();
    counts.clear();
    for bank in banks {
        let guard = signal(values, bank.guard).and(open);
        if guard.is_none() {
            continue;
        }
        for &(source, place) in &bank.moves {
            legal.push(signal(values, source).and(guard));
            places.push(place);
        }
    }
    let mut total = [Lanes::NONE; BITS];
    for block in legal.chunks(BLOCK) {
        let mut count = [Lanes::NONE; BLOCK_BITS];
        for &legal in block {
            let mut carry = legal;
            for bit in &mut count {
                (*bit, carry) = (bit.xor(carry), bit.and(carry));
            }
        }
        let mut carry = Lanes::NONE;
        for (i, bit) in total.iter_mut().enumerate() {
            let added = count.get(i).copied().unwrap_or(Lanes::NONE);
            let (sum, both) = (bit.xor(added), bit.and(added));
            (*bit, carry) = (sum.xor(carry), both.or(sum.and(carry)));
            if i >= BLOCK_BITS && carry.is_none() {
                break;
            }
        }
        counts.push(count);
    }
    let bits = total.iter().rposition(|bit| !bit.is_none()).map_or(0, |highest| highest + 1);

    // Numbers of as many bits as the count has, until one is below it.
    let mut number = [Lanes::NONE; BITS];
    let some = total[..bits].iter().fold(Lanes::NONE, |any, &bit| any.or(bit)).and(open);
    let mut waiting = some;
    while !waiting.is_none() {
        let mut drawn = [Lanes::NONE; BITS];
        let (mut needed, mut below, mut equal) = (Lanes::NONE, Lanes::NONE, Lanes::ALL);
        for bit in (0..bits).rev() {
            needed = needed.or(total[bit]);
            drawn[bit] = rng.bits().and(needed);
            below = below.or(equal.and(total[bit]).without(drawn[bit]));
            equal = equal.without(total[bit].xor(drawn[bit]));
        }
        let accepted = below.and(waiting);
        for bit in 0..bits {
            number[bit] = number[bit].or(drawn[bit].and(accepted));
        }
        waiting = waiting.without(accepted);
    }

    let mut left = some;
    for ((block, places), count) in legal.chunks(BLOCK).zip(places.chunks(BLOCK)).zip(counts.iter()) {
        // The number minus the count of the block; a borrow means that the move is in the block.
        let mut borrow = Lanes::NONE;
        let mut less = [Lanes::NONE; BITS];
        for bit in 0..bits {
            let taken = count.get(bit).copied().unwrap_or(Lanes::NONE);
            let differ = number[bit].xor(taken);
            less[bit] = differ.xor(borrow);
            borrow = taken.without(number[bit]).or(borrow.without(differ));
        }
        let mut here = borrow.and(left);
        left = left.without(here);
        if here.is_none() {
            for &place in places {
                values[place as usize] = Lanes::NONE;
            }
        } else {
            let mut rest = [Lanes::NONE; BLOCK_BITS];
            for bit in 0..bits.min(BLOCK_BITS) {
                rest[bit] = number[bit].and(here);
            }
            for (&legal, &place) in block.iter().zip(places) {
                let candidate = legal.and(here);
                let more = rest[0].or(rest[1]).or(rest[2].or(rest[3]));
                let hit = candidate.without(more);
                values[place as usize] = hit;
                here = here.without(hit);
                let mut borrow = candidate.and(more);
                for bit in &mut rest {
                    let before = *bit;
                    *bit = before.xor(borrow);
                    borrow = borrow.without(before);
                }
            }
        }
        number[..bits].copy_from_slice(&less[..bits]);
    }
    open.without(some)
}

kernel! {
    /// See [`LaneKernels::choose`].
    choose = choose_body(
        banks: &[Bank],
        values: &mut [Lanes],
        open: Lanes,
        rng: &mut LaneRng,
        room: &mut Room
    ) -> Lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random lanes, of which about `part` in 8 are set.
    fn random(rng: &mut Rng, part: usize) -> Lanes {
        Lanes(std::array::from_fn(|_| (0..64).fold(0, |word, i| word | u64::from(rng.below(8) < part) << i)))
    }

    #[test]
    fn gates_are_conjunctions_at_every_level() {
        let mut rng = Rng::new(1);
        let start: Vec<Lanes> = (0..20).map(|_| random(&mut rng, 6)).collect();
        // 10 = 0 and 1 and not 2; 11 = always; 12 = not 10.
        let program = [10, 2, 1, 0, 1, 2, 11, 0, 0, 12, 0, 1, 10];
        for level in Level::all() {
            let mut values = start.clone();
            LaneKernels(level).gates(&program, &mut values);
            for game in 0..WIDTH {
                let is = |place: usize| values[place].has(game);
                assert_eq!(is(10), is(0) && is(1) && !is(2));
                assert_eq!((is(11), is(12)), (true, !is(10)));
            }
        }
    }

    #[test]
    fn choices_are_legal_and_uniform_and_the_same_at_every_level() {
        for moves in [1, 14, 15, 16, 40, 700] {
            let mut rng = Rng::new(moves as u64);
            // Legality, choices, and two guards at the end.
            let mut start: Vec<Lanes> = (0..moves).map(|i| random(&mut rng, 1 + i % 7)).collect();
            start.extend(vec![Lanes::NONE; moves]);
            start.extend([random(&mut rng, 7), Lanes::NONE]);
            let half = moves / 2;
            let bank = |guard: u32, range: std::ops::Range<usize>| Bank {
                guard,
                moves: range.map(|i| (2 * i as u32, (moves + i) as u32)).collect(),
            };
            // The second guard is the opposite of nothing, and holds always.
            let banks = [bank(4 * moves as u32, 0..half), bank(4 * moves as u32 + 3, half..moves)];
            let open = random(&mut rng, 7);
            let mut expected = None;
            for level in Level::all() {
                let (mut values, mut lanes) = (start.clone(), LaneRng::new(&mut Rng::new(5)));
                let none =
                    LaneKernels(level).choose(&banks, &mut values, open, &mut lanes, &mut Room::default());
                for game in 0..WIDTH {
                    let legal = |i: usize| values[i].has(game) && (i >= half || values[2 * moves].has(game));
                    let count = (0..moves).filter(|&i| legal(i)).count();
                    let chosen: Vec<usize> = (0..moves).filter(|&i| values[moves + i].has(game)).collect();
                    assert_eq!(none.has(game), open.has(game) && count == 0);
                    assert_eq!(chosen.len(), usize::from(open.has(game) && count > 0), "{moves}");
                    assert!(chosen.iter().all(|&i| legal(i)));
                }
                assert_eq!(*expected.get_or_insert(values.clone()), values);
            }
        }
        // Of ten moves with seven legal ones each is chosen by a seventh of the games.
        let legal = |i: usize| i != 2 && i != 5 && i != 9;
        let mut values: Vec<Lanes> =
            (0..10).map(|i| if legal(i) { Lanes::ALL } else { Lanes::NONE }).collect();
        values.extend(vec![Lanes::NONE; 11]);
        let banks = [Bank { guard: 41, moves: (0..10).map(|i| (2 * i, 10 + i)).collect() }];
        let (mut lanes, mut room, mut counts) = (LaneRng::new(&mut Rng::new(2)), Room::default(), [0; 10]);
        for _ in 0..200 {
            LaneKernels::detect().choose(&banks, &mut values, Lanes::ALL, &mut lanes, &mut room);
            counts.iter_mut().zip(&values[10..]).for_each(|(count, chosen)| *count += chosen.count());
        }
        // 14,629 each, with a standard deviation of 112.
        assert!(
            (0..10).all(|i| if legal(i) { counts[i].abs_diff(14_629) < 550 } else { counts[i] == 0 }),
            "{counts:?}"
        );
    }
}
