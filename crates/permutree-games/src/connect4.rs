//! Connect Four.

mod word;

pub use word::Word;

use crate::parts::bits::Bits;
use crate::parts::draws::Draws;
use crate::parts::lines::{Points, completing, longest_open_run};
use permutree_game::draw::{CELL, COLOURS, STONES, Svg, column_letter, grid};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};

/// The rules on a board of `columns * (rows + 1)` bits in one word `B`: `u64` for usual sizes, `u128` for large ones.
#[derive(Clone, Copy, Debug)]
pub struct Connect4<B = u64> {
    columns: u32,
    rows: u32,
    connect: u32,
    /// Every cell of the board.
    full: B,
}

/// Stones as bits, `column * (rows + 1) + row`. The bit above each column stays empty and keeps columns apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<B> {
    /// The stones of the player to move.
    current: B,
    /// The stones of both.
    taken: B,
    player: Player,
    /// Whether the last stone made a line.
    won: bool,
}

const PARAMS: &[Param] = &[
    Param::int("columns", 2, 11, "7", "columns of the board"),
    Param::int("rows", 2, 10, "6", "rows of the board"),
    Param::int("connect", 3, 6, "4", "stones in a line to win"),
];

impl Configure for Connect4 {
    const FACTS: Facts = Facts {
        name: "connect4",
        title: "Connect Four",
        rules: "Players take turns dropping a stone into a column that is not full; it falls to the lowest free cell. Four \
                in a row, column or diagonal win; a full board is a draw.",
        source: "Wexler and Strongin, Milton Bradley 1974",
        params: PARAMS,
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let [columns, rows, connect] = ["columns", "rows", "connect"].map(|key| args.int(key) as u32);
        if connect > columns.max(rows) {
            return Err(
                args.refuse("connect", format!("no line is that long on {columns} columns of {rows} rows"))
            );
        }
        if columns * (rows + 1) <= u64::BITS {
            Ok(visitor.visit(Connect4::<u64>::new(columns, rows, connect)))
        } else {
            Ok(visitor.visit(Connect4::<u128>::new(columns, rows, connect)))
        }
    }
}

impl Connect4 {
    /// The usual board: seven columns of six rows, four to connect.
    pub const USUAL: Self = Self { columns: 7, rows: 6, connect: 4, full: 0x0000_FDFB_F7EF_DFBF };
}

/// The usual board.
impl Default for Connect4 {
    fn default() -> Self {
        Self::USUAL
    }
}

impl<B: Word> Connect4<B> {
    /// The game on a board of this size, won by `connect` stones in a line.
    ///
    /// # Panics
    /// If columns are not in 2..=11, rows not in 2..=10 or `connect` not in 3..=6, no line is that long, or the board has
    /// more than `B` has bits, `columns * (rows + 1)`.
    #[must_use]
    pub fn new(columns: u32, rows: u32, connect: u32) -> Self {
        assert!((2..=11).contains(&columns) && (2..=10).contains(&rows), "{columns} columns of {rows} rows");
        assert!((3..=6).contains(&connect) && connect <= columns.max(rows), "{connect} to connect");
        assert!(columns * (rows + 1) <= B::BITS, "{columns} columns of {rows} rows in {} bits", B::BITS);
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| column * (rows + 1) + row));
        Self { columns, rows, connect, full: cells.fold(B::ZERO, |full, cell| full | B::ONE << cell) }
    }

    /// From a cell to its right neighbour.
    #[inline]
    fn stride(&self) -> u32 {
        self.rows + 1
    }

    /// The lowest cell of a column.
    #[inline]
    fn bottom(&self, column: u32) -> B {
        B::ONE << (column * self.stride())
    }

    /// Whether a column has room for a stone.
    #[inline]
    #[must_use]
    pub fn is_open(&self, position: &Position<B>, column: u32) -> bool {
        position.taken & self.bottom(column) << (self.rows - 1) == B::ZERO
    }

    #[inline]
    fn is_over(&self, position: &Position<B>) -> bool {
        position.won || position.taken == self.full
    }

    /// How many stones a column holds.
    #[inline]
    fn height(&self, position: &Position<B>, column: u32) -> u32 {
        landing(position.taken, self.bottom(column)).trailing_zeros() - column * self.stride()
    }

    /// The cells where the next stone may land.
    fn landings(&self, position: &Position<B>) -> Bits<2> {
        let bottoms = (0..self.columns).fold(B::ZERO, |bottoms, column| bottoms | self.bottom(column));
        // A full column carries into the empty bit above it.
        (landing(position.taken, bottoms) & self.full).bits()
    }

    #[inline]
    fn has_line(&self, stones: B) -> bool {
        match (self.stride(), self.connect) {
            (7, 4) => has_line(stones, 7, 4),
            (stride, connect) => has_line(stones, stride, connect),
        }
    }

    fn owner(&self, position: &Position<B>, column: usize, row: usize) -> Option<usize> {
        let cell = self.bottom(column as u32) << row as u32;
        if position.taken & cell == B::ZERO {
            return None;
        }
        let current = position.current & cell != B::ZERO;
        Some(if current { position.player } else { position.player.other() }.index())
    }

    /// The cell of the last stone, which is on top of its column.
    fn top_stone(&self, position: &Position<B>, column: u8) -> (usize, usize) {
        (usize::from(column), self.height(position, u32::from(column)) as usize - 1)
    }

    /// A random game to the end. `stride` and `connect` are those of the board; constants make this faster.
    #[inline(always)]
    fn run<R: Recorder>(
        &self,
        position: &mut Position<B>,
        stride: u32,
        connect: u32,
        rng: &mut Rng,
        recorder: &mut R,
    ) {
        // The bottom cells of the columns that are not full come first.
        let mut open = [B::ZERO; 16];
        let mut count = 0;
        for column in 0..self.columns {
            let bottom = B::ONE << (column * stride);
            open[count & 15] = bottom;
            count += usize::from(position.taken & bottom << (stride - 2) == B::ZERO);
        }
        let Position { mut current, mut taken, mut player, mut won } = *position;
        while count > 0 && !won {
            // 11^8 is below 2^28, so one word is enough for eight draws.
            let mut draws = Draws::new(rng);
            for _ in 0..8 {
                let index = draws.below(count);
                let bottom = open[index & 15];
                if R::RECORDS {
                    let bit = landing(taken, bottom).trailing_zeros();
                    recorder.record(player, self.code_of(player, bit, bit / stride));
                }
                current = current ^ taken;
                taken = taken | (taken + bottom);
                player = player.other();
                won = has_line(current ^ taken, stride, connect);
                if won {
                    break;
                }
                if taken & bottom << (stride - 2) != B::ZERO {
                    count -= 1;
                    open[index & 15] = open[count & 15];
                    if count == 0 {
                        break;
                    }
                }
            }
        }
        *position = Position { current, taken, player, won };
    }

    /// The code for a stone of `player` that lands on `bit`: cells count up the columns, without the empty bits.
    #[inline]
    fn code_of(&self, player: Player, bit: u32, column: u32) -> Code {
        u32::from(player.0) * self.columns * self.rows + bit - column
    }
}

impl<B: Word> Game for Connect4<B> {
    type Position = Position<B>;
    /// A column.
    type Move = u8;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position<B> {
        Position { current: B::ZERO, taken: B::ZERO, player: Player(0), won: false }
    }

    #[inline]
    fn turn(&self, position: &Position<B>) -> Turn {
        if self.is_over(position) { Turn::Over } else { Turn::Player(position.player) }
    }

    #[inline]
    fn moves(&self, position: &Position<B>, out: &mut Vec<u8>) {
        if !position.won {
            out.extend((0..self.columns).filter(|&column| self.is_open(position, column)).map(|c| c as u8));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<B>, column: u8) {
        // Switch to the other player's stones. Adding the bottom cell carries up the column to where the stone lands.
        position.current = position.current ^ position.taken;
        position.taken = position.taken | (position.taken + self.bottom(u32::from(column)));
        position.player = position.player.other();
        position.won = self.has_line(position.current ^ position.taken);
    }

    #[inline]
    fn rewards(&self, position: &Position<B>) -> Rewards {
        if position.won { Rewards::win(2, position.player.other()) } else { Rewards::draw(2) }
    }

    #[inline]
    fn hash(&self, position: &Position<B>) -> u64 {
        position.taken.hash(position.current.hash(Hasher::new())).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        (2 * self.columns * self.rows) as usize
    }

    #[inline]
    fn code(&self, position: &Position<B>, column: u8, _coding: usize) -> Code {
        let column = u32::from(column);
        let bit = landing(position.taken, self.bottom(column)).trailing_zeros();
        self.code_of(position.player, bit, column)
    }

    fn move_text(&self, _position: &Position<B>, column: u8) -> String {
        column_letter(usize::from(column)).to_string()
    }

    fn board(&self, position: &Position<B>, last: Option<u8>) -> String {
        let marked = last.map(|column| self.top_stone(position, column));
        grid(self.columns as usize, self.rows as usize, 0, marked, |column, row| {
            self.owner(position, column, row).map_or('.', |player| STONES[player])
        })
    }

    fn picture(&self, position: &Position<B>, last: Option<u8>) -> String {
        let (columns, rows) = (self.columns as usize, self.rows as usize);
        let (margin, width, height) = (CELL * 0.7, columns as f64 * CELL, rows as f64 * CELL);
        let centre = |column: usize, row: usize| {
            (margin + (column as f64 + 0.5) * CELL, margin + height - (row as f64 + 0.5) * CELL)
        };
        let mut svg = Svg::new(width + 2.0 * margin, height + 2.0 * margin);
        svg.rect(margin - 4.0, margin - 4.0, width + 8.0, height + 8.0, "#2f5d9b");
        for column in 0..columns {
            for row in 0..rows {
                let (x, y) = centre(column, row);
                let fill = match self.owner(position, column, row) {
                    Some(player) => DISCS[player],
                    None => "#f4efe6",
                };
                svg.disc(x, y, CELL * 0.4, fill);
            }
            let (x, y) = centre(column, 0);
            svg.text(x, y + CELL * 0.85, 13.0, "#555", column_letter(column));
            // A click anywhere in the column drops a stone.
            let lowest = (0..rows).find(|&row| self.owner(position, column, row).is_none());
            for row in lowest.into_iter().chain(0..rows) {
                svg.place(&column_letter(column).to_string(), centre(column, row), CELL * 0.5);
            }
        }
        if let Some((x, y)) = last.map(|column| self.top_stone(position, column)).map(|(c, r)| centre(c, r)) {
            svg.disc(x, y, CELL * 0.1, "#fff");
        }
        svg.finish()
    }

    fn colours(&self) -> &'static [&'static str] {
        &DISCS
    }

    /// One point for each stone of a player's longest open line.
    fn evaluate(&self, position: &Position<B>) -> Option<Rewards> {
        let other = position.current ^ position.taken;
        let longest = |own: B, other: B| {
            let (own, room) = (own.bits(), (self.full & !other).bits());
            longest_open_run(own, room, self.stride() as usize, self.connect as usize) as f64
        };
        let scores = [longest(position.current, other), longest(other, position.current)];
        let [me, you] = [position.player, position.player.other()].map(Player::index);
        Some(Rewards::leaning(&[scores[me], scores[you]]))
    }

    fn urgent_moves(&self, position: &Position<B>, out: &mut Vec<u8>) -> bool {
        if position.won {
            return true;
        }
        let (room, stride) = (self.landings(position), self.stride() as usize);
        for own in [position.current, position.current ^ position.taken] {
            let line = completing(own.bits(), room, stride, self.connect as usize);
            out.extend(line.iter().map(|bit| (bit / stride) as u8));
            if !out.is_empty() {
                break;
            }
        }
        true
    }

    /// The lines that a stone extends, plus half of those that it takes from the opponent: wins come before blocks, and
    /// blocks before lines that are one stone short.
    fn pattern_scores(&self, position: &Position<B>, moves: &[u8], scores: &mut Vec<f64>) -> bool {
        let (room, stride, connect) =
            (self.landings(position), self.stride() as usize, self.connect as usize);
        let (own, other) = (position.current.bits(), (position.current ^ position.taken).bits());
        let points = Points::neighbours(own | other, room, stride);
        let points = points.lines(own, room, stride, connect, 2).lines(other, room, stride, connect, 1);
        let cell = |&column: &u8| landing(position.taken, self.bottom(u32::from(column))).trailing_zeros();
        scores.extend(moves.iter().map(|column| points.of(cell(column) as usize)));
        true
    }

    #[inline]
    fn random_move(&self, position: &Position<B>, rng: &mut Rng, _scratch: &mut Vec<u8>) -> Option<u8> {
        if self.is_over(position) {
            return None;
        }
        // Rejection: uniform over the open columns.
        loop {
            let column = rng.below(self.columns as usize);
            if self.is_open(position, column as u32) {
                return Some(column as u8);
            }
        }
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<B>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u8>,
        recorder: &mut R,
    ) {
        match (self.stride(), self.connect) {
            (7, 4) => self.run(position, 7, 4, rng, recorder),
            (stride, connect) => self.run(position, stride, connect, rng, recorder),
        }
    }
}

/// The usual red, and yellow, since the second player's usual blue is the colour of the frame.
const DISCS: [&str; 2] = [COLOURS[0], "#f2c94c"];

/// The cell where a stone lands in the column with this bottom cell. Works for several columns at once.
#[inline]
fn landing<B: Word>(taken: B, bottom: B) -> B {
    (taken + bottom) & !taken
}

/// Whether `connect` stones (3 to 6) stand in a line.
#[inline(always)]
fn has_line<B: Word>(stones: B, stride: u32, connect: u32) -> bool {
    // Overlapping lines of two make lines of three or four, which make lines of five or six.
    let (first, second) = (connect.min(4) - 2, connect.saturating_sub(4));
    let mut lines = B::ZERO;
    for step in [1, stride - 1, stride, stride + 1] {
        let pairs = stones & stones >> step;
        let fours = pairs & pairs >> (first * step);
        lines = lines | (fours & fours >> (second * step));
    }
    lines != B::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_game::perft;

    #[test]
    fn the_usual_board_is_what_new_makes() {
        assert_eq!(format!("{:?}", Connect4::USUAL), format!("{:?}", Connect4::<u64>::new(7, 6, 4)));
    }

    /// The well-known counts; the first complete game ends at ply 7.
    #[test]
    fn perft_counts() {
        let game = Connect4::default();
        let counts = perft(&game, &game.start(), 8);
        assert_eq!(counts, [7, 49, 343, 2401, 16_807, 117_649, 823_536, 5_673_234]);
    }
}
