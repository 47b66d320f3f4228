//! Gomoku: five in a row, in the free style or exactly five.

mod playout;

use crate::bits::Bits;
use crate::lines::{longest_open_run, steps};
use permutree_game::draw::{GoBoard, STONES, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board that fits in `W` words.
#[derive(Clone, Debug)]
pub struct Gomoku<const W: usize = 2> {
    size: usize,
    exact: bool,
    /// Every cell of the board.
    board: Bits<W>,
    /// The bits of the board's cells, in order; entries beyond the board are not used.
    bits: Table<W>,
    /// The number of the cell at each bit.
    numbers: Table<W>,
    /// Each bit as a set.
    masks: [[Bits<W>; 64]; W],
}

/// One entry for each bit of a `Bits<W>`.
type Table<const W: usize> = [[u16; 64]; W];

/// Stones as bits, `row * (size + 1) + column`. The bit right of each row stays empty and keeps rows apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    stones: [Bits<W>; 2],
    player: Player,
    /// Whether the last stone made five.
    won: bool,
    /// How many cells are empty.
    empty: u16,
}

const PARAMS: &[Param] = &[
    Param::int("size", 5, 19, "9", "cells per side; the MCPS paper plays 9"),
    Param::flag("exact", "false", "six and more do not win"),
];

impl Configure for Gomoku {
    const FACTS: Facts = Facts {
        name: "gomoku",
        title: "Gomoku",
        rules: "Players in turn place a stone on an empty cell. Five or more in a row, column or diagonal win \
                (with exact=true only five). A full board is a draw.",
        source: "traditional; the free style, as Cazenave 2025 (MCPS) plays it",
        params: PARAMS,
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (size, exact) = (args.int("size"), args.flag("exact"));
        Ok(if size <= 10 {
            visitor.visit(Gomoku::<2>::new(size, exact))
        } else {
            visitor.visit(Gomoku::<6>::new(size, exact))
        })
    }
}

impl<const W: usize> Gomoku<W> {
    fn new(size: usize, exact: bool) -> Self {
        let mut game = Self {
            size,
            exact,
            board: (0..size * size).map(|number| number + number / size).collect(),
            bits: [[0; 64]; W],
            numbers: [[0; 64]; W],
            masks: [[Bits::EMPTY; 64]; W],
        };
        for number in 0..size * size {
            let bit = number + number / size;
            game.bits.as_flattened_mut()[number] = bit as u16;
            game.masks.as_flattened_mut()[bit] = Bits::one(bit);
            game.numbers.as_flattened_mut()[bit] = number as u16;
        }
        game
    }

    #[inline]
    fn number(&self, bit: u16) -> u16 {
        self.numbers.as_flattened()[usize::from(bit)]
    }

    #[inline]
    fn code_of(&self, player: Player, bit: u16) -> Code {
        u32::from(player.0) * (self.size * self.size) as u32 + u32::from(self.number(bit))
    }

    fn column_and_row(&self, bit: u16) -> (usize, usize) {
        let number = usize::from(self.number(bit));
        (number % self.size, number / self.size)
    }

    fn owner(&self, position: &Position<W>, column: usize, row: usize) -> Option<usize> {
        (0..2).find(|&player| position.stones[player].contains(row * (self.size + 1) + column))
    }

    /// Whether the stone on `bit` is part of a row that wins.
    #[inline]
    fn wins(&self, stones: &Bits<W>, bit: u16) -> bool {
        let bit = usize::from(bit);
        let owned = |bit: &usize| *bit < 64 * W && stones.contains(*bit);
        steps(self.size + 1).into_iter().any(|step| {
            let after = (1..).map(|i| bit + i * step).take_while(owned).count();
            let before = (1..).map_while(|i| bit.checked_sub(i * step)).take_while(owned).count();
            let row = before + 1 + after;
            if self.exact { row == 5 } else { row >= 5 }
        })
    }
}

impl<const W: usize> Game for Gomoku<W> {
    type Position = Position<W>;
    /// The bit of a cell.
    type Move = u16;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        let empty = (self.size * self.size) as u16;
        Position { stones: [Bits::EMPTY; 2], player: Player(0), won: false, empty }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if position.won || position.empty == 0 { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position<W>, out: &mut Vec<u16>) {
        if !position.won {
            let taken = position.stones[0] | position.stones[1];
            let bits = &self.bits.as_flattened()[..self.size * self.size];
            out.extend(bits.iter().filter(|&&bit| !taken.contains(usize::from(bit))));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, bit: u16) {
        let stones = &mut position.stones[position.player.index()];
        stones.insert(usize::from(bit));
        position.won = self.wins(stones, bit);
        position.player = position.player.other();
        position.empty -= 1;
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        if position.won { Rewards::win(2, position.player.other()) } else { Rewards::draw(2) }
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.stones.iter().flat_map(|stones| stones.0).fold(Hasher::new(), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.size * self.size
    }

    #[inline]
    fn code(&self, position: &Position<W>, bit: u16, _coding: usize) -> Code {
        self.code_of(position.player, bit)
    }

    fn move_text(&self, _position: &Position<W>, bit: u16) -> String {
        let (column, row) = self.column_and_row(bit);
        square(column, row)
    }

    fn board(&self, position: &Position<W>, last: Option<u16>) -> String {
        let marked = last.map(|bit| self.column_and_row(bit));
        grid(self.size, self.size, 0, marked, |column, row| {
            self.owner(position, column, row).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position<W>, last: Option<u16>) -> String {
        let mut board = GoBoard::new(self.size);
        for row in 0..self.size {
            for column in 0..self.size {
                if let Some(player) = self.owner(position, column, row) {
                    board.stone(column, row, Player(player as u8));
                }
            }
        }
        if let Some((column, row)) = last.map(|bit| self.column_and_row(bit)) {
            board.mark(column, row);
        }
        board.svg.finish()
    }

    /// A point for every stone of a player's longest open line of five.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let [x, o] = position.stones;
        let longest =
            |own, other: Bits<W>| longest_open_run(own, self.board & !other, self.size + 1, 5) as f64;
        Some(Rewards::leaning(&[longest(x, o), longest(o, x)]))
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        if position.won || position.empty == 0 {
            return None;
        }
        let taken = position.stones[0] | position.stones[1];
        let bits = &self.bits.as_flattened()[..self.size * self.size];
        // Drawing again until the cell is empty is uniform over the empty cells.
        loop {
            match rng.choose(bits) {
                Some(bit) if taken.contains(usize::from(bit)) => {}
                other => return other,
            }
        }
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        self.random_game(position, rng, recorder);
    }
}
