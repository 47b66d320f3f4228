//! The targets of all pieces of the player to move, many pieces at a time.

use super::{BISHOP, KING, KNIGHT, Move, PAWN, Position, QUEEN, ROOK};
use permutree_game::Rng;

/// The cells that can be reached in each way of moving. A way and a target determine the origin, so this is the list of
/// legal moves, made by a few operations on whole boards.
pub(super) struct Targets {
    player: usize,
    reached: [u64; WAYS],
}

/// Ways 0 to 7: slides, by direction, those of rooks first. 8 to 15: leaps of knights.
const KNIGHTS: usize = 8;
/// The king, castling included. There is only one.
const KINGS: usize = 16;
/// A pawn's step, captures to the left and to the right, and the double step. Pawns on the last row promote to queens.
const PAWNS: usize = 17;
/// The first three of these ways again, to the last row only: three moves each, promoting to knight, bishop or rook.
const LESSER: usize = 21;
const WAYS: usize = 24;

/// A step by columns and rows.
#[derive(Clone, Copy)]
struct Step {
    /// The rotation of a word that makes this step.
    by: u32,
    /// The cells where the step may end: all that it does not reach around the edge.
    inside: u64,
}

impl Step {
    const fn new(columns: i32, rows: i32) -> Self {
        let mut inside = 0;
        let mut cell = 0;
        while cell < 64 {
            let (column, row) = (cell % 8 - columns, cell / 8 - rows);
            if 0 <= column && column < 8 && 0 <= row && row < 8 {
                inside |= 1 << cell;
            }
            cell += 1;
        }
        Self { by: (8 * rows + columns).rem_euclid(64) as u32, inside }
    }

    #[inline]
    fn from(self, cells: u64) -> u64 {
        cells.rotate_left(self.by) & self.inside
    }

    /// The cell from which the step leads to `cell`.
    #[inline]
    fn back(self, cell: usize) -> usize {
        (cell + 64 - self.by as usize) % 64
    }

    /// Every cell reached by sliding over `empty` cells, with the first that is not empty.
    ///
    /// Each round doubles the distance that has been looked at, so three rounds cross the board.
    #[inline]
    fn slides(self, from: u64, empty: u64) -> u64 {
        let (mut reached, mut free) = (from, empty & self.inside);
        for by in [self.by, 2 * self.by, 4 * self.by] {
            reached |= free & reached.rotate_left(by);
            free &= free.rotate_left(by);
        }
        self.from(reached)
    }
}

const STEPS: [Step; 8] = [
    Step::new(0, 1),
    Step::new(1, 0),
    Step::new(0, -1),
    Step::new(-1, 0),
    Step::new(1, 1),
    Step::new(1, -1),
    Step::new(-1, -1),
    Step::new(-1, 1),
];
const LEAPS: [Step; 8] = [
    Step::new(1, 2),
    Step::new(2, 1),
    Step::new(2, -1),
    Step::new(1, -2),
    Step::new(-1, -2),
    Step::new(-2, -1),
    Step::new(-2, 1),
    Step::new(-1, 2),
];
/// By player: the step, captures to the left and to the right, and the double step.
const PAWN_STEPS: [[Step; 4]; 2] = [
    [Step::new(0, 1), Step::new(-1, 1), Step::new(1, 1), Step::new(0, 2)],
    [Step::new(0, -1), Step::new(-1, -1), Step::new(1, -1), Step::new(0, -2)],
];

const FIRST_ROW: u64 = 0xFF;
/// The row that pawns of each player cross by a double step, and the row where they promote.
const THIRD_ROWS: [u64; 2] = [FIRST_ROW << 16, FIRST_ROW << 40];
const LAST_ROWS: [u64; 2] = [FIRST_ROW << 56, FIRST_ROW];

/// Castling on the first row, to the left and to the right: king and rook, which must not have moved, the cells between
/// them, and the king's target.
const CASTLINGS: [(u64, u64, u64); 2] = [(0x11, 0x0E, 0x04), (0x90, 0x60, 0x40)];

impl Targets {
    #[inline]
    pub(super) fn new(position: &Position) -> Self {
        let player = position.player();
        let Position { kinds, owners, unmoved, passed, .. } = position;
        let own = owners[player];
        let empty = !(owners[0] | owners[1]);
        let mut reached = [0; WAYS];

        let straight = own & (kinds[ROOK] | kinds[QUEEN]);
        let diagonal = own & (kinds[BISHOP] | kinds[QUEEN]);
        for way in 0..8 {
            reached[way] = STEPS[way].slides(if way < 4 { straight } else { diagonal }, empty) & !own;
            reached[KNIGHTS + way] = LEAPS[way].from(own & kinds[KNIGHT]) & !own;
        }

        let king = own & kinds[KING];
        reached[KINGS] = STEPS.iter().fold(0, |cells, step| cells | step.from(king)) & !own;
        if king & unmoved != 0 {
            let home = 56 * player;
            for (both, between, to) in CASTLINGS {
                if unmoved >> home & both == both && empty >> home & between == between {
                    reached[KINGS] |= to << home;
                }
            }
        }

        let pawns = own & kinds[PAWN];
        let [step, left, right, _] = PAWN_STEPS[player];
        let takes = owners[player ^ 1] | passed;
        reached[PAWNS] = step.from(pawns) & empty;
        reached[PAWNS + 1] = left.from(pawns) & takes;
        reached[PAWNS + 2] = right.from(pawns) & takes;
        reached[PAWNS + 3] = step.from(reached[PAWNS] & THIRD_ROWS[player]) & empty;
        for way in 0..3 {
            reached[LESSER + way] = reached[PAWNS + way] & LAST_ROWS[player];
        }
        Self { player, reached }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reached.iter().all(|&cells| cells == 0)
    }

    /// Appends every move.
    pub(super) fn list(&self, position: &Position, out: &mut Vec<Move>) {
        for (way, &cells) in self.reached.iter().enumerate() {
            let mut left = cells;
            while left != 0 {
                let to = left.trailing_zeros() as usize;
                left &= left - 1;
                let kinds = if way < LESSER { 1 } else { 3 };
                out.extend((0..kinds).map(|kind| self.move_to(position, way, to, kind)));
            }
        }
    }

    /// One of the moves, each with the same probability.
    #[inline]
    pub(super) fn draw(&self, position: &Position, rng: &mut Rng) -> Option<Move> {
        let mut counts = self.reached.map(u64::count_ones);
        counts[LESSER..].iter_mut().for_each(|count| *count *= 3);
        let total: u32 = counts.iter().sum();
        if total == 0 {
            return None;
        }
        let (mut index, mut way) = (rng.below(total as usize) as u32, 0);
        while index >= counts[way] {
            index -= counts[way];
            way += 1;
        }
        let mut kind = 0;
        if way >= LESSER {
            (index, kind) = (index / 3, index % 3);
        }
        let mut left = self.reached[way];
        for _ in 0..index {
            left &= left - 1;
        }
        Some(self.move_to(position, way, left.trailing_zeros() as usize, kind as usize))
    }

    /// The move to a cell by a way; `kind` numbers the promotions of the lesser ways.
    #[inline]
    fn move_to(&self, position: &Position, way: usize, to: usize, kind: usize) -> Move {
        let own = position.owners[self.player];
        let mut promotion = PAWN;
        let from = match way {
            0..KNIGHTS => {
                // The path is empty, so the first piece on the way back is the one that slides.
                let mut from = STEPS[way].back(to);
                while own >> from & 1 == 0 {
                    from = STEPS[way].back(from);
                }
                from
            }
            KNIGHTS..KINGS => LEAPS[way - KNIGHTS].back(to),
            KINGS => (own & position.kinds[KING]).trailing_zeros() as usize,
            PAWNS..LESSER => {
                if LAST_ROWS[self.player] >> to & 1 == 1 {
                    promotion = QUEEN;
                }
                PAWN_STEPS[self.player][way - PAWNS].back(to)
            }
            _ => {
                promotion = KNIGHT + kind;
                PAWN_STEPS[self.player][way - LESSER].back(to)
            }
        };
        Move { from: from as u8, to: to as u8, promotion: promotion as u8 }
    }
}
