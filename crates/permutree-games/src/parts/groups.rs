//! Groups of stones and their liberties on a square board, for Go, Atarigo and Nogo.
//!
//! Liberties are counted once per adjacent stone (pseudo-liberties, as in fast Go programs): a point that touches three
//! stones of a group counts three times. The count is zero exactly if the true one is, joining groups adds their counts, and
//! `point` is a group's only liberty exactly if the count equals the number of its stones that touch `point`. So one small
//! number per group answers every question of these games.

use super::bits::Bits;
use permutree_game::draw::{GoBoard, STONES, column_letter, lettered_grid};
use permutree_game::{Code, Hasher, Player, Rng};

/// The kind of an empty point. A stone of player `p` is `1 << p`, a point off the board is 0.
const EMPTY: u16 = 8;

/// A group is one number: its kind from bit [`KIND`] up, and below it [`NONE`] plus its liberties, so that bit
/// [`ALIVE`] is set exactly when it has any. A 19x19 board has 684 pairs of neighbours, so the count fits. The highest
/// bit, [`FREE`], is that of empty points.
const KIND: u32 = 12;
const FREE: u32 = 15;
const ALIVE: u32 = 11;
const NONE: u16 = (1 << ALIVE) - 1;
const COUNT: u16 = (1 << KIND) - 1;

/// The liberties of what is not a group: more than a point touches, so that it never seems in danger.
const PLENTY: u16 = NONE + 100;

/// The points of a square board and their neighbours. `N` is at least two more than the points: slot
/// `N - 1` is off the board.
#[derive(Clone, Debug)]
pub struct Board<const N: usize> {
    size: usize,
    /// The letters of the columns.
    letter: fn(usize) -> char,
    near: [[u16; 4]; N],
}

impl<const N: usize> Board<N> {
    /// The board with `size * size` points.
    ///
    /// # Panics
    /// If that is more than `N - 2`.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self::lettered(size, column_letter)
    }

    /// As [`Board::new`], with other column letters.
    ///
    /// # Panics
    /// As [`Board::new`].
    #[must_use]
    pub fn lettered(size: usize, letter: fn(usize) -> char) -> Self {
        assert!(size * size + 2 <= N, "{size}x{size} points in {N} slots");
        let off = (N - 1) as u16;
        let mut near = [[off; 4]; N];
        for (point, near) in near.iter_mut().enumerate().take(size * size) {
            let (column, row) = (point % size, point / size);
            let inside = [row > 0, column > 0, column + 1 < size, row + 1 < size];
            // Wraps around where it is outside, and is not used there.
            let there = [point.wrapping_sub(size), point.wrapping_sub(1), point + 1, point + size];
            for i in 0..4 {
                near[i] = if inside[i] { there[i] as u16 } else { off };
            }
        }
        Self { size, letter, near }
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
        format!("{}{}", (self.letter)(column), row + 1)
    }

    /// A random point, uniformly, among those that fit. Never returns if there is none.
    #[inline]
    pub fn draw(&self, rng: &mut Rng, fits: impl Fn(usize) -> bool) -> u16 {
        loop {
            let point = rng.below(self.points());
            if fits(point) {
                return point as u16;
            }
        }
    }

    /// The code of a stone of `player`, in games with one code per player and point.
    #[inline]
    #[must_use]
    pub fn code(&self, player: Player, point: u16) -> Code {
        (player.index() * self.points() + usize::from(point)) as Code
    }

    /// As [`Bits::draw_greatest`] among `points`, by the merit of their codes for `player`.
    #[inline]
    pub fn draw_greatest<const W: usize>(
        &self,
        rng: &mut Rng,
        points: Bits<W>,
        player: Player,
        merit: impl Fn(Code) -> f64,
        fits: impl Fn(usize) -> bool,
    ) -> Option<u16> {
        let merit = |point| merit(self.code(player, point as u16));
        points.draw_greatest(rng, merit, fits).map(|point| point as u16)
    }

    /// The stones as text.
    #[must_use]
    pub fn text(&self, groups: &Groups<N>, last: Option<u16>) -> String {
        let last = last.map(|point| self.column_and_row(point));
        lettered_grid(self.size, self.size, 0, last, self.letter, |column, row| {
            groups.owner(row * self.size + column).map_or('.', |player| STONES[player.index()])
        })
    }

    /// The stones on a Go board.
    #[must_use]
    pub fn picture(&self, groups: &Groups<N>, last: Option<u16>) -> String {
        let mut board = GoBoard::lettered(self.size, self.letter);
        for point in 0..self.points() {
            if let Some(player) = groups.owner(point) {
                board.stone(point % self.size, point / self.size, player);
            }
        }
        board.finish(last.map(|point| self.column_and_row(point)))
    }

    fn column_and_row(&self, point: u16) -> (usize, usize) {
        (usize::from(point) % self.size, usize::from(point) / self.size)
    }
}

/// The neighbours of a new stone, as sets of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Empty neighbours, and groups that keep a liberty.
    live: u32,
    /// Groups that lose their last liberty.
    dead: u32,
}

impl Contact {
    /// The contact from the group numbers on four sides, after the stone has taken their liberty.
    #[inline]
    fn new(sides: [u32; 4]) -> Self {
        let [a, b, c, d] = sides;
        // Most stones leave all groups around them alive.
        if a & b & c & d & 1 << ALIVE != 0 {
            return Self { live: (a | b | c | d) >> KIND, dead: 0 };
        }
        let (mut live, mut dead) = (0, 0);
        for side in sides {
            // The group's number if it is alive, else 0, without an unpredictable branch.
            let alive = side & (side >> ALIVE & 1).wrapping_neg();
            live |= alive;
            dead |= side ^ alive;
        }
        Self { live: live >> KIND, dead: dead >> KIND }
    }

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
        self.live & (1 << player.0 | u32::from(EMPTY)) != 0
    }

    /// Whether a stone of `player` is not suicide.
    #[inline]
    #[must_use]
    pub fn survives(self, player: Player) -> bool {
        self.breathes(player) || self.captures(player)
    }

    /// Whether all neighbours are stones of `player`.
    #[inline]
    #[must_use]
    pub fn fills(self, player: Player) -> bool {
        (self.live | self.dead) & !(1 << player.0) == 0
    }
}

/// The stones on a board of at most `N - 2` points, and their groups.
#[derive(Clone, Copy, Debug)]
pub struct Groups<const N: usize> {
    /// For each stone the name of its group, which is the point of one of the group's stones; `N - 2` for empty points and
    /// `N - 1` off the board.
    name: [u16; N],
    /// The kind and the pseudo-liberties of a group, by its name.
    group: [u16; N],
}

impl<const N: usize> Groups<N> {
    /// No stones.
    #[must_use]
    pub fn new(board: &Board<N>) -> Self {
        let mut name = [(N - 1) as u16; N];
        name[..board.points()].fill((N - 2) as u16);
        let mut groups = Self { name, group: [0; N] };
        groups.restore();
        groups
    }

    /// Restores the two pseudo-groups of empty points and of points off the board, after changes to their liberties.
    #[inline]
    fn restore(&mut self) {
        self.group[N - 2] = EMPTY << KIND | PLENTY;
        self.group[N - 1] = PLENTY;
    }

    #[inline]
    fn kind(&self, point: usize) -> u16 {
        self.group[usize::from(self.name[point])] >> KIND
    }

    /// The owner of the stone on a point.
    #[must_use]
    pub fn owner(&self, point: usize) -> Option<Player> {
        match self.kind(point) {
            0 | EMPTY => None,
            stone => Some(Player(stone.trailing_zeros() as u8)),
        }
    }

    /// Adds the stones to a hash.
    #[must_use]
    pub fn hash(&self, board: &Board<N>, mut hasher: Hasher) -> Hasher {
        for start in (0..board.points()).step_by(16) {
            let points = start..board.points().min(start + 16);
            hasher = hasher.word(points.fold(0, |word, point| word << 4 | u64::from(self.kind(point))));
        }
        hasher
    }

    /// The contact of a stone on the empty `point`.
    #[inline]
    #[must_use]
    pub fn contact(&self, board: &Board<N>, point: usize) -> Contact {
        let near = &board.near[point];
        let name = sides(|i| self.name[usize::from(near[i])]);
        Contact::new(sides(|i| {
            let touching: u32 = name.iter().map(|&other| u32::from(other == name[i])).sum();
            u32::from(self.group[usize::from(name[i])]) - touching
        }))
    }

    /// Puts a stone of `player` on the empty `point` and returns its contact; `None` if `allows` refuses it. `allows` sees the
    /// board without the stone, but with its liberty already taken from the adjacent groups.
    ///
    /// Agrees with [`Groups::contact`], but takes the liberty first and returns it if refused, which is rare in random play.
    #[inline]
    pub fn place(
        &mut self,
        board: &Board<N>,
        point: usize,
        player: Player,
        allows: impl FnOnce(&Self, Contact) -> bool,
    ) -> Option<Contact> {
        let near = &board.near[point];
        let name = sides(|i| usize::from(self.name[usize::from(near[i])]));
        for name in name {
            self.group[name] -= 1;
        }
        let side = sides(|i| u32::from(self.group[name[i]]));
        let contact = Contact::new(side);
        if !allows(self, contact) {
            for name in name {
                self.group[name] += 1;
            }
            return None;
        }
        self.restore();
        let own = 1 << (KIND + u32::from(player.0));
        self.group[point] = own as u16 | NONE;
        // The stone joins the last adjacent group of its own, if there is one, again without a branch.
        let mut joined = point;
        for i in 0..4 {
            joined = if side[i] & own != 0 { name[i] } else { joined };
        }
        let free: u32 = side.iter().map(|side| side >> FREE).sum();
        self.name[point] = joined as u16;
        self.group[joined] += free as u16;
        // Other adjacent groups of the same kind.
        let mut apart = 0;
        for i in 0..4 {
            apart |= if name[i] != joined { side[i] } else { 0 };
        }
        if apart & own != 0 {
            self.merge(own, name, joined);
        }
        Some(contact)
    }

    /// Whether an empty point surrounded by stones of `player` looks like an eye: at most one diagonal neighbour is an enemy
    /// stone, or none at the edge. Then the stones around it are connected, or can be.
    #[inline]
    #[must_use]
    pub fn is_eye(&self, board: &Board<N>, point: usize, player: Player) -> bool {
        let [down, _, _, up] = board.near[point].map(|near| &board.near[usize::from(near)]);
        let corners = [down[1], down[2], up[1], up[2]];
        let others = !(EMPTY | 1 << player.0);
        let count: usize =
            corners.iter().map(|&corner| usize::from(self.kind(usize::from(corner)) & others != 0)).sum();
        count + usize::from(corners.contains(&((N - 1) as u16))) < 2
    }

    /// Removes the enemy groups next to `point` that have no liberty, and passes each of their points to `taken`.
    ///
    /// Every neighbour of such a point gains a liberty. So do the two pseudo-groups, which are restored at the end; each of the
    /// 684 pairs of neighbours counts at most twice, so the counts fit.
    #[inline(never)]
    pub fn capture(&mut self, board: &Board<N>, point: usize, player: Player, mut taken: impl FnMut(usize)) {
        let mut stack = [0; N];
        for first in board.near[point] {
            let name = self.name[usize::from(first)];
            let group = self.group[usize::from(name)];
            if group >> ALIVE & 1 == 1 || group >> KIND == 1 << player.0 {
                continue;
            }
            self.name[usize::from(first)] = (N - 2) as u16;
            stack[0] = first;
            let mut height = 1;
            while height > 0 {
                height -= 1;
                let point = usize::from(stack[height]);
                taken(point);
                for next in board.near[point] {
                    let other = &mut self.name[usize::from(next)];
                    if *other == name {
                        *other = (N - 2) as u16;
                        stack[height] = next;
                        height += 1;
                    } else {
                        self.group[usize::from(*other)] += 1;
                    }
                }
            }
        }
        self.restore();
    }

    /// The area of each player: the points with stones, and the empty points that reach only stones of that player.
    #[must_use]
    pub fn areas(&self, board: &Board<N>) -> [usize; 3] {
        let mut areas = [0; 3];
        let mut add = |kinds: u16, points: usize| {
            if kinds.is_power_of_two() {
                areas[kinds.trailing_zeros() as usize] += points;
            }
        };
        let (mut seen, mut stack) = ([false; N], [0; N]);
        for first in 0..board.points() {
            let kind = self.kind(first);
            if kind != EMPTY {
                add(kind, 1);
                continue;
            }
            if seen[first] {
                continue;
            }
            seen[first] = true;
            stack[0] = first as u16;
            let (mut height, mut points, mut kinds) = (1, 0, 0);
            while height > 0 {
                height -= 1;
                points += 1;
                for next in board.near[usize::from(stack[height])] {
                    let kind = self.kind(usize::from(next));
                    if kind != EMPTY {
                        kinds |= kind;
                    } else if !std::mem::replace(&mut seen[usize::from(next)], true) {
                        stack[height] = next;
                        height += 1;
                    }
                }
            }
            add(kinds, points);
        }
        areas
    }

    /// Merges the groups among `names` of kind `own` into the group `to`.
    ///
    /// A pass over all names is a few vector instructions on small boards, faster than any list of stones.
    #[inline(never)]
    fn merge(&mut self, own: u32, names: [usize; 4], to: usize) {
        for from in names {
            if from != to && u32::from(self.group[from]) & own != 0 {
                self.group[to] += (self.group[from] & COUNT) - NONE;
                // The name is free now, and may occur again in this loop.
                self.group[from] = 0;
                for name in &mut self.name {
                    *name = if *name == from as u16 { to as u16 } else { *name };
                }
            }
        }
    }
}

/// One value for each side of a point. `[_; 4]::map` does not compile to straight-line code if the closure can panic.
#[inline(always)]
fn sides<T>(value: impl Fn(usize) -> T) -> [T; 4] {
    [value(0), value(1), value(2), value(3)]
}
