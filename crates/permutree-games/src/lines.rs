//! Lines of cells, for games of so many in a row.

use crate::bits::Bits;

/// Every straight line of `length` cells on a rectangle, in all four directions; the bit of a cell is
/// `row * columns + column`.
#[must_use]
pub fn windows<const W: usize>(columns: usize, rows: usize, length: usize) -> Vec<Bits<W>> {
    windows_along(&[(1, 0), (0, 1), (1, 1), (-1, 1)], columns, rows, length, |_, _| true)
}

/// As [`windows`], in these directions of columns and rows, for a board that has only some cells of the rectangle.
#[must_use]
pub fn windows_along<const W: usize>(
    directions: &[(isize, usize)],
    columns: usize,
    rows: usize,
    length: usize,
    on_board: impl Fn(usize, usize) -> bool,
) -> Vec<Bits<W>> {
    let mut windows = Vec::new();
    for &(dx, dy) in directions {
        for first in 0..columns * rows {
            let cell = |step: usize| {
                let column = (first % columns).checked_add_signed(dx * step as isize)?;
                let row = first / columns + dy * step;
                (column < columns && row < rows && on_board(column, row)).then_some(row * columns + column)
            };
            windows.extend((0..length).map(cell).collect::<Option<Bits<W>>>());
        }
    }
    windows
}

/// The stones from which a row of `length` (3 to 6) goes up by `step` from bit to bit.
#[inline(always)]
#[must_use]
pub fn rows<const W: usize>(stones: &Bits<W>, step: usize, length: usize) -> Bits<W> {
    // Rows of two that overlap make rows of three or four, which in turn make rows of five or six.
    let (first, second) = (length.min(4) - 2, length.saturating_sub(4));
    let pairs = *stones & stones.down(step);
    let fours = pairs & pairs.down(first * step);
    fours & fours.down(second * step)
}

/// The most stones that `own` has in a window that can still be filled: one without a stone of `others`.
#[must_use]
pub fn longest_open<const W: usize>(windows: &[Bits<W>], own: Bits<W>, others: Bits<W>) -> usize {
    let open = windows.iter().filter(|window| (**window & others).is_empty());
    open.map(|window| (*window & own).count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_lie_on_the_board() {
        // Tic-tac-toe has 8 lines, Connect Four 69.
        assert_eq!(windows::<1>(3, 3, 3).len(), 8);
        let windows = windows::<1>(7, 6, 4);
        assert_eq!(windows.len(), 69);
        assert!(windows.iter().all(|window| window.count() == 4 && window.iter().all(|cell| cell < 42)));
    }

    #[test]
    fn rows_are_as_long_as_asked() {
        for length in 3..=6 {
            for stones in 0..256u64 {
                let expected = (0..8).filter(|first| (0..length).all(|i| stones >> (first + i) & 1 == 1));
                // A step of 13 bits takes the row across words.
                let spread: Bits<2> = (0..8).filter(|i| stones >> i & 1 == 1).map(|i| i * 13).collect();
                let rows: Vec<usize> = rows(&spread, 13, length).iter().map(|bit| bit / 13).collect();
                assert_eq!(rows, expected.collect::<Vec<_>>(), "{length} in {stones:b}");
            }
        }
    }

    #[test]
    fn a_closed_line_does_not_count() {
        let windows = windows::<1>(5, 1, 4);
        let cells = |cells: &[usize]| cells.iter().copied().collect::<Bits<1>>();
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[])), 3);
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[4])), 3);
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[3])), 0);
    }
}
