use crate::statistics::tally::{ONE, Tally};
use crate::tree::Record;
use crate::treeless::shortlist::{Scope, Shortlist};
use permutree_game::{Code, MAX_PLAYERS};
use std::ops::Range;

/// Every sequence of moves from a short list, with the mean rewards of all playouts that contain its moves in any order.
///
/// Since order does not matter, only sorted forms are counted, in which each player's moves ascend by their index on the
/// player's list. Playouts are counted in batches of up to 64, with one pass over the table: one word per move has a bit for
/// every playout that contains it, and the playouts that contain a sequence are the conjunction of its moves' words.
#[derive(Debug)]
pub(crate) struct Sequences {
    players: usize,
    plies: Vec<Ply>,
    /// The length of the longest list, which is the base of the numbers of sequences.
    width: usize,
    /// The slot of each code, [`NONE`] for codes on no list. Ends with the last code on a list. The slots of a player are
    /// contiguous and in the order of the list.
    slot_of: Vec<u32>,
    /// Whether two slots exclude each other.
    clash: Vec<bool>,
    /// The tallies of all players for each sequence; those of length n begin at `starts[n]`.
    tallies: Vec<Tally>,
    starts: Vec<usize>,
    /// The rewards of up to `batch` playouts that are not counted yet, and for each slot those of them that contain its move.
    rewards: Vec<[u32; MAX_PLAYERS]>,
    batch: usize,
    present: Vec<u64>,
    /// The greatest sum of rewards in a playout, in units of 1 / 65536.
    whole: u32,
}

/// With this many tallies batches are smaller: one of 64 would take ten milliseconds, too long for a time limit.
const LARGE: usize = 1 << 18;

/// No slot.
const NONE: u32 = u32::MAX;

/// A ply of the sequences.
#[derive(Debug)]
struct Ply {
    /// The player to move.
    mover: usize,
    /// The slots of the player's moves.
    slots: Range<usize>,
    /// The previous ply of the same player.
    earlier: Option<usize>,
}

/// The indices of a sequence's moves on the players' lists, in sorted form.
type Places = [usize; Scope::MOST_PLIES];

/// The value of a sequence for each player, and the number of playouts behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Value {
    pub(crate) rewards: [f64; MAX_PLAYERS],
    pub(crate) playouts: u32,
}

impl Sequences {
    pub(crate) fn new(list: &Shortlist, players: usize) -> Self {
        let movers: Vec<usize> = list.order.iter().map(|player| player.index()).collect();
        let first_slot = |player: usize| list.codes[..player].iter().map(Vec::len).sum::<usize>();
        let ply = |ply: usize| {
            let mover = movers[ply];
            let earlier = movers[..ply].iter().rposition(|&other| other == mover);
            Ply { mover, slots: first_slot(mover)..first_slot(mover + 1), earlier }
        };
        let width = list.codes.iter().map(Vec::len).max().unwrap_or(0);
        let mut starts = vec![0];
        for length in 0..=movers.len() {
            starts.push(starts[length] + width.pow(length as u32) * players);
        }
        let codes = list.codes.concat();
        let mut slot_of = vec![NONE; codes.iter().max().map_or(0, |&last| last as usize + 1)];
        for (&code, slot) in codes.iter().zip(0..) {
            slot_of[code as usize] = slot;
        }
        let mut clash = vec![false; codes.len() * codes.len()];
        for (a, b) in codes.iter().map(|&code| (code, code)).chain(list.clashes.iter().copied()) {
            if let (Some(a), Some(b)) = (find(&slot_of, a), find(&slot_of, b)) {
                clash[a * codes.len() + b] = true;
                clash[b * codes.len() + a] = true;
            }
        }
        let tallies = vec![Tally::default(); starts[movers.len() + 1]];
        Self {
            players,
            plies: (0..movers.len()).map(ply).collect(),
            width,
            slot_of,
            clash,
            batch: if tallies.len() < LARGE { 64 } else { 16 },
            tallies,
            starts,
            rewards: Vec::new(),
            present: vec![0; codes.len()],
            whole: 0,
        }
    }

    /// Adds a playout to the batch.
    pub(crate) fn learn(&mut self, record: &Record) {
        let bit = 1 << self.rewards.len();
        self.rewards.push(record.rewards);
        for step in &record.steps {
            if let Some(slot) = find(&self.slot_of, step.code) {
                self.present[slot] |= bit;
            }
        }
        self.whole = self.whole.max(record.rewards[..self.players].iter().sum());
        if self.rewards.len() == self.batch {
            self.count_all();
        }
    }

    /// Counts the playouts of the batch.
    fn count_all(&mut self) {
        if !self.rewards.is_empty() {
            self.count(0, &mut Places::default(), 0, u64::MAX >> (64 - self.rewards.len()));
            self.rewards.clear();
            self.present.fill(0);
        }
    }

    /// Counts these playouts at the sorted sequence `places[..length]`, which has this number, and recursively at the longer
    /// sequences that they contain.
    fn count(&mut self, length: usize, places: &mut Places, number: usize, playouts: u64) {
        let tallies = &mut self.tallies[self.starts[length] + number * self.players..][..self.players];
        let mut left = playouts;
        while left != 0 {
            let rewards = &self.rewards[left.trailing_zeros() as usize];
            tallies.iter_mut().zip(rewards).for_each(|(tally, &reward)| tally.count_one(reward));
            left &= left - 1;
        }
        let Some(Ply { slots, earlier, .. }) = self.plies.get(length) else { return };
        let (first, moves) = (slots.start, slots.len());
        for place in earlier.map_or(0, |past| places[past] + 1)..moves {
            let with = playouts & self.present[first + place];
            if with != 0 && !self.clashes(&places[..length], place) {
                places[length] = place;
                self.count(length + 1, places, number * self.width + place, with);
            }
        }
    }

    /// Whether the next mover's move at `place` is excluded by those at `places`.
    fn clashes(&self, places: &[usize], place: usize) -> bool {
        let slot = |(ply, place): (&Ply, usize)| ply.slots.start + place;
        let row = slot((&self.plies[places.len()], place)) * self.present.len();
        self.plies.iter().zip(places.iter().copied()).map(slot).any(|other| self.clash[row + other])
    }

    /// The value of each first move, in the order of the list, by max^n over all sequences. `None` if no playout contains the
    /// move.
    pub(crate) fn values(&mut self) -> Vec<Option<Value>> {
        self.count_all();
        let first = self.plies.first().map_or(0, |ply| ply.slots.len());
        (0..first)
            .map(|place| {
                let places = self.with(&Places::default(), 0, place);
                let value = self.value(1, &places)?;
                Some(self.search(1, &places, value, f64::NEG_INFINITY))
            })
            .collect()
    }

    /// The max^n value of a sequence with this mean, which is its value at the last ply.
    ///
    /// A sequence that no playout contains has the value of the sequence without its last move. `bound` is what the previous
    /// player has already: the search is cut off when no more can be left (shallow pruning, Korf 1991, sound because no player
    /// gets more than `whole` less what another gets; for two players it is alpha-beta without deep cuts).
    fn search(&self, length: usize, places: &Places, mean: Value, bound: f64) -> Value {
        let Some(Ply { mover, slots, .. }) = self.plies.get(length) else { return mean };
        let whole = f64::from(self.whole) / f64::from(ONE);
        let mut best: Option<Value> = None;
        for place in 0..slots.len() {
            if self.clashes(&places[..length], place) {
                continue;
            }
            let longer = self.with(places, length, place);
            let own = best.map_or(f64::NEG_INFINITY, |best| best.rewards[*mover]);
            let value = match self.value(length + 1, &longer) {
                Some(value) => self.search(length + 1, &longer, value, own),
                None => mean,
            };
            if value.rewards[*mover] > own {
                best = Some(value);
                // A tolerance, because means are rounded.
                if *mover != self.plies[length - 1].mover && whole - value.rewards[*mover] < bound - 1e-9 {
                    break;
                }
            }
        }
        best.unwrap_or(mean)
    }

    /// `places[..length]` and one more move, in sorted form.
    fn with(&self, places: &Places, length: usize, place: usize) -> Places {
        let mut places = *places;
        places[length] = place;
        let mut ply = length;
        while let Some(past) = self.plies[ply].earlier.filter(|&past| places[past] > places[ply]) {
            places.swap(past, ply);
            ply = past;
        }
        places
    }

    /// The means of the playouts that contain this sorted sequence.
    fn value(&self, length: usize, places: &Places) -> Option<Value> {
        let number = places[..length].iter().fold(0, |number, place| number * self.width + place);
        let tallies = &self.tallies[self.starts[length] + number * self.players..][..self.players];
        let mut rewards = [0.0; MAX_PLAYERS];
        rewards.iter_mut().zip(tallies).for_each(|(reward, tally)| *reward = tally.mean());
        let playouts = tallies[0].count();
        (playouts > 0).then_some(Value { rewards, playouts })
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.tallies) + size_of_val(&*self.clash) + size_of_val(&*self.slot_of)
    }
}

/// The slot of a code.
#[inline]
fn find(slot_of: &[u32], code: Code) -> Option<usize> {
    slot_of.get(code as usize).filter(|&&slot| slot != NONE).map(|&slot| slot as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::tally::fixed;
    use crate::tree::Step;
    use permutree_game::{Player, Rng};

    /// A naive version of [`Sequences`]: scans all playouts for every sequence, and prunes nothing.
    struct Naive<'a> {
        list: &'a Shortlist,
        records: &'a [Record],
        players: usize,
    }

    impl Naive<'_> {
        fn mean(&self, sequence: &[Code]) -> Option<Vec<f64>> {
            let contains = |record: &&Record| {
                sequence.iter().all(|code| record.steps.iter().any(|step| step.code == *code))
            };
            let found: Vec<&Record> = self.records.iter().filter(contains).collect();
            let mean = |player: usize| {
                let sum: f64 = found.iter().map(|record| f64::from(record.rewards[player])).sum();
                sum / 65_536.0 / found.len() as f64
            };
            (!found.is_empty()).then(|| (0..self.players).map(mean).collect())
        }

        fn value(&self, sequence: &[Code], shorter: Option<Vec<f64>>) -> Option<Vec<f64>> {
            let mean = self.mean(sequence);
            let (Some(mean), Some(player)) = (&mean, self.list.order.get(sequence.len())) else {
                return mean.or(shorter);
            };
            let codes = self.list.codes[player.index()].iter();
            let clash = |a: Code, b: Code| {
                a == b || [(a, b), (b, a)].iter().any(|pair| self.list.clashes.contains(pair))
            };
            let free = codes.filter(|&&code| !sequence.iter().any(|&other| clash(other, code)));
            let values =
                free.filter_map(|code| self.value(&[sequence, &[*code]].concat(), Some(mean.clone())));
            let best = |best: Vec<f64>, next: Vec<f64>| {
                if next[player.index()] > best[player.index()] { next } else { best }
            };
            values.reduce(best).or(Some(mean.clone()))
        }
    }

    /// A random playout in which player p has codes from 10 p on. Playouts are short, so that some sequences never occur.
    fn record(players: usize, rng: &mut Rng) -> Record {
        let mut record = Record::default();
        for _ in 0..rng.below(9) {
            let player = rng.below(players) as u8;
            let code = u32::from(player) * 10 + rng.below(10) as u32;
            record.steps.push(Step { player: Player(player), code });
        }
        let mut left = 1.0;
        for reward in &mut record.rewards[..players] {
            let part = left * rng.unit();
            *reward = fixed(part);
            left -= part;
        }
        record
    }

    #[test]
    fn values_are_those_of_a_naive_recount() {
        let orders: [(usize, &[u8]); 6] = [
            (1, &[0, 0, 0]),
            (2, &[0, 1, 0]),
            (2, &[1, 0, 1, 0]),
            (2, &[0, 0, 1, 1]),
            (3, &[0, 1, 2, 0]),
            (3, &[2, 2, 0]),
        ];
        let mut rng = Rng::new(1);
        for (players, order) in orders {
            for playouts in [0, 1, 63, 64, 300] {
                let mut list = Shortlist {
                    order: order.iter().map(|&player| Player(player)).collect(),
                    ..Shortlist::default()
                };
                for player in 0..players {
                    let first = player as u32 * 10;
                    list.codes[player] = vec![first + 7, first, first + 3, first + 9];
                }
                list.codes[0].pop();
                list.clashes = vec![(0, 10), (17, 3)];
                let mut sequences = Sequences::new(&list, players);
                let records: Vec<Record> = (0..playouts).map(|_| record(players, &mut rng)).collect();
                for (number, record) in records.iter().enumerate() {
                    sequences.learn(record);
                    // Reading the values does not change them.
                    if number % 50 == 7 {
                        sequences.values();
                    }
                }
                let naive = Naive { list: &list, records: &records, players };
                let codes = &list.codes[usize::from(order[0])];
                let values = sequences.values();
                assert_eq!(values.len(), codes.len());
                for (&code, value) in codes.iter().zip(values) {
                    let expected = naive.value(&[code], None);
                    assert_eq!(value.is_some(), expected.is_some(), "{order:?}");
                    let (Some(value), Some(expected)) = (value, expected) else { continue };
                    for (found, expected) in value.rewards.iter().zip(&expected) {
                        assert!((found - expected).abs() < 1e-9, "{order:?}: {value:?}, not {expected}");
                    }
                }
            }
        }
    }
}
