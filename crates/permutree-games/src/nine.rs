//! Sets of the nine cells of a 3x3 board: nine bits, `row * 3 + column`.

/// Every cell.
pub const FULL: u16 = 0o777;
/// The eight lines of three.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// What is known of each set, in one word, so that asking for all of it costs one load: its cells in ascending order, four
/// bits each, from the lowest bit on; in the highest four bits how many they are; below them whether they contain a line.
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
        sets[set] = word | count << 60;
        set += 1;
    }
    sets
};

/// How many cells a set has.
#[inline]
#[must_use]
pub fn count(set: u16) -> usize {
    (SETS[usize::from(set & FULL)] >> 60) as usize
}

/// The cell of a set that has `index` cells before it; the set must have more.
#[inline]
#[must_use]
pub fn nth(set: u16, index: usize) -> u8 {
    (SETS[usize::from(set & FULL)] >> (4 * index) & 15) as u8
}

/// Whether a set contains a line of three.
#[inline]
#[must_use]
pub fn has_line(set: u16) -> bool {
    SETS[usize::from(set & FULL)] >> 59 & 1 == 1
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
            let straight = |from: u8, step: u8| (0..3).all(|i| cells.contains(&(from + i * step)));
            let rows_and_columns = (0..3).any(|i| straight(3 * i, 1) || straight(i, 3));
            assert_eq!(has_line(set), rows_and_columns || straight(0, 4) || straight(2, 2), "{set:o}");
        }
    }
}
