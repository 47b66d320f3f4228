use crate::{ArenaError, agent};
use permutree_zoo::{Agent, nearest};
use std::cell::Cell;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of an experiment file, which reports errors with their lines.
#[derive(Debug)]
pub(super) struct Source {
    path: PathBuf,
    text: String,
    /// Creates the agents.
    pub(super) agent: fn(&str) -> Result<Agent, ArenaError>,
    cells: Cell<u64>,
}

/// The most cells of a file: far more than anyone reads, and few enough that a mistake does not fill the memory.
const MOST_CELLS: u64 = 10_000;

/// A piece of text and its place in the file.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// A value of the file.
pub(super) type Node<'a> = Spanned<DeValue<'a>>;

impl Source {
    pub(super) fn read(path: &Path) -> Result<Self, ArenaError> {
        let refuse = |why: String| ArenaError::File { path: path.display().to_string(), line: None, why };
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::new(path, text, agent))
    }

    pub(super) fn new(
        path: &Path,
        text: impl Into<String>,
        agent: fn(&str) -> Result<Agent, ArenaError>,
    ) -> Self {
        Self { path: path.to_path_buf(), text: text.into(), agent, cells: Cell::new(0) }
    }

    /// Counts the cells of a row, one for each combination of choices, before they are created. Refuses too many.
    pub(super) fn expect_cells(
        &self,
        place: Range<usize>,
        choices: impl IntoIterator<Item = usize>,
    ) -> Result<(), ArenaError> {
        let cells = choices.into_iter().fold(1, |all: u64, more| all.saturating_mul(more as u64));
        let all = self.cells.get().saturating_add(cells);
        if all > MOST_CELLS {
            return Err(self.refuse(
                place,
                format!("more than {MOST_CELLS} cells; split the experiment into several files"),
            ));
        }
        self.cells.set(all);
        Ok(())
    }

    pub(super) fn parse(&self) -> Result<Spanned<DeTable<'_>>, ArenaError> {
        // Errors after the first are often only its consequences.
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let place = |error: &toml::de::Error| error.span().unwrap_or_default();
        match errors.into_iter().min_by_key(|error| place(error).start) {
            None => Ok(table),
            Some(error) => Err(self.refuse(place(&error), error.message().replace('\n', ", "))),
        }
    }

    /// An error at this place.
    pub(super) fn refuse(&self, place: Range<usize>, why: impl Display) -> ArenaError {
        let before = self.text.get(..place.start).unwrap_or(&self.text);
        ArenaError::File {
            path: self.path.display().to_string(),
            line: Some(1 + before.matches('\n').count()),
            why: why.to_string(),
        }
    }

    /// The error of a value that is not what the key needs.
    pub(super) fn wrong(&self, key: &str, node: &Node<'_>, needed: &str) -> ArenaError {
        let found = match node.get_ref() {
            DeValue::String(text) => format!("'{text}'"),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            DeValue::Boolean(flag) => flag.to_string(),
            DeValue::Datetime(time) => time.to_string(),
            DeValue::Array(_) => "a list".to_string(),
            DeValue::Table(_) => "a table".to_string(),
        };
        self.refuse(node.span(), format!("{key} is {found}; it must be {needed}"))
    }

    /// Refuses unknown keys. `what` names the table.
    pub(super) fn know(&self, table: &DeTable<'_>, known: &[&str], what: &str) -> Result<(), ArenaError> {
        let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        let Some(key) = unknown.min_by_key(|key| key.span().start) else { return Ok(()) };
        let meant =
            nearest(key.get_ref(), known).map_or(String::new(), |near| format!(" did you mean '{near}'?"));
        let why = format!("unknown key '{}' in {what};{meant} keys: {}", key.get_ref(), known.join(", "));
        Err(self.refuse(key.span(), why))
    }

    pub(super) fn text(&self, key: &str, node: &Node<'_>, needed: &str) -> Result<Word, ArenaError> {
        let text = node.get_ref().as_str().ok_or_else(|| self.wrong(key, node, needed))?;
        Ok(Word { text: text.to_string(), span: node.span() })
    }

    /// A whole number in a range.
    pub(super) fn whole(&self, key: &str, node: &Node<'_>, range: Range<u64>) -> Result<u64, ArenaError> {
        let number = node.get_ref().as_integer();
        let number = number.and_then(|number| u64::from_str_radix(number.as_str(), number.radix()).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            self.wrong(key, node, &format!("a whole number {}..{}", range.start, range.end - 1))
        })
    }

    pub(super) fn table<'n, 't>(&self, key: &str, node: &'n Node<'t>) -> Result<&'n DeTable<'t>, ArenaError> {
        node.get_ref().as_table().ok_or_else(|| self.wrong(key, node, "a table"))
    }

    /// The items of a list, or a single value as a list of one.
    pub(super) fn each<'n, 't>(
        &self,
        key: &str,
        node: &'n Node<'t>,
    ) -> Result<Vec<&'n Node<'t>>, ArenaError> {
        let items = match node.get_ref().as_array() {
            Some(array) => array.iter().collect(),
            None => vec![node],
        };
        if items.is_empty() {
            return Err(
                self.refuse(node.span(), format!("{key} is an empty list; it needs at least one entry"))
            );
        }
        Ok(items)
    }
}

/// The value of a number, whole or not.
pub(super) fn number(node: &Node<'_>) -> Option<f64> {
    match node.get_ref() {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|n| n as f64)
        }
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}
