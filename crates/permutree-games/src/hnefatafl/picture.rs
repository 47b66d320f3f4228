//! The picture of a position.

use super::{HOSTILE_CELLS, Move, Position, SIZE, column_and_row};
use permutree_game::draw::{CELL, COLOURS, SquareBoard};

/// Draws discs, a crown on the king, and crosses on the cells that only he may enter.
pub(super) fn draw(position: &Position, last: Option<Move>) -> String {
    let mut board = SquareBoard::new(SIZE, SIZE, false);
    for cell in HOSTILE_CELLS {
        let (column, row) = column_and_row(cell);
        board.fill(column, row, "#b98b60");
        let ((x, y), half) = (board.centre(column, row), CELL / 2.0 - 0.5);
        for side in [-half, half] {
            board.svg.line((x - half, y - side), (x + half, y + side), "#8a6238", 2.0);
        }
    }
    let ends = last.map(|mv| [mv.from, mv.to].map(column_and_row));
    if let Some([from, to]) = ends {
        board.trace(from, to);
    }
    for (player, pieces) in position.pieces.iter().enumerate() {
        for &cell in &pieces[..usize::from(position.counts[player])] {
            let (column, row) = column_and_row(cell);
            board.disc(column, row, COLOURS[player]);
        }
    }
    let (column, row) = column_and_row(position.pieces[1][0]);
    let (x, y) = board.centre(column, row);
    let crown = [(-9, 7), (-11, -6), (-5, 0), (0, -9), (5, 0), (11, -6), (9, 7)]
        .map(|(right, down)| (x + f64::from(right), y + f64::from(down)));
    board.svg.polygon(&crown, "#f2c94c", "#222");
    board.finish(ends.map(|[_, to]| to))
}
