//! A board found in the fluents: those with one name of which two arguments are ordered and span a grid.

use crate::machine::Machine;
use crate::net::Net;
use crate::rules::Program;
use crate::slices::Slices;
use crate::tables::TermId;
use crate::text;
use permutree_game::draw::{CELL, COLOURS, Svg};
use std::collections::HashMap;
use std::fmt::Write;

/// A board with at most so many rows and columns.
const LARGEST: usize = 30;

/// How many places the fluents of a board have, these fluents, and their arguments that are column and row.
type Found = (usize, Vec<usize>, usize, usize);

/// A board and what stands on it.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    columns: Vec<String>,
    rows: Vec<String>,
    /// For each fluent of the board its number, column, row and content.
    cells: HashMap<usize, (usize, usize, usize)>,
    contents: Vec<Content>,
    /// Whether moves name a column and a row, and not a column alone.
    pairs: bool,
}

#[derive(Clone, Debug)]
struct Content {
    name: String,
    sign: char,
    colour: &'static str,
    blank: bool,
}

impl Board {
    /// The board of a game, if there is one.
    pub(crate) fn find(
        program: &Program,
        terms: &Slices,
        net: &Net,
        machine: &Machine,
        roles: &[String],
    ) -> Option<Self> {
        let mut by_name: HashMap<(u32, usize), Vec<usize>> = HashMap::new();
        for (i, &fluent) in net.fluents.iter().enumerate() {
            let words = terms.get(fluent);
            by_name.entry((words[0], words.len() - 1)).or_default().push(i);
        }
        let mut names: Vec<_> = by_name.into_iter().filter(|((_, args), _)| (2..=4).contains(args)).collect();
        names.sort_by_key(|(_, fluents)| fluents[0]);
        let start = machine.start();
        let mut best: Option<Found> = None;
        for (name, fluents) in names {
            for a in 0..name.1 {
                for b in a + 1..name.1 {
                    let at = |i: usize| {
                        let words = terms.get(net.fluents[i]);
                        (words[1 + a], words[1 + b])
                    };
                    let distinct = |each: &dyn Fn(usize) -> TermId| {
                        let mut values: Vec<TermId> = fluents.iter().map(|&i| each(i)).collect();
                        values.sort_unstable();
                        values.dedup();
                        values
                    };
                    let (xs, ys) = (distinct(&|i| at(i).0), distinct(&|i| at(i).1));
                    if xs.len().min(ys.len()) < 2 || xs.len().max(ys.len()) > LARGEST {
                        continue;
                    }
                    let ordered =
                        |values: &[TermId]| values.iter().all(|&value| is_ordered(program, terms, value));
                    let mut places: Vec<_> = fluents.iter().map(|&i| at(i)).collect();
                    places.sort_unstable();
                    places.dedup();
                    // Most places of the grid occur, and no place has two contents at the start.
                    let mut held: Vec<_> =
                        fluents.iter().filter(|&&i| machine.holds(&start, i)).map(|&i| at(i)).collect();
                    let all = held.len();
                    held.sort_unstable();
                    held.dedup();
                    let score = places.len();
                    if !ordered(&xs)
                        || !ordered(&ys)
                        || places.len() * 3 < xs.len() * ys.len() * 2
                        || held.len() < all
                        || best.as_ref().is_some_and(|best| best.0 >= score)
                    {
                        continue;
                    }
                    best = Some((score, fluents.clone(), a, b));
                }
            }
        }
        let (_, fluents, a, b) = best?;
        let written = |term: TermId| text::term(program, terms, terms.get(term));
        let values = |arg: usize| {
            let mut values: Vec<String> =
                fluents.iter().map(|&i| written(terms.get(net.fluents[i])[1 + arg])).collect();
            values.sort_by(|a, b| text::names(a, b));
            values.dedup();
            values
        };
        let (columns, rows) = (values(a), values(b));
        let mut found: Vec<String> = Vec::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut cells = HashMap::new();
        for &i in &fluents {
            let words = terms.get(net.fluents[i]);
            let rest = (0..words.len() - 1).filter(|&arg| arg != a && arg != b);
            let rest: Vec<String> = rest.map(|arg| written(words[1 + arg])).collect();
            let name =
                if rest.is_empty() { written(net.fluents[i])[1..2].to_string() } else { rest.join(" ") };
            let content = found.iter().position(|known| *known == name).unwrap_or_else(|| {
                found.push(name);
                counts.push(0);
                found.len() - 1
            });
            counts[content] += usize::from(machine.holds(&start, i));
            let place = |values: &[String], arg: usize| {
                let name = written(words[1 + arg]);
                values.iter().position(|value| *value == name).unwrap_or_default()
            };
            cells.insert(i, (place(&columns, a), place(&rows, b), content));
        }
        // A third of the cells with one content at the start are empty cells.
        let most = (0..counts.len()).max_by_key(|&i| (counts[i], std::cmp::Reverse(i)))?;
        let blank = (counts[most] * 3 >= columns.len() * rows.len() && found.len() > 1).then_some(most);
        let mut contents: Vec<Content> = Vec::new();
        for (i, name) in found.into_iter().enumerate() {
            let starts = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
            let of_role: Vec<usize> = (0..roles.len()).filter(|&r| starts(&roles[r], &name)).collect();
            let colour = match of_role[..] {
                [role] => COLOURS[role % COLOURS.len()],
                _ => COLOURS[(i - usize::from(blank.is_some_and(|blank| blank < i))) % COLOURS.len()],
            };
            let free =
                |c: &char| c.is_ascii_graphic() && *c != '.' && contents.iter().all(|known| known.sign != *c);
            let mut signs = name.chars().chain(name.to_ascii_uppercase().chars().collect::<Vec<_>>());
            let sign = if blank == Some(i) { '.' } else { signs.find(free).unwrap_or('?') };
            contents.push(Content { sign, colour, blank: blank == Some(i), name });
        }
        let mut board = Self { columns, rows, cells, contents, pairs: true };
        board.pairs = net.does.iter().any(|&(_, mv)| {
            let mv = written(mv);
            board.columns.iter().any(|x| board.rows.iter().any(|y| mv.contains(&format!(" {x} {y}"))))
        });
        Some(board)
    }

    /// Whether a fluent is part of the board.
    pub(crate) fn shows(&self, fluent: usize) -> bool {
        self.cells.contains_key(&fluent)
    }

    fn place_name(&self, column: usize, row: usize) -> String {
        format!("{}.{}", self.columns[column], self.rows[row])
    }

    /// The place that a move ends on.
    fn last_place(&self, mv: &str) -> Option<(usize, usize)> {
        let parts: Vec<&str> = mv.split('.').collect();
        parts.windows(2).rev().find_map(|pair| {
            let column = self.columns.iter().position(|name| name == pair[0])?;
            Some((column, self.rows.iter().position(|name| name == pair[1])?))
        })
    }

    /// What stands on each place, row by row from the first.
    fn contents(&self, facts: impl Iterator<Item = usize>) -> Vec<Option<&Content>> {
        let mut grid = vec![None; self.columns.len() * self.rows.len()];
        for (column, row, content) in facts.filter_map(|fact| self.cells.get(&fact)).copied() {
            grid[row * self.columns.len() + column] = Some(&self.contents[content]);
        }
        grid
    }

    /// The board as text, last row first, and what the signs mean.
    pub(crate) fn text(&self, facts: &[usize], last: Option<&str>) -> String {
        let grid = self.contents(facts.iter().copied());
        let last = last.and_then(|mv| self.last_place(mv));
        let wide = |names: &[String]| names.iter().map(|name| name.chars().count()).max().unwrap_or(1);
        let (label, width) = (wide(&self.rows), wide(&self.columns));
        let mut text = String::new();
        for (row, name) in self.rows.iter().enumerate().rev() {
            let _ = write!(text, "{name:>label$} ");
            for column in 0..self.columns.len() {
                let sign = grid[row * self.columns.len() + column].map_or('.', |content| content.sign);
                let (open, close) = if last == Some((column, row)) { ('[', ']') } else { (' ', ' ') };
                let _ = write!(text, "{open}{sign:>width$}{close}");
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        let _ = write!(text, "{:label$} ", "");
        for name in &self.columns {
            let _ = write!(text, " {name:>width$} ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        let named = self.contents.iter().filter(|content| !content.blank && content.name.len() > 1);
        let legend: Vec<String> = named.map(|content| format!("{} {}", content.sign, content.name)).collect();
        if !legend.is_empty() && legend.len() <= 16 {
            let _ = writeln!(text, "{}", legend.join(", "));
        }
        text
    }

    /// The board as SVG, with a place for each cell, or for each column if moves name columns only.
    pub(crate) fn picture(&self, facts: impl Iterator<Item = usize>, last: Option<&str>) -> String {
        let (columns, rows) = (self.columns.len(), self.rows.len());
        let margin = CELL * 0.8;
        let centre = |column: usize, row: usize| {
            (margin + (column as f64 + 0.5) * CELL, margin + ((rows - 1 - row) as f64 + 0.5) * CELL)
        };
        let mut svg = Svg::new(columns as f64 * CELL + 2.0 * margin, rows as f64 * CELL + 2.0 * margin);
        let grid = self.contents(facts);
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = centre(column, row);
                let half = CELL / 2.0 - 0.5;
                svg.rect(x - half, y - half, 2.0 * half, 2.0 * half, "#e6cfa8");
                if let Some(content) = grid[row * columns + column].filter(|content| !content.blank) {
                    svg.disc(x, y, CELL * 0.38, content.colour);
                    let name: String = content.name.chars().take(3).collect();
                    svg.text(x, y, CELL * 0.3, "#fff", name);
                }
                let name = if self.pairs {
                    self.place_name(column, row)
                } else {
                    format!(".{}", self.columns[column])
                };
                svg.place(&name, (x, y), CELL * 0.5);
            }
        }
        for (column, name) in self.columns.iter().enumerate() {
            let (x, y) = centre(column, 0);
            svg.text(x, y + CELL * 0.8, 13.0, "#555", name);
        }
        for (row, name) in self.rows.iter().enumerate() {
            let (x, y) = centre(0, row);
            svg.text(x - CELL * 0.8, y, 13.0, "#555", name);
        }
        if let Some((column, row)) = last.and_then(|mv| self.last_place(mv)) {
            let (x, y) = centre(column, row);
            svg.ring(x, y, CELL * 0.44, "#222", 3.0);
        }
        svg.finish()
    }
}

/// Whether a term can be a coordinate: a number, a letter, or letters and a number.
fn is_ordered(program: &Program, terms: &Slices, term: TermId) -> bool {
    let [symbol] = terms.get(term) else { return false };
    let name = program.symbols.name(*symbol);
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    letters.len() < name.len() || name.len() == 1
}
