/// The cells of a board, parsed from its text.
///
/// The text must have numbered rows, the highest first, and cells of one character. Games that are drawn in another way
/// have no diagram.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Diagram {
    /// The rows, the lowest first, all equally long; `None` where the board has no cell.
    rows: Vec<Vec<Option<char>>>,
    /// Whether the columns skip the letter i, as those of a Go board do.
    skips_i: bool,
}

impl Diagram {
    /// Parses the text of a position.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut rows: Vec<(usize, Vec<char>)> = Vec::new();
        for line in text.lines() {
            let line = line.trim_start();
            let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(line.len());
            let Ok(number) = line[..digits].parse::<usize>() else { continue };
            if rows.last().is_some_and(|(above, _)| number + 1 != *above) {
                return None;
            }
            rows.push((number, characters(&line[digits..])?));
        }
        if rows.last()?.0 != 1 {
            return None;
        }
        let mut rows: Vec<Vec<char>> = rows.into_iter().rev().map(|(_, cells)| cells).collect();
        let columns = rows.iter().map(Vec::len).max()?;
        let middle = rows.len() / 2;
        // A hexagonal board is widest in the middle. Each row below ends with the letter of the column that has its
        // last cell in the row above.
        let hexagonal = rows.last()?.len() < columns;
        if hexagonal {
            rows[..middle].iter_mut().for_each(|row| row.truncate(row.len().saturating_sub(1)));
        } else if rows.iter().any(|row| row.len() != columns) {
            return None;
        }
        let rows = rows.into_iter().enumerate().map(|(number, cells)| {
            let missing = vec![None; columns - cells.len()];
            let cells = cells.into_iter().map(Some);
            if number > middle {
                missing.into_iter().chain(cells).collect()
            } else {
                cells.chain(missing).collect()
            }
        });
        let letters = text.lines().filter_map(characters).find(|line| line.starts_with(&['a', 'b']));
        let skips_i = letters.is_some_and(|letters| letters.get(8) == Some(&'j'));
        Some(Self { rows: rows.collect(), skips_i })
    }

    /// How many columns and rows there are.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.rows[0].len(), self.rows.len())
    }

    /// The side of the smallest square that contains all cells.
    pub(crate) fn size(&self) -> usize {
        let (columns, rows) = self.shape();
        columns.max(rows)
    }

    /// The stones as GoGui reads them: the highest row first, `X` for the first player, `O` for the second and `.` for
    /// an empty cell. `None` if the board has anything else.
    pub(crate) fn stones(&self) -> Option<String> {
        let mut text = String::new();
        for row in (0..self.size()).rev() {
            for column in 0..self.size() {
                text.push_str(if column == 0 { "" } else { " " });
                text.push(match self.cell(column, row) {
                    None | Some('.' | '+') => '.',
                    Some('x' | 'X' | '^' | 'v') => 'X',
                    Some('o' | 'O' | '<' | '>') => 'O',
                    Some(_) => return None,
                });
            }
            text.push('\n');
        }
        Some(text)
    }

    /// A move in GTP notation: a square becomes a vertex such as `D4` (the letter I is skipped), and a column the
    /// vertex of its lowest empty cell, where a stone would fall. Everything else stays as it is.
    pub(crate) fn vertex(&self, text: &str) -> String {
        self.column_and_row(text).and_then(vertex).unwrap_or_else(|| text.to_string())
    }

    fn column_and_row(&self, text: &str) -> Option<(usize, usize)> {
        let letter = text.bytes().next().filter(u8::is_ascii_lowercase)?;
        let column = usize::from(letter - b'a') - usize::from(self.skips_i && letter > b'i');
        let row = match &text[1..] {
            "" => (0..self.rows.len()).find(|&row| self.cell(column, row) == Some('.'))?,
            number => number.parse::<usize>().ok()?.checked_sub(1)?,
        };
        self.cell(column, row).map(|_| (column, row))
    }

    fn cell(&self, column: usize, row: usize) -> Option<char> {
        *self.rows.get(row)?.get(column)?
    }
}

/// The GTP name of a cell; there are 25 letters for columns.
fn vertex((column, row): (usize, usize)) -> Option<String> {
    let letter = (b'A'..=b'Z').filter(|letter| *letter != b'I').nth(column)?;
    Some(format!("{}{}", char::from(letter), row + 1))
}

/// The cells of a line, if each is one character. Brackets mark the last move and bars separate boards.
fn characters(line: &str) -> Option<Vec<char>> {
    let cells = line.split([' ', '[', ']', '|']).filter(|cell| !cell.is_empty());
    cells
        .map(|cell| {
            let mut characters = cell.chars();
            characters.next().filter(|_| characters.next().is_none())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::{GAMES, game};

    fn diagram(spec: &str, moves: &str) -> Diagram {
        let mut position = game(spec).unwrap().start();
        position.play_all(moves).unwrap();
        Diagram::read(&position.board()).unwrap()
    }

    #[test]
    fn boards_that_have_one() {
        let names = GAMES.iter().map(|entry| entry.facts.name);
        let without: Vec<&str> =
            names.filter(|name| Diagram::read(&game(name).unwrap().start().board()).is_none()).collect();
        assert_eq!(without, ["investment", "nim", "pig", "skirmish-arena", "tree", "tsp", "wargame"]);
    }

    #[test]
    fn stones() {
        let stones = diagram("tic-tac-toe", "b2 a1").stones().unwrap();
        assert_eq!(stones, ". . .\n. X .\nO . .\n");
        assert_eq!(
            diagram("connect4:4,rows=3", "b b").stones().unwrap(),
            ". . . .\n. . . .\n. O . .\n. X . .\n"
        );
        assert_eq!(diagram("domineering:2", "a1").stones().unwrap(), "X .\nX .\n");
        assert_eq!(diagram("go:3", "c1 a3").stones().unwrap(), "O . .\n. . .\n. . X\n");
        assert_eq!(diagram("ultimate-tic-tac-toe", "i9").stones().unwrap().find('X'), Some(16));
        assert_eq!(diagram("skirmish", "").stones(), None);
    }

    #[test]
    fn hexagons_lean() {
        let board = diagram("yavalath:3", "e5 a1 c1");
        assert_eq!(board.shape(), (5, 5));
        assert_eq!(board.stones().unwrap(), ". . . . X\n. . . . .\n. . . . .\n. . . . .\nO . X . .\n");
    }

    #[test]
    fn vertices() {
        for (spec, moves, own, vertex) in [
            ("go", "", "j9", "J9"),
            ("go", "", "pass", "pass"),
            ("gomoku", "", "i9", "J9"),
            ("gomoku:15", "", "j10", "K10"),
            ("hex:11", "", "h1", "H1"),
            ("connect4", "d d", "d", "D3"),
            ("breakthrough", "", "a2a3", "a2a3"),
            ("order-and-chaos", "", "xd1", "xd1"),
            ("hex:7,swap=true", "a1", "swap", "swap"),
        ] {
            assert_eq!(diagram(spec, moves).vertex(own), vertex, "{spec}");
        }
    }
}
