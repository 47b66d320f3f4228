//! Sets of the nine cells of a 3x3 board: nine bits, `row * 3 + column`.

use permutree_game::Rewards;

/// Every cell.
pub const FULL: u16 = 0o777;
/// The eight lines of three.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// All facts about each set in one word, so that they cost one load: from the lowest bit its cells in ascending order, four
/// bits each; from bit [`SELF`] the set itself; in the highest four bits the number of cells, and below them whether the set
/// contains a line. The word of the empty set is 0.
static SETS: [u64; 512] = {
    let mut sets = [0; 512];
    let mut set = 0;
    while set < 512 {
        let (mut word, mut count, mut cell) = (0, 0, 0);
        while cell < 9 {
            if set >> cell & 1 == 1 {
                word |= cell << (4 * count);
                count += 1;
            }
            cell += 1;
        }
        let mut line = 0;
        while line < 8 {
            if set as u16 & LINES[line] == LINES[line] {
                word |= 1 << 59;
            }
            line += 1;
        }
        sets[set] = word | (set as u64) << SELF | count << 60;
        set += 1;
    }
    sets
};

const SELF: u32 = 40;

/// A set with its facts, for code that reads sets more often than it changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known(u64);

impl Known {
    /// No cells.
    pub const EMPTY: Self = Self(0);

    /// The facts about a set.
    #[inline]
    #[must_use]
    pub fn of(set: u16) -> Self {
        Self(SETS[usize::from(set & FULL)])
    }

    /// The set.
    #[inline]
    #[must_use]
    pub fn set(self) -> u16 {
        (self.0 >> SELF) as u16 & FULL
    }

    /// As [`count`].
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        (self.0 >> 60) as usize
    }

    /// As [`nth`].
    #[inline]
    #[must_use]
    pub fn nth(self, index: usize) -> u8 {
        (self.0 >> (4 * index) & 15) as u8
    }

    /// Whether the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The empty set if `cleared`, without a branch.
    #[inline]
    #[must_use]
    pub fn cleared_if(self, cleared: bool) -> Self {
        Self(self.0 & u64::from(cleared).wrapping_sub(1))
    }
}

/// The number of cells of a set.
#[inline]
#[must_use]
pub fn count(set: u16) -> usize {
    Known::of(set).count()
}

/// Cell number `index` of a set, which must have more cells than that.
#[inline]
#[must_use]
pub fn nth(set: u16, index: usize) -> u8 {
    Known::of(set).nth(index)
}

/// Whether a set contains a line of three.
#[inline]
#[must_use]
pub fn has_line(set: u16) -> bool {
    SETS[usize::from(set & FULL)] >> 59 & 1 == 1
}

/// An estimate of the rewards: one point for each cell of a player's longest line without enemy cells.
#[must_use]
pub fn leaning([first, second]: [u16; 2]) -> Rewards {
    let longest = |own, others| {
        let open = LINES.iter().filter(|&line| line & others == 0);
        open.map(|line| count(line & own)).max().unwrap_or(0) as f64
    };
    Rewards::leaning(&[longest(first, second), longest(second, first)])
}

/// The cells of a set in ascending order.
#[inline]
pub fn iter(set: u16) -> impl Iterator<Item = u8> {
    (0..count(set)).map(move |index| nth(set, index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_know_their_cells() {
        for set in 0..=FULL {
            let cells: Vec<u8> = (0..9).filter(|cell| set >> cell & 1 == 1).collect();
            assert_eq!(iter(set).collect::<Vec<_>>(), cells);
            let known = Known::of(set);
            assert_eq!((known.set(), known.is_empty()), (set, set == 0));
            assert_eq!((known.cleared_if(true), known.cleared_if(false)), (Known::EMPTY, known));
            let straight = |from: u8, step: u8| (0..3).all(|i| cells.contains(&(from + i * step)));
            let rows_and_columns = (0..3).any(|i| straight(3 * i, 1) || straight(i, 3));
            assert_eq!(has_line(set), rows_and_columns || straight(0, 4) || straight(2, 2), "{set:o}");
        }
    }
}
