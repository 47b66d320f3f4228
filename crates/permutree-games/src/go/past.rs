use permutree_game::Hasher;

/// The boards of the game so far, by hash.
#[derive(Debug)]
pub(super) struct Past<const W: usize> {
    boards: Vec<u64>,
    /// A Bloom filter with one bit per board, by the low bits of its hash: a clear bit saves the search of the list.
    filter: [[u64; 16]; W],
}

/// `clone_from` reuses the memory of the list, so that playouts do not allocate.
impl<const W: usize> Clone for Past<W> {
    fn clone(&self) -> Self {
        Self { boards: self.boards.clone(), filter: self.filter }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.boards.clone_from(&other.boards);
        self.filter = other.filter;
    }
}

impl<const W: usize> Past<W> {
    /// No boards.
    pub(super) const EMPTY: Self = Self { boards: Vec::new(), filter: [[0; 16]; W] };

    #[inline]
    pub(super) fn insert(&mut self, board: u64) {
        let (word, bit) = place::<W>(board);
        self.filter.as_flattened_mut()[word] |= bit;
        self.boards.push(board);
    }

    /// Whether the filter does not exclude a board.
    #[inline]
    pub(super) fn may_contain(&self, board: u64) -> bool {
        let (word, bit) = place::<W>(board);
        self.filter.as_flattened()[word] & bit != 0
    }

    #[inline]
    pub(super) fn contains(&self, board: u64) -> bool {
        self.may_contain(board) && self.boards.contains(&board)
    }

    /// A hash of the set: the order of the boards does not matter.
    pub(super) fn hash(&self) -> u64 {
        let hash = |board: &u64| Hasher::new().word(*board).finish();
        self.boards.iter().map(hash).fold(0, u64::wrapping_add)
    }
}

/// The word and the bit of the filter for a board.
#[inline]
fn place<const W: usize>(board: u64) -> (usize, u64) {
    ((board >> 6) as usize % (16 * W), 1 << (board & 63))
}
