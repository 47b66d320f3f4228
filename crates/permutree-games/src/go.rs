//! Go.
//!
//! Rules: area scoring, which counts stones and the points that only one colour reaches, so dead stones must be captured
//! before the game ends; no suicide; positional superko; a pass is always legal, and two in a row end the game.
//!
//! Random games could be very long, so the board is scored as it stands at a limit of plies. Random play never fills its
//! own eyes and passes only without another move. It is not uniform over the legal moves, which would leave no group
//! alive.

mod eyes;
mod past;

use crate::parts::bits::Bits;
use crate::parts::groups::{Board, Groups, Rings, Sides};
use eyes::Eyes;
use past::Past;
use permutree_game::draw::{GoBoard, go_letter};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board of at most `N - 2` points in `W` words: size 5 fits in `<32, 1>`, 7 in `<64, 1>`, 11 in
/// `<128, 2>`, 13 in `<192, 3>`, 19 in `<384, 6>`.
#[derive(Clone, Debug)]
pub struct Go<const N: usize = 128, const W: usize = 2> {
    board: Board<N>,
    /// Twice the komi.
    komi: i32,
    /// The ply at which the game ends.
    plies: u32,
    /// Whether players are rewarded for points and not only for the win.
    points: bool,
    /// A random word for a stone of each player on each point.
    words: [[u64; N]; 2],
}

/// The stones, and the history for superko.
#[derive(Debug)]
pub struct Position<const N: usize, const W: usize> {
    now: Now<N, W>,
    past: Past<W>,
}

/// `clone_from` reuses the memory of the history.
impl<const N: usize, const W: usize> Clone for Position<N, W> {
    fn clone(&self) -> Self {
        Self { now: self.now, past: self.past.clone() }
    }

    #[inline]
    fn clone_from(&mut self, other: &Self) {
        self.now = other.now;
        self.past.clone_from(&other.past);
    }
}

/// What is on the board, and whose turn it is.
#[derive(Clone, Copy, Debug)]
struct Now<const N: usize, const W: usize> {
    groups: Groups<N>,
    rings: Rings<N>,
    eyes: Eyes<N>,
    empty: Bits<W>,
    /// The points where a stone was captured. A stone elsewhere cannot repeat a board: no earlier one has a stone there.
    vacated: Bits<W>,
    /// The xor of the words of all stones.
    stones: u64,
    player: Player,
    /// Passes in a row.
    passes: u8,
    ply: u32,
}

/// A stone or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A stone on this point.
    Stone(u16),
    /// No stone.
    Pass,
}

impl Configure for Go {
    const FACTS: Facts = Facts {
        name: "go",
        title: "Go",
        rules: "Players take turns placing a stone or passing. Groups without a liberty are captured. Suicide and repeating \
                an earlier board are illegal. After two passes the larger area wins: stones and the points they surround.",
        source: "traditional, China; area scoring and positional superko as in the Chinese and Tromp-Taylor rules",
        params: &[
            Param::int("size", 2, 19, "9", "points per side"),
            Param::real("komi", -361.0, 361.0, "7.5", "points for white, a multiple of 0.5"),
            Param::int(
                "plies",
                0,
                100_000,
                "0",
                "plies after which the board is scored as it stands; 0 for 3 * size * size",
            ),
            Param::choice(
                "reward",
                &["win", "points"],
                "win",
                "win: 1 for the winner; points: 1/2 plus half the lead as a share of the board",
            ),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (size, komi) = (args.int("size"), args.real("komi"));
        if (2.0 * komi).fract() != 0.0 {
            return Err(args.refuse("komi", "must be a multiple of 0.5"));
        }
        let plies = match args.int("plies") {
            0 => 3 * size * size,
            plies => plies,
        } as u32;
        let points = args.text("reward") == "points";
        Ok(match size {
            ..=5 => visitor.visit(Go::<32, 1>::new(size, komi, plies, points)),
            6..=7 => visitor.visit(Go::<64, 1>::new(size, komi, plies, points)),
            8..=11 => visitor.visit(Go::<128, 2>::new(size, komi, plies, points)),
            12..=13 => visitor.visit(Go::<192, 3>::new(size, komi, plies, points)),
            _ => visitor.visit(Go::<384, 6>::new(size, komi, plies, points)),
        })
    }
}

impl<const N: usize, const W: usize> Go<N, W> {
    /// The game on `size * size` points, scored after at most `plies` plies. With `points` the reward is not 1 for the
    /// winner, but 1/2 plus half the lead as a share of the board.
    ///
    /// # Panics
    /// If the size is not in 2..=19, the points do not fit in `N - 2` and in `W` words, or komi is not a multiple of 0.5
    /// in -361..=361.
    #[must_use]
    pub fn new(size: usize, komi: f64, plies: u32, points: bool) -> Self {
        assert!((2..=19).contains(&size) && size * size <= 64 * W, "size {size} in {W} words");
        assert!((-361.0..=361.0).contains(&komi) && (2.0 * komi).fract() == 0.0, "komi {komi}");
        let word = |player: usize, point: usize| Hasher::new().word((player * N + point) as u64).finish();
        Self {
            board: Board::lettered(size, go_letter),
            komi: (2.0 * komi) as i32,
            plies,
            points,
            words: [0, 1].map(|player| std::array::from_fn(|point| word(player, point))),
        }
    }

    #[inline]
    fn is_over(&self, now: &Now<N, W>) -> bool {
        now.passes == 2 || now.ply >= self.plies
    }

    /// Puts a stone on the empty `point` with these sides, where it is legal, and passes the stones that it captures to
    /// `taken`. Leaves `empty` to the caller.
    #[inline(always)]
    fn place(
        &self,
        Position { now, past }: &mut Position<N, W>,
        point: usize,
        sides: Sides,
        mut taken: impl FnMut(usize),
    ) {
        let (player, other) = (now.player, now.player.other());
        let rings = &mut now.rings;
        now.groups.put(point, player, sides, |a, b| rings.join(a, b));
        now.eyes.add(&self.board, point, player);
        now.stones ^= self.words[player.index()][point];
        if sides.contact().captures(player) {
            let words = &self.words[other.index()];
            now.groups.capture(&self.board, rings, point, player, &sides, |stone| {
                now.stones ^= words[stone];
                now.eyes.remove(&self.board, stone, other);
                now.vacated.insert(stone);
                taken(stone);
            });
        }
        past.insert(now.stones);
        now.passes = 0;
        Self::next(now);
    }

    /// The xor of the words of all stones after one on the empty `point` with these sides.
    #[inline]
    fn after(&self, now: &Now<N, W>, point: usize, sides: &Sides) -> u64 {
        let mut stones = now.stones ^ self.words[now.player.index()][point];
        if sides.contact().captures(now.player) {
            let words = &self.words[now.player.other().index()];
            let taken = |taken: usize| stones ^= words[taken];
            Groups::captured(&self.board, &now.rings, point, now.player, sides, taken);
        }
        stones
    }

    /// Whether a stone on the empty `point` with these sides is legal.
    #[inline]
    fn is_legal(&self, Position { now, past }: &Position<N, W>, point: usize, sides: &Sides) -> bool {
        sides.contact().survives(now.player)
            && !(now.vacated.contains(point) && past.contains(self.after(now, point, sides)))
    }

    /// Whether random play may place a stone on the empty `point`: the move is legal and fills no eye.
    #[inline]
    fn is_sensible(&self, position: &Position<N, W>, point: usize) -> bool {
        let Now { ref groups, ref eyes, player, .. } = position.now;
        let sides = groups.sides(&self.board, point);
        let fills_eye = sides.contact().fills(player) && eyes.is_eye(point, player);
        !fills_eye && self.is_legal(position, point, &sides)
    }

    /// Whether the empty `point` is known to be an eye, where random play places no stone: its owner spares it, and for the
    /// other player it is suicide.
    #[inline(always)]
    fn is_eye(&self, now: &Now<N, W>, point: usize) -> bool {
        let Some(owner) = now.eyes.closed(point) else { return false };
        let safe = (owner == now.player) | !now.groups.may_be_in_atari(&self.board, point);
        now.eyes.is_eye(point, owner) & safe
    }

    fn pass(now: &mut Now<N, W>) {
        now.passes += 1;
        Self::next(now);
    }

    #[inline]
    fn next(now: &mut Now<N, W>) {
        now.player = now.player.other();
        now.ply += 1;
    }

    #[inline]
    fn code_of(&self, player: Player, mv: Move) -> Code {
        let points = self.board.points();
        let index = match mv {
            Move::Stone(point) => usize::from(point),
            Move::Pass => points,
        };
        (player.index() * (points + 1) + index) as Code
    }
}

impl<const N: usize, const W: usize> Game for Go<N, W> {
    type Position = Position<N, W>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Self::Position {
        let now = Now {
            groups: Groups::new(&self.board),
            rings: Rings::default(),
            eyes: Eyes::new(&self.board),
            empty: (0..self.board.points()).collect(),
            vacated: Bits::EMPTY,
            stones: 0,
            player: Player(0),
            passes: 0,
            ply: 0,
        };
        Position { now, past: Past::EMPTY }
    }

    #[inline]
    fn turn(&self, position: &Self::Position) -> Turn {
        if self.is_over(&position.now) { Turn::Over } else { Turn::Player(position.now.player) }
    }

    fn moves(&self, position: &Self::Position, out: &mut Vec<Move>) {
        if self.is_over(&position.now) {
            return;
        }
        let sides = |point| position.now.groups.sides(&self.board, point);
        let legal = |&point: &usize| self.is_legal(position, point, &sides(point));
        let points = position.now.empty.iter().filter(legal);
        out.extend(points.map(|point| Move::Stone(point as u16)));
        out.push(Move::Pass);
    }

    fn play(&self, position: &mut Self::Position, mv: Move) {
        match mv {
            Move::Stone(point) => {
                let point = usize::from(point);
                let sides = position.now.groups.sides(&self.board, point);
                debug_assert!(
                    self.is_legal(position, point, &sides),
                    "{} is illegal",
                    self.board.name(point as u16)
                );
                let mut captured = Bits::EMPTY;
                self.place(position, point, sides, |stone| captured.insert(stone));
                position.now.empty.remove(point);
                position.now.empty |= captured;
            }
            Move::Pass => Self::pass(&mut position.now),
        }
    }

    fn rewards(&self, position: &Self::Position) -> Rewards {
        let Now { groups, empty, .. } = &position.now;
        let [black, white, _] = groups.areas(&self.board, *empty).map(|area| 2 * area as i32);
        if self.points {
            let board = f64::from(4 * self.board.points() as u32);
            let share = (0.5 + f64::from(black - white - self.komi) / board).clamp(0.0, 1.0);
            return Rewards::from_slice(&[share, 1.0 - share]);
        }
        Rewards::highest(&[black, white + self.komi])
    }

    fn hash(&self, position: &Self::Position) -> u64 {
        let Position { now, past } = position;
        let turn = u64::from(now.ply) << 16 | u64::from(now.passes) << 8 | u64::from(now.player.0);
        Hasher::new().word(turn).word(now.stones).word(past.hash()).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * (self.board.points() + 1)
    }

    #[inline]
    fn code(&self, position: &Self::Position, mv: Move, _coding: usize) -> Code {
        self.code_of(position.now.player, mv)
    }

    fn move_text(&self, _position: &Self::Position, mv: Move) -> String {
        match mv {
            Move::Stone(point) => self.board.name(point),
            Move::Pass => "pass".to_string(),
        }
    }

    fn board(&self, position: &Self::Position, last: Option<Move>) -> String {
        self.board.text(&position.now.groups, stone_of(last))
    }

    fn picture(&self, position: &Self::Position, last: Option<Move>) -> String {
        self.board.picture(&position.now.groups, stone_of(last))
    }

    fn colours(&self) -> &'static [&'static str] {
        &GoBoard::STONES
    }

    /// The legal points that are not eyes of the player, or a pass if there are none.
    fn playout_moves(&self, position: &Self::Position, out: &mut Vec<Move>) {
        if self.is_over(&position.now) {
            return;
        }
        let points = position.now.empty.iter().filter(|&point| self.is_sensible(position, point));
        out.extend(points.map(|point| Move::Stone(point as u16)));
        if out.is_empty() {
            out.push(Move::Pass);
        }
    }

    /// Uniform over [`Game::playout_moves`].
    fn random_move(
        &self,
        position: &Self::Position,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
    ) -> Option<Move> {
        if self.is_over(&position.now) {
            return None;
        }
        let mut left = position.now.empty;
        while let Some(point) = left.draw(rng) {
            if self.is_sensible(position, point) {
                return Some(Move::Stone(point as u16));
            }
            left.remove(point);
        }
        Some(Move::Pass)
    }

    fn move_of_merit(
        &self,
        position: &Self::Position,
        coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        if self.is_over(&position.now) {
            return None;
        }
        let first = self.code(position, Move::Stone(0), coding);
        let sensible = |point| self.is_sensible(position, point);
        let found = position.now.empty.draw_greatest(rng, |point| merit(first + point as Code), sensible);
        Some(found.map_or(Move::Pass, |point| Move::Stone(point as u16)))
    }

    /// Draws empty points until one may be played, which is uniform over those. Refused points are candidates again at the
    /// next ply.
    fn playout<R: Recorder>(
        &self,
        position: &mut Self::Position,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        let (mut open, mut len) = ([0u16; N], 0);
        for point in position.now.empty.iter() {
            open[len] = point as u16;
            len += 1;
        }
        while !self.is_over(&position.now) {
            let player = position.now.player;
            let words = &self.words[player.index()];
            // The points refused at this ply are behind the others.
            let mut refused = 0;
            let found = loop {
                let Position { now, past } = &mut *position;
                if len == 0 {
                    break None;
                }
                let place = rng.below(len);
                let point = usize::from(open[place]);
                if !self.is_eye(now, point) {
                    let sides = now.groups.sides(&self.board, point);
                    let contact = sides.contact();
                    let stones = now.stones ^ words[point];
                    // Mostly one branch, since each would be hard to predict.
                    let survives = contact.breathes(player) | contact.captures(player);
                    let refuse = !survives | (contact.fills(player) & now.eyes.is_eye(point, player));
                    let repeats =
                        now.vacated.contains(point) & (contact.captures(player) | past.may_contain(stones));
                    if !(refuse | repeats) || !refuse && !past.contains(self.after(now, point, &sides)) {
                        break Some((place, point, sides));
                    }
                    now.eyes.close(point, player, contact.fills(player));
                    now.eyes.close(point, player.other(), contact.fills(player.other()));
                }
                len -= 1;
                open.swap(place, len);
                refused += 1;
            };
            len += refused;
            let Some((place, point, sides)) = found else {
                if R::RECORDS {
                    recorder.record(player, self.code_of(player, Move::Pass));
                }
                Self::pass(&mut position.now);
                continue;
            };
            len -= 1;
            open[place] = open[len];
            self.place(position, point, sides, |stone| {
                open[len] = stone as u16;
                len += 1;
            });
            if R::RECORDS {
                recorder.record(player, self.code_of(player, Move::Stone(point as u16)));
            }
        }
        position.now.empty = open[..len].iter().map(|&point| usize::from(point)).collect();
    }
}

fn stone_of(mv: Option<Move>) -> Option<u16> {
    match mv? {
        Move::Stone(point) => Some(point),
        Move::Pass => None,
    }
}
