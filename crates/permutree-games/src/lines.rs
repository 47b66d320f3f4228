//! Lines of cells, for games of so many in a row.

use crate::bits::Bits;

/// Every straight line of `length` cells on a rectangle, in all four directions; the bit of a cell is
/// `row * columns + column`.
#[must_use]
pub fn windows<const W: usize>(columns: usize, rows: usize, length: usize) -> Vec<Bits<W>> {
    let mut windows = Vec::new();
    for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for first in 0..columns * rows {
            let cell = |step: usize| {
                let column = (first % columns).checked_add_signed(dx * step as isize)?;
                let row = first / columns + dy * step;
                (column < columns && row < rows).then_some(row * columns + column)
            };
            windows.extend((0..length).map(cell).collect::<Option<Bits<W>>>());
        }
    }
    windows
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
    fn a_closed_line_does_not_count() {
        let windows = windows::<1>(5, 1, 4);
        let cells = |cells: &[usize]| cells.iter().copied().collect::<Bits<1>>();
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[])), 3);
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[4])), 3);
        assert_eq!(longest_open(&windows, cells(&[0, 1, 2]), cells(&[3])), 0);
    }
}
