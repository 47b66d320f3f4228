//! Ultimate tic-tac-toe: nine boards of tic-tac-toe are the cells of a tenth.
//!
//! A full board without a line counts for neither player. If no open board has a free cell left and neither player has
//! three boards in a line, the game is a draw, no matter how many boards each has won.

use crate::parts::draws::Draws;
use crate::parts::nine::{self, FULL, Known, has_line};
use permutree_game::draw::{CELL, COLOURS, STONES, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, ParamError, Player, Recorder, Rewards, Rng, Turn, Visitor,
};

/// The rules. There are no parameters, so the value is empty.
#[derive(Clone, Copy, Debug)]
pub struct UltimateTicTacToe;

/// The marks, and where the next one may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    boards: Boards,
    next: Next,
}

/// The small boards. Boards, and the cells of a board, are numbered as in [`nine`]. There is room for sixteen, so that
/// index checks are masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Boards {
    /// The marks of each player on each board.
    marks: [[u16; 16]; 2],
    /// The open cells of each board: none once it is won or full.
    open: [Known; 16],
    /// The boards that each player has won.
    won: [u16; 2],
}

/// The rest of a position, separate from the boards so that a playout keeps it in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Next {
    player: Player,
    /// The board that the last mark points to, or [`NONE`]. If it has no open cell, any other open board may be played.
    board: u8,
    /// The number of open cells of all boards; 0 when the game is over.
    left: u8,
    /// The number of open cells of each board, a byte each; the ninth board has the rest of `left`.
    room: u64,
}

/// A mark in a cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    board: u8,
    cell: u8,
}

/// Before the first mark: a board without cells.
const NONE: u8 = 9;
/// One cell of each board in [`Next::room`].
const UNIT: [u64; 16] =
    [1, 1 << 8, 1 << 16, 1 << 24, 1 << 32, 1 << 40, 1 << 48, 1 << 56, 0, 0, 0, 0, 0, 0, 0, 0];
const LANES: u64 = 0x0101_0101_0101_0101;

impl Configure for UltimateTicTacToe {
    const FACTS: Facts = Facts {
        name: "ultimate-tic-tac-toe",
        title: "Ultimate tic-tac-toe",
        rules: "Nine 3x3 boards form a 3x3 board. The cell of a mark within its small board determines the small board \
                where the opponent must play next; if that board is won or full, any open board may be played. Three \
                won boards in a line win; if no cell is left, the game is a draw.",
        source: "traditional; as in Ludii and the paper Who Invented MCTS?",
        params: &[],
    };

    fn configure<V: Visitor>(_args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self))
    }
}

impl Boards {
    /// A random move by `below`, which returns random numbers below its argument. There must be an open cell.
    #[inline(always)]
    fn draw(&self, next: Next, mut below: impl FnMut(usize) -> usize) -> Move {
        let open = self.open[usize::from(next.board) % 16];
        if !open.is_empty() {
            return Move { board: next.board, cell: open.nth(below(open.count())) };
        }
        let (board, index) = next.find(below(next.left.into()));
        Move { board, cell: self.open[usize::from(board) % 16].nth(index) }
    }

    #[inline(always)]
    fn play(&mut self, next: &mut Next, mv: Move) {
        let (player, board) = (next.player.index() & 1, usize::from(mv.board) % 16);
        self.marks[player][board] |= 1 << mv.cell;
        // A mask is faster than this unpredictable branch.
        let won = has_line(self.marks[player][board]);
        let open = Known::of(self.open[board].set() & !(1 << mv.cell));
        let closed = open.count() as u8 * u8::from(won) + 1;
        self.open[board] = open.cleared_if(won);
        self.won[player] |= u16::from(won) << board;
        next.left -= closed;
        next.room -= UNIT[board] * u64::from(closed);
        if has_line(self.won[player]) {
            next.left = 0;
        }
        next.board = mv.cell;
        next.player = next.player.other();
    }
}

impl Next {
    /// The board of open cell number `index`, and the number of the cell within it.
    #[inline]
    fn find(&self, index: usize) -> (u8, usize) {
        // Each byte of `upto` counts the open cells up to and including its board; the wanted board is the first whose byte
        // exceeds the index. No byte exceeds 81, so the high bits compare all bytes at once without carries between them.
        let upto = self.room.wrapping_mul(LANES);
        let reached = ((index as u64 | 0x80).wrapping_mul(LANES) - upto) >> 7 & LANES;
        let board = (reached.wrapping_mul(LANES) >> 56) as u8;
        let before = (u128::from(upto) << 8 >> (8 * board)) as usize & 0xFF;
        (board, index - before)
    }
}

impl Position {
    /// The boards where the player to move may play.
    fn boards(&self) -> u16 {
        let open = |board: &u8| !self.boards.open[usize::from(*board)].is_empty();
        match self.next.board {
            _ if self.next.left == 0 => 0,
            board if open(&board) => 1 << board,
            _ => (0..9).filter(open).map(|board| 1 << board).sum(),
        }
    }

    fn owner(&self, board: usize, cell: usize) -> Option<usize> {
        (0..2).find(|&player| self.boards.marks[player][board] >> cell & 1 == 1)
    }

    fn winner_of(&self, board: usize) -> Option<usize> {
        (0..2).find(|&player| self.boards.won[player] >> board & 1 == 1)
    }
}

impl Game for UltimateTicTacToe {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let mut boards = Boards { marks: [[0; 16]; 2], open: [Known::EMPTY; 16], won: [0; 2] };
        boards.open[..9].fill(Known::of(FULL));
        Position { boards, next: Next { player: Player(0), board: NONE, left: 81, room: 9 * LANES } }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.next.left == 0 { Turn::Over } else { Turn::Player(position.next.player) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        for board in nine::iter(position.boards()) {
            let open = position.boards.open[usize::from(board)].set();
            out.extend(nine::iter(open).map(|cell| Move { board, cell }));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        position.boards.play(&mut position.next, mv);
    }

    #[inline]
    fn rewards(&self, position: &Position) -> Rewards {
        match position.boards.won.map(has_line) {
            [true, _] => Rewards::win(2, Player(0)),
            [_, true] => Rewards::win(2, Player(1)),
            _ => Rewards::draw(2),
        }
    }

    /// The marks and the playable boards determine everything else.
    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        // Seven boards of a player fill a word; the last two of both players share one with the rest.
        let pack = |boards: &[u16]| boards.iter().fold(0, |word, &marks| word << 9 | u64::from(marks));
        let [x, o] = position.boards.marks.each_ref().map(|boards| boards[..9].split_at(7));
        let rest = pack(x.1) << 18 | pack(o.1);
        let turn = u64::from(position.boards()) << 1 | u64::from(position.next.player.0);
        Hasher::new().word(pack(x.0)).word(pack(o.0)).word(turn << 36 | rest).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        162
    }

    #[inline]
    fn code(&self, position: &Position, mv: Move, _coding: usize) -> Code {
        code_of(position.next.player, mv)
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        let (column, row) = column_and_row(mv);
        square(column, row)
    }

    /// The winner's marks on a won board are upper case. A line below says where to play.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let cells = grid(9, 9, 0, last.map(column_and_row), |column, row| {
            let (board, cell) = board_and_cell(column, row);
            let Some(player) = position.owner(board, cell) else { return '.' };
            let won = position.winner_of(board) == Some(player);
            if won { STONES[player].to_ascii_uppercase() } else { STONES[player] }
        });
        let mut out = String::new();
        for (i, line) in cells.lines().enumerate() {
            if i == 3 || i == 6 {
                out.push_str("   -------+-------+-------\n");
            }
            out.push_str(&if i < 9 { part(line) } else { line.replace(" d", "   d").replace(" g", "   g") });
            out.push('\n');
        }
        match nine::iter(position.boards()).collect::<Vec<u8>>()[..] {
            [] => {}
            [board] => {
                let [first, last] = [0, 8].map(|cell| self.move_text(position, Move { board, cell }));
                out.push_str(&format!("play in {first}..{last}\n"));
            }
            _ => out.push_str("play in any open board\n"),
        }
        out
    }

    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        let mut picture = SquareBoard::new(9, 9, false);
        for board in 0..9 {
            let winner = position.winner_of(board.into());
            let playable = position.boards() >> board & 1 == 1;
            let fill = winner.map(|player| TINTS[player]).or(playable.then_some("#fff3b8"));
            for cell in 0..9 {
                let (column, row) = column_and_row(Move { board, cell });
                if let Some(fill) = fill {
                    picture.fill(column, row, fill);
                }
                if let Some(player) = position.owner(board.into(), cell.into()) {
                    let colour = if winner.is_none() { COLOURS[player] } else { FADED[player] };
                    let centre = picture.centre(column, row);
                    picture.svg.sign(player, centre, CELL * 0.25, colour);
                }
            }
            if let Some(player) = winner {
                let (column, row) = column_and_row(Move { board, cell: 4 });
                let centre = picture.centre(column, row);
                picture.svg.sign(player, centre, CELL * 1.05, COLOURS[player]);
            }
        }
        let ((left, bottom), (right, top)) = (picture.centre(0, 0), picture.centre(8, 8));
        let half = CELL / 2.0;
        for third in [2, 5] {
            let (x, y) = picture.centre(third, third);
            picture.svg.line((x + half, top - half), (x + half, bottom + half), "#5a4320", 4.0);
            picture.svg.line((left - half, y - half), (right + half, y - half), "#5a4320", 4.0);
        }
        picture.finish(last.map(column_and_row))
    }

    /// One point for each board won.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        Some(Rewards::leaning(&position.boards.won.map(|boards| nine::count(boards) as f64)))
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        (position.next.left > 0).then(|| position.boards.draw(position.next, |n| rng.below(n)))
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        let Position { mut boards, mut next } = *position;
        while next.left > 0 {
            // 81^5 is below 2^35, so one word is enough for five draws.
            let mut draws = Draws::new(rng);
            for _ in 0..5 {
                let mv = boards.draw(next, |n| draws.below(n));
                if R::RECORDS {
                    recorder.record(next.player, code_of(next.player, mv));
                }
                boards.play(&mut next, mv);
                if next.left == 0 {
                    break;
                }
            }
        }
        *position = Position { boards, next };
    }
}

#[inline]
fn code_of(player: Player, Move { board, cell }: Move) -> Code {
    u32::from(player.0) * 81 + u32::from(board) * 9 + u32::from(cell)
}

/// The players' colours for won boards, and for the marks on them.
const TINTS: [&str; 2] = ["#f1c9c6", "#c3d8e6"];
const FADED: [&str; 2] = ["#dc9a9c", "#8fb3ca"];

fn column_and_row(mv: Move) -> (usize, usize) {
    let (board, cell) = (usize::from(mv.board), usize::from(mv.cell));
    (board % 3 * 3 + cell % 3, board / 3 * 3 + cell / 3)
}

fn board_and_cell(column: usize, row: usize) -> (usize, usize) {
    (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3)
}

/// Inserts bars between the small boards into a line of a text grid. Before the fourth and seventh columns there is a space
/// or a bracket; a bracket stays on its side of the bar.
fn part(line: &str) -> String {
    let mut out = String::new();
    for (i, c) in line.chars().enumerate() {
        match (i, c) {
            (9 | 15, ']') => out.push_str("]| "),
            (9 | 15, _) => out.extend([' ', '|', c]),
            _ => out.push(c),
        }
    }
    out
}
