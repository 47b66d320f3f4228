//! The hexagonal board written the plain way, for the games that are played on it.

use crate::plain::Cell;
use std::collections::BTreeMap;

/// From a cell to its six neighbours; the opposite of entry `i` is entry `i + 3`.
pub(crate) const DIRECTIONS: [Cell; 6] = [(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)];

/// Who has a stone where, on a board of this side.
#[derive(Clone)]
pub(crate) struct Stones {
    pub(crate) side: i32,
    pub(crate) at: BTreeMap<Cell, usize>,
}

impl Stones {
    pub(crate) fn none(side: i32) -> Self {
        Self { side, at: BTreeMap::new() }
    }

    /// The cells without a stone.
    pub(crate) fn empty(&self) -> impl Iterator<Item = Cell> {
        let all = (0..2 * self.side).flat_map(|column| (0..2 * self.side).map(move |row| (column, row)));
        all.filter(|cell| self.is_empty(*cell))
    }

    /// Whether there is such a cell and no stone on it.
    pub(crate) fn is_empty(&self, cell: Cell) -> bool {
        let (column, row) = cell;
        let inside = |i| (0..2 * self.side - 1).contains(&i);
        inside(column) && inside(row) && (column - row).abs() < self.side && !self.at.contains_key(&cell)
    }

    /// The runs of stones through a cell, one for each of the three directions, by their owners: all stones before and
    /// after the cell as far as `joins` holds.
    pub(crate) fn runs(&self, cell: Cell, joins: impl Fn(usize) -> bool) -> [Vec<usize>; 3] {
        [0, 1, 2].map(|direction| {
            let mut run: Vec<usize> = self.at.get(&cell).copied().into_iter().collect();
            for direction in [direction, direction + 3] {
                let mut next = step(cell, direction);
                while let Some(&owner) = self.at.get(&next).filter(|owner| joins(**owner)) {
                    run.push(owner);
                    next = step(next, direction);
                }
            }
            run
        })
    }
}

pub(crate) fn step((column, row): Cell, direction: usize) -> Cell {
    let (dx, dy) = DIRECTIONS[direction];
    (column + dx, row + dy)
}
