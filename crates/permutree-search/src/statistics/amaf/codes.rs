use crate::kernels::KIND_BITS;
use crate::statistics::storage::Storage;
use crate::tree::{CodeSets, Step};

/// The distinct codes of the current playout, which is followed backwards: those met so far. Remembers enough of earlier
/// playouts to find the codes that they had met at any node of their paths.
#[derive(Debug)]
pub(super) enum Codes {
    Sets(Sets),
    Lists(Lists),
}

/// The codes met on the way back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Met<'a> {
    /// As bits.
    Set(&'a [u64]),
    /// As a list of distinct codes.
    List(&'a [Played]),
}

/// A code and its player, in one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played(u32);

impl Played {
    const PLAYER_SHIFT: u32 = 28;

    pub(super) fn new(player: u8, code: u32) -> Self {
        Self(code | u32::from(player) << Self::PLAYER_SHIFT)
    }

    #[inline]
    pub(super) fn player(self) -> usize {
        (self.0 >> Self::PLAYER_SHIFT) as usize
    }

    #[inline]
    pub(crate) fn code(self) -> usize {
        (self.0 & ((1 << Self::PLAYER_SHIFT) - 1)) as usize
    }
}

impl Codes {
    pub(super) fn new(storage: Storage, codes: usize, players: usize) -> Self {
        assert!(codes < 1 << Played::PLAYER_SHIFT, "too many codes: {codes}");
        match storage {
            Storage::Dense => {
                let words = (codes + KIND_BITS).div_ceil(64);
                Self::Sets(Sets {
                    now: vec![0; words],
                    owners: vec![0; words * players],
                    entered: Vec::new(),
                    starts: Vec::new(),
                    start: 0,
                })
            }
            Storage::Sparse => Self::Lists(Lists {
                present: vec![0; codes.div_ceil(64)],
                played: Vec::new(),
                starts: Vec::new(),
                start: 0,
            }),
        }
    }

    /// Forgets all playouts but keeps the allocations.
    pub(super) fn restart(&mut self) {
        match self {
            Self::Sets(sets) => {
                sets.owners.fill(0);
                sets.entered.clear();
                sets.starts.clear();
                sets.start = 0;
            }
            Self::Lists(lists) => {
                lists.played.clear();
                lists.starts.clear();
                lists.start = 0;
            }
        }
    }

    /// Begins with the codes of a playout beyond its path.
    pub(super) fn begin(&mut self, steps: &[Step], rest: Option<&CodeSets>) {
        match self {
            Self::Sets(sets) => sets.begin(steps, rest),
            Self::Lists(lists) => {
                steps.iter().rev().for_each(|step| lists.enter(*step));
                rest.iter().flat_map(|rest| CodeSets::iter(rest)).for_each(|step| lists.enter(step));
            }
        }
    }

    /// Meets a move of the path.
    #[inline]
    pub(super) fn enter(&mut self, step: Step) {
        match self {
            Self::Sets(sets) => sets.enter(step),
            Self::Lists(lists) => lists.enter(step),
        }
    }

    /// How many codes of the path, or with sparse storage of the playout, were met so far.
    #[inline]
    pub(super) fn len(&self) -> u32 {
        match self {
            Self::Sets(sets) => sets.entered.len() as u32 - sets.start,
            Self::Lists(lists) => lists.played.len() as u32 - lists.start,
        }
    }

    /// The set of codes met so far; empty with sparse storage.
    pub(super) fn set(&self) -> &[u64] {
        match self {
            Self::Sets(sets) => &sets.now,
            Self::Lists(_) => &[],
        }
    }

    /// Remembers the playout, which was followed to the root.
    pub(super) fn keep(&mut self) {
        match self {
            Self::Sets(sets) => {
                sets.starts.push(sets.start);
                sets.start = sets.entered.len() as u32;
            }
            Self::Lists(lists) => {
                lists.clean();
                lists.starts.push(lists.start);
                lists.start = lists.played.len() as u32;
            }
        }
    }

    /// Forgets the current playout.
    pub(super) fn forget(&mut self) {
        match self {
            Self::Sets(sets) => sets.entered.truncate(sets.start as usize),
            Self::Lists(lists) => {
                lists.clean();
                lists.played.truncate(lists.start as usize);
            }
        }
    }

    /// The codes of the last playout that was kept.
    pub(super) fn last(&self) -> Met<'_> {
        match self {
            Self::Sets(sets) => Met::Set(&sets.now),
            Self::Lists(lists) => {
                Met::List(&lists.played[lists.starts.last().map_or(0, |&start| start as usize)..])
            }
        }
    }

    /// Bytes in use.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Sets(sets) => size_of_val(&*sets.entered) + size_of_val(&*sets.starts),
            Self::Lists(lists) => size_of_val(&*lists.played) + size_of_val(&*lists.starts),
        }
    }
}

/// Codes as sets. An earlier playout's set at a node is its row in the history, without the codes that it met later.
#[derive(Debug)]
pub(super) struct Sets {
    /// The codes met so far, in the words of a row.
    now: Vec<u64>,
    /// The codes of each player that were ever met, in the words of a row each.
    owners: Vec<u64>,
    /// For each playout, the codes that it met first on its path, last move first.
    entered: Vec<u32>,
    /// The start of each playout that was kept, and of the current one.
    starts: Vec<u32>,
    start: u32,
}

impl Sets {
    /// All codes of the current playout, those that it met on its path, and the codes of each player.
    pub(super) fn path(&self) -> (&[u64], &[u32], &[u64]) {
        (&self.now, &self.entered[self.start as usize..], &self.owners)
    }

    /// The codes of each player that were ever met.
    pub(super) fn owners(&self) -> &[u64] {
        &self.owners
    }

    /// The codes that an earlier playout met on its path after the first `len`.
    pub(super) fn met_after(&self, playout: u32, len: u32) -> &[u32] {
        let start = self.starts[playout as usize];
        let end = self.starts.get(playout as usize + 1).map_or(self.start, |&end| end);
        &self.entered[(start + len) as usize..end as usize]
    }

    fn begin(&mut self, steps: &[Step], rest: Option<&CodeSets>) {
        self.now.fill(0);
        if let Some(rest) = rest {
            for (set, owned) in rest.players().zip(self.owners.chunks_exact_mut(self.now.len())) {
                for ((word, owned), now) in set.iter().zip(owned).zip(&mut self.now) {
                    *owned |= word;
                    *now |= word;
                }
            }
        }
        steps.iter().for_each(|step| self.meet(*step));
    }

    #[inline]
    fn meet(&mut self, Step { player, code }: Step) {
        let (word, bit) = (code as usize / 64, 1 << (code % 64));
        self.now[word] |= bit;
        self.owners[player.index() * self.now.len() + word] |= bit;
    }

    #[inline]
    fn enter(&mut self, step: Step) {
        if self.now[step.code as usize / 64] >> (step.code % 64) & 1 == 0 {
            self.entered.push(step.code);
            self.meet(step);
        }
    }
}

/// Codes as lists.
#[derive(Debug)]
pub(super) struct Lists {
    /// The codes of the current playout, one bit each.
    present: Vec<u64>,
    /// The distinct codes of each playout, last move first, with their players.
    played: Vec<Played>,
    /// The start of each playout that was kept, and of the current one.
    starts: Vec<u32>,
    start: u32,
}

impl Lists {
    /// The first codes that the current playout met.
    pub(super) fn first(&self, len: u32) -> &[Played] {
        &self.played[self.start as usize..][..len as usize]
    }

    /// The first codes that an earlier playout met.
    pub(super) fn past(&self, playout: u32, len: u32) -> &[Played] {
        &self.played[self.starts[playout as usize] as usize..][..len as usize]
    }

    #[inline]
    fn enter(&mut self, Step { player, code }: Step) {
        let (word, bit) = (code as usize / 64, 1 << (code % 64));
        if self.present[word] & bit == 0 {
            self.present[word] |= bit;
            self.played.push(Played::new(player.0, code));
        }
    }

    /// Removes the current playout from `present`.
    fn clean(&mut self) {
        for played in &self.played[self.start as usize..] {
            self.present[played.code() / 64] = 0;
        }
    }
}
