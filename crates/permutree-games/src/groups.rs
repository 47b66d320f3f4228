//! Groups of stones on a square board and whether they have liberties, for games where no stone ever leaves the board.
//!
//! A group's liberties are counted once per neighbouring stone (pseudo-liberties, as in fast Go programs): a point that
//! touches three stones of a group counts three times. The count is zero exactly when the true one is, joining groups
//! adds their counts, and a group's only liberty is `point` exactly when `point` touches as many of its stones as the
//! count says. So one small number per group decides every question of these games.

use permutree_game::draw::{GoBoard, STONES, grid, square};
use permutree_game::{Hasher, Player};

/// The kind of an empty point. A stone of player `p` is `1 << p`, what is off the board is 0.
const EMPTY: u8 = 8;

/// Liberties of the group that does not exist: more than any point touches, so that it never seems in danger.
const PLENTY: u16 = 255;

/// The points of a square board and their neighbours. `N` is above the number of points: slot `N - 1` is off the board.
#[derive(Clone, Debug)]
pub struct Board<const N: usize> {
    size: usize,
    near: [[u16; 4]; N],
}

impl<const N: usize> Board<N> {
    /// The board with `size * size` points.
    ///
    /// # Panics
    /// If it has `N` points or more.
    #[must_use]
    pub fn new(size: usize) -> Self {
        assert!(size * size < N, "{size}x{size} points in {N} slots");
        let off = (N - 1) as u16;
        let mut near = [[off; 4]; N];
        for (point, near) in near.iter_mut().enumerate().take(size * size) {
            let (column, row) = (point % size, point / size);
            let inside = [row > 0, column > 0, column + 1 < size, row + 1 < size];
            // Wrapped where it would be outside, and not used there.
            let there = [point.wrapping_sub(size), point.wrapping_sub(1), point + 1, point + size];
            for i in 0..4 {
                near[i] = if inside[i] { there[i] as u16 } else { off };
            }
        }
        Self { size, near }
    }

    /// The number of points.
    #[inline]
    #[must_use]
    pub fn points(&self) -> usize {
        self.size * self.size
    }

    /// The name of a point.
    #[must_use]
    pub fn name(&self, point: u16) -> String {
        let (column, row) = self.column_and_row(point);
        square(column, row)
    }

    /// The stones as text.
    #[must_use]
    pub fn text(&self, groups: &Groups<N>, last: Option<u16>) -> String {
        let last = last.map(|point| self.column_and_row(point));
        grid(self.size, self.size, 0, last, |column, row| {
            groups.owner(row * self.size + column).map_or('.', |player| STONES[player.index()])
        })
    }

    /// The stones on a Go board.
    #[must_use]
    pub fn picture(&self, groups: &Groups<N>, last: Option<u16>) -> String {
        let mut board = GoBoard::new(self.size);
        for point in 0..self.points() {
            if let Some(player) = groups.owner(point) {
                board.stone(point % self.size, point / self.size, player);
            }
        }
        if let Some((column, row)) = last.map(|point| self.column_and_row(point)) {
            board.mark(column, row);
        }
        board.svg.finish()
    }

    fn column_and_row(&self, point: u16) -> (usize, usize) {
        (usize::from(point) % self.size, usize::from(point) / self.size)
    }
}

/// What a stone on a point would meet. Both are sets of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Empty neighbours, and groups that would keep a liberty.
    live: u8,
    /// Groups that would lose their last liberty.
    dead: u8,
}

impl Contact {
    /// Whether a stone of `player` takes the last liberty of another player's group.
    #[inline]
    #[must_use]
    pub fn captures(self, player: Player) -> bool {
        self.dead & !(1 << player.0) != 0
    }

    /// Whether a stone of `player` has a liberty or joins a group that keeps one.
    #[inline]
    #[must_use]
    pub fn breathes(self, player: Player) -> bool {
        self.live & (1 << player.0 | EMPTY) != 0
    }
}

/// The stones on a board of fewer than `N` points, and their groups.
#[derive(Clone, Debug)]
pub struct Groups<const N: usize> {
    kind: [u8; N],
    /// For a stone the name of its group, which is the point of one of its stones; `N - 1` elsewhere.
    group: [u16; N],
    /// The pseudo-liberties of a group, by its name.
    liberties: [u16; N],
}

impl<const N: usize> Groups<N> {
    /// No stones.
    #[must_use]
    pub fn new(board: &Board<N>) -> Self {
        let mut kind = [0; N];
        kind[..board.points()].fill(EMPTY);
        Self { kind, group: [(N - 1) as u16; N], liberties: [PLENTY; N] }
    }

    /// Whose stone stands on a point.
    #[inline]
    #[must_use]
    pub fn owner(&self, point: usize) -> Option<Player> {
        match self.kind[point] {
            0 | EMPTY => None,
            stone => Some(Player(stone.trailing_zeros() as u8)),
        }
    }

    /// What a stone on the empty `point` would meet.
    #[inline]
    #[must_use]
    pub fn contact(&self, board: &Board<N>, point: usize) -> Contact {
        let near = board.near[point].map(usize::from);
        let g = near.map(|n| self.group[n]);
        let same = |i: usize, j: usize| u16::from(g[i] == g[j]);
        let (ab, ac, ad, bc, bd, cd) =
            (same(0, 1), same(0, 2), same(0, 3), same(1, 2), same(1, 3), same(2, 3));
        // How many of the four are in the same group as this one.
        let touching = [1 + ab + ac + ad, 1 + ab + bc + bd, 1 + ac + bc + cd, 1 + ad + bd + cd];
        let mut contact = Contact { live: 0, dead: 0 };
        for i in 0..4 {
            let kind = self.kind[near[i]];
            // All ones where the group would have no liberty left. There is no branch: play is random, so none
            // could be predicted.
            let dead = u8::from(self.liberties[usize::from(g[i])] == touching[i]).wrapping_neg();
            contact.dead |= kind & dead;
            contact.live |= kind & !dead;
        }
        contact
    }

    /// Puts a stone of `player` on the empty `point`.
    #[inline]
    pub fn place(&mut self, board: &Board<N>, point: usize, player: Player) {
        let near = board.near[point].map(usize::from);
        let own = 1 << player.0;
        let mut free = 0;
        for n in near {
            free += u16::from(self.kind[n] == EMPTY);
            let count = &mut self.liberties[usize::from(self.group[n])];
            *count = count.wrapping_sub(1);
        }
        // Neighbours without a stone have taken from the group that does not exist.
        self.liberties[N - 1] = PLENTY;
        let mut name = point as u16;
        self.liberties[point] = free;
        for n in near {
            let other = self.group[n];
            if self.kind[n] == own && other != name {
                let gained = self.liberties[usize::from(name)];
                self.liberties[usize::from(other)] += gained;
                // The stone itself is named at the end.
                if name != point as u16 {
                    self.rename(name, other);
                }
                name = other;
            }
        }
        self.kind[point] = own;
        self.group[point] = name;
    }

    /// A pass over the whole array is a handful of vector instructions on small boards, quicker than any list of stones.
    #[inline]
    fn rename(&mut self, from: u16, to: u16) {
        for name in &mut self.group {
            *name = if *name == from { to } else { *name };
        }
    }

    /// Takes the stones into a hash.
    #[must_use]
    pub fn hash(&self, board: &Board<N>, hasher: Hasher) -> Hasher {
        hasher.bytes(&self.kind[..board.points()])
    }
}
