//! SameGame, a puzzle for one player.
//!
//! A board is generated from its number: each cell gets a random colour, columns from the left, cells from below. A group
//! is named by the lowest cell of its leftmost column; any of its cells may be typed. Cells left at the end cost nothing.
//!
//! The reward is the score divided by an upper bound: the points for taking each colour as a single group, because
//! (a + b - 2)² >= (a - 2)² + (b - 2)², plus the bonus unless some colour has a single cell, which can never be taken. On the
//! default board random play scores about 0.08 of the bound, and good play about half.

use crate::parts::bits::Bits;
use permutree_game::draw::{COLOURS, STONES, SquareBoard, grid, parse_square, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The bonus for an empty board.
const BONUS: u32 = 1000;
/// The largest number of colours.
const MOST: usize = 6;
/// The distance from a cell to its neighbour in the next column. Boards have fewer rows, so the last bit of each column is
/// free and a step out of a column never leads into another.
const COLUMN: usize = 16;

/// The rules and the initial board, of at most `4 * W` columns. The bit of a cell is `column * COLUMN + row`.
#[derive(Clone, Copy, Debug)]
pub struct SameGame<const W: usize = 3> {
    columns: usize,
    rows: usize,
    colours: usize,
    start: Position<W>,
    /// An upper bound of the score.
    bound: u32,
}

/// The cells of each colour and the score so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<const W: usize> {
    colours: [Bits<W>; MOST],
    /// The cells with a neighbour of their colour above or to the right, and none below or to the left: the first cells of
    /// all groups of two or more, and few others.
    corners: Bits<W>,
    score: u32,
}

/// A group of two or more cells and its colour.
struct Group<const W: usize> {
    cells: Bits<W>,
    colour: usize,
}

impl Configure for SameGame {
    const FACTS: Facts = Facts {
        name: "same-game",
        title: "SameGame",
        rules: "For one player. Take a group of two or more adjacent cells of one colour: n cells give (n - 2)^2 points. \
                Cells above fall down, and columns to the right of an empty column move left. An empty board gives 1000 \
                extra points. The game is over when no group is left; the reward is the score as a share of an upper bound.",
        source: "Kuniaki Moribe, Chain Shot!, 1985; Cazenave, Nested Monte-Carlo Search, 2009",
        params: &[
            Param::int("columns", 2, 20, "10", "columns; 15 in the papers"),
            Param::int("rows", 2, 15, "10", "rows; 15 in the papers"),
            Param::int("colours", 2, MOST as i64, "4", "colours; 5 in the papers"),
            Param::int("board", 0, i64::MAX, "1", "number of the board"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        match args.int("columns") {
            ..=8 => configure::<2, V>(args, visitor),
            9..=12 => configure::<3, V>(args, visitor),
            13..=16 => configure::<4, V>(args, visitor),
            _ => configure::<5, V>(args, visitor),
        }
    }
}

fn configure<const W: usize, V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
    let [columns, rows, colours, board] = ["columns", "rows", "colours", "board"].map(|key| args.int(key));
    match SameGame::<W>::new(columns, rows, colours, board as u64) {
        Some(game) => Ok(visitor.visit(game)),
        None => Err(args.refuse("board", "this board has no two neighbours of one colour")),
    }
}

impl<const W: usize> SameGame<W> {
    /// The board with this number, which seeds the generator of its colours; `None` if no two neighbours have one colour, so
    /// that there is no move.
    ///
    /// # Panics
    /// If columns are not in 2..=20 or more than `4 * W`, rows not in 2..=15, or colours not in 2..=6.
    #[must_use]
    pub fn new(columns: usize, rows: usize, colours: usize, board: u64) -> Option<Self> {
        assert!((2..=20).contains(&columns) && columns <= 4 * W, "{columns} columns in {W} words");
        assert!((2..=15).contains(&rows) && (2..=MOST).contains(&colours), "{rows} rows, {colours} colours");
        let mut rng = Rng::new(board);
        let mut cells = [Bits::EMPTY; MOST];
        for column in 0..columns {
            for row in 0..rows {
                cells[rng.below(colours)].insert(column * COLUMN + row);
            }
        }
        let counts = cells.map(|cells| cells.count() as u32);
        let bonus = if counts.contains(&1) { 0 } else { BONUS };
        let bound = bonus + counts.iter().map(|count| count.saturating_sub(2).pow(2)).sum::<u32>();
        let start = Position { colours: cells, corners: corners(&cells), score: 0 };
        (!start.corners.is_empty()).then_some(Self { columns, rows, colours, start, bound })
    }

    /// The group of a cell that is not empty.
    #[inline]
    fn group(position: &Position<W>, cell: usize) -> Option<Group<W>> {
        let colour = position.colours.iter().position(|cells| cells.contains(cell))?;
        let mut cells = Bits::one(cell);
        loop {
            let grown = (cells | cells.up(1) | cells.down(1) | cells.up(COLUMN) | cells.down(COLUMN))
                & position.colours[colour];
            if grown == cells {
                return Some(Group { cells, colour });
            }
            cells = grown;
        }
    }

    /// The group whose first cell this is.
    #[inline]
    fn group_from(position: &Position<W>, cell: usize) -> Option<Group<W>> {
        Self::group(position, cell).filter(|group| group.first() == Some(cell))
    }

    /// Draws a group, by rejection: a corner is accepted if it is the first cell of its group.
    #[inline]
    fn draw(position: &Position<W>, rng: &mut Rng) -> Option<Group<W>> {
        let count = position.corners.count();
        if count == 0 {
            return None;
        }
        loop {
            let cell = position.corners.nth(rng.below(count))?;
            if let Some(group) = Self::group_from(position, cell) {
                return Some(group);
            }
        }
    }

    /// Removes a group from the board.
    #[inline]
    fn take(&self, position: &mut Position<W>, group: &Group<W>) {
        let colours = &mut position.colours[..self.colours];
        // From the right, so that closing an empty column does not renumber the columns still to come.
        for column in (0..self.columns).rev() {
            let taken = lane(&group.cells, column);
            if taken == 0 {
                continue;
            }
            let mut left = 0;
            for cells in colours.iter_mut() {
                let fallen = squeeze(lane(cells, column), taken);
                set_lane(cells, column, fallen);
                left |= fallen;
            }
            if left == 0 {
                for cells in colours.iter_mut() {
                    for column in column..self.columns {
                        let next = if column + 1 < self.columns { lane(cells, column + 1) } else { 0 };
                        set_lane(cells, column, next);
                    }
                }
            }
        }
        position.score += (group.cells.count() as u32 - 2).pow(2);
        // Empty columns close up, so the board is empty if its first column is.
        if position.colours.iter().all(|cells| lane(cells, 0) == 0) {
            position.score += BONUS;
        }
        position.corners = corners(&position.colours[..self.colours]);
    }

    #[inline]
    fn code_of(&self, cell: usize, colour: usize) -> Code {
        ((cell / COLUMN * self.rows + cell % COLUMN) * self.colours + colour) as Code
    }
}

impl<const W: usize> Group<W> {
    /// The cell that names the group.
    #[inline]
    fn first(&self) -> Option<usize> {
        self.cells.nth(0)
    }
}

impl<const W: usize> Game for SameGame<W> {
    type Position = Position<W>;
    type Move = u16;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Position<W> {
        self.start
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        if position.corners.is_empty() { Turn::Over } else { Turn::Player(Player(0)) }
    }

    fn moves(&self, position: &Position<W>, out: &mut Vec<u16>) {
        let firsts = position.corners.iter().filter(|&cell| Self::group_from(position, cell).is_some());
        out.extend(firsts.map(|cell| cell as u16));
    }

    fn play(&self, position: &mut Position<W>, cell: u16) {
        if let Some(group) = Self::group(position, usize::from(cell)) {
            self.take(position, &group);
        }
    }

    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::from_slice(&[f64::from(position.score) / f64::from(self.bound.max(1))])
    }

    fn hash(&self, position: &Position<W>) -> u64 {
        let words = position.colours[..self.colours].iter().flat_map(|cells| cells.0);
        words.fold(Hasher::new().word(u64::from(position.score)), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        self.columns * self.rows * self.colours
    }

    /// The first cell of the group and its colour.
    #[inline]
    fn code(&self, position: &Position<W>, cell: u16, _coding: usize) -> Code {
        let cell = usize::from(cell);
        let colour = position.colours.iter().position(|cells| cells.contains(cell)).unwrap_or(0);
        self.code_of(cell, colour)
    }

    fn move_text(&self, _position: &Position<W>, cell: u16) -> String {
        let (column, row) = column_and_row(cell);
        square(column, row)
    }

    /// Accepts any cell of a group.
    fn parse_move(&self, position: &Position<W>, text: &str) -> Option<u16> {
        let (column, row) = parse_square(text.trim())?;
        if column >= self.columns || row >= self.rows {
            return None;
        }
        let group = Self::group(position, column * COLUMN + row)?;
        group.first().filter(|_| group.cells.count() > 1).map(|cell| cell as u16)
    }

    /// Colours as letters, the cell that named the last group in brackets.
    fn board(&self, position: &Position<W>, last: Option<u16>) -> String {
        let mut out = grid(self.columns, self.rows, 0, last.map(column_and_row), |column, row| {
            let cell = column * COLUMN + row;
            position.colours.iter().position(|cells| cells.contains(cell)).map_or('.', |c| STONES[c])
        });
        out.push_str(&format!("score {}\n", position.score));
        out
    }

    fn picture(&self, position: &Position<W>, last: Option<u16>) -> String {
        let mut board = SquareBoard::new(self.columns, self.rows, false);
        for (cells, colour) in position.colours.iter().zip(COLOURS) {
            for cell in cells.iter() {
                let (x, y) = board.centre(cell / COLUMN, cell % COLUMN);
                board.svg.rect(x - 18.0, y - 18.0, 36.0, 36.0, colour);
            }
        }
        if let Some((column, row)) = last.map(column_and_row) {
            board.mark(column, row);
        }
        let (x, y) = board.centre(self.columns / 2, self.rows - 1);
        board.svg.text(x, y - 34.0, 15.0, "#222", format!("score {}", position.score));
        board.svg.finish()
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        Self::draw(position, rng)?.first().map(|cell| cell as u16)
    }

    /// Plays move by move, but finds each group only once.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        while let Some(group) = Self::draw(position, rng) {
            if R::RECORDS
                && let Some(cell) = group.first()
            {
                recorder.record(Player(0), self.code_of(cell, group.colour));
            }
            self.take(position, &group);
        }
    }
}

/// The corners, as [`Position`] defines them.
#[inline]
fn corners<const W: usize>(colours: &[Bits<W>]) -> Bits<W> {
    colours.iter().fold(Bits::EMPTY, |corners, &cells| {
        let before = cells.up(1) | cells.up(COLUMN);
        let after = cells.down(1) | cells.down(COLUMN);
        corners | cells & after & !before
    })
}

/// The cells of one column, the lowest as the lowest bit.
#[inline]
fn lane<const W: usize>(cells: &Bits<W>, column: usize) -> u16 {
    (cells.0[column / 4] >> (column % 4 * COLUMN)) as u16
}

#[inline]
fn set_lane<const W: usize>(cells: &mut Bits<W>, column: usize, lane: u16) {
    let (word, shift) = (&mut cells.0[column / 4], column % 4 * COLUMN);
    *word = *word & !(0xFFFF << shift) | u64::from(lane) << shift;
}

/// The bits of a column without the taken ones, those above moved down.
#[inline]
fn squeeze(mut lane: u16, mut taken: u16) -> u16 {
    while taken != 0 {
        let top = taken.ilog2();
        let below = (1 << top) - 1;
        lane = lane & below | lane >> 1 & !below;
        taken &= below;
    }
    lane
}

fn column_and_row(cell: u16) -> (usize, usize) {
    (usize::from(cell) / COLUMN, usize::from(cell) % COLUMN)
}
