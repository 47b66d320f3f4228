//! Whole random games.

use super::{Gomoku, Position, Table};
use crate::bits::Bits;
use crate::draws::Draws;
use crate::lines::{runs, steps};
use permutree_game::{Player, Recorder, Rng};
use std::ops::Range;

impl<const W: usize> Gomoku<W> {
    /// Plays random moves to the end.
    #[inline]
    pub(super) fn random_game<R: Recorder>(
        &self,
        position: &mut Position<W>,
        rng: &mut Rng,
        recorder: &mut R,
    ) {
        if position.won {
            return;
        }
        let mut order = Order::new(self, position);
        let mover = position.player.index();
        let sides = [position.stones[mover], position.stones[1 - mover]];
        let Ending { stones, plies, won } = match (W, self.size + 1) {
            _ if self.exact => self.exactly_five(sides, &mut order, rng),
            (2, 10) => self.free_style(sides, 10, &mut order, rng),
            (_, stride) => self.free_style(sides, stride, &mut order, rng),
        };
        if R::RECORDS {
            let mut player = position.player;
            for &bit in &order.bits.as_flattened()[..plies] {
                recorder.record(player, self.code_of(player, bit));
                player = player.other();
            }
        }
        let player = Player(position.player.0 ^ (plies % 2) as u8);
        let stones = [stones[mover], stones[1 - mover]];
        *position = Position { stones, player, won, empty: position.empty - plies as u16 };
    }

    /// A random game of the free style.
    ///
    /// In random play the empty cells are taken in a uniformly random order, and who has five keeps it. So the order is
    /// drawn a block at a time, both sides are tested at the end of the block only, and bisection finds the ply that
    /// made the first five. That is the game that single moves in this order would be.
    ///
    /// `stride` is that of the board; as a constant it makes the test faster.
    #[inline(always)]
    fn free_style(
        &self,
        mut stones: Sides<W>,
        stride: usize,
        order: &mut Order<W>,
        rng: &mut Rng,
    ) -> Ending<W> {
        let placed = order.cells - order.empty;
        let mut from = 0;
        // Few random games end before a third of the cells are taken.
        let mut to = (order.cells / 3).saturating_sub(placed).max(BLOCK).min(order.empty);
        loop {
            order.draw(to, rng);
            let later = self.place(stones, order, from..to);
            if has_five(&later, stride) {
                break;
            }
            stones = later;
            if to == order.empty {
                return Ending { stones, plies: to, won: false };
            }
            from = to;
            to = (to + BLOCK).min(order.empty);
        }
        while to - from > 1 {
            let middle = from.midpoint(to);
            let later = self.place(stones, order, from..middle);
            if has_five(&later, stride) {
                to = middle;
            } else {
                (stones, from) = (later, middle);
            }
        }
        Ending { stones: self.place(stones, order, from..to), plies: to, won: true }
    }

    /// A random game of the exact rule, which is tested at every ply: a five that grows to six is lost again.
    fn exactly_five(&self, mut stones: Sides<W>, order: &mut Order<W>, rng: &mut Rng) -> Ending<W> {
        for ply in 0..order.empty {
            order.draw(ply + 1, rng);
            stones = self.place(stones, order, ply..ply + 1);
            if self.wins(&stones[ply % 2], order.bits.as_flattened()[ply]) {
                return Ending { stones, plies: ply + 1, won: true };
            }
        }
        Ending { stones, plies: order.empty, won: false }
    }

    /// The stones after these plies of an order.
    #[inline(always)]
    fn place(&self, mut stones: Sides<W>, order: &Order<W>, plies: Range<usize>) -> Sides<W> {
        let odd = plies.start % 2 == 1;
        if odd {
            stones.swap(0, 1);
        }
        let masks = self.masks.as_flattened();
        let (pairs, rest) = order.bits.as_flattened()[plies].as_chunks::<2>();
        for [first, second] in pairs {
            stones[0] |= masks[usize::from(*first)];
            stones[1] |= masks[usize::from(*second)];
        }
        if let [first] = rest {
            stones[0] |= masks[usize::from(*first)];
        }
        if odd {
            stones.swap(0, 1);
        }
        stones
    }
}

/// Plies between two tests. A power of two bisects evenly, and 16 was the fastest of those on 9x9.
const BLOCK: usize = 16;

/// The stones of who makes the first move of a random game, then those of the other.
type Sides<const W: usize> = [Bits<W>; 2];

/// How a random game ended.
struct Ending<const W: usize> {
    stones: Sides<W>,
    plies: usize,
    won: bool,
}

/// A random order of the empty cells, drawn as far as it is needed.
struct Order<const W: usize> {
    /// What was drawn, then what was passed over, then what is left to draw.
    bits: Table<W>,
    drawn: usize,
    /// Where what is left begins.
    left: usize,
    cells: usize,
    empty: usize,
    taken: Bits<W>,
}

impl<const W: usize> Order<W> {
    #[inline]
    fn new(game: &Gomoku<W>, position: &Position<W>) -> Self {
        Self {
            bits: game.bits,
            drawn: 0,
            left: 0,
            cells: game.size * game.size,
            empty: usize::from(position.empty),
            taken: position.stones[0] | position.stones[1],
        }
    }

    /// Draws until there are `count` cells or more (Fisher and Yates).
    ///
    /// All cells are in the draw and taken ones are passed over: that leaves a random order of the empty ones, and they
    /// need not be listed first.
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

/// Whether either side has five or more in a row.
#[inline(always)]
fn has_five<const W: usize>(stones: &[Bits<W>; 2], stride: usize) -> bool {
    let mut fives = Bits::EMPTY;
    for stones in stones {
        for step in steps(stride) {
            fives |= runs(*stones, step, 5);
        }
    }
    !fives.is_empty()
}
