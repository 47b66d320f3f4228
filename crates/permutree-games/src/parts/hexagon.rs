//! The hexagonal board of hexagonal cells, for yavalath, yavalade and triad.

use crate::parts::bits::Bits;
use crate::parts::lines::{runs, windows_along};
use crate::parts::placing::Cells;
use permutree_game::draw::{COLOURS, STONES, Svg, column_letter, square, text_row};

/// A hexagonal board with `side` cells on each side.
///
/// The name of the cell in column `c` and row `r`, both from 0, is the letter of the column and the number of the row: `a1` is
/// (0, 0). It touches (c ± 1, r), (c, r ± 1), (c + 1, r + 1) and (c - 1, r - 1). Columns and rows are at most twice the side
/// minus 2, and differ by less than the side. The bit of a cell is `row * width + column`. No shift to a neighbour wraps onto
/// another cell: where a row reaches the right edge of the square, the next one starts further in.
#[derive(Clone, Debug)]
pub struct Hexagon<const W: usize> {
    side: usize,
    cells: Cells<W>,
}

/// The three directions of lines, as columns and rows.
const DIRECTIONS: [(isize, usize); 3] = [(1, 0), (0, 1), (1, 1)];

impl<const W: usize> Hexagon<W> {
    /// The board of this side.
    ///
    /// # Panics
    /// If its bits do not fit in `W` words.
    #[must_use]
    pub fn new(side: usize) -> Self {
        let width = 2 * side - 1;
        assert!(width * width <= 64 * W, "side {side} in {W} words");
        let board = (0..width * width).filter(|bit| is_cell(side, bit % width, bit / width));
        Self { side, cells: Cells::new(board.collect()) }
    }

    /// The number of columns, and of rows.
    #[inline]
    #[must_use]
    pub fn width(&self) -> usize {
        2 * self.side - 1
    }

    /// Its cells, row by row.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> &Cells<W> {
        &self.cells
    }

    /// The neighbour of a cell in one of six directions; the opposite of direction `d` is `d + 3` modulo 6.
    #[must_use]
    pub fn neighbour(&self, bit: usize, direction: usize) -> Option<usize> {
        let (dx, dy) = DIRECTIONS[direction % 3];
        let (dx, dy) = if direction % 6 < 3 { (dx, dy as isize) } else { (-dx, -(dy as isize)) };
        let (column, row) = self.column_and_row(bit);
        let (column, row) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
        is_cell(self.side, column, row).then(|| row * self.width() + column)
    }

    /// Every line of `length` cells.
    #[must_use]
    pub fn windows(&self, length: usize) -> Vec<Bits<W>> {
        let width = self.width();
        windows_along(&DIRECTIONS, width, width, length, |column, row| is_cell(self.side, column, row))
    }

    /// Whether any of these sets of stones has a row of `length` (3 to 6) or more.
    #[inline(always)]
    #[must_use]
    pub fn has_row<const P: usize>(&self, sides: &[Bits<W>; P], length: usize) -> bool {
        match (W, self.width()) {
            // A constant width makes the shifts faster on the usual board.
            (2, 9) => has_row(sides, 9, length),
            (_, width) => has_row(sides, width, length),
        }
    }

    /// The name of a cell, such as `e5`.
    #[must_use]
    pub fn name(&self, bit: usize) -> String {
        let (column, row) = self.column_and_row(bit);
        square(column, row)
    }

    fn column_and_row(&self, bit: usize) -> (usize, usize) {
        (bit % self.width(), bit / self.width())
    }

    /// The columns of a row.
    fn columns(&self, row: usize) -> std::ops::RangeInclusive<usize> {
        let reach = self.side - 1;
        row.saturating_sub(reach)..=(row + reach).min(2 * reach)
    }

    /// The board as text with coordinates, highest row first, with the `marked` cell in brackets. `blank` is the character of
    /// an empty cell.
    ///
    /// Columns lean to the left as they go up; their letters are at the lower ends.
    #[must_use]
    pub fn text(&self, stones: &[Bits<W>], marked: Option<usize>, blank: impl Fn(usize) -> char) -> String {
        let reach = self.side - 1;
        let mut out = String::new();
        for row in (0..self.width()).rev() {
            let indent = reach.abs_diff(row);
            out.push_str(&format!("{:indent$}{:>2}", "", row + 1));
            let cells = self.columns(row).map(|column| {
                let bit = row * self.width() + column;
                (owner(stones, bit).map_or_else(|| blank(bit), |player| STONES[player]), marked == Some(bit))
            });
            let label = (row < reach).then(|| (column_letter(row + self.side), false));
            text_row(&mut out, cells.chain(label));
            out.push('\n');
        }
        out.push_str(&format!("{:indent$}", "", indent = self.side + 2));
        text_row(&mut out, (0..self.side).map(|column| (column_letter(column), false)));
        out.push('\n');
        out
    }
}

/// Whether the board of this side has a cell in this column and row.
fn is_cell(side: usize, column: usize, row: usize) -> bool {
    column.max(row) < 2 * side - 1 && column.abs_diff(row) < side
}

#[inline(always)]
fn has_row<const W: usize>(sides: &[Bits<W>], width: usize, length: usize) -> bool {
    let mut found = Bits::EMPTY;
    for stones in sides {
        // The distance to the next cell in the three directions.
        for step in [1, width, width + 1] {
            found |= runs(*stones, step, length);
        }
    }
    !found.is_empty()
}

/// The owner of the stone on a bit.
fn owner<const W: usize>(stones: &[Bits<W>], bit: usize) -> Option<usize> {
    stones.iter().position(|stones| stones.contains(bit))
}

/// The radius of a cell in pictures.
pub const RADIUS: f64 = 22.0;

/// A picture of the board, laid out as the text is.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The picture so far.
    pub svg: Svg,
    side: usize,
    /// The height without the strip under the board.
    height: f64,
    /// The strip's height.
    below: f64,
}

impl Picture {
    /// The board with stones in the players' colours, the colour of cells by `fill`, the `marked` cell marked, and an empty
    /// strip of height `below` under the board.
    #[must_use]
    pub fn new<const W: usize>(
        hexagon: &Hexagon<W>,
        stones: &[Bits<W>],
        marked: Option<usize>,
        below: f64,
        fill: impl Fn(usize) -> &'static str,
    ) -> Self {
        let (side, width) = (hexagon.side, hexagon.width());
        let height = (width - 1) as f64 * 1.5 * RADIUS + 2.0 * RADIUS + 2.0 * MARGIN;
        let svg = Svg::new(width as f64 * STEP + 2.0 * MARGIN, height + below);
        let mut picture = Self { svg, side, height, below };
        for bit in hexagon.cells.bits().iter().map(|&bit| usize::from(bit)) {
            let (x, y) = picture.centre(bit);
            picture.svg.hexagon((x, y), RADIUS, fill(bit));
            picture.svg.place(&hexagon.name(bit), (x, y), RADIUS * 0.86);
            if let Some(player) = owner(stones, bit) {
                picture.svg.disc(x, y, RADIUS * 0.68, COLOURS[player]);
            }
        }
        if let Some((x, y)) = marked.map(|bit| picture.centre(bit)) {
            picture.svg.disc(x, y, RADIUS * 0.18, "#fff");
        }
        for i in 0..width {
            let (x, y) = picture.centre(i * width + hexagon.columns(i).start());
            picture.svg.text(x - 0.8 * STEP, y, 14.0, "#555", i + 1);
            // By symmetry, the lowest row of a column is the first column of the row with the same number.
            let (x, y) = picture.centre(hexagon.columns(i).start() * width + i);
            picture.svg.text(x + 0.4 * STEP, y + 1.2 * RADIUS, 14.0, "#555", column_letter(i));
        }
        picture
    }

    /// The width of the picture, and the middle of the strip under the board.
    #[must_use]
    pub fn strip(&self) -> (f64, f64) {
        ((2 * self.side - 1) as f64 * STEP + 2.0 * MARGIN, self.height + 0.5 * self.below - 0.3 * RADIUS)
    }

    /// The centre of a cell.
    #[must_use]
    pub fn centre(&self, bit: usize) -> (f64, f64) {
        let width = 2 * self.side - 1;
        let (column, row) = ((bit % width) as f64, (bit / width) as f64);
        let x = MARGIN + (column - 0.5 * row + 0.5 * self.side as f64) * STEP;
        (x, MARGIN + RADIUS + ((width - 1) as f64 - row) * 1.5 * RADIUS)
    }
}

/// The margin of pictures.
const MARGIN: f64 = 1.4 * RADIUS;

/// The distance of cells in a row: √3 times the radius.
const STEP: f64 = 1.732_050_807_568_877_2 * RADIUS;

#[cfg(test)]
mod tests {
    use super::*;

    /// Side 5: columns a to i, 61 cells; a cell inside has six neighbours, those at the corners have three.
    #[test]
    fn cells_and_neighbours() {
        let board = Hexagon::<2>::new(5);
        assert_eq!(board.cells().count(), 61);
        let neighbours = |name: &str| {
            let bit = board.cells().bits().iter().find(|&&bit| board.name(bit.into()) == name).unwrap();
            let of = |direction| board.neighbour(usize::from(*bit), direction);
            (0..6).filter_map(of).map(|bit| board.name(bit)).collect::<Vec<_>>()
        };
        assert_eq!(neighbours("e5"), ["f5", "e6", "f6", "d5", "e4", "d4"]);
        assert_eq!(neighbours("a1"), ["b1", "a2", "b2"]);
        assert_eq!(neighbours("i5"), ["i6", "h5", "h4"]);
        assert_eq!(neighbours("a5"), ["b5", "b6", "a4"]);
    }

    /// Stones at equal steps from bit to bit make a row exactly if they are a window by columns and rows: nothing wraps, on
    /// a board of any width.
    #[test]
    fn rows_are_windows() {
        fn check<const W: usize>(side: usize) {
            let board = Hexagon::<W>::new(side);
            let width = board.width();
            for length in 3..=5 {
                let windows = board.windows(length);
                assert!(windows.iter().all(|window| board.has_row(&[*window], length)));
                for first in 0..width * width {
                    for step in [1, width, width + 1] {
                        let run = (0..length).map(|i| (first + i * step) as u16);
                        let stones =
                            run.filter(|bit| board.cells().bits().contains(bit)).map(usize::from).collect();
                        assert_eq!(board.has_row(&[stones], length), windows.contains(&stones));
                    }
                }
            }
        }
        check::<1>(3);
        check::<1>(4);
        check::<2>(5);
        check::<2>(6);
        check::<4>(7);
        check::<4>(8);
    }
}
