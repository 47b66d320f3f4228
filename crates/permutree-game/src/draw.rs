//! Text grids with coordinates and a small SVG writer, for boards and pictures.

use std::fmt::{Display, Write};

/// The colours of the players in pictures, readable on light and dark pages.
pub const COLOURS: [&str; crate::MAX_PLAYERS] =
    ["#d1495b", "#2e6f95", "#4c956c", "#e09f3e", "#7b5ea7", "#5f6b6d", "#c08497", "#8a6d3b"];

/// The letters of the players on text boards.
pub const STONES: [char; crate::MAX_PLAYERS] = ['x', 'o', 'z', 'w', 'v', 'u', 't', 's'];

/// The name of a square by column and row, both from 0: `square(1, 1)` is `b2`.
#[must_use]
pub fn square(column: usize, row: usize) -> String {
    format!("{}{}", column_letter(column), row + 1)
}

/// The letter of a column.
#[must_use]
pub fn column_letter(column: usize) -> char {
    char::from(b'a' + column as u8)
}

/// The letter of a column on a Go board, which skips `i`.
#[must_use]
pub fn go_letter(column: usize) -> char {
    column_letter(column + usize::from(column >= 8))
}

/// The column and row of a square by its name, both from 0; the inverse of [`square`].
#[must_use]
pub fn parse_square(text: &str) -> Option<(usize, usize)> {
    let (letter, number) = text.split_at_checked(1)?;
    let column = letter.bytes().next()?.to_ascii_lowercase().checked_sub(b'a').filter(|c| *c < 26)?;
    let row = number.parse::<usize>().ok()?.checked_sub(1)?;
    Some((usize::from(column), row))
}

/// A rectangular board as text with coordinates, highest row first, with the `marked` cell in brackets.
///
/// Each row starts `indent` spaces further right than the one below it, for slanted boards.
#[must_use]
pub fn grid(
    columns: usize,
    rows: usize,
    indent: usize,
    marked: Option<(usize, usize)>,
    cell: impl Fn(usize, usize) -> char,
) -> String {
    lettered_grid(columns, rows, indent, marked, column_letter, cell)
}

/// As [`grid`], with other column letters.
#[must_use]
pub fn lettered_grid(
    columns: usize,
    rows: usize,
    indent: usize,
    marked: Option<(usize, usize)>,
    letter: fn(usize) -> char,
    cell: impl Fn(usize, usize) -> char,
) -> String {
    let mut out = String::new();
    let lean = |out: &mut String, row: usize| out.extend(std::iter::repeat_n(' ', indent * row));
    for row in (0..rows).rev() {
        lean(&mut out, row);
        let _ = write!(out, "{:>2} ", row + 1);
        let cells = (0..columns).map(|column| (cell(column, row), marked == Some((column, row))));
        text_row(&mut out, cells);
        out.push('\n');
    }
    out.push_str("   ");
    for column in 0..columns {
        let _ = write!(out, " {}", letter(column));
    }
    out.push('\n');
    out
}

/// Appends a row of cells, each with whether it is marked. A space precedes each cell; brackets replace the spaces around
/// a marked one.
pub fn text_row(out: &mut String, cells: impl Iterator<Item = (char, bool)>) {
    let mut before = false;
    for (cell, marked) in cells {
        out.push(if marked {
            '['
        } else if before {
            ']'
        } else {
            ' '
        });
        out.push(cell);
        before = marked;
    }
    if before {
        out.push(']');
    }
}

/// Writes an SVG document, element by element.
///
/// ```
/// use permutree_game::draw::{COLOURS, Svg};
///
/// let mut svg = Svg::new(40.0, 40.0);
/// svg.disc(20.0, 20.0, 15.0, COLOURS[0]);
/// svg.text(20.0, 20.0, 12.0, "#fff", 7);
/// let picture = svg.finish();
/// assert!(picture.starts_with("<svg") && picture.contains(COLOURS[0]));
/// ```
#[derive(Clone, Debug)]
pub struct Svg {
    body: String,
}

impl Svg {
    /// An empty picture of this size, with a background that suits light and dark pages.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        let (w, h) = (Number(width), Number(height));
        Self {
            body: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
                 font-family=\"sans-serif\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"#f4efe6\"/>\n"
            ),
        }
    }

    /// A rectangle.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) {
        let (x, y, w, h) = (Number(x), Number(y), Number(width), Number(height));
        let _ =
            writeln!(self.body, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\"/>");
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let (x1, y1, x2, y2) = (Number(from.0), Number(from.1), Number(to.0), Number(to.1));
        let _ = writeln!(
            self.body,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{stroke}\" stroke-width=\"{}\"/>",
            Number(width)
        );
    }

    /// A disc with an outline.
    pub fn disc(&mut self, x: f64, y: f64, radius: f64, fill: &str) {
        let (x, y, r) = (Number(x), Number(y), Number(radius));
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{fill}\" stroke=\"#222\" stroke-width=\"1\"/>"
        );
    }

    /// A circle without fill.
    pub fn ring(&mut self, x: f64, y: f64, radius: f64, stroke: &str, width: f64) {
        let (x, y, r, width) = (Number(x), Number(y), Number(radius), Number(width));
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{width}\"/>"
        );
    }

    /// An invisible, clickable place with the name that move texts use, such as a square. User interfaces find it by its
    /// attribute `data-place`.
    pub fn place(&mut self, name: &str, (x, y): (f64, f64), radius: f64) {
        let (x, y, r) = (Number(x), Number(y), Number(radius));
        let name = escape(name);
        let _ = writeln!(
            self.body,
            "<circle data-place=\"{name}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"none\"/>"
        );
    }

    /// A mark of noughts and crosses: a cross for 0, a nought otherwise.
    pub fn sign(&mut self, sign: usize, (x, y): (f64, f64), radius: f64, colour: &str) {
        let width = radius * 0.36;
        if sign == 0 {
            let arm = radius * 0.9;
            self.line((x - arm, y - arm), (x + arm, y + arm), colour, width);
            self.line((x - arm, y + arm), (x + arm, y - arm), colour, width);
        } else {
            self.ring(x, y, radius, colour, width);
        }
    }

    /// A polygon with an outline.
    pub fn polygon(&mut self, corners: &[(f64, f64)], fill: &str, stroke: &str) {
        self.body.push_str("<polygon points=\"");
        for &(x, y) in corners {
            let _ = write!(self.body, "{},{} ", Number(x), Number(y));
        }
        let _ = writeln!(self.body, "\" fill=\"{fill}\" stroke=\"{stroke}\"/>");
    }

    /// A hexagonal cell with a corner at the top, `radius` from its centre to its corners.
    pub fn hexagon(&mut self, (x, y): (f64, f64), radius: f64, fill: &str) {
        let (far, near) = (radius * 3f64.sqrt() / 2.0, radius / 2.0);
        let corners = [(far, near), (0.0, radius), (-far, near), (-far, -near), (0.0, -radius), (far, -near)];
        self.polygon(&corners.map(|(dx, dy)| (x + dx, y + dy)), fill, "#8d7b61");
    }

    /// Text centred at a point.
    pub fn text(&mut self, x: f64, y: f64, size: f64, fill: &str, text: impl Display) {
        let (x, y, size) = (Number(x), Number(y), Number(size));
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"middle\" \
             dominant-baseline=\"central\">{}</text>",
            escape(&text.to_string())
        );
    }

    /// The document.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.body.push_str("</svg>\n");
        self.body
    }
}

/// The side of a cell of [`SquareBoard`].
pub const CELL: f64 = 40.0;

/// A board of squares with coordinates, chequered or plain, to put pieces on.
#[derive(Clone, Debug)]
pub struct SquareBoard {
    /// The picture so far.
    pub svg: Svg,
    rows: usize,
}

impl SquareBoard {
    /// An empty board. If `chequered`, every second square is darker; otherwise lines separate the squares.
    #[must_use]
    pub fn new(columns: usize, rows: usize, chequered: bool) -> Self {
        Self::coloured(columns, rows, "#e6cfa8", if chequered { "#b98b60" } else { "#e6cfa8" })
    }

    /// An empty board in two colours; `dark` is that of a1.
    #[must_use]
    pub fn coloured(columns: usize, rows: usize, light: &str, dark: &str) -> Self {
        let margin = CELL * 0.7;
        let mut svg = Svg::new(columns as f64 * CELL + 2.0 * margin, rows as f64 * CELL + 2.0 * margin);
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = (margin + column as f64 * CELL, margin + row as f64 * CELL);
                let fill = if (rows - 1 - row + column).is_multiple_of(2) { dark } else { light };
                svg.rect(x + 0.5, y + 0.5, CELL - 1.0, CELL - 1.0, fill);
            }
        }
        let mut board = Self { svg, rows };
        for column in 0..columns {
            let (x, y) = board.centre(column, 0);
            board.svg.text(x, y + CELL * 0.8, 13.0, "#555", column_letter(column));
        }
        for row in 0..rows {
            let (x, y) = board.centre(0, row);
            board.svg.text(x - CELL * 0.8, y, 13.0, "#555", row + 1);
            for column in 0..columns {
                let at = board.centre(column, row);
                board.svg.place(&square(column, row), at, CELL * 0.5);
            }
        }
        board
    }

    /// The centre of a square in the picture.
    #[must_use]
    pub fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        let at = |i: usize| CELL * 0.7 + (i as f64 + 0.5) * CELL;
        (at(column), at(self.rows - 1 - row))
    }

    /// Fills a square.
    pub fn fill(&mut self, column: usize, row: usize, fill: &str) {
        let (x, y) = self.centre(column, row);
        let half = CELL / 2.0 - 0.5;
        self.svg.rect(x - half, y - half, 2.0 * half, 2.0 * half, fill);
    }

    /// Draws a line between squares, such as the path of a piece.
    pub fn trace(&mut self, from: (usize, usize), to: (usize, usize)) {
        let [from, to] = [from, to].map(|(column, row)| self.centre(column, row));
        self.svg.line(from, to, "#fff", CELL * 0.15);
    }

    /// Draws a disc on a square.
    pub fn disc(&mut self, column: usize, row: usize, fill: &str) {
        let (x, y) = self.centre(column, row);
        self.svg.disc(x, y, CELL * 0.38, fill);
    }

    /// Marks a square, such as that of the last move.
    pub fn mark(&mut self, column: usize, row: usize) {
        let (x, y) = self.centre(column, row);
        self.svg.disc(x, y, CELL * 0.1, "#fff");
    }

    /// The document, with the square of the last move marked if there is one.
    #[must_use]
    pub fn finish(mut self, last: Option<(usize, usize)>) -> String {
        if let Some((column, row)) = last {
            self.mark(column, row);
        }
        self.svg.finish()
    }
}

/// A wooden Go board with coordinates.
#[derive(Clone, Debug)]
pub struct GoBoard {
    /// The picture so far.
    pub svg: Svg,
    size: usize,
}

impl GoBoard {
    /// The colours of the stones: black, white, then those of [`COLOURS`].
    pub const STONES: [&str; crate::MAX_PLAYERS] = {
        let mut stones = COLOURS;
        (stones[0], stones[1]) = ("#1a1a1a", "#fafafa");
        stones
    };

    /// An empty board with `size` lines each way.
    #[must_use]
    pub fn new(size: usize) -> Self {
        Self::lettered(size, column_letter)
    }

    /// As [`GoBoard::new`], with other column letters.
    #[must_use]
    pub fn lettered(size: usize, letter: fn(usize) -> char) -> Self {
        let side = size as f64 * CELL + 1.4 * CELL;
        let mut svg = Svg::new(side, side);
        svg.rect(CELL * 0.7, CELL * 0.7, size as f64 * CELL, size as f64 * CELL, "#e3bd7b");
        let mut board = Self { svg, size };
        for i in 0..size {
            let ((x, y), (far, top)) = (board.centre(i, i), board.centre(size - 1, size - 1));
            let (near, bottom) = board.centre(0, 0);
            board.svg.line((x, bottom), (x, top), "#5a4320", 1.0);
            board.svg.line((near, y), (far, y), "#5a4320", 1.0);
            board.svg.text(x, bottom + CELL * 0.8, 13.0, "#555", letter(i));
            board.svg.text(near - CELL * 0.8, y, 13.0, "#555", i + 1);
            for row in 0..size {
                let at = board.centre(i, row);
                board.svg.place(&format!("{}{}", letter(i), row + 1), at, CELL * 0.5);
            }
        }
        // Star points: on the third line below size 13 and on the fourth from there on, and in the middle of odd boards.
        let edge = if size < 13 { 2 } else { 3 };
        let middle = (size % 2 == 1).then_some(size / 2);
        let lines: &[usize] = if size < 7 { &[] } else { &[edge, size - 1 - edge] };
        for column in lines.iter().copied().chain(middle) {
            for row in lines.iter().copied().chain(middle) {
                // Only large boards have star points between those of the corners.
                if size >= 13 || (Some(column) == middle) == (Some(row) == middle) {
                    let (x, y) = board.centre(column, row);
                    board.svg.disc(x, y, CELL * 0.06, "#5a4320");
                }
            }
        }
        board
    }

    /// The point of the picture where two lines cross.
    #[must_use]
    pub fn centre(&self, column: usize, row: usize) -> (f64, f64) {
        let at = |i: usize| CELL * 0.7 + (i as f64 + 0.5) * CELL;
        (at(column), at(self.size - 1 - row))
    }

    /// Draws a player's stone on a crossing.
    pub fn stone(&mut self, column: usize, row: usize, player: crate::Player) {
        let (x, y) = self.centre(column, row);
        self.svg.disc(x, y, CELL * 0.46, Self::STONES[player.index()]);
    }

    /// The document, with the stone of the last move marked if there is one.
    #[must_use]
    pub fn finish(mut self, last: Option<(usize, usize)>) -> String {
        if let Some((column, row)) = last {
            let (x, y) = self.centre(column, row);
            self.svg.disc(x, y, CELL * 0.13, COLOURS[0]);
        }
        self.svg.finish()
    }
}

/// A picture of plain text, for games without a picture of their own.
#[must_use]
pub fn text_picture(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let width = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0) as f64 * 9.0 + 32.0;
    let mut svg = Svg::new(width, lines.len() as f64 * 18.0 + 32.0);
    for (i, line) in lines.iter().enumerate() {
        let _ = writeln!(
            svg.body,
            "<text x=\"16\" y=\"{}\" font-family=\"monospace\" font-size=\"15\" xml:space=\"preserve\" \
             fill=\"#222\">{}</text>",
            i * 18 + 28,
            escape(line)
        );
    }
    svg.finish()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A coordinate with at most two decimals, which keeps pictures small.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_read_back() {
        assert_eq!(square(1, 1), "b2");
        assert_eq!(parse_square("K11"), Some((10, 10)));
        for bad in ["", "b", "b0", "2b", "é1", "b-1", "b99999999999999999999"] {
            assert_eq!(parse_square(bad), None, "{bad}");
        }
    }

    #[test]
    fn grids_mark_and_lean() {
        let text = grid(3, 2, 1, Some((1, 1)), |c, r| if (c, r) == (1, 1) { 'x' } else { '.' });
        assert_eq!(text, "  2  .[x].\n 1  . . .\n    a b c\n");
    }

    #[test]
    fn boards_name_their_places() {
        let board = SquareBoard::new(3, 2, false);
        let ((x, y), picture) = (board.centre(2, 1), board.svg.finish());
        assert_eq!(picture.matches("data-place").count(), 6);
        assert!(picture.contains(&format!("data-place=\"c2\" cx=\"{x}\" cy=\"{y}\"")), "{picture}");
        assert!(GoBoard::lettered(9, go_letter).svg.finish().contains("data-place=\"j9\""));
    }

    #[test]
    fn text_is_escaped() {
        assert!(text_picture("a<b & c").contains("a&lt;b &amp; c"));
    }
}
