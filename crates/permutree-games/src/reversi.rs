//! Reversi, also known as Othello.
//!
//! On 8x8 the start is that of Othello: white on d4 and e5, black on d5 and e4. Othello counts rows from the top, this
//! crate from the bottom. So the board is mirrored, but move texts are the same: black begins with d3, c4, f5 or e6, and
//! published game records can be replayed. Other sizes have the same pattern in the middle.

use crate::parts::bits::Bits;
use permutree_game::draw::{CELL, COLOURS, GoBoard, STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

/// The rules on a board that fits in `W` words: 1 up to size 8, 4 up to 16.
#[derive(Clone, Debug)]
pub struct Reversi<const W: usize = 1> {
    size: usize,
    free: bool,
    board: Bits<W>,
    /// The four cells in the middle.
    centre: Bits<W>,
}

/// Discs by bit `row * stride + column`, where the stride is 8 or 16 whatever the size of the board.
#[derive(Clone, Copy, Debug)]
pub struct Position<const W: usize> {
    discs: [Bits<W>; 2],
    player: Player,
    /// Where the player to move may place a disc; empty if the player must pass or the game is over.
    open: Bits<W>,
    over: bool,
}

/// A disc or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A disc on this bit.
    Disc(u8),
    /// The player cannot flip anything.
    Pass,
}

impl Configure for Reversi {
    const FACTS: Facts = Facts {
        name: "reversi",
        title: "Reversi",
        rules: "Players take turns placing a disc so that it encloses a straight line of enemy discs with another of their \
                own, and flip all enclosed lines. A player who cannot flip passes. When neither can, most discs win.",
        source: "Lewis Waterman 1883; fixed start of Othello, Goro Hasegawa 1971",
        params: &[
            Param::int("size", 4, 16, "8", "cells per side, an even number"),
            Param::choice(
                "start",
                &["standard", "free"],
                "standard",
                "standard: four discs in the middle; free: the first four plies place them, as in 1883",
            ),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (size, free) = (args.int("size"), args.text("start") == "free");
        match size {
            _ if !size.is_multiple_of(2) => Err(args.refuse("size", "must be even")),
            ..=8 => Ok(visitor.visit(Reversi::<1>::new(size, free))),
            _ => Ok(visitor.visit(Reversi::<4>::new(size, free))),
        }
    }
}

impl<const W: usize> Reversi<W> {
    const STRIDE: usize = if W == 1 { 8 } else { 16 };

    /// The cells from which a step to the left or right stays on the board of the greatest size.
    const INNER: Bits<W> = Bits([if W == 1 { 0x7E7E_7E7E_7E7E_7E7E } else { 0x7FFE_7FFE_7FFE_7FFE }; W]);

    /// The game of this size; with `free`, the first four plies fill the centre.
    ///
    /// # Panics
    /// If the size is odd, below 4, or above 8 in one word or 16 in four.
    #[must_use]
    pub fn new(size: usize, free: bool) -> Self {
        assert!(W == 1 || W == 4, "{W} words");
        assert!((4..=Self::STRIDE).contains(&size) && size.is_multiple_of(2), "size {size} in {W} words");
        let square = |cells: std::ops::Range<usize>| -> Bits<W> {
            cells
                .clone()
                .flat_map(|row| cells.clone().map(move |column| row * Self::STRIDE + column))
                .collect()
        };
        Self { size, free, board: square(0..size), centre: square(size / 2 - 1..size / 2 + 1) }
    }

    fn column_and_row(bit: usize) -> (usize, usize) {
        (bit % Self::STRIDE, bit / Self::STRIDE)
    }

    fn owner(position: &Position<W>, bit: usize) -> Option<usize> {
        (0..2).find(|&player| position.discs[player].contains(bit))
    }

    fn disc_of(mv: Option<Move>) -> Option<(usize, usize)> {
        match mv? {
            Move::Disc(bit) => Some(Self::column_and_row(usize::from(bit))),
            Move::Pass => None,
        }
    }

    /// The cells `steps` further in direction `D`, a constant so that all shifts are known.
    #[inline(always)]
    fn step<const D: usize>(cells: Bits<W>, steps: usize) -> Bits<W> {
        let by = [1, Self::STRIDE - 1, Self::STRIDE, Self::STRIDE + 1][D / 2] * steps;
        if D.is_multiple_of(2) { cells.up(by) } else { cells.down(by) }
    }

    /// The discs of `others` in an unbroken line from `from` in direction `D`.
    #[inline(always)]
    fn reach<const D: usize>(from: Bits<W>, others: Bits<W>) -> Bits<W> {
        let through = if D / 2 == 2 { others } else { others & Self::INNER };
        // Each round doubles the distance: 1, 2, 4 and, on large boards, 8 steps.
        let (mut reached, mut clear) = (from, through);
        for round in 0..if W == 1 { 3 } else { 4 } {
            reached |= Self::step::<D>(reached, 1 << round) & clear;
            clear &= Self::step::<D>(clear, 1 << round);
        }
        reached & through
    }

    /// Where a disc of `own` flips something.
    #[inline(always)]
    fn open(&self, own: Bits<W>, others: Bits<W>) -> Bits<W> {
        #[inline(always)]
        fn behind<const W: usize, const D: usize>(own: Bits<W>, others: Bits<W>) -> Bits<W> {
            Reversi::step::<D>(Reversi::reach::<D>(own, others), 1)
        }
        let open = behind::<W, 0>(own, others)
            | behind::<W, 1>(own, others)
            | behind::<W, 2>(own, others)
            | behind::<W, 3>(own, others)
            | behind::<W, 4>(own, others)
            | behind::<W, 5>(own, others)
            | behind::<W, 6>(own, others)
            | behind::<W, 7>(own, others);
        open & self.board & !(own | others)
    }

    /// What a disc of `own` flips.
    #[inline(always)]
    fn flips(disc: Bits<W>, own: Bits<W>, others: Bits<W>) -> Bits<W> {
        #[inline(always)]
        fn enclosed<const W: usize, const D: usize>(disc: Bits<W>, own: Bits<W>, others: Bits<W>) -> Bits<W> {
            let reached = Reversi::reach::<D>(disc, others);
            let ends = !(Reversi::step::<D>(reached, 1) & own).is_empty();
            if ends { reached } else { Bits::EMPTY }
        }
        enclosed::<W, 0>(disc, own, others)
            | enclosed::<W, 1>(disc, own, others)
            | enclosed::<W, 2>(disc, own, others)
            | enclosed::<W, 3>(disc, own, others)
            | enclosed::<W, 4>(disc, own, others)
            | enclosed::<W, 5>(disc, own, others)
            | enclosed::<W, 6>(disc, own, others)
            | enclosed::<W, 7>(disc, own, others)
    }

    /// Passes the turn to `player`. The game is over if neither player can flip anything.
    #[inline]
    fn next(&self, position: &mut Position<W>, player: Player) {
        let [own, others] = [player, player.other()].map(|player| position.discs[player.index()]);
        position.player = player;
        position.open = self.centre & !(own | others);
        if position.open.is_empty() {
            position.open = self.open(own, others);
            position.over = position.open.is_empty() && self.open(others, own).is_empty();
        }
    }

    #[inline]
    fn code_of(&self, player: Player, mv: Move) -> Code {
        let cells = self.size * self.size;
        let index = match mv {
            Move::Disc(bit) => {
                let (column, row) = Self::column_and_row(usize::from(bit));
                row * self.size + column
            }
            Move::Pass => cells,
        };
        (player.index() * (cells + 1) + index) as Code
    }
}

impl<const W: usize> Game for Reversi<W> {
    type Position = Position<W>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        let [low, high] = [self.size / 2 - 1, self.size / 2];
        let pair = |columns: [usize; 2]| -> Bits<W> {
            [low * Self::STRIDE + columns[0], high * Self::STRIDE + columns[1]].into_iter().collect()
        };
        let discs = if self.free { [Bits::EMPTY; 2] } else { [pair([high, low]), pair([low, high])] };
        let mut start = Position { discs, player: Player(0), open: Bits::EMPTY, over: false };
        self.next(&mut start, Player(0));
        start
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position<W>, out: &mut Vec<Move>) {
        out.extend(position.open.iter().map(|bit| Move::Disc(bit as u8)));
        if out.is_empty() && !position.over {
            out.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, mv: Move) {
        let [me, other] = [position.player.index(), position.player.other().index()];
        if let Move::Disc(bit) = mv {
            let disc = Bits::one(usize::from(bit));
            let flips = Self::flips(disc, position.discs[me], position.discs[other]);
            // The free start flips nothing.
            let flips = if (disc & self.centre).is_empty() { flips } else { Bits::EMPTY };
            position.discs[me] |= disc | flips;
            position.discs[other] &= !flips;
        }
        self.next(position, position.player.other());
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::highest(&position.discs.map(|discs| discs.count()))
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        let words = position.discs.iter().flat_map(|discs| discs.0);
        words.fold(Hasher::new().word(u64::from(position.player.0)), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * (self.size * self.size + 1)
    }

    #[inline]
    fn code(&self, position: &Position<W>, mv: Move, _coding: usize) -> Code {
        self.code_of(position.player, mv)
    }

    fn move_text(&self, _position: &Position<W>, mv: Move) -> String {
        Self::disc_of(Some(mv)).map_or("pass".to_string(), |(column, row)| square(column, row))
    }

    fn board(&self, position: &Position<W>, last: Option<Move>) -> String {
        grid(self.size, self.size, 0, Self::disc_of(last), |column, row| {
            Self::owner(position, row * Self::STRIDE + column).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position<W>, last: Option<Move>) -> String {
        let mut board = SquareBoard::coloured(self.size, self.size, "#3f8f5f", "#3f8f5f");
        for bit in (position.discs[0] | position.discs[1]).iter() {
            let (column, row) = Self::column_and_row(bit);
            if let Some(player) = Self::owner(position, bit) {
                board.disc(column, row, GoBoard::STONES[player]);
            }
        }
        if let Some((column, row)) = Self::disc_of(last) {
            let (x, y) = board.centre(column, row);
            board.svg.disc(x, y, CELL * 0.1, COLOURS[0]);
        }
        board.svg.finish()
    }

    fn colours(&self) -> &'static [&'static str] {
        &GoBoard::STONES
    }

    /// Mobility: half a point for each move.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let [black, white] = position.discs;
        let mobility =
            [self.open(black, white), self.open(white, black)].map(|open| open.count() as f64 / 2.0);
        Some(Rewards::leaning(&mobility))
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        let mv = position.open.draw(rng).map_or(Move::Pass, |bit| Move::Disc(bit as u8));
        (!position.over).then_some(mv)
    }
}
