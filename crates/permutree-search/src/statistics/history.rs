use crate::kernels::{KIND_BITS, Kinds, Playouts};
use crate::statistics::tally::Tally;

/// The playouts of a search: what each adds to a tally of each player and, with dense storage, its codes as a row of bits.
#[derive(Debug)]
pub(crate) struct History {
    players: usize,
    /// What each playout adds to a tally of each player.
    tallies: Vec<Tally>,
    /// `words` words for each playout, none with sparse storage: its codes, and its kind in the highest bits.
    rows: Vec<u64>,
    words: usize,
    kinds: Kinds,
    playouts: u32,
}

impl History {
    /// An empty history, with rows for this many codes if the storage is dense.
    pub(crate) fn new(codes: Option<usize>, players: usize) -> Self {
        let words = codes.map_or(0, |codes| (codes + KIND_BITS).div_ceil(64));
        Self {
            players,
            tallies: Vec::new(),
            rows: Vec::new(),
            words,
            kinds: Kinds::new(players),
            playouts: 0,
        }
    }

    /// Clears everything but keeps the allocations.
    pub(crate) fn restart(&mut self) {
        self.tallies.clear();
        self.rows.clear();
        self.kinds.clear();
        self.playouts = 0;
    }

    /// Adds a playout that adds `tallies`, and has this set of codes, of as many words as a row.
    pub(crate) fn push(&mut self, set: &[u64], tallies: &[Tally]) {
        self.tallies.extend_from_slice(tallies);
        self.rows.extend_from_slice(set);
        if let Some(last) = self.rows.last_mut() {
            *last |= self.kinds.mark(tallies);
        }
        self.playouts += 1;
    }

    /// The playouts as a player sees them.
    pub(crate) fn seen_by(&self, player: usize) -> Playouts<'_> {
        let Self { rows, words, tallies, players, .. } = self;
        Playouts { words: rows, stride: *words, tallies, every: *players, player }
    }

    /// The codes of a playout and, in bits beyond all codes, its kind.
    pub(crate) fn row(&self, playout: u32) -> &[u64] {
        &self.rows[playout as usize * self.words..][..self.words]
    }

    pub(crate) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The number of players.
    pub(crate) fn players(&self) -> usize {
        self.players
    }

    /// What a playout adds to a tally of each player.
    #[inline]
    pub(crate) fn tallies(&self, playout: u32) -> &[Tally] {
        &self.tallies[playout as usize * self.players..][..self.players]
    }

    /// The number of playouts.
    #[inline]
    pub(crate) fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.tallies) + size_of_val(&*self.rows)
    }
}
