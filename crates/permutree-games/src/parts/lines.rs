//! Lines of cells, for games of n in a row.

use crate::parts::bits::Bits;

/// Every straight line of `length` cells on a rectangle, in all four directions; the bit of a cell is
/// `row * columns + column`.
#[must_use]
pub fn windows<const W: usize>(columns: usize, rows: usize, length: usize) -> Vec<Bits<W>> {
    windows_along(&[(1, 0), (0, 1), (1, 1), (-1, 1)], columns, rows, length, |_, _| true)
}

/// As [`windows`], in these directions of columns and rows, for a board of some cells of the rectangle.
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

/// The most stones of `own` in a window without stones of `others`, which can still be filled.
#[must_use]
pub fn longest_open<const W: usize>(windows: &[Bits<W>], own: Bits<W>, others: Bits<W>) -> usize {
    let open = windows.iter().filter(|window| (**window & others).is_empty());
    open.map(|window| (*window & own).count()).max().unwrap_or(0)
}

/// The distance to the next cell in the four directions, on a board whose rows are `stride` bits apart.
#[inline(always)]
#[must_use]
pub fn steps(stride: usize) -> [usize; 4] {
    [1, stride - 1, stride, stride + 1]
}

/// The first cells of all runs of `length` cells, each `step` bits after the one before.
///
/// Runs are lines of the board only if a bit after each row stays empty.
#[inline(always)]
#[must_use]
pub fn runs<const W: usize>(cells: Bits<W>, step: usize, length: usize) -> Bits<W> {
    let (mut runs, mut reached) = (cells, 1);
    while reached < length {
        // Two adjacent or overlapping runs make a longer one.
        let by = reached.min(length - reached);
        runs &= runs.down(by * step);
        reached += by;
    }
    runs
}

/// As [`longest_open`] for all lines of `length` cells, at most 7, without a list of them. The board must be as [`runs`]
/// needs it; `room` is the player's own cells and the empty ones.
#[must_use]
pub fn longest_open_run<const W: usize>(own: Bits<W>, room: Bits<W>, stride: usize, length: usize) -> usize {
    let longest = steps(stride).map(|step| {
        // The number of the player's cells in every line at once, in three binary digits, by the first cell of the line.
        let mut digits = [Bits::EMPTY; 3];
        for i in 0..length {
            let mut carry = own.down(i * step);
            for digit in &mut digits {
                (*digit, carry) = (*digit ^ carry, *digit & carry);
            }
        }
        let mut greatest = runs(room, step, length);
        let mut number = 0;
        for (i, digit) in digits.into_iter().enumerate().rev() {
            if !(greatest & digit).is_empty() {
                greatest &= digit;
                number |= 1 << i;
            }
        }
        number
    });
    longest.into_iter().max().unwrap_or(0)
}

/// The cells of `room` where one more stone of `own` makes a line of `length` cells, at most [`LONGEST`]. The board must be
/// as [`runs`] needs it.
#[inline]
#[must_use]
pub fn completing<const W: usize>(own: Bits<W>, room: Bits<W>, stride: usize, length: usize) -> Bits<W> {
    steps(stride)
        .into_iter()
        .fold(Bits::EMPTY, |found, step| found | Sides::new(own, step, length).joined(length))
        & room
}

/// The longest line that [`completing`] and [`Points`] support.
pub const LONGEST: usize = 6;

/// The value of a stone on each cell by the stones around it, in tenths of a point, as in the report "Monte Carlo Search
/// algorithms for Order & Chaos": 100 points for a full line, 10 for one stone less, and so on. The report does not give
/// the value of having neighbours; here it is a tenth of a point.
#[derive(Clone, Copy, Debug)]
pub struct Points<const W: usize>([[u32; 64]; W]);

impl<const W: usize> Points<W> {
    /// A tenth of a point for every cell with a neighbour in `taken`.
    #[must_use]
    pub fn neighbours(taken: Bits<W>, room: Bits<W>, stride: usize) -> Self {
        let mut points = Self([[0; 64]; W]);
        let near =
            steps(stride).into_iter().fold(Bits::EMPTY, |near, by| near | taken.up(by) | taken.down(by));
        points.add(near & room, 1);
        points
    }

    /// Adds `weight` times the points for the lines, of up to `length`, that a stone of `own` makes on each cell of `room`.
    #[must_use]
    pub fn lines(mut self, own: Bits<W>, room: Bits<W>, stride: usize, length: usize, weight: u32) -> Self {
        for step in steps(stride) {
            let sides = Sides::new(own, step, length);
            let mut before = 0;
            for joined in 2..=length {
                let worth = 1000 / 10u32.pow((length - joined) as u32);
                // A line of three is also one of two, whose points are already there.
                self.add(sides.joined(joined) & room, weight * (worth - before));
                before = worth;
            }
        }
        self
    }

    fn add(&mut self, cells: Bits<W>, points: u32) {
        if points > 0 {
            cells.iter().for_each(|cell| self.0[cell / 64][cell % 64] += points);
        }
    }

    /// The points of a cell.
    #[inline]
    #[must_use]
    pub fn of(&self, cell: usize) -> f64 {
        f64::from(self.0[cell / 64][cell % 64])
    }
}

/// For each n, the cells with at least n stones directly before them in a direction, and directly after them.
struct Sides<const W: usize> {
    before: [Bits<W>; LONGEST],
    after: [Bits<W>; LONGEST],
}

impl<const W: usize> Sides<W> {
    #[inline]
    fn new(own: Bits<W>, step: usize, length: usize) -> Self {
        let all = !Bits::EMPTY;
        let (mut before, mut after) = ([all; LONGEST], [all; LONGEST]);
        for i in 1..length.min(LONGEST) {
            before[i] = before[i - 1] & own.up(i * step);
            after[i] = after[i - 1] & own.down(i * step);
        }
        Self { before, after }
    }

    /// The cells where a stone is part of a line of `length` or more.
    #[inline]
    fn joined(&self, length: usize) -> Bits<W> {
        (0..length).fold(Bits::EMPTY, |found, i| found | self.before[i] & self.after[length - 1 - i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_game::Rng;

    #[test]
    fn windows_lie_on_the_board() {
        // Tic-tac-toe has 8 lines, Connect Four 69.
        assert_eq!(windows::<1>(3, 3, 3).len(), 8);
        let windows = windows::<1>(7, 6, 4);
        assert_eq!(windows.len(), 69);
        assert!(windows.iter().all(|window| window.count() == 4 && window.iter().all(|cell| cell < 42)));
    }

    /// On random boards, sparse and dense, both ways give the same.
    #[test]
    fn runs_are_windows() {
        const BOARD: (usize, usize) = (8, 9);
        let mut rng = Rng::new(1);
        for length in 3..=6 {
            let mut windows = windows::<2>(BOARD.0 + 1, BOARD.1, length);
            let spare: Bits<2> = (0..BOARD.1).map(|row| row * (BOARD.0 + 1) + BOARD.0).collect();
            windows.retain(|window| (*window & spare).is_empty());
            let board: Bits<2> = (0..(BOARD.0 + 1) * BOARD.1).collect::<Bits<2>>() & !spare;
            for few in [2, 3, 8, 20] {
                let mut draw = || (0..128).filter(|_| rng.below(few) == 0).collect::<Bits<2>>() & board;
                let (own, others) = (draw(), draw());
                let own = own & !others;
                let found = longest_open_run(own, board & !others, BOARD.0 + 1, length);
                assert_eq!(found, longest_open(&windows, own, others));
                let lines = windows.iter().filter(|window| (**window & !own).is_empty()).count();
                let firsts = steps(BOARD.0 + 1).map(|step| runs(own, step, length).count());
                assert_eq!(firsts.iter().sum::<usize>(), lines);
            }
        }
    }

    /// On random boards: what completes a line is what makes one more appear, and points are those of the longest line that
    /// a stone makes in each direction.
    #[test]
    fn cells_are_worth_the_lines_they_make() {
        const STRIDE: usize = 10;
        let mut rng = Rng::new(2);
        let board: Bits<2> = (0..9 * STRIDE).filter(|bit| bit % STRIDE < 9).collect();
        for round in 0..200 {
            let length = 3 + round % 4;
            let own: Bits<2> = board.iter().filter(|_| rng.below(2 + round % 3) == 0).collect();
            let room = board & !own;
            let completing = completing(own, room, STRIDE, length);
            let points = Points::neighbours(own, room, STRIDE).lines(own, room, STRIDE, length, 2);
            for cell in room.iter() {
                let with = own | Bits::one(cell);
                let (mut worth, mut full) = (0, false);
                for step in steps(STRIDE) {
                    let makes = |by: &usize| !(runs(with, step, *by) & !runs(own, step, *by)).is_empty();
                    let longest = (1..=length).rev().find(makes).unwrap();
                    full |= longest == length;
                    worth += if longest > 1 { 2 * (1000 / 10u32.pow((length - longest) as u32)) } else { 0 };
                }
                let beside = |other: usize| {
                    let apart = |a: usize, b: usize| a.abs_diff(b);
                    apart(cell % STRIDE, other % STRIDE).max(apart(cell / STRIDE, other / STRIDE)) == 1
                };
                worth += u32::from(own.iter().any(beside));
                assert_eq!((points.of(cell), completing.contains(cell)), (f64::from(worth), full), "{cell}");
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
