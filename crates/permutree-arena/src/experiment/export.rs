mod parquet;

use self::parquet::Parquet;
use super::cells::Cell;
use super::file::Experiment;
use super::results::numbers;
use super::store::Store;
use crate::ArenaError;
use rusqlite::params;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::{self, Write};

/// The format of exported games.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Format {
    /// CSV with a header; lists are JSON.
    Csv,
    /// One JSON object per line and game.
    JsonLines,
    /// A Parquet file, which is binary, with native lists.
    Parquet,
    /// Game records for people and for programs that replay games: tags in brackets, then the moves.
    Records,
}

/// Writes every stored game of an experiment, cell by cell in the order of the file.
pub fn export(
    experiment: &Experiment,
    store: &Store,
    format: Format,
    out: &mut dyn Write,
) -> Result<io::Result<()>, ArenaError> {
    let mut written = HashSet::new();
    let mut sheet: Box<dyn Sheet> = match format {
        Format::Csv => Box::new(Csv { begun: false }),
        Format::JsonLines => Box::new(JsonLines),
        Format::Parquet => match Parquet::new() {
            Ok(sheet) => Box::new(sheet),
            Err(error) => return Ok(Err(error)),
        },
        Format::Records => Box::new(Records),
    };
    for cell in experiment.cells().filter(|cell| written.insert(&cell.key)) {
        let Some(id) = store.find_cell(&cell.key)? else { continue };
        match store.each_game(id, cell, |game| sheet.add(game, out))? {
            Ok(()) => {}
            failed => return Ok(failed),
        }
    }
    Ok(sheet.finish(out))
}

/// Writes games in one format, each an object with the same keys.
trait Sheet {
    fn add(&mut self, game: &Value, out: &mut dyn Write) -> io::Result<()>;

    /// Called after the last game.
    fn finish(&mut self, _out: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }
}

impl Store {
    /// Passes the stored games of a cell to `each`, in order, until it fails.
    fn each_game(
        &self,
        id: i64,
        cell: &Cell,
        mut each: impl FnMut(&Value) -> io::Result<()>,
    ) -> Result<io::Result<()>, ArenaError> {
        let mut read = || {
            let mut query = self.db.prepare_cached(
                "SELECT number, seed, seats, rewards, plies, playouts, time_ns, unfinished, forfeit, why, version, moves
                FROM games JOIN moves USING (cell, number) WHERE cell = ? AND number < ? ORDER BY number",
            )?;
            let mut rows = query.query(params![id, cell.total() as i64])?;
            while let Some(row) = rows.next()? {
                let (seats, rewards): (String, String) = (row.get(2)?, row.get(3)?);
                let (playouts, time): (String, String) = (row.get(5)?, row.get(6)?);
                let (forfeit, moves): (Option<i64>, String) = (row.get(8)?, row.get(11)?);
                let spec = |agent: usize| cell.key.agents.get(agent).map_or("", String::as_str);
                let seconds = numbers::<u64, Vec<_>>(&time).into_iter().map(|ns| ns as f64 / 1e9);
                let game = json!({
                    "game": cell.key.game,
                    "agents": cell.key.agents,
                    "budget": cell.key.budget(),
                    "number": row.get::<_, i64>(0)?,
                    "seed": row.get::<_, i64>(1)?,
                    "seats": numbers::<usize, Vec<_>>(&seats).into_iter().map(spec).collect::<Vec<_>>(),
                    "rewards": numbers::<f64, Vec<_>>(&rewards),
                    "plies": row.get::<_, i64>(4)?,
                    "playouts": numbers::<u64, Vec<_>>(&playouts),
                    "time_s": seconds.collect::<Vec<_>>(),
                    "unfinished": row.get::<_, bool>(7)?,
                    "forfeit": forfeit.map(|agent| spec(agent as usize)),
                    "why": row.get::<_, Option<String>>(9)?,
                    "version": row.get::<_, String>(10)?,
                    "moves": moves.split_whitespace().collect::<Vec<_>>(),
                });
                if let Err(error) = each(&game) {
                    return Ok(Err(error));
                }
            }
            Ok(Ok(()))
        };
        read().map_err(|e| self.failed(&e))
    }
}

struct Csv {
    /// Whether the header is written.
    begun: bool,
}

impl Sheet for Csv {
    fn add(&mut self, game: &Value, out: &mut dyn Write) -> io::Result<()> {
        if !std::mem::replace(&mut self.begun, true) {
            writeln!(out, "{}", line(game, |key, _| key.to_string()))?;
        }
        writeln!(out, "{}", line(game, |_, value| plain(value)))
    }
}

/// A line of CSV, with `cell(key, value)` in each column.
fn line(game: &Value, cell: impl Fn(&str, &Value) -> String) -> String {
    let quoted = |text: String| match text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    };
    let cells: Vec<String> =
        game.as_object().into_iter().flatten().map(|(key, value)| quoted(cell(key, value))).collect();
    cells.join(",")
}

struct JsonLines;

impl Sheet for JsonLines {
    fn add(&mut self, game: &Value, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{game}")
    }
}

/// A string without quotes, nothing for null, and everything else as JSON.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

struct Records;

impl Sheet for Records {
    fn add(&mut self, game: &Value, out: &mut dyn Write) -> io::Result<()> {
        let texts = |key: &str| game[key].as_array().into_iter().flatten().map(plain).collect::<Vec<_>>();
        let mut tag = |name: &str, text: &str| {
            if text.is_empty() { Ok(()) } else { writeln!(out, "[{name} {}]", Value::from(text)) }
        };
        tag("Game", &plain(&game["game"]))?;
        for (seat, agent) in texts("seats").iter().enumerate() {
            tag(&format!("Seat{}", seat + 1), agent)?;
        }
        tag("Budget", &plain(&game["budget"]))?;
        tag("Seed", &plain(&game["seed"]))?;
        tag("Rewards", &texts("rewards").join(" "))?;
        tag("Forfeit", &plain(&game["forfeit"]))?;
        tag("Why", &plain(&game["why"]))?;
        tag("Version", &plain(&game["version"]))?;
        writeln!(out)?;
        let mut width = 0;
        for text in texts("moves") {
            // Lines of about 80 characters.
            if width + text.len() > 79 {
                writeln!(out)?;
                width = 0;
            }
            write!(out, "{}{text}", if width > 0 { " " } else { "" })?;
            width += text.len() + 1;
        }
        writeln!(out, "\n")
    }
}
