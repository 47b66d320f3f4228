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
    /// The diagonal neighbours.
    corners: [[u16; 4]; N],
    /// A neighbour on the board.
    inner: [u16; N],
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
        let corners = near.map(|[down, _, _, up]| {
            let [down, up] = [down, up].map(|row| near[usize::from(row)]);
            [down[1], down[2], up[1], up[2]]
        });
        let inner = near.map(|[down, _, _, up]| if usize::from(up) == N - 1 { down } else { up });
        Self { size, letter, near, corners, inner }
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

    /// The neighbours of a point; `N - 1` for those off the board.
    #[inline(always)]
    #[must_use]
    pub fn near(&self, point: usize) -> [usize; 4] {
        let near = &self.near[point];
        sides(|i| usize::from(near[i]))
    }

    /// The diagonal neighbours of a point; `N - 1` for those off the board.
    #[inline(always)]
    #[must_use]
    pub fn corners(&self, point: usize) -> [usize; 4] {
        let corners = &self.corners[point];
        sides(|i| usize::from(corners[i]))
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

/// The four sides of an empty point.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// The names of the groups.
    name: [u16; 4],
    /// Their numbers after a stone on the point has taken its liberties, in 16 bits each.
    groups: u64,
}

impl Sides {
    /// Passes to `each` one side of every group that a stone of `player` captures, mostly one.
    #[inline(always)]
    fn each_captured(&self, player: Player, mut each: impl FnMut(usize)) {
        let other = KIND + 1 - u32::from(player.0);
        let mut dead = self.groups << (15 - other) & !self.groups << (15 - ALIVE) & HIGH;
        while dead != 0 {
            let side = dead.trailing_zeros() as usize / 16;
            dead &= differing(lanes(self.name), self.name[side]);
            each(side);
        }
    }

    /// The contact of a stone on the point.
    #[inline(always)]
    #[must_use]
    pub fn contact(&self) -> Contact {
        let alive = (self.groups >> ALIVE & ONES) * 0xFFFF;
        let kinds = |groups: u64| {
            let pairs = groups | groups >> 32;
            (pairs | pairs >> 16) as u32 >> KIND & 15
        };
        Contact { live: kinds(self.groups & alive), dead: kinds(self.groups & !alive) }
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

    /// Whether an eye may be the last liberty of a group next to it. Such a group is connected around the eye, so that any
    /// stone next to it tells.
    #[inline(always)]
    #[must_use]
    pub fn may_be_in_atari(&self, board: &Board<N>, eye: usize) -> bool {
        self.group[usize::from(self.name[usize::from(board.inner[eye])])] & COUNT <= NONE + 4
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

    /// Puts a stone of `player` on the empty `point` and returns its contact; `None` if `allows` refuses it. A stone takes its
    /// liberties first and returns them if refused, so refusals must be rare.
    #[inline]
    pub fn place(
        &mut self,
        board: &Board<N>,
        point: usize,
        player: Player,
        allows: impl FnOnce(Contact) -> bool,
    ) -> Option<Contact> {
        let near = &board.near[point];
        let name = sides(|i| usize::from(self.name[usize::from(near[i])]));
        for name in name {
            self.group[name] -= 1;
        }
        let side = sides(|i| u32::from(self.group[name[i]]));
        let contact = Contact::new(side);
        if !allows(contact) {
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
            for from in name {
                if from != joined && u32::from(self.group[from]) & own != 0 {
                    self.merge(from, joined);
                }
            }
        }
        Some(contact)
    }

    /// The four sides of the empty `point`.
    #[inline(always)]
    #[must_use]
    pub fn sides(&self, board: &Board<N>, point: usize) -> Sides {
        let near = &board.near[point];
        let name = sides(|i| self.name[usize::from(near[i])]);
        let names = lanes(name);
        // The highest bit of a lane is set where it differs from another lane; names are smaller.
        let differs = |by: u32| ((names ^ names.rotate_left(by)) + (HIGH - ONES)) >> 15 & ONES;
        let others = differs(16) + differs(32) + differs(48);
        let groups = lanes(sides(|i| self.group[usize::from(name[i])]));
        Sides { name, groups: groups + others - 4 * ONES }
    }

    /// Puts a stone of `player` on the empty `point` with these sides. Whenever the stone joins a group and that one another,
    /// `joins` gets a point of each.
    #[inline(always)]
    pub fn put(
        &mut self,
        point: usize,
        player: Player,
        Sides { name, groups }: Sides,
        mut joins: impl FnMut(usize, usize),
    ) {
        let kind = KIND + u32::from(player.0);
        for (i, &name) in name.iter().enumerate() {
            // The same number for every side of a group, so that no write waits for another.
            self.group[usize::from(name)] = (groups >> (16 * i)) as u16;
        }
        self.restore();
        self.group[point] = 1 << kind | NONE;
        // The stone joins the last adjacent group of its own, if there is one, again without a branch.
        let mut joined = point;
        for (i, &name) in name.iter().enumerate() {
            let own = (groups >> (16 * i + kind as usize) & 1).wrapping_neg();
            joined ^= (joined ^ usize::from(name)) & own as usize;
        }
        let free = (groups >> FREE & ONES).wrapping_mul(ONES) >> 48;
        self.group[joined] += free as u16;
        joins(point, joined);
        // Other adjacent groups of the same kind, mostly one: a loop over the sides would be hard to predict.
        let mut apart = groups << (15 - kind) & differing(lanes(name), joined as u16);
        while apart != 0 {
            let from = name[apart.trailing_zeros() as usize / 16];
            apart &= differing(lanes(name), from);
            self.merge(usize::from(from), joined);
            joins(usize::from(from), joined);
        }
        // Last: wide reads of a merge right after a narrow write would wait for it.
        self.name[point] = joined as u16;
    }

    /// Passes to `taken` each stone that a stone of `player` on the empty `point` with these sides captures.
    pub fn captured(
        board: &Board<N>,
        rings: &Rings<N>,
        point: usize,
        player: Player,
        sides: &Sides,
        mut taken: impl FnMut(usize),
    ) {
        sides.each_captured(player, |side| rings.each(usize::from(board.near[point][side]), &mut taken));
    }

    /// Removes the enemy groups next to `point` that have no liberty, and passes each of their points to `taken`.
    ///
    /// Every neighbour of such a point gains a liberty. So do the captured groups, which are gone, and the two pseudo-groups,
    /// which are restored at the end; each of the 684 pairs of neighbours counts at most twice, so the counts fit.
    #[inline(never)]
    pub fn capture(
        &mut self,
        board: &Board<N>,
        rings: &mut Rings<N>,
        point: usize,
        player: Player,
        sides: &Sides,
        mut taken: impl FnMut(usize),
    ) {
        sides.each_captured(player, |side| {
            rings.open(usize::from(board.near[point][side]), |point| {
                self.name[point] = (N - 2) as u16;
                for next in board.near[point] {
                    self.group[usize::from(self.name[usize::from(next)])] += 1;
                }
                taken(point);
            });
        });
        self.restore();
    }

    /// The area of each player: the points with stones, and the empty points that reach only stones of that player.
    #[must_use]
    pub fn areas<const W: usize>(&self, board: &Board<N>, empty: Bits<W>) -> [usize; 3] {
        let mut areas = [0; 16];
        for &name in &self.name[..board.points()] {
            areas[usize::from(self.group[usize::from(name)] >> KIND)] += 1;
        }
        let (mut left, mut stack) = (empty, [0; N]);
        for first in empty.iter() {
            // Most empty points are eyes.
            let near = sides(|i| self.kind(usize::from(board.near[first][i])));
            let mut kinds = near.into_iter().fold(0, |kinds, kind| kinds | kind);
            let mut points = 1;
            if kinds & EMPTY != 0 {
                if !left.contains(first) {
                    continue;
                }
                left.remove(first);
                stack[0] = first as u16;
                let mut height = 1;
                (points, kinds) = (0, 0);
                while height > 0 {
                    height -= 1;
                    points += 1;
                    for next in board.near[usize::from(stack[height])].map(usize::from) {
                        let kind = self.kind(next);
                        if kind != EMPTY {
                            kinds |= kind;
                        } else if left.contains(next) {
                            left.remove(next);
                            stack[height] = next as u16;
                            height += 1;
                        }
                    }
                }
            }
            areas[usize::from(kinds & 15)] += points;
        }
        [areas[1], areas[2], areas[4]]
    }

    /// Merges the group `from` into the group `to`.
    ///
    /// A pass over all names is a few vector instructions on small boards, faster than any list of stones.
    #[inline(never)]
    fn merge(&mut self, from: usize, to: usize) {
        self.group[to] += (self.group[from] & COUNT) - NONE;
        // The name is free now, and no longer of a kind.
        self.group[from] = 0;
        let (from, change) = (from as u16, (from ^ to) as u16);
        for name in &mut self.name {
            *name ^= if *name == from { change } else { 0 };
        }
    }
}

/// The stones of each group as a ring: every stone knows another one, and the last the first.
#[derive(Clone, Copy, Debug)]
pub struct Rings<const N: usize> {
    next: [u16; N],
}

/// Every point is a ring of its own.
impl<const N: usize> Default for Rings<N> {
    fn default() -> Self {
        Self { next: std::array::from_fn(|point| point as u16) }
    }
}

impl<const N: usize> Rings<N> {
    /// Makes one ring of the rings of two points, which are different or the same point.
    #[inline]
    pub fn join(&mut self, a: usize, b: usize) {
        self.next.swap(a, b);
    }

    /// Passes each point of a ring to `each`.
    #[inline]
    fn each(&self, first: usize, mut each: impl FnMut(usize)) {
        let mut point = first;
        loop {
            each(point);
            point = usize::from(self.next[point]);
            if point == first {
                return;
            }
        }
    }

    /// Passes each point of a ring to `each`, and makes it a ring of its own.
    #[inline]
    fn open(&mut self, first: usize, mut each: impl FnMut(usize)) {
        let mut point = first;
        loop {
            let next = std::mem::replace(&mut self.next[point], point as u16);
            each(point);
            point = usize::from(next);
            if point == first {
                return;
            }
        }
    }
}

/// One in each of four lanes of 16 bits.
const ONES: u64 = 0x0001_0001_0001_0001;
/// The highest bits of the lanes.
const HIGH: u64 = ONES << 15;

#[inline(always)]
fn lanes([a, b, c, d]: [u16; 4]) -> u64 {
    u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48
}

/// The highest bits of the lanes of `names` that differ from `name`. Names are smaller than that bit.
#[inline(always)]
fn differing(names: u64, name: u16) -> u64 {
    ((names ^ (u64::from(name) * ONES)) + (HIGH - ONES)) & HIGH
}

/// One value for each side of a point. `[_; 4]::map` does not compile to straight-line code if the closure can panic.
#[inline(always)]
fn sides<T>(value: impl Fn(usize) -> T) -> [T; 4] {
    [value(0), value(1), value(2), value(3)]
}
