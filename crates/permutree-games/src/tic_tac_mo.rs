//! Tic-tac-mo: tic-tac-toe for three players.

use crate::parts::bits::Bits;
use crate::parts::candidates::Candidates;
use crate::parts::lines::{longest_open_run, runs, steps};
use permutree_game::draw::{COLOURS, STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, ParamError, Player, Recorder, Rewards, Rng, Turn, Visitor,
};

/// The rules. There are no parameters, so the value is empty.
#[derive(Clone, Copy, Debug)]
pub struct TicTacMo;

/// Stones as bits, `row * 6 + column`. The bit right of each row stays empty and keeps rows apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: [Bits<1>; 3],
    player: Player,
    /// The player who made a line.
    winner: Option<Player>,
    /// How many cells are empty.
    empty: u8,
}

const COLUMNS: usize = 5;
const ROWS: usize = 3;
const CELLS: usize = COLUMNS * ROWS;
const STRIDE: usize = COLUMNS + 1;
/// Every cell.
const BOARD: Bits<1> = Bits([0b011111_011111_011111]);

impl Configure for TicTacMo {
    const FACTS: Facts = Facts {
        name: "tic-tac-mo",
        title: "Tic-tac-mo",
        rules: "Three players take turns marking a cell of a board of 3 rows and 5 columns. Three in a row, column or \
                diagonal win; a full board is a draw for all three.",
        source: "as in Ludii and the paper Who Invented MCTS?",
        params: &[],
    };

    fn configure<V: Visitor>(_args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self))
    }
}

impl Position {
    #[inline]
    fn taken(&self) -> Bits<1> {
        self.stones[0] | self.stones[1] | self.stones[2]
    }

    fn owner(&self, column: usize, row: usize) -> Option<usize> {
        (0..3).find(|&player| self.stones[player].contains(row * STRIDE + column))
    }
}

impl Game for TicTacMo {
    type Position = Position;
    /// The bit of a cell.
    type Move = u8;

    fn players(&self) -> usize {
        3
    }

    fn start(&self) -> Position {
        Position { stones: [Bits::EMPTY; 3], player: Player(0), winner: None, empty: CELLS as u8 }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        let over = position.winner.is_some() || position.empty == 0;
        if over { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<u8>) {
        if position.winner.is_none() {
            out.extend((BOARD & !position.taken()).iter().map(|bit| bit as u8));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, bit: u8) {
        let player = position.player;
        let stones = &mut position.stones[player.index()];
        stones.insert(bit.into());
        if steps(STRIDE).into_iter().any(|step| !runs(*stones, step, 3).is_empty()) {
            position.winner = Some(player);
        }
        position.player = player.next(3);
        position.empty -= 1;
    }

    #[inline]
    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::win_or_draw(3, position.winner)
    }

    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        let word = position.stones.iter().fold(0, |word, stones| word << 18 | stones.0[0]);
        Hasher::new().word(word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        3 * CELLS
    }

    #[inline]
    fn code(&self, position: &Position, bit: u8, _coding: usize) -> Code {
        let (column, row) = column_and_row(bit);
        (position.player.index() * CELLS + row * COLUMNS + column) as Code
    }

    fn move_text(&self, _position: &Position, bit: u8) -> String {
        let (column, row) = column_and_row(bit);
        square(column, row)
    }

    fn board(&self, position: &Position, last: Option<u8>) -> String {
        grid(COLUMNS, ROWS, 0, last.map(column_and_row), |column, row| {
            position.owner(column, row).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position, last: Option<u8>) -> String {
        let mut board = SquareBoard::new(COLUMNS, ROWS, false);
        for (column, row) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (column, row))) {
            if let Some(player) = position.owner(column, row) {
                board.disc(column, row, COLOURS[player]);
            }
        }
        board.finish(last.map(column_and_row))
    }

    /// One point for each stone of a player's longest open line.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        let empty = BOARD & !position.taken();
        let longest = |own: Bits<1>| longest_open_run(own, own | empty, STRIDE, 3) as f64;
        Some(Rewards::leaning(&position.stones.map(longest)))
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Option<u8> {
        if self.turn(position) == Turn::Over {
            return None;
        }
        let taken = position.taken();
        // Rejection: uniform over the empty cells.
        loop {
            let cell = rng.below(CELLS);
            let bit = cell + cell / COLUMNS;
            if !taken.contains(bit) {
                return Some(bit as u8);
            }
        }
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position,
        coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u8>,
        recorder: &mut R,
    ) {
        let mut empty = Candidates::<18>::EMPTY;
        (BOARD & !position.taken()).iter().for_each(|bit| empty.push(bit));
        while position.winner.is_none()
            && let Some(bit) = empty.draw(rng)
        {
            empty.remove(bit);
            if R::RECORDS {
                recorder.record(position.player, self.code(position, bit as u8, coding));
            }
            self.play(position, bit as u8);
        }
    }
}

fn column_and_row(bit: u8) -> (usize, usize) {
    (usize::from(bit) % STRIDE, usize::from(bit) / STRIDE)
}
