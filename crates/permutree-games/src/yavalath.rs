//! Yavalath: four in a row win, but three in a row lose.

use crate::parts::bits::Bits;
use crate::parts::hexagon::{Hexagon, Picture};
use crate::parts::lines::longest_open;
use crate::parts::placing::Placed;
use permutree_game::{
    Args, Code, Configure, Facts, Game, Param, ParamError, Player, Recorder, Rewards, Rng, Turn, Visitor,
    play_while,
};

/// The rules on a board that fits in `W` words: 1 up to side 4, 2 up to 6, 4 up to 8.
///
/// A stone that makes four or more in a row wins, even if it also makes three in another line.
#[derive(Clone, Debug)]
pub struct Yavalath<const W: usize = 2> {
    hexagon: Hexagon<W>,
    swap: bool,
    /// The lines of four.
    fours: Vec<Bits<W>>,
}

/// Stones as bits of the [`Hexagon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    placed: Placed<W, 2>,
    winner: Option<Player>,
}

/// A stone on a bit of the board, or the pie rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A stone on this bit.
    Stone(u16),
    /// The second player takes over the first stone in place of a move; then player 1 moves.
    Swap,
}

impl Configure for Yavalath {
    const FACTS: Facts = Facts {
        name: "yavalath",
        title: "Yavalath",
        rules: "Players take turns placing a stone on an empty cell of a hexagon. Four or more in a row win; three in a row \
                without four lose. A full board is a draw.",
        source: "found by Cameron Browne's program LUDI, 2007; as in the paper Who Invented MCTS?",
        params: &[
            Param::int("side", 3, 8, "5", "cells per side; 5 makes 61 cells, as in the paper"),
            Param::flag("swap", "false", "pie rule: player 2 may take over the first stone"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (side, swap) = (args.int("side"), args.flag("swap"));
        Ok(match side {
            ..=4 => visitor.visit(Yavalath::<1>::new(side, swap)),
            5..=6 => visitor.visit(Yavalath::<2>::new(side, swap)),
            _ => visitor.visit(Yavalath::<4>::new(side, swap)),
        })
    }
}

impl<const W: usize> Yavalath<W> {
    /// The game on a hexagon of this side; with `swap`, player 2 may take over the first stone.
    ///
    /// # Panics
    /// If the side is not in 3..=8, or the board's bits do not fit in `W` words.
    #[must_use]
    pub fn new(side: usize, swap: bool) -> Self {
        assert!((3..=8).contains(&side), "side {side}");
        let hexagon = Hexagon::new(side);
        let fours = hexagon.windows(4);
        Self { hexagon, swap, fours }
    }

    #[inline]
    fn may_swap(&self, position: &Position<W>) -> bool {
        self.swap && position.placed.player == Player(1) && position.placed.stones[1].is_empty()
    }

    /// The player whom the last stone makes the winner.
    #[inline(always)]
    fn winner(&self, placed: &Placed<W, 2>) -> Option<Player> {
        let player = placed.player.other();
        // There was no three before, so a row of three or more contains the last stone.
        let stones = [placed.stones[player.index()]];
        if !self.hexagon.has_row(&stones, 3) {
            return None;
        }
        Some(if self.hexagon.has_row(&stones, 4) { player } else { player.other() })
    }

    fn stone_of(position: &Position<W>, mv: Option<Move>) -> Option<usize> {
        match mv? {
            Move::Stone(bit) => Some(usize::from(bit)),
            Move::Swap => position.placed.stones[1].iter().next(),
        }
    }
}

impl<const W: usize> Game for Yavalath<W> {
    type Position = Position<W>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        Position { placed: Placed::none(self.hexagon.cells()), winner: None }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        position.placed.turn(position.winner.is_some())
    }

    fn moves(&self, position: &Position<W>, out: &mut Vec<Move>) {
        if position.winner.is_some() {
            return;
        }
        out.extend(position.placed.open(self.hexagon.cells()).map(Move::Stone));
        if self.may_swap(position) {
            out.push(Move::Swap);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, mv: Move) {
        match mv {
            Move::Stone(bit) => {
                position.placed.place(bit);
                position.winner = self.winner(&position.placed);
            }
            Move::Swap => {
                position.placed.stones.swap(0, 1);
                position.placed.player = Player(0);
            }
        }
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::win_or_draw(2, position.winner)
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.placed.hash()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.hexagon.cells().count() + usize::from(self.swap)
    }

    #[inline]
    fn code(&self, position: &Position<W>, mv: Move, _coding: usize) -> Code {
        match mv {
            Move::Stone(bit) => self.hexagon.cells().code(position.placed.player, bit),
            Move::Swap => 2 * self.hexagon.cells().count() as u32,
        }
    }

    fn move_text(&self, _position: &Position<W>, mv: Move) -> String {
        match mv {
            Move::Stone(bit) => self.hexagon.name(usize::from(bit)),
            Move::Swap => "swap".to_string(),
        }
    }

    fn board(&self, position: &Position<W>, last: Option<Move>) -> String {
        self.hexagon.text(&position.placed.stones, Self::stone_of(position, last), |_| '.')
    }

    fn picture(&self, position: &Position<W>, last: Option<Move>) -> String {
        let marked = Self::stone_of(position, last);
        Picture::new(&self.hexagon, &position.placed.stones, marked, 0.0, |_| "#efe3cf").svg.finish()
    }

    /// The most stones that each player has in a line of four without an enemy stone.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let [first, second] = position.placed.stones;
        let score = |own, others| longest_open(&self.fours, own, others) as f64;
        Some(Rewards::leaning(&[score(first, second), score(second, first)]))
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.winner.is_some() {
            return None;
        }
        if self.may_swap(position) && rng.below(usize::from(position.placed.empty) + 1) == 0 {
            return Some(Move::Swap);
        }
        position.placed.draw(self.hexagon.cells(), rng).map(Move::Stone)
    }

    fn move_of_merit(
        &self,
        position: &Position<W>,
        _coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        if position.winner.is_some() || self.may_swap(position) {
            return None;
        }
        position.placed.draw_greatest(self.hexagon.cells(), merit, rng).map(Move::Stone)
    }

    /// Three in a row stay, so a random game is a random order of the cells up to the first three. The pie rule is played
    /// before that.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        if self.swap {
            let alone = |position: &Position<W>| position.placed.stones[1].is_empty();
            play_while(self, position, coding, rng, scratch, recorder, alone);
        }
        if position.winner.is_none() {
            let cells = self.hexagon.cells();
            let three = |sides: &[Bits<W>; 2]| self.hexagon.has_row(sides, 3);
            cells.playout(&mut position.placed, cells.count() / 6, rng, recorder, three);
            position.winner = self.winner(&position.placed);
        }
    }
}
