//! The picture of a position.

use super::{Hex, Position};
use permutree_game::draw::{COLOURS, Svg, column_letter, square};

/// Draws hexagons, with the sides of the board in the colours of their players.
pub(super) fn draw<const W: usize>(hex: &Hex<W>, position: &Position<W>, last: Option<usize>) -> String {
    const RADIUS: f64 = 22.0;
    let (dx, dy) = (RADIUS * 3f64.sqrt(), RADIUS * 1.5);
    let n = hex.size as f64;
    let margin = 2.4 * RADIUS;
    let centre = |column: f64, row: f64| {
        (margin + (column + 0.5 * row + 0.5) * dx, margin + RADIUS + (n - 1.0 - row) * dy)
    };
    let mut svg = Svg::new(2.0 * margin + (1.5 * n - 0.5) * dx, 2.0 * margin + (n - 1.0) * dy + 2.0 * RADIUS);
    // Four bands behind the board show whose sides they are.
    let (middle, far) = ((n - 1.0) / 2.0, n - 1.0);
    let corner =
        [centre(-0.9, -0.9), centre(far + 1.3, -0.9), centre(far + 0.9, far + 0.9), centre(-1.3, far + 0.9)];
    for (i, colour) in [COLOURS[0], COLOURS[1], COLOURS[0], COLOURS[1]].into_iter().enumerate() {
        svg.polygon(&[corner[i], corner[(i + 1) % 4], centre(middle, middle)], colour, "none");
    }
    for row in 0..hex.size {
        for column in 0..hex.size {
            let at = centre(column as f64, row as f64);
            svg.hexagon(at, RADIUS, "#efe3cf");
            svg.place(&square(column, row), at, RADIUS * 0.86);
            let bit = row * (hex.size + 1) + column;
            if let Some(player) = Hex::owner(position, bit) {
                svg.disc(at.0, at.1, RADIUS * 0.68, COLOURS[player]);
            }
            if last == Some(bit) {
                svg.disc(at.0, at.1, RADIUS * 0.18, "#fff");
            }
        }
    }
    for i in 0..hex.size {
        let ((x, _), (_, y)) = (centre(i as f64, 0.0), centre(0.0, -1.0));
        svg.text(x, y + 0.3 * RADIUS, 14.0, "#555", column_letter(i));
        let (x, y) = centre(-1.0, i as f64);
        svg.text(x - 0.45 * dx, y, 14.0, "#555", i + 1);
    }
    svg.finish()
}
