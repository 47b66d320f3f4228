//! Tic-tac-toe, the game to copy when adding a new one.

use crate::parts::nine::{self, FULL, has_line};
use permutree_game::draw::{STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, ParamError, Player, Rewards, Turn, Visitor, draw,
};

/// The rules. There are no parameters, so the value is empty.
#[derive(Clone, Copy, Debug)]
pub struct TicTacToe;

/// The stones of each player, one bit per cell, `row * 3 + column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: [u16; 2],
    player: Player,
}

impl Configure for TicTacToe {
    const FACTS: Facts = Facts {
        name: "tic-tac-toe",
        title: "Tic-tac-toe",
        rules: "Players take turns marking a cell of a 3x3 board. Three in a row win; a full board is a draw.",
        source: "traditional",
        params: &[],
    };

    fn configure<V: Visitor>(_args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self))
    }
}

impl Game for TicTacToe {
    type Position = Position;
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { stones: [0; 2], player: Player(0) }
    }

    fn turn(&self, position: &Position) -> Turn {
        if winner(position).is_some() || position.stones[0] | position.stones[1] == FULL {
            return Turn::Over;
        }
        Turn::Player(position.player)
    }

    fn moves(&self, position: &Position, out: &mut Vec<u8>) {
        if self.turn(position) == Turn::Over {
            return;
        }
        let taken = position.stones[0] | position.stones[1];
        out.extend((0..9).filter(|cell| taken >> cell & 1 == 0));
    }

    fn play(&self, position: &mut Position, cell: u8) {
        position.stones[position.player.index()] |= 1 << cell;
        position.player = position.player.other();
    }

    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::win_or_draw(2, winner(position))
    }

    fn hash(&self, position: &Position) -> u64 {
        Hasher::new().word(u64::from(position.stones[0]) << 16 | u64::from(position.stones[1])).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        18
    }

    fn code(&self, position: &Position, cell: u8, _coding: usize) -> Code {
        u32::from(position.player.0) * 9 + u32::from(cell)
    }

    fn move_text(&self, _position: &Position, cell: u8) -> String {
        square(usize::from(cell % 3), usize::from(cell / 3))
    }

    fn board(&self, position: &Position, last: Option<u8>) -> String {
        grid(3, 3, 0, last.map(column_and_row), |column, row| {
            owner(position, row * 3 + column).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position, last: Option<u8>) -> String {
        let mut board = SquareBoard::new(3, 3, false);
        for cell in 0..9 {
            if let Some(player) = owner(position, cell) {
                board.disc(cell % 3, cell / 3, draw::COLOURS[player]);
            }
        }
        board.finish(last.map(column_and_row))
    }

    /// One point for each stone of a player's longest open line.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        Some(nine::leaning(position.stones))
    }
}

fn winner(position: &Position) -> Option<Player> {
    // Only the player who moved last can have made a line.
    let player = position.player.other();
    has_line(position.stones[player.index()]).then_some(player)
}

fn owner(position: &Position, cell: usize) -> Option<usize> {
    (0..2).find(|&player| position.stones[player] >> cell & 1 == 1)
}

fn column_and_row(cell: u8) -> (usize, usize) {
    (usize::from(cell % 3), usize::from(cell / 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_game::perft;

    /// Sequences that end count nothing deeper; 255168 games in all is the well-known number of complete games.
    #[test]
    fn perft_counts() {
        let counts = perft(&TicTacToe, &TicTacToe.start(), 9);
        assert_eq!(counts, [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
    }
}
