//! Precomputed sets of the board.

use crate::parts::bits::Bits;
use crate::parts::hexagon::Hexagon;
use permutree_game::Player;

/// The cells of a hexagon with side 5; they are numbered row by row.
pub(super) const CELLS: usize = 61;

/// The number of ordered pairs of cells in a line.
pub(super) const PAIRS: usize = 1104;

/// All cells.
pub(super) const ALL: u64 = (1 << CELLS) - 1;

/// The board, with sets of cells as words.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) hexagon: Hexagon<2>,
    /// The cells of each player's colour.
    pub(super) colours: [u64; 3],
    /// The neighbours of each cell.
    pub(super) neighbours: [u64; CELLS],
    /// The cells in a line from each cell in the six directions. Their numbers ascend in the first three.
    rays: [[u64; 6]; CELLS],
    /// The cells in line with each cell, and the number of such pairs of earlier cells.
    pub(super) lines: [(u64, u16); CELLS],
}

impl Board {
    pub(super) fn new() -> Self {
        let mut board = Self {
            hexagon: Hexagon::new(5),
            colours: [0; 3],
            neighbours: [0; CELLS],
            rays: [[0; 6]; CELLS],
            lines: [(0, 0); CELLS],
        };
        let mut pairs = 0;
        for cell in 0..CELLS {
            let bit = board.bit(cell as u8);
            let (column, row) = (bit % board.hexagon.width(), bit / board.hexagon.width());
            board.colours[2 - (column + row + 1) % 3] |= 1 << cell;
            for direction in 0..6 {
                let next = |bit: &usize| board.hexagon.neighbour(*bit, direction);
                let ray = std::iter::successors(next(&bit), next).map(|bit| 1 << board.cell(bit));
                let ray: Vec<u64> = ray.collect();
                board.neighbours[cell] |= ray.first().copied().unwrap_or(0);
                board.rays[cell][direction] = ray.iter().sum();
            }
            let line = board.rays[cell].iter().sum::<u64>();
            board.lines[cell] = (line, pairs);
            pairs += line.count_ones() as u16;
        }
        board
    }

    /// The bit of the hexagon for a cell.
    pub(super) fn bit(&self, cell: u8) -> usize {
        usize::from(self.hexagon.cells().bits()[usize::from(cell)])
    }

    /// The cell at a bit of the hexagon.
    pub(super) fn cell(&self, bit: usize) -> u8 {
        self.hexagon.cells().number(bit as u16) as u8
    }

    pub(super) fn name(&self, cell: u8) -> String {
        self.hexagon.name(self.bit(cell))
    }

    /// The cells that a piece can slide to over empty cells, regardless of their colour.
    #[inline]
    pub(super) fn reach(&self, from: usize, taken: u64) -> u64 {
        let mut reach = 0;
        for (direction, ray) in self.rays[from].iter().enumerate() {
            // The first piece on the ray or, without one, the last or first cell of the board, whose own ray in that
            // direction is empty.
            let piece = if direction < 3 {
                (ray & taken | 1 << (CELLS - 1)).trailing_zeros()
            } else {
                63 - (ray & taken | 1).leading_zeros()
            };
            reach |= ray & !self.rays[piece as usize][direction];
        }
        reach & !taken
    }

    /// Sets of cells as bits of the hexagon.
    pub(super) fn stones(&self, sets: [u64; 3]) -> [Bits<2>; 3] {
        sets.map(|set| cells(set).map(|cell| self.bit(cell as u8)).collect())
    }

    /// The player whose colour a cell has.
    #[inline]
    pub(super) fn owner(&self, cell: u8) -> Player {
        let [first, second, _] = self.colours.map(|colour| colour >> cell & 1 == 1);
        Player(if first { 0 } else { 2 - u8::from(second) })
    }
}

/// The cells of a set, in order.
#[inline]
pub(super) fn cells(set: u64) -> impl Iterator<Item = usize> {
    Bits([set]).iter()
}
