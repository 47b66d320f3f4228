//! Boards where stones are placed and stay, and whole random games on them.

use crate::parts::bits::{Bits, Gapless};
use crate::parts::draws::Draws;
use permutree_game::{Code, Hasher, Player, Recorder, Rng, Turn};
use std::ops::Range;

/// The cells of a board: some of the bits of `W` words, numbered in order.
#[derive(Clone, Debug)]
pub struct Cells<const W: usize> {
    count: usize,
    board: Bits<W>,
    /// The bit of each cell; entries beyond the board are unused.
    bits: Table<W>,
    /// The number of the cell at each bit.
    numbers: Table<W>,
    gapless: Gapless,
    /// Each bit as a set.
    masks: [[Bits<W>; 64]; W],
}

/// One entry for each bit of a `Bits<W>`.
type Table<const W: usize> = [[u16; 64]; W];

impl<const W: usize> Cells<W> {
    /// The cells at these bits.
    #[must_use]
    pub fn new(board: Bits<W>) -> Self {
        let (mut bits, mut numbers) = ([[0; 64]; W], [[0; 64]; W]);
        let mut masks = [[Bits::EMPTY; 64]; W];
        for (number, bit) in board.iter().enumerate() {
            bits.as_flattened_mut()[number] = bit as u16;
            numbers.as_flattened_mut()[bit] = number as u16;
            masks.as_flattened_mut()[bit] = Bits::one(bit);
        }
        Self { count: board.count(), board, bits, numbers, gapless: Gapless::new(board), masks }
    }

    /// The number of cells.
    #[inline]
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// All cells as a set.
    #[inline]
    #[must_use]
    pub fn board(&self) -> Bits<W> {
        self.board
    }

    /// The bits of the cells, in order.
    #[inline]
    #[must_use]
    pub fn bits(&self) -> &[u16] {
        &self.bits.as_flattened()[..self.count]
    }

    /// The number of the cell at this bit.
    #[inline]
    #[must_use]
    pub fn number(&self, bit: u16) -> u16 {
        self.numbers.as_flattened()[usize::from(bit)]
    }

    /// The code of a stone: its player and the number of its cell.
    #[inline]
    #[must_use]
    pub fn code(&self, player: Player, bit: u16) -> Code {
        u32::from(player.0) * self.count as u32 + u32::from(self.number(bit))
    }

    /// Plays a random game that ends as soon as the stones are `decided` or the board is full; returns whether they are
    /// decided. Stones that are decided must stay so when others are added, and the test must not depend on the order of
    /// the players.
    ///
    /// In random play the empty cells are taken in a uniformly random order. So the order is drawn a block at a time, the
    /// stones are tested only at the end of a block, and bisection finds the deciding ply: the result is the same game as
    /// single moves in this order. `quiet` is a number of stones on the board before which few games end.
    #[inline(always)]
    pub fn playout<const P: usize, R: Recorder>(
        &self,
        placed: &mut Placed<W, P>,
        quiet: usize,
        rng: &mut Rng,
        recorder: &mut R,
        decided: impl Fn(&[Bits<W>; P]) -> bool,
    ) -> bool {
        let empty = usize::from(placed.empty);
        let mut order = Order::new(self, placed.taken());
        let mut to = quiet.saturating_sub(self.count - empty).max(BLOCK).min(empty);
        // Sides count from the player to move. The game is undecided after `from` plies and decided after `end`, if set.
        let mut sides = turned(placed.stones, placed.player.index());
        let (mut from, mut end) = (0, None);
        // A single loop for blocks and bisection, so that the test is inlined once.
        let plies = loop {
            order.draw(to, rng);
            let later = self.place(sides, &order, from..to);
            if decided(&later) {
                end = Some(to);
            } else {
                (sides, from) = (later, to);
            }
            to = match end {
                None if to == empty => break to,
                None => (to + BLOCK).min(empty),
                Some(end) if end - from > 1 => from.midpoint(end),
                Some(end) => {
                    sides = self.place(sides, &order, from..end);
                    break end;
                }
            };
        };
        let stones = turned(sides, (P - placed.player.index()) % P);
        if R::RECORDS && recorder.ordered() {
            let mut player = placed.player;
            for &bit in &order.bits.as_flattened()[..plies] {
                recorder.record(player, self.code(player, bit));
                player = player.next(P);
            }
        } else if R::RECORDS {
            for (player, (now, before)) in (0..).map(Player).zip(stones.iter().zip(&placed.stones)) {
                self.record(player, *now & !*before, recorder);
            }
        }
        let player = Player(((placed.player.index() + plies) % P) as u8);
        *placed = Placed { stones, player, empty: placed.empty - plies as u16 };
        end.is_some()
    }

    /// Records stones of `player` on these cells, in no order.
    #[inline]
    pub fn record<R: Recorder>(&self, player: Player, cells: Bits<W>, recorder: &mut R) {
        let first = u32::from(player.0) * self.count as u32;
        recorder.record_set(player, first, &self.gapless.numbers(cells).0);
    }

    /// The stones after these plies of an order.
    #[inline(always)]
    fn place<const P: usize>(
        &self,
        sides: [Bits<W>; P],
        order: &Order<W>,
        plies: Range<usize>,
    ) -> [Bits<W>; P] {
        let first = plies.start % P;
        let mut sides = turned(sides, first);
        let masks = self.masks.as_flattened();
        let (rounds, rest) = order.bits.as_flattened()[plies].as_chunks::<P>();
        for round in rounds {
            for i in 0..P {
                sides[i] |= masks[usize::from(round[i])];
            }
        }
        for (side, bit) in sides.iter_mut().zip(rest) {
            *side |= masks[usize::from(*bit)];
        }
        turned(sides, (P - first) % P)
    }
}

/// The stones of `P` players, who take turns placing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<const W: usize, const P: usize> {
    /// The stones of each player.
    pub stones: [Bits<W>; P],
    /// The player to move.
    pub player: Player,
    /// The number of empty cells.
    pub empty: u16,
}

impl<const W: usize, const P: usize> Placed<W, P> {
    /// An empty board.
    #[must_use]
    pub fn none(cells: &Cells<W>) -> Self {
        Self { stones: [Bits::EMPTY; P], player: Player(0), empty: cells.count as u16 }
    }

    /// The turn, where the game is over if it is `decided` or the board is full.
    #[inline]
    #[must_use]
    pub fn turn(&self, decided: bool) -> Turn {
        if decided || self.empty == 0 { Turn::Over } else { Turn::Player(self.player) }
    }

    /// All stones.
    #[inline]
    #[must_use]
    pub fn taken(&self) -> Bits<W> {
        self.stones.iter().fold(Bits::EMPTY, |taken, stones| taken | *stones)
    }

    /// The bits of the empty cells, in order.
    #[inline]
    pub fn open<'a>(&self, cells: &'a Cells<W>) -> impl Iterator<Item = u16> + use<'a, W, P> {
        let taken = self.taken();
        cells.bits().iter().copied().filter(move |&bit| !taken.contains(usize::from(bit)))
    }

    /// Places a stone of the player to move and passes the turn.
    #[inline]
    pub fn place(&mut self, bit: u16) {
        self.stones[self.player.index()].insert(usize::from(bit));
        self.player = self.player.next(P);
        self.empty -= 1;
    }

    /// A random empty cell, uniformly.
    #[inline]
    pub fn draw(&self, cells: &Cells<W>, rng: &mut Rng) -> Option<u16> {
        if self.empty == 0 {
            return None;
        }
        let taken = self.taken();
        // Rejection: uniform over the empty cells.
        loop {
            match rng.choose(cells.bits()) {
                Some(bit) if taken.contains(usize::from(bit)) => {}
                other => return other,
            }
        }
    }

    /// A random cell, uniformly, among the empty ones whose codes have the greatest `merit`.
    #[inline]
    pub fn draw_greatest(&self, cells: &Cells<W>, merit: impl Fn(Code) -> f64, rng: &mut Rng) -> Option<u16> {
        let empty = cells.board & !self.taken();
        let merit = |bit: usize| merit(cells.code(self.player, bit as u16));
        empty.draw_greatest(rng, merit, |_| true).map(|bit| bit as u16)
    }

    /// A hash of the stones and the player to move.
    #[inline]
    #[must_use]
    pub fn hash(&self) -> u64 {
        let words = self.stones.iter().flat_map(|stones| stones.0);
        words.fold(Hasher::new().word(u64::from(self.player.0)), Hasher::word).finish()
    }
}

/// Plies between two tests. Powers of two bisect evenly, and 16 is the fastest of them for Gomoku on 9x9.
const BLOCK: usize = 16;

/// Rotates the sides so that number `first` comes first. All indices are constants, which keeps the stones in registers.
#[inline(always)]
fn turned<const W: usize, const P: usize>(mut sides: [Bits<W>; P], first: usize) -> [Bits<W>; P] {
    for turn in 1..P {
        if first >= turn {
            sides = std::array::from_fn(|i| sides[(i + 1) % P]);
        }
    }
    sides
}

/// A random order of the empty cells, drawn as far as needed.
struct Order<const W: usize> {
    /// The cells drawn, then those skipped, then those left to draw.
    bits: Table<W>,
    drawn: usize,
    /// The start of the cells left to draw.
    left: usize,
    cells: usize,
    taken: Bits<W>,
}

impl<const W: usize> Order<W> {
    #[inline]
    fn new(cells: &Cells<W>, taken: Bits<W>) -> Self {
        Self { bits: cells.bits, drawn: 0, left: 0, cells: cells.count, taken }
    }

    /// Draws at least `count` cells in all (Fisher and Yates).
    ///
    /// The shuffle includes taken cells and skips them: the result is a random order of the empty cells, without listing them
    /// first.
    #[inline(always)]
    fn draw(&mut self, count: usize, rng: &mut Rng) {
        let bits = self.bits.as_flattened_mut();
        let (mut drawn, mut left, taken) = (self.drawn, self.left, self.taken);
        while drawn < count {
            // 361^4 is below 2^35, so one word is enough for four draws.
            let mut draws = Draws::new(rng);
            for _ in 0..(self.cells - left).min(4) {
                let at = left + draws.below(self.cells - left);
                let bit = bits[at];
                bits[at] = bits[left];
                bits[drawn] = bit;
                left += 1;
                drawn += usize::from(!taken.contains(usize::from(bit)));
            }
        }
        (self.drawn, self.left) = (drawn, left);
    }
}
