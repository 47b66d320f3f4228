use crate::greedy::Merits;
use crate::record::{Record, Step};
use crate::storage::mix;
use crate::table::Table;
use crate::tally::{CodeTallies, Tally};
use permutree_game::Code;
use std::ops::Range;

/// The N-gram Selection Technique (Tak, Winands and Björnsson 2012) as "Who Invented MCTS?" writes it. Grams are the
/// sequences of one, two and three moves that follow each other in a playout, from the root on and whoever makes them.
/// Each has the mean reward of who makes its last move, counted for every occurrence.
///
/// The merit of a move is the mean of the means of the grams that it would complete: of one move always, of two and three
/// only if they occurred [`Nst::EXPERIENCE`] times. Moves never seen come first.
#[derive(Debug)]
pub struct Nst {
    keep: f64,
    ones: CodeTallies,
    longer: Grams,
    /// For each code the gram of three moves that it would complete, while moves are scored.
    wholes: Vec<Tally>,
}

impl Nst {
    /// How often a gram of two or three moves must have occurred to count, k = 7 in the paper.
    pub const EXPERIENCE: u32 = 7;

    /// For a coding with this many codes, with at most `memory` bytes for grams of two and three moves: when they are used
    /// up there are no new ones. `keep` in [0, 1] is the part of the occurrences that is still counted in the search for
    /// the next move; the paper keeps none.
    #[must_use]
    pub fn new(codes: usize, keep: f64, memory: usize) -> Self {
        Self {
            keep,
            ones: CodeTallies::new(codes),
            longer: Grams::new(codes, memory),
            wholes: vec![Tally::default(); codes],
        }
    }
}

#[inline]
fn counts(tally: Tally) -> bool {
    tally.count() >= Nst::EXPERIENCE
}

/// The mean of a gram and 1 if it counts, else nothing.
#[inline]
fn weighed(tally: Tally) -> (f64, f64) {
    let weight = f64::from(counts(tally));
    (weight * tally.mean(), weight)
}

impl Merits for Nst {
    fn score(&mut self, past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        let two = match *past {
            [.., a, b] => self.longer.find(a.code, b.code).filter(|pair| counts(pair.tally)),
            _ => None,
        };
        let followers = two.map_or(&[][..], |pair| &self.longer.followers[pair.followers()]);
        for follower in followers {
            self.wholes[follower.code as usize] = follower.tally;
        }
        let last = past.last().map(|step| step.code);
        let score = |&code: &Code| {
            let one = self.ones.get(code);
            if one == Tally::default() {
                return f64::INFINITY;
            }
            let ending = last
                .and_then(|last| self.longer.find(last, code))
                .map_or(Tally::default(), |pair| pair.tally);
            let ((ending, a), (whole, b)) = (weighed(ending), weighed(self.wholes[code as usize]));
            (one.mean() + ending + whole) / (1.0 + a + b)
        };
        scores.extend(codes.iter().map(score));
        for follower in followers {
            self.wholes[follower.code as usize] = Tally::default();
        }
    }

    fn learn(&mut self, record: &Record) {
        // The code before, and the pair that ends with it.
        let (mut last, mut two) = (None, None);
        for step in &record.steps {
            let reward = record.rewards[step.player.index()];
            self.ones.count(step.code, reward);
            if let Some(two) = two {
                self.longer.count_follower(two, step.code, reward);
            }
            two = last.and_then(|last| self.longer.count_pair(last, step.code, reward));
            last = Some(step.code);
        }
    }

    fn restart(&mut self) {
        self.ones.decay(self.keep);
        self.longer.decay(self.keep);
    }

    fn memory(&self) -> usize {
        self.ones.memory() + size_of_val(&*self.wholes) + self.longer.memory()
    }

    fn freeze(&mut self) {
        self.longer.frozen = true;
    }
}

/// The grams of two and three moves: pairs, and for each the moves that followed it.
#[derive(Debug)]
struct Grams {
    places: Places,
    pairs: Vec<Pair>,
    /// The followers of all pairs; those of one are beside each other, since a playout looks at all of them.
    followers: Vec<Follower>,
    /// The most bytes that may be in use.
    most: usize,
    frozen: bool,
}

/// Where a pair is among the pairs.
#[derive(Debug)]
enum Places {
    /// Any two of so many codes have a place, those that begin alike beside each other. With it the places in use.
    Dense(usize, Vec<u32>),
    /// Pairs stand in the order in which they came.
    Sparse(Table),
}

/// With more codes than this, pairs have no place of their own: all of them would not stay in the caches.
const MOST_DENSE_CODES: usize = 512;

#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    tally: Tally,
    /// Where its followers begin, how many there are, and for how many there is room.
    first: u32,
    len: u16,
    room: u16,
}

#[derive(Clone, Copy, Debug, Default)]
struct Follower {
    tally: Tally,
    code: Code,
}

impl Pair {
    fn followers(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }
}

impl Grams {
    fn new(codes: usize, most: usize) -> Self {
        let dense = codes <= MOST_DENSE_CODES && codes * codes * size_of::<Pair>() <= most / 2;
        let (places, pairs) = if dense {
            (Places::Dense(codes, Vec::new()), vec![Pair::default(); codes * codes])
        } else {
            (Places::Sparse(Table::default()), Vec::new())
        };
        Self { places, pairs, followers: Vec::new(), most, frozen: false }
    }

    #[inline]
    fn place(&self, a: Code, b: Code) -> Option<usize> {
        match &self.places {
            Places::Dense(codes, _) => Some(a as usize * codes + b as usize),
            Places::Sparse(table) => table.find(hash(a, b)).map(|place| place as usize),
        }
    }

    #[inline]
    fn find(&self, a: Code, b: Code) -> Option<&Pair> {
        self.place(a, b).map(|place| &self.pairs[place])
    }

    /// Counts a pair and gives its place; none if it is new and there is no room.
    #[inline]
    fn count_pair(&mut self, a: Code, b: Code, reward: u32) -> Option<usize> {
        let place = self.place(a, b).or_else(|| self.add_pair(a, b))?;
        let tally = &mut self.pairs[place].tally;
        if let Places::Dense(_, used) = &mut self.places
            && *tally == Tally::default()
        {
            used.push(place as u32);
        }
        tally.count_one(reward);
        Some(place)
    }

    fn add_pair(&mut self, a: Code, b: Code) -> Option<usize> {
        let Places::Sparse(table) = &self.places else { return None };
        let more = table.growth() + size_of::<Pair>();
        if !self.has_room(more) {
            return None;
        }
        let place = self.pairs.len();
        self.pairs.push(Pair::default());
        if let Places::Sparse(table) = &mut self.places {
            table.find_or_insert(hash(a, b), place as u32);
        }
        Some(place)
    }

    /// Counts a move that followed the pair at this place.
    #[inline]
    fn count_follower(&mut self, place: usize, code: Code, reward: u32) {
        let pair = self.pairs[place];
        let followers = &mut self.followers[pair.followers()];
        if let Some(follower) = followers.iter_mut().find(|follower| follower.code == code) {
            follower.tally.count_one(reward);
        } else if pair.len < pair.room || self.widen(place) {
            let pair = &mut self.pairs[place];
            pair.len += 1;
            self.followers[pair.followers().end - 1] = Follower { tally: Tally::one(reward), code };
        }
    }

    /// Moves the followers of a pair to where there is room for more; false if there is none.
    #[cold]
    fn widen(&mut self, place: usize) -> bool {
        let pair = self.pairs[place];
        let (Some(room), Ok(first)) = (pair.room.max(2).checked_mul(2), u32::try_from(self.followers.len()))
        else {
            return false;
        };
        let more = usize::from(room) * size_of::<Follower>();
        if !self.has_room(more) {
            return false;
        }
        self.followers.resize(self.followers.len() + usize::from(room), Follower::default());
        self.followers.copy_within(pair.followers(), first as usize);
        self.pairs[place] = Pair { first, room, ..pair };
        true
    }

    /// Whether so many bytes more may be used. If not, nothing new is made from now on.
    fn has_room(&mut self, more: usize) -> bool {
        self.frozen |= self.memory() + more > self.most;
        !self.frozen
    }

    /// Keeps this part of what was counted.
    fn decay(&mut self, keep: f64) {
        self.frozen = false;
        if keep > 0.0 {
            self.pairs.iter_mut().for_each(|pair| pair.tally = pair.tally.decayed(keep));
            self.followers.iter_mut().for_each(|follower| follower.tally = follower.tally.decayed(keep));
            return;
        }
        match &mut self.places {
            Places::Dense(_, used) => {
                for place in used.drain(..) {
                    self.pairs[place as usize] = Pair::default();
                }
            }
            Places::Sparse(table) => {
                table.clear();
                self.pairs.clear();
            }
        }
        self.followers.clear();
    }

    /// Bytes in use.
    fn memory(&self) -> usize {
        let places = match &self.places {
            Places::Dense(_, used) => size_of_val(&**used),
            Places::Sparse(table) => table.memory(),
        };
        places + size_of_val(&*self.pairs) + size_of_val(&*self.followers)
    }
}

#[inline]
fn hash(a: Code, b: Code) -> u64 {
    mix(u64::from(a) << 32 | u64::from(b))
}
