//! Breakthrough and Knightthrough: two rows of equal pieces on each side, which only move forward.

use crate::parts::bits::Bits;
use permutree_game::draw::{CELL, COLOURS, STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn, Visitor,
};
use std::fmt::Debug;
use std::marker::PhantomData;

mod playout;

/// A way in which a piece moves, as seen by its owner.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    columns: i8,
    rows: i8,
    takes: bool,
}

impl Way {
    /// A move by this many columns and rows to an empty cell.
    #[must_use]
    pub const fn quiet(columns: i8, rows: i8) -> Self {
        Self { columns, rows, takes: false }
    }

    /// A move by this many columns and rows to an empty cell or an enemy, which it captures.
    #[must_use]
    pub const fn taking(columns: i8, rows: i8) -> Self {
        Self { columns, rows, takes: true }
    }
}

/// How the pieces of a racing game move.
pub trait Rules: Copy + Debug + Send + Sync + 'static {
    /// At most [`MAX_WAYS`] ways, by at most two columns and two rows; ways that capture come last.
    ///
    /// From any column of a board of four or more, some way that captures must lead to the next row and stay on the board,
    /// which guarantees a legal move.
    const WAYS: &'static [Way];
}

/// The largest number of ways.
pub const MAX_WAYS: usize = 4;

/// The largest number of kinds of moves from a cell: each way without a capture and with one.
const MAX_KINDS: usize = 2 * MAX_WAYS;

/// The parameters of both games.
pub const PARAMS: &[Param] = &[
    Param::int("size", 4, 12, "8", "cells per side"),
    Param::int("rows", 0, 12, "0", "rows, 4 to 12; 0 for as many as size"),
    Param::int("columns", 0, 12, "0", "columns, 4 to 12; 0 for as many as size"),
];

/// Passes the game with these parameters to `visitor`.
pub(crate) fn configure<L: Rules, V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
    let side = |key| match args.int(key) {
        0 => Ok(args.int("size")),
        1..4 => Err(args.refuse(key, "must be 0 or a whole number 4..12")),
        given => Ok(given),
    };
    let (rows, columns) = (side("rows")?, side("columns")?);
    Ok(if rows <= 8 && columns <= 8 {
        visitor.visit(Racing::<L, 128, 16>::new(rows, columns))
    } else {
        visitor.visit(Racing::<L, 256, 32>::new(rows, columns))
    })
}

/// The game on one board. Player 1 starts at the bottom and moves up.
///
/// The board lies in `C` cells with a border of one row below and above and one column on each side (two columns between the
/// end of a row and the start of the next), so that no move leaves them. A side has at most `P` pieces. Both are powers of
/// two, so that index checks are masks.
#[derive(Clone, Debug)]
pub struct Racing<L, const C: usize, const P: usize> {
    rows: usize,
    columns: usize,
    /// The ways by player.
    steps: [[Step; MAX_WAYS]; 2],
    /// The number of each cell on the board, counted from a1 without the border.
    numbers: [u8; C],
    /// The code of each move by player, origin and kind, and the number of codes.
    codes: [[[u16; MAX_KINDS]; C]; 2],
    code_count: usize,
    rules: PhantomData<L>,
}

/// A way of moving on this board.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The distance to the target, modulo 256.
    by: u8,
    /// What the target may hold.
    onto: u8,
}

/// The pieces in two forms: by cell, for lookup, and in a list per player, to draw one at random.
#[derive(Clone, Copy, Debug)]
pub struct Position<const C: usize, const P: usize> {
    /// [`BORDER`], [`EMPTY`], or the owner's bit and the place in the owner's list.
    cells: [u8; C],
    pieces: [[u8; P]; 2],
    counts: [u8; 2],
    player: Player,
    over: bool,
}

/// A piece moves from a cell in one of the ways of its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: u8,
    way: u8,
}

/// The content of a cell, one bit each, so that one `and` tests whether a move may end there.
const BORDER: u8 = 0;
const EMPTY: u8 = 0x20;
const OWNED: [u8; 2] = [0x40, 0x80];
/// The place in the owner's list.
const PLACE: u8 = 0x1F;

/// A move found by drawing, with all that is needed to make it.
struct Drawn {
    way: usize,
    /// The piece's place in its list.
    place: usize,
    target: usize,
    /// What the target holds.
    held: u8,
}

impl<L: Rules, const C: usize, const P: usize> Racing<L, C, P> {
    /// The number of ways that capture. Their captures are separate kinds of moves, after all ways.
    const TAKING: usize = {
        let (mut taking, mut way) = (0, 0);
        while way < L::WAYS.len() {
            taking += L::WAYS[way].takes as usize;
            way += 1;
        }
        taking
    };

    /// The game on a board of this size: `C` = 128 and `P` = 16 are enough for 8 rows and columns, 256 and 32 for 12.
    ///
    /// # Panics
    /// If rows or columns are not in 4..=12, or the board and its pieces do not fit in `C` and `P`.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        assert!((4..=12).contains(&rows) && (4..=12).contains(&columns), "{rows} rows of {columns} columns");
        assert!((rows + 2) * (columns + 2) <= C && 2 * columns <= P, "{columns}x{rows} is too large");
        let steps = [(1, OWNED[1]), (-1, OWNED[0])].map(|(forward, enemy)| {
            let mut steps = [Step { by: 0, onto: 0 }; MAX_WAYS];
            for (step, way) in steps.iter_mut().zip(L::WAYS) {
                let by = i16::from(way.columns) + i16::from(way.rows) * forward * (columns as i16 + 2);
                *step = Step { by: by as u8, onto: EMPTY | if way.takes { enemy } else { 0 } };
            }
            steps
        });
        let mut game = Self {
            rows,
            columns,
            steps,
            numbers: [0; C],
            codes: [[[0; MAX_KINDS]; C]; 2],
            code_count: 0,
            rules: PhantomData,
        };
        for (number, cell) in game.cells().enumerate() {
            game.numbers[cell] = number as u8;
        }
        game.number_moves();
        game
    }

    /// Gives a code to every move that stays on the board: by player, origin, way and whether it captures.
    fn number_moves(&mut self) {
        let on_board = self.start().cells.map(|held| held != BORDER);
        for player in 0..2 {
            for from in self.cells() {
                for kind in 0..L::WAYS.len() + Self::TAKING {
                    let way = if kind < L::WAYS.len() { kind } else { kind - Self::TAKING };
                    if on_board[self.target(player, Move { from: from as u8, way: way as u8 })] {
                        self.codes[player][from][kind] = self.code_count as u16;
                        self.code_count += 1;
                    }
                }
            }
        }
    }

    fn cell(&self, column: usize, row: usize) -> usize {
        (row + 1) * (self.columns + 2) + column + 1
    }

    /// The cells of the board from a1 on, row by row.
    fn cells(&self) -> impl Iterator<Item = usize> + use<L, C, P> {
        let (first, columns) = (self.cell(0, 0), self.columns);
        (0..self.rows)
            .flat_map(move |row| (0..columns).map(move |column| first + row * (columns + 2) + column))
    }

    fn column_and_row(&self, cell: usize) -> (usize, usize) {
        let number = usize::from(self.numbers[cell]);
        (number % self.columns, number / self.columns)
    }

    /// The target of a move of `player`.
    #[inline]
    fn target(&self, player: usize, mv: Move) -> usize {
        usize::from(mv.from.wrapping_add(self.steps[player & 1][usize::from(mv.way) % MAX_WAYS].by)) % C
    }

    /// Makes a move of `own` on the cells and lists; returns whether it wins. `enemies` is the number of enemy pieces.
    #[inline(always)]
    fn make(&self, position: &mut Position<C, P>, own: usize, enemies: &mut u64, drawn: &Drawn) -> bool {
        let Position { cells, pieces, .. } = position;
        let (own, enemy) = (own & 1, own & 1 ^ 1);
        if drawn.held != EMPTY {
            // The last enemy of the list takes the place of the captured one.
            let place = usize::from(drawn.held & PLACE) % P;
            *enemies -= 1;
            let last = pieces[enemy][*enemies as usize % P];
            pieces[enemy][place] = last;
            cells[usize::from(last) % C] = OWNED[enemy] | place as u8;
        }
        cells[usize::from(pieces[own][drawn.place]) % C] = EMPTY;
        cells[drawn.target] = OWNED[own] | drawn.place as u8;
        pieces[own][drawn.place] = drawn.target as u8;

        let arrived = if own == 0 {
            drawn.target > self.rows * (self.columns + 2)
        } else {
            drawn.target < 2 * (self.columns + 2)
        };
        arrived | (*enemies == 0)
    }

    /// The code by player, origin, way and whether the move captures.
    #[inline]
    fn code_of(&self, player: usize, from: u8, way: usize, held: u8) -> Code {
        let kind = way + if held == EMPTY { 0 } else { Self::TAKING };
        Code::from(self.codes[player & 1][usize::from(from) % C][kind % MAX_KINDS])
    }

    /// The cell on which the last move ended.
    fn arrival(&self, position: &Position<C, P>, last: Move) -> (usize, usize) {
        self.column_and_row(self.target(position.player.other().index(), last))
    }

    fn owner(&self, position: &Position<C, P>, column: usize, row: usize) -> Option<usize> {
        (0..2).find(|&player| position.cells[self.cell(column, row)] & OWNED[player] != 0)
    }
}

impl<L: Rules, const C: usize, const P: usize> Game for Racing<L, C, P> {
    type Position = Position<C, P>;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<C, P> {
        let count = 2 * self.columns;
        let mut cells = [BORDER; C];
        let mut pieces = [[0; P]; 2];
        self.cells().for_each(|cell| cells[cell] = EMPTY);
        for (player, first) in [(0, 0), (1, self.rows * self.columns - count)] {
            for (place, cell) in self.cells().skip(first).take(count).enumerate() {
                cells[cell] = OWNED[player] | place as u8;
                pieces[player][place] = cell as u8;
            }
        }
        Position { cells, pieces, counts: [count as u8; 2], player: Player(0), over: false }
    }

    #[inline]
    fn turn(&self, position: &Position<C, P>) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Position<C, P>, out: &mut Vec<Move>) {
        if position.over {
            return;
        }
        let own = position.player.index();
        let pieces = &position.pieces[own][..usize::from(position.counts[own])];
        let cells: Bits<4> = pieces.iter().map(|&cell| usize::from(cell)).collect();
        // Every move is written, and kept if it is legal: the branch would be unpredictable.
        let mut end = out.len();
        out.resize(end + pieces.len() * L::WAYS.len(), Move { from: 0, way: 0 });
        for from in cells.iter() {
            for way in 0..L::WAYS.len() {
                let mv = Move { from: from as u8, way: way as u8 };
                out[end] = mv;
                end += usize::from(position.cells[self.target(own, mv)] & self.steps[own][way].onto != 0);
            }
        }
        out.truncate(end);
    }

    #[inline]
    fn play(&self, position: &mut Position<C, P>, mv: Move) {
        let own = position.player.index() & 1;
        let target = self.target(own, mv);
        let drawn = Drawn {
            way: usize::from(mv.way),
            place: usize::from(position.cells[usize::from(mv.from) % C] & PLACE) % P,
            target,
            held: position.cells[target],
        };
        let mut enemies = u64::from(position.counts[own ^ 1]);
        position.over = self.make(position, own, &mut enemies, &drawn);
        position.counts[own ^ 1] = enemies as u8;
        position.player = position.player.other();
    }

    fn rewards(&self, position: &Position<C, P>) -> Rewards {
        // The last move wins.
        Rewards::win(2, position.player.other())
    }

    fn hash(&self, position: &Position<C, P>) -> u64 {
        let mut hash = Hasher::new().word(u64::from(position.player.0));
        for (pieces, &count) in position.pieces.iter().zip(&position.counts) {
            // As a set: the order of the list does not matter.
            let set: Bits<4> = pieces[..usize::from(count)].iter().map(|&cell| usize::from(cell)).collect();
            hash = set.0[..C / 64].iter().fold(hash, |hash, &word| hash.word(word));
        }
        hash.finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        self.code_count
    }

    #[inline]
    fn code(&self, position: &Position<C, P>, mv: Move, _coding: usize) -> Code {
        let own = position.player.index();
        self.code_of(own, mv.from, usize::from(mv.way), position.cells[self.target(own, mv)])
    }

    fn move_text(&self, position: &Position<C, P>, mv: Move) -> String {
        let target = self.target(position.player.index(), mv);
        let takes = if position.cells[target] == EMPTY { "" } else { "x" };
        let [from, to] = [usize::from(mv.from), target].map(|cell| {
            let (column, row) = self.column_and_row(cell);
            square(column, row)
        });
        format!("{from}{takes}{to}")
    }

    fn board(&self, position: &Position<C, P>, last: Option<Move>) -> String {
        grid(self.columns, self.rows, 0, last.map(|mv| self.arrival(position, mv)), |column, row| {
            self.owner(position, column, row).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position<C, P>, last: Option<Move>) -> String {
        let mut board = SquareBoard::new(self.columns, self.rows, true);
        let ends = last.map(|mv| [self.column_and_row(mv.from.into()), self.arrival(position, mv)]);
        if let Some([from, to]) = ends {
            board.trace(from, to);
        }
        for (column, row) in self.cells().map(|cell| self.column_and_row(cell)) {
            if let Some(player) = self.owner(position, column, row) {
                board.disc(column, row, COLOURS[player]);
                // An arrowhead shows the direction of the piece.
                let (x, y) = board.centre(column, row);
                let (ahead, side) = (CELL * if player == 0 { -0.2 } else { 0.2 }, CELL * 0.17);
                let wings = [(x - side, y - ahead * 0.7), (x + side, y - ahead * 0.7)];
                let tip = [wings[0], (x, y - ahead * 0.2), wings[1], (x, y + ahead)];
                board.svg.polygon(&tip, "#ffffff80", "none");
            }
        }
        board.finish(ends.map(|[_, to]| to))
    }

    /// One point for each piece.
    fn evaluate(&self, position: &Position<C, P>) -> Option<Rewards> {
        Some(Rewards::leaning(&position.counts.map(f64::from)))
    }

    fn move_of_merit(
        &self,
        position: &Position<C, P>,
        _coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        if position.over {
            return None;
        }
        if position.player == Player(0) {
            self.greatest::<0>(position, merit, rng)
        } else {
            self.greatest::<1>(position, merit, rng)
        }
    }

    #[inline]
    fn random_move(
        &self,
        position: &Position<C, P>,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
    ) -> Option<Move> {
        if position.over {
            return None;
        }
        let own = position.player.index() & 1;
        let count = u64::from(position.counts[own]);
        let drawn = if own == 0 {
            self.draw::<0>(position, count, rng)
        } else {
            self.draw::<1>(position, count, rng)
        };
        Some(Move { from: position.pieces[own][drawn.place], way: drawn.way as u8 })
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<C, P>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        self.run(position, rng, recorder);
    }
}
