//! Gomoku: five in a row, freestyle or exactly five.

use crate::parts::bits::Bits;
use crate::parts::lines::{Points, completing, longest_open_run, runs, steps};
use crate::parts::placing::{Cells, Placed};
use permutree_game::draw::{GoBoard, STONES, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor, play_while,
};

/// The rules on a board that fits in `W` words: 2 up to size 10, 6 up to 19.
#[derive(Clone, Debug)]
pub struct Gomoku<const W: usize = 2> {
    size: usize,
    exact: bool,
    cells: Cells<W>,
}

/// Stones as bits, `row * (size + 1) + column`. The bit right of each row stays empty and keeps rows apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    placed: Placed<W, 2>,
    /// Whether the last stone won.
    won: bool,
}

const PARAMS: &[Param] = &[
    Param::int("size", 5, 19, "9", "cells per side; 9 as in the MCPS paper"),
    Param::flag("exact", "false", "six or more in a row do not win"),
];

impl Configure for Gomoku {
    const FACTS: Facts = Facts {
        name: "gomoku",
        title: "Gomoku",
        rules: "Players take turns placing a stone on an empty cell. Five or more in a row, column or diagonal win \
                (only exactly five with exact=true). A full board is a draw.",
        source: "traditional; freestyle as in Cazenave, Monte Carlo Permutation Search, 2025",
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
    /// The game on a board of this size; with `exact`, six or more in a row do not win.
    ///
    /// # Panics
    /// If the size is not in 5..=19, or `size * (size + 1)` bits do not fit in `W` words.
    #[must_use]
    pub fn new(size: usize, exact: bool) -> Self {
        assert!((5..=19).contains(&size) && size * (size + 1) <= 64 * W, "size {size} in {W} words");
        let bits = (0..size * size).map(|number| number + number / size);
        Self { size, exact, cells: Cells::new(bits.collect()) }
    }

    fn empty(&self, position: &Position<W>) -> Bits<W> {
        !position.placed.taken() & self.cells.board()
    }

    fn column_and_row(&self, bit: u16) -> (usize, usize) {
        let number = usize::from(self.cells.number(bit));
        (number % self.size, number / self.size)
    }

    fn owner(&self, position: &Position<W>, column: usize, row: usize) -> Option<usize> {
        (0..2).find(|&player| position.placed.stones[player].contains(row * (self.size + 1) + column))
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

    /// A random freestyle game; returns whether it was won.
    #[inline(always)]
    fn free_style<R: Recorder>(
        &self,
        placed: &mut Placed<W, 2>,
        stride: usize,
        rng: &mut Rng,
        recorder: &mut R,
    ) -> bool {
        self.cells.playout(placed, self.cells.count() / 3, rng, recorder, |sides| has_five(sides, stride))
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
        Position { placed: Placed::none(&self.cells), won: false }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        position.placed.turn(position.won)
    }

    #[inline]
    fn moves(&self, position: &Position<W>, out: &mut Vec<u16>) {
        if !position.won {
            out.extend(position.placed.open(&self.cells));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, bit: u16) {
        let player = position.placed.player;
        position.placed.place(bit);
        position.won = self.wins(&position.placed.stones[player.index()], bit);
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        if position.won { Rewards::win(2, position.placed.player.other()) } else { Rewards::draw(2) }
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.placed.stones.iter().flat_map(|stones| stones.0).fold(Hasher::new(), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.size * self.size
    }

    #[inline]
    fn code(&self, position: &Position<W>, bit: u16, _coding: usize) -> Code {
        self.cells.code(position.placed.player, bit)
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
        board.finish(last.map(|bit| self.column_and_row(bit)))
    }

    fn colours(&self) -> &'static [&'static str] {
        &GoBoard::STONES
    }

    /// One point for each stone of a player's longest open line of five.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let [x, o] = position.placed.stones;
        let room = |own| own | self.empty(position);
        let longest = |own| longest_open_run(own, room(own), self.size + 1, 5) as f64;
        Some(Rewards::leaning(&[longest(x), longest(o)]))
    }

    fn urgent_moves(&self, position: &Position<W>, out: &mut Vec<u16>) -> bool {
        if position.won {
            return true;
        }
        let Placed { stones, player, .. } = &position.placed;
        for side in [player.index(), player.other().index()] {
            let five = completing(stones[side], self.empty(position), self.size + 1, 5);
            let wins = |&bit: &u16| !self.exact || self.wins(&(stones[side] | Bits::one(bit.into())), bit);
            out.extend(five.iter().map(|bit| bit as u16).filter(wins));
            if !out.is_empty() {
                break;
            }
        }
        true
    }

    /// The lines that a stone extends, plus half of those that it takes from the opponent: wins come before blocks, and
    /// blocks before fours.
    fn pattern_scores(&self, position: &Position<W>, moves: &[u16], scores: &mut Vec<f64>) -> bool {
        let (empty, stride) = (self.empty(position), self.size + 1);
        let Placed { stones, player, .. } = &position.placed;
        let [own, other] = [*player, player.other()].map(|player| stones[player.index()]);
        let points = Points::neighbours(own | other, empty, stride);
        let points = points.lines(own, empty, stride, 5, 2).lines(other, empty, stride, 5, 1);
        scores.extend(moves.iter().map(|&bit| points.of(bit.into())));
        true
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        if position.won { None } else { position.placed.draw(&self.cells, rng) }
    }

    fn move_of_merit(
        &self,
        position: &Position<W>,
        _coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<u16> {
        if position.won { None } else { position.placed.draw_greatest(&self.cells, merit, rng) }
    }

    /// In freestyle a five stays a five. By the exact rule a sixth stone undoes it, so every ply is tested.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        if !self.exact && !position.won {
            position.won = match (W, self.size + 1) {
                // A constant stride makes the test faster on the usual board.
                (2, 10) => self.free_style(&mut position.placed, 10, rng, recorder),
                (_, stride) => self.free_style(&mut position.placed, stride, rng, recorder),
            };
        }
        play_while(self, position, coding, rng, scratch, recorder, |_| true);
    }
}

/// Whether either side has five or more in a row.
#[inline(always)]
fn has_five<const W: usize>(sides: &[Bits<W>; 2], stride: usize) -> bool {
    let mut fives = Bits::EMPTY;
    for stones in sides {
        for step in steps(stride) {
            fives |= runs(*stones, step, 5);
        }
    }
    !fives.is_empty()
}
