use super::Nst;
use crate::statistics::storage::mix;
use crate::statistics::tally::Tally;
use crate::tree::table::Table;
use permutree_game::Code;
use std::ops::Range;

/// The grams of two and three moves: pairs, and the moves that followed each pair.
#[derive(Debug)]
pub(super) struct Grams {
    places: Places,
    pairs: Vec<Pair>,
    /// The mean of each pair, [`UNKNOWN`] if it has too few occurrences.
    means: Vec<f64>,
    /// The followers of all pairs. Those of one pair are contiguous and begin with the ones that have enough occurrences,
    /// which playouts use.
    followers: Vec<Follower>,
    /// The limit in bytes.
    most: usize,
    pub(super) frozen: bool,
}

/// In place of the mean of a gram with too few occurrences.
pub(super) const UNKNOWN: f64 = -1.0;

#[inline]
fn counts(tally: Tally) -> bool {
    tally.count() >= Nst::EXPERIENCE
}

#[inline]
fn known_mean(tally: Tally) -> f64 {
    if counts(tally) { tally.mean() } else { UNKNOWN }
}

/// The indices of pairs.
#[derive(Debug)]
enum Places {
    /// The number of codes and the indices in use. Every pair of codes has an index, with those of the same first code in a
    /// row. An extra row, which stays empty, is for moves without a predecessor.
    Dense(usize, Vec<u32>),
    /// Pairs are in the order of their first occurrence.
    Sparse(Table),
}

/// With more codes than this, pairs are sparse: an array of all pairs would not fit in the caches.
const MOST_DENSE_CODES: usize = 512;

/// The least capacity for followers of a pair that has any.
const LEAST_ROOM: u16 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    tally: Tally,
    /// The index of its first follower.
    first: u32,
    /// The number of its followers, and of those at the beginning that have enough occurrences.
    len: u16,
    counting: u16,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Follower {
    /// Of the gram of three.
    pub(super) tally: Tally,
    pub(super) code: Code,
}

impl Pair {
    fn followers(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }

    /// Whether the capacity, a power of two and at least [`LEAST_ROOM`], is used up.
    fn is_full(&self) -> bool {
        self.len == 0 || self.len >= LEAST_ROOM && self.len.is_power_of_two()
    }

    /// Moves the follower at this index to the beginning if it has enough occurrences.
    #[inline]
    fn put_first(&mut self, followers: &mut [Follower], at: usize) {
        if at >= usize::from(self.counting) && counts(followers[at].tally) {
            followers.swap(at, usize::from(self.counting));
            self.counting += 1;
        }
    }
}

impl Grams {
    pub(super) fn new(codes: usize, most: usize) -> Self {
        let all = codes.saturating_add(1).saturating_mul(codes);
        let dense = codes <= MOST_DENSE_CODES && all * (size_of::<Pair>() + size_of::<f64>()) <= most / 2;
        let (places, all) = if dense {
            (Places::Dense(codes, Vec::new()), all)
        } else {
            (Places::Sparse(Table::default()), 0)
        };
        let (pairs, means) = (vec![Pair::default(); all], vec![UNKNOWN; all]);
        Self { places, pairs, means, followers: Vec::new(), most, frozen: false }
    }

    #[inline]
    fn place(&self, a: Code, b: Code) -> Option<usize> {
        match &self.places {
            Places::Dense(codes, _) => Some(a as usize * codes + b as usize),
            Places::Sparse(table) => table.find(hash(a, b)).map(|place| place as usize),
        }
    }

    /// The mean of a pair, [`UNKNOWN`] if it has too few occurrences.
    #[inline]
    pub(super) fn mean(&self, a: Code, b: Code) -> f64 {
        self.place(a, b).map_or(UNKNOWN, |place| self.means[place])
    }

    /// Whether the means of pairs with the same first code are contiguous.
    pub(super) fn has_rows(&self) -> bool {
        matches!(self.places, Places::Dense(..))
    }

    /// The means of the pairs that begin with `last`, indexed by their second code; empty without rows.
    #[inline]
    pub(super) fn row(&self, last: Option<Code>) -> &[f64] {
        let Places::Dense(codes, _) = self.places else { return &[] };
        let first = last.map_or(codes, |last| last as usize) * codes;
        &self.means[first..first + codes]
    }

    /// The range of those followers of a pair that have enough occurrences.
    #[inline]
    pub(super) fn counting(&self, a: Code, b: Code) -> Range<usize> {
        let pair = self.place(a, b).map_or(Pair::default(), |place| self.pairs[place]);
        pair.first as usize..pair.first as usize + usize::from(pair.counting)
    }

    #[inline]
    pub(super) fn followers(&self, range: Range<usize>) -> &[Follower] {
        &self.followers[range]
    }

    /// Counts a pair and returns its index; `None` if it is new and the memory is used up.
    #[inline]
    pub(super) fn count_pair(&mut self, a: Code, b: Code, reward: u32) -> Option<usize> {
        let place = self.place(a, b).or_else(|| self.add_pair(a, b))?;
        let tally = &mut self.pairs[place].tally;
        if let Places::Dense(_, used) = &mut self.places
            && *tally == Tally::default()
        {
            used.push(place as u32);
        }
        tally.count_one(reward);
        self.means[place] = known_mean(*tally);
        Some(place)
    }

    fn add_pair(&mut self, a: Code, b: Code) -> Option<usize> {
        let Places::Sparse(table) = &self.places else { return None };
        let more = table.growth() + size_of::<Pair>() + size_of::<f64>();
        if !self.has_room(more) {
            return None;
        }
        let place = self.pairs.len();
        self.pairs.push(Pair::default());
        self.means.push(UNKNOWN);
        if let Places::Sparse(table) = &mut self.places {
            table.find_or_insert(hash(a, b), place as u32);
        }
        Some(place)
    }

    /// Counts a move that followed the pair at this index.
    #[inline]
    pub(super) fn count_follower(&mut self, place: usize, code: Code, reward: u32) {
        let pair = &mut self.pairs[place];
        let followers = &mut self.followers[pair.followers()];
        if let Some(at) = followers.iter().position(|follower| follower.code == code) {
            followers[at].tally.count_one(reward);
            pair.put_first(followers, at);
        } else if !pair.is_full() || self.widen(place) {
            let pair = &mut self.pairs[place];
            pair.len += 1;
            self.followers[pair.followers().end - 1] = Follower { tally: Tally::one(reward), code };
        }
    }

    /// Moves the followers of a pair to a larger range. Returns false if the memory is used up.
    #[cold]
    fn widen(&mut self, place: usize) -> bool {
        let pair = self.pairs[place];
        let room = (pair.len + 1).checked_next_power_of_two().map(|room| room.max(LEAST_ROOM));
        let (Some(room), Ok(first)) = (room, u32::try_from(self.followers.len())) else { return false };
        let more = usize::from(room) * size_of::<Follower>();
        if !self.has_room(more) {
            return false;
        }
        self.followers.resize(self.followers.len() + usize::from(room), Follower::default());
        self.followers.copy_within(pair.followers(), first as usize);
        self.pairs[place] = Pair { first, ..pair };
        true
    }

    /// Whether this many more bytes may be used. If not, freezes.
    fn has_room(&mut self, more: usize) -> bool {
        self.frozen |= self.memory() + more > self.most;
        !self.frozen
    }

    /// Keeps this fraction of the counts.
    pub(super) fn decay(&mut self, keep: f64) {
        self.frozen = false;
        if keep > 0.0 {
            for (pair, known) in self.pairs.iter_mut().zip(&mut self.means) {
                pair.tally = pair.tally.decayed(keep);
                *known = known_mean(pair.tally);
                pair.counting = 0;
                let followers = &mut self.followers[pair.followers()];
                for at in 0..followers.len() {
                    followers[at].tally = followers[at].tally.decayed(keep);
                    pair.put_first(followers, at);
                }
            }
            return;
        }
        match &mut self.places {
            Places::Dense(_, used) => {
                for place in used.drain(..) {
                    self.pairs[place as usize] = Pair::default();
                    self.means[place as usize] = UNKNOWN;
                }
            }
            Places::Sparse(table) => {
                table.clear();
                self.pairs.clear();
                self.means.clear();
            }
        }
        self.followers.clear();
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        let places = match &self.places {
            Places::Dense(_, used) => size_of_val(&**used),
            Places::Sparse(table) => table.memory(),
        };
        places + size_of_val(&*self.pairs) + size_of_val(&*self.means) + size_of_val(&*self.followers)
    }
}

#[inline]
fn hash(a: Code, b: Code) -> u64 {
    mix(u64::from(a) << 32 | u64::from(b))
}
