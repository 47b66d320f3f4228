//! Domineering: one player places vertical dominoes, the other horizontal ones; a player who cannot move loses.

use crate::parts::bits::Bits;
use permutree_game::draw::{CELL, COLOURS, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

/// The rules on a board that fits in `W` words. Player 1 is Vertical, player 2 is Horizontal.
#[derive(Clone, Copy, Debug)]
pub struct Domineering<const W: usize = 1> {
    rows: usize,
    columns: usize,
    /// Every cell of the board.
    board: Bits<W>,
    /// The first column and the last.
    sides: [Bits<W>; 2],
}

/// Cells as bits, `row * columns + column`. A domino is named by its lower or left cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    /// The cells that no domino covers.
    free: Bits<W>,
    /// The dominoes of each player.
    dominoes: [Bits<W>; 2],
    player: Player,
}

const VERTICAL: Player = Player(0);
const HORIZONTAL: Player = Player(1);

impl Configure for Domineering {
    const FACTS: Facts = Facts {
        name: "domineering",
        title: "Domineering",
        rules: "Players take turns placing a domino on two free cells, player 1 vertically and player 2 horizontally. A \
                player who cannot move loses. A move names the lower or left cell of the domino.",
        source: "Göran Andersson, published by Martin Gardner in 1974 as Crosscram; 8x8 solved by Breuker, Uiterwijk \
                 and van den Herik 2000",
        params: &[
            Param::int("rows", 2, 16, "8", "rows of the board"),
            Param::int("columns", 0, 16, "0", "columns, 2 to 16; 0 for as many as rows"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let rows = args.int("rows");
        let columns = match args.int("columns") {
            0 => rows,
            1 => return Err(args.refuse("columns", "must be 0 or a whole number 2..16")),
            given => given,
        };
        Ok(match rows * columns {
            0..=64 => visitor.visit(Domineering::<1>::new(rows, columns)),
            65..=128 => visitor.visit(Domineering::<2>::new(rows, columns)),
            _ => visitor.visit(Domineering::<4>::new(rows, columns)),
        })
    }
}

impl<const W: usize> Domineering<W> {
    /// The game on a board of this size.
    ///
    /// # Panics
    /// If a side is not in 2..=16, or the board does not fit in `W` words.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        assert!([rows, columns].iter().all(|side| (2..=16).contains(side)), "{rows}x{columns} cells");
        assert!(rows * columns <= 64 * W, "{rows}x{columns} cells in {W} words");
        let column = |column| (0..rows).map(|row| row * columns + column).collect();
        Self { rows, columns, board: (0..rows * columns).collect(), sides: [column(0), column(columns - 1)] }
    }

    /// The distance from the cell that names a player's domino to its other cell.
    #[inline]
    fn step(&self, player: Player) -> usize {
        if player == VERTICAL { self.columns } else { 1 }
    }

    /// The dominoes that `player` may place on these cells.
    #[inline]
    fn places(&self, cells: Bits<W>, player: Player) -> Bits<W> {
        let pairs = cells & cells.down(self.step(player));
        // A horizontal domino must not wrap around the edge. A vertical one at the top leaves the bits of the board.
        if player == VERTICAL { pairs } else { pairs & !self.sides[1] }
    }

    /// The legal moves.
    #[inline]
    fn open(&self, position: &Position<W>) -> Bits<W> {
        self.places(position.free, position.player)
    }

    /// How many dominoes `player` could place on these cells if the opponent placed none: half of each run, rounded down.
    fn room(&self, mut cells: Bits<W>, player: Player) -> usize {
        let step = self.step(player);
        let mut room = 0;
        loop {
            let behind = cells.up(step) & if player == VERTICAL { self.board } else { !self.sides[0] };
            let first = self.places(cells, player) & !behind;
            if first.is_empty() {
                return room;
            }
            room += first.count();
            cells &= !(first | first.up(step));
        }
    }

    /// The cells that `player` could cover with the next domino.
    fn reach(&self, cells: Bits<W>, player: Player) -> Bits<W> {
        let places = self.places(cells, player);
        places | places.up(self.step(player))
    }

    fn column_and_row(&self, cell: u8) -> (usize, usize) {
        (usize::from(cell) % self.columns, usize::from(cell) / self.columns)
    }
}

impl<const W: usize> Game for Domineering<W> {
    type Position = Position<W>;
    /// The lower or left cell.
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<W> {
        Position { free: self.board, dominoes: [Bits::EMPTY; 2], player: VERTICAL }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if self.open(position).is_empty() { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position<W>, out: &mut Vec<u8>) {
        out.extend(self.open(position).iter().map(|cell| cell as u8));
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, cell: u8) {
        let (cell, player) = (usize::from(cell), position.player);
        position.free.remove(cell);
        position.free.remove(cell + self.step(player));
        position.dominoes[player.index()].insert(cell);
        position.player = player.other();
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::win(2, position.player.other())
    }

    /// The dominoes tell whose turn it is.
    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.dominoes.iter().flat_map(|cells| cells.0).fold(Hasher::new(), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * self.rows * self.columns
    }

    #[inline]
    fn code(&self, position: &Position<W>, cell: u8, _coding: usize) -> Code {
        (position.player.index() * self.rows * self.columns) as Code + Code::from(cell)
    }

    fn move_text(&self, _position: &Position<W>, cell: u8) -> String {
        let (column, row) = self.column_and_row(cell);
        square(column, row)
    }

    /// A domino is `^` above `v`, or `<` before `>`.
    fn board(&self, position: &Position<W>, last: Option<u8>) -> String {
        let [upright, lying] = position.dominoes;
        let signs = [(upright, 'v'), (upright.up(self.columns), '^'), (lying, '<'), (lying.up(1), '>')];
        grid(self.columns, self.rows, 0, last.map(|cell| self.column_and_row(cell)), |column, row| {
            let cell = row * self.columns + column;
            signs.iter().find(|(cells, _)| cells.contains(cell)).map_or('.', |&(_, sign)| sign)
        })
    }

    fn picture(&self, position: &Position<W>, last: Option<u8>) -> String {
        let mut board = SquareBoard::new(self.columns, self.rows, false);
        for player in [VERTICAL, HORIZONTAL] {
            for cell in position.dominoes[player.index()].iter() {
                let ends = [cell, cell + self.step(player)].map(|cell| {
                    let (column, row) = self.column_and_row(cell as u8);
                    board.centre(column, row)
                });
                // The first end is the lower or left one; the y axis of pictures points down.
                let [(left, bottom), (right, top)] = ends;
                let half = CELL * 0.42;
                let (left, right, top, bottom) = (left - half, right + half, top - half, bottom + half);
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom)];
                board.svg.polygon(&corners, COLOURS[player.index()], "#222");
                if last.map(usize::from) == Some(cell) {
                    for (x, y) in ends {
                        board.svg.disc(x, y, CELL * 0.1, "#fff");
                    }
                }
            }
        }
        board.svg.finish()
    }

    /// Half a point for every domino that a player has room for, a whole one where the opponent cannot interfere.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let free = position.free;
        let score = |player: Player| {
            let safe = free & !self.reach(free, player.other());
            (self.room(free, player) + self.room(safe, player)) as f64 / 2.0
        };
        Some(Rewards::leaning(&[score(VERTICAL), score(HORIZONTAL)]))
    }

    fn move_of_merit(
        &self,
        position: &Position<W>,
        coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<u8> {
        let first = self.code(position, 0, coding);
        self.open(position)
            .draw_greatest(rng, |cell| merit(first + cell as Code), |_| true)
            .map(|cell| cell as u8)
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Option<u8> {
        self.open(position).draw(rng).map(|cell| cell as u8)
    }
}
