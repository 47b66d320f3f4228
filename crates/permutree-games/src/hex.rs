//! Hex.

use crate::parts::bits::{Bits, Gapless};
use permutree_game::draw::{STONES, grid, parse_square, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor, play_while,
};

mod picture;

/// Hex on a rhombus. Cell (column, row) touches (±1, 0), (0, ±1), (+1, -1) and (-1, +1). Player 1 connects the bottom row
/// to the top row, player 2 the first column to the last. The board fits in `W` words: 1 up to size 7, 2 up to 10, 3 up to
/// 13, 6 up to 19.
#[derive(Clone, Debug)]
pub struct Hex<const W: usize = 1> {
    size: usize,
    opening: Option<usize>,
    swap: bool,
    /// The sides where each player starts and ends.
    sides: [[Bits<W>; 2]; 2],
    board: Bits<W>,
    /// The code of each bit for player 1.
    codes: Vec<u32>,
    gapless: Gapless,
}

/// Stones by bit `row * (size + 1) + column`: the spare column keeps shifts from wrapping into the next row.
#[derive(Clone, Copy, Debug)]
pub struct Position<const W: usize> {
    stones: [Bits<W>; 2],
    player: Player,
    winner: Option<Player>,
}

/// A stone on a bit of the board, or the pie rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A stone on this bit.
    Stone(u16),
    /// The second player takes over the first stone, mirrored to the second player's direction.
    Swap,
}

impl Configure for Hex {
    const FACTS: Facts = Facts {
        name: "hex",
        title: "Hex",
        rules: "Players take turns placing a stone on an empty cell of a rhombus of hexagons. Player 1 wins by connecting the \
                bottom and top sides, player 2 the left and right sides. There are no draws.",
        source: "Piet Hein 1942, John Nash 1948; size 7 with the first stone on b2 as in the MCPS paper (Cazenave 2025)",
        params: &[
            Param::int("size", 3, 19, "7", "cells per side"),
            Param::text("opening", "", "the cell of a forced first stone, such as b2"),
            Param::flag("swap", "false", "pie rule: player 2 may take over the first stone"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let size = args.int("size");
        let opening = match args.text("opening") {
            "" => None,
            text => {
                let cell = parse_square(text).filter(|&(column, row)| column < size && row < size);
                let last = square(size - 1, size - 1);
                Some(cell.ok_or_else(|| args.refuse("opening", format!("must be a cell from a1 to {last}")))?)
            }
        };
        let swap = args.flag("swap");
        Ok(match size * (size + 1) {
            0..=64 => visitor.visit(Hex::<1>::new(size, opening, swap)),
            65..=128 => visitor.visit(Hex::<2>::new(size, opening, swap)),
            129..=192 => visitor.visit(Hex::<3>::new(size, opening, swap)),
            _ => visitor.visit(Hex::<6>::new(size, opening, swap)),
        })
    }
}

impl<const W: usize> Hex<W> {
    /// The game of this size. `opening` is the column and row of a forced first stone; `swap` is the pie rule.
    ///
    /// # Panics
    /// If the size is not in 3..=19, `size * (size + 1)` bits do not fit in `W` words, or the opening is not on the board.
    #[must_use]
    pub fn new(size: usize, opening: Option<(usize, usize)>, swap: bool) -> Self {
        assert!((3..=19).contains(&size) && size * (size + 1) <= 64 * W, "size {size} in {W} words");
        let bit = |column: usize, row: usize| row * (size + 1) + column;
        let cells = || (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
        let line = |on: &dyn Fn(usize, usize) -> bool| {
            cells().filter(|&(c, r)| on(c, r)).map(|(c, r)| bit(c, r)).collect::<Bits<W>>()
        };
        let mut codes = vec![0; size * (size + 1)];
        cells().for_each(|(column, row)| codes[bit(column, row)] = (row * size + column) as u32);
        Self {
            size,
            opening: opening.map(|(column, row)| {
                assert!(column < size && row < size, "opening outside the board");
                bit(column, row)
            }),
            swap,
            sides: [
                [line(&|_, row| row == 0), line(&|_, row| row == size - 1)],
                [line(&|column, _| column == 0), line(&|column, _| column == size - 1)],
            ],
            board: line(&|_, _| true),
            codes,
            gapless: Gapless::new(line(&|_, _| true)),
        }
    }

    fn column_and_row(&self, bit: usize) -> (usize, usize) {
        (bit % (self.size + 1), bit / (self.size + 1))
    }

    fn empty(&self, position: &Position<W>) -> Bits<W> {
        self.board & !(position.stones[0] | position.stones[1])
    }

    fn may_swap(&self, position: &Position<W>) -> bool {
        self.swap && position.player == Player(1) && position.stones[1].is_empty()
    }

    /// Whether `stones` connect the two sides of `player`: a flood fill from the first side.
    #[inline]
    fn joined(&self, player: Player, stones: Bits<W>) -> bool {
        let [from, to] = self.sides[player.index()];
        let row = self.size + 1;
        let mut reached = stones & from;
        loop {
            let before = reached;
            // Each step starts from what the one before reached: fewer rounds than stepping in all directions at once.
            reached |= (reached.up(row) | reached.up(row - 1)) & stones;
            reached |= (reached.up(1) | reached.down(1)) & stones;
            reached |= (reached.down(row) | reached.down(row - 1)) & stones;
            if !(reached & to).is_empty() {
                return true;
            }
            if reached == before {
                return false;
            }
        }
    }

    /// The fewest stones that `player` needs to connect the sides if the opponent passes; `None` if the opponent has
    /// connected.
    fn distance(&self, position: &Position<W>, player: Player) -> Option<u32> {
        let [from, to] = self.sides[player.index()];
        let (own, empty) = (position.stones[player.index()], self.empty(position));
        let mut reached = Bits::EMPTY;
        let mut stones = 0;
        loop {
            // Own stones next to what is reached are free.
            loop {
                let joined = reached | ((from | self.beside(reached)) & own);
                if joined == reached {
                    break;
                }
                reached = joined;
            }
            if !(reached & to).is_empty() {
                return Some(stones);
            }
            let further = reached | ((from | self.beside(reached)) & empty);
            if further == reached {
                return None;
            }
            reached = further;
            stones += 1;
        }
    }

    /// Every neighbour of these cells.
    fn beside(&self, cells: Bits<W>) -> Bits<W> {
        let row = self.size + 1;
        [1, row, row - 1].iter().fold(Bits::EMPTY, |beside, &by| beside | cells.up(by) | cells.down(by))
    }

    fn owner(position: &Position<W>, bit: usize) -> Option<usize> {
        (0..2).find(|&player| position.stones[player].contains(bit))
    }

    fn stone_of(&self, position: &Position<W>, mv: Option<Move>) -> Option<usize> {
        match mv? {
            Move::Stone(bit) => Some(usize::from(bit)),
            Move::Swap => position.stones[1].iter().next(),
        }
    }
}

impl<const W: usize> Game for Hex<W> {
    type Position = Position<W>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        let mut start = Position { stones: [Bits::EMPTY; 2], player: Player(0), winner: None };
        if let Some(bit) = self.opening {
            self.play(&mut start, Move::Stone(bit as u16));
        }
        start
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        match position.winner {
            Some(_) => Turn::Over,
            None => Turn::Player(position.player),
        }
    }

    fn moves(&self, position: &Position<W>, out: &mut Vec<Move>) {
        if position.winner.is_some() {
            return;
        }
        out.extend(self.empty(position).iter().map(|bit| Move::Stone(bit as u16)));
        if self.may_swap(position) {
            out.push(Move::Swap);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, mv: Move) {
        let player = position.player;
        position.player = player.other();
        match mv {
            Move::Stone(bit) => {
                let stones = &mut position.stones[player.index()];
                stones.insert(usize::from(bit));
                if self.joined(player, *stones) {
                    position.winner = Some(player);
                }
            }
            Move::Swap => {
                if let Some(bit) = position.stones[0].iter().next() {
                    let (column, row) = self.column_and_row(bit);
                    position.stones = [Bits::EMPTY, Bits::one(column * (self.size + 1) + row)];
                }
            }
        }
    }

    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::win_or_draw(2, position.winner)
    }

    fn hash(&self, position: &Position<W>) -> u64 {
        let words = position.stones.iter().flat_map(|stones| stones.0);
        words.fold(Hasher::new().word(u64::from(position.player.0)), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.size * self.size + usize::from(self.swap)
    }

    #[inline]
    fn code(&self, position: &Position<W>, mv: Move, _coding: usize) -> Code {
        let cells = (self.size * self.size) as u32;
        match mv {
            Move::Stone(bit) => u32::from(position.player.0) * cells + self.codes[usize::from(bit)],
            Move::Swap => 2 * cells,
        }
    }

    fn move_text(&self, _position: &Position<W>, mv: Move) -> String {
        match mv {
            Move::Stone(bit) => {
                let (column, row) = self.column_and_row(usize::from(bit));
                square(column, row)
            }
            Move::Swap => "swap".to_string(),
        }
    }

    fn board(&self, position: &Position<W>, last: Option<Move>) -> String {
        let marked = self.stone_of(position, last).map(|bit| self.column_and_row(bit));
        grid(self.size, self.size, 1, marked, |column, row| {
            Self::owner(position, row * (self.size + 1) + column).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position<W>, last: Option<Move>) -> String {
        picture::draw(self, position, self.stone_of(position, last))
    }

    /// The player who needs fewer stones to connect is ahead.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let [first, second] = [Player(0), Player(1)].map(|player| self.distance(position, player));
        Some(Rewards::leaning(&[f64::from(second?), f64::from(first?)]))
    }

    fn move_of_merit(
        &self,
        position: &Position<W>,
        coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        if position.winner.is_some() || self.may_swap(position) {
            return None;
        }
        let first = self.code(position, Move::Stone(0), coding);
        let merit = |bit: usize| merit(first + self.codes[bit]);
        let found = self.empty(position).draw_greatest(rng, merit, |_| true);
        found.map(|bit| Move::Stone(bit as u16))
    }

    /// A random game of Hex is a random order of the empty cells. On the full board exactly one player has connected. The
    /// game ended with the stone that connected, which bisection finds, since connected sides stay connected. The pie rule
    /// is played before that.
    ///
    /// Where the order does not matter, the whole board is recorded. Statistics then learn from every cell, and searches play
    /// better: MCPS with 5,000 playouts scores 60 % against itself on size 7 and 70 % with 3,000 on size 11.
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        if self.swap {
            let alone = |position: &Position<W>| position.stones[1].is_empty();
            play_while(self, position, coding, rng, scratch, recorder, alone);
        }
        if position.winner.is_some() {
            return;
        }
        let mut cells = [[0u16; 64]; W];
        let cells = cells.as_flattened_mut();
        let mut count = 0;
        for bit in self.empty(position).iter() {
            cells[count] = bit as u16;
            count += 1;
        }
        if R::RECORDS && recorder.ordered() {
            self.playout_in_order(position, &mut cells[..count], rng, recorder);
        } else {
            // The game depends on who gets which cells, not on their order.
            let before = position.stones;
            let mine = count.div_ceil(2);
            let me = position.player.index();
            for i in 0..mine {
                cells.swap(i, i + rng.below(count - i));
                position.stones[me].insert(usize::from(cells[i]));
            }
            position.stones[1 - me] = self.board & !position.stones[me];
            if R::RECORDS {
                for (player, (now, before)) in (0..).map(Player).zip(position.stones.iter().zip(&before)) {
                    let first = u32::from(player.0) * (self.size * self.size) as u32;
                    recorder.record_set(player, first, &self.gapless.numbers(*now & !*before).0);
                }
            }
            let won = self.joined(Player(0), position.stones[0]);
            position.winner = Some(Player(u8::from(!won)));
        }
    }
}

impl<const W: usize> Hex<W> {
    fn playout_in_order<R: Recorder>(
        &self,
        position: &mut Position<W>,
        cells: &mut [u16],
        rng: &mut Rng,
        recorder: &mut R,
    ) {
        let first = position.player;
        // `after[i]` has the stones of the player of ply i, after it.
        let mut after = [[Bits::<W>::EMPTY; 64]; W];
        let after = after.as_flattened_mut();
        let mut stones = [position.stones[first.index()], position.stones[first.other().index()]];
        for i in 0..cells.len() {
            cells.swap(i, i + rng.below(cells.len() - i));
            stones[i % 2].insert(usize::from(cells[i]));
            after[i] = stones[i % 2];
        }
        let first_wins = self.joined(first, stones[0]);
        let (winner, parity) = if first_wins { (first, 0) } else { (first.other(), 1) };
        // The first of the winner's plies, `parity + 2 * k`, after which the sides are connected.
        let (mut low, mut high) = (0, (cells.len() - 1 - parity) / 2);
        while low < high {
            let middle = (low + high) / 2;
            if self.joined(winner, after[parity + 2 * middle]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let last = parity + 2 * low;
        let offset =
            [first, first.other()].map(|player| u32::from(player.0) * (self.size * self.size) as u32);
        for (i, &cell) in cells[..=last].iter().enumerate() {
            let player = if i % 2 == 0 { first } else { first.other() };
            recorder.record(player, offset[i % 2] + self.codes[usize::from(cell)]);
        }
        position.stones[winner.index()] = after[last];
        if last > 0 {
            position.stones[winner.other().index()] = after[last - 1];
        }
        position.player = winner.other();
        position.winner = Some(winner);
    }
}
