use super::cells::{Cell, CellKey, cells};
use super::paper::{Figure, Score, scores};
use super::probe::{Probe, probes};
use super::settings::{KEYS, Settings, Work};
use super::source::{Node, Source, number};
use crate::{ArenaError, agent, closed_agent};
use std::collections::BTreeSet;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;
use toml::de::DeTable;

/// An experiment file, checked: tables of cells, each of which is a number of games between agents, or of probes.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The title.
    pub title: String,
    /// The paper and the table; empty if there is none.
    pub source: String,
    /// A note for readers.
    pub note: String,
    /// The fraction of the games that a quick run plays.
    pub quick: f64,
    /// The tables, in the order of the file.
    pub tables: Vec<ExperimentTable>,
}

/// One table of an experiment.
#[derive(Clone, Debug)]
pub struct ExperimentTable {
    /// The title; empty if that of the experiment is enough.
    pub title: String,
    /// Whether scores are also shown by seat, for games that are not symmetric.
    pub by_seat: bool,
    /// Games between agents.
    pub cells: Vec<Cell>,
    /// Totals over several cells.
    pub totals: Vec<Total>,
    /// Measurements. A table has either these or cells.
    pub probes: Vec<Probe>,
}

/// All games of a table in which the same agents play with the same budget.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Total {
    /// The key that the cells have in common, with [`Total::ALL`] as its game.
    pub key: CellKey,
    /// The paper's figure for the first agent.
    pub paper: Option<Figure>,
}

impl Total {
    /// Takes the place of the game.
    pub const ALL: &'static str = "all games";

    /// The key of the total that a cell belongs to.
    #[must_use]
    pub fn key(cell: &Cell) -> CellKey {
        CellKey { game: Self::ALL.to_string(), ..cell.key.clone() }
    }
}

/// The specs of names, from the table `names`.
pub(super) type Names = BTreeMap<String, String>;

impl Experiment {
    /// Reads a file and checks everything in it.
    pub fn read(path: &Path) -> Result<Self, ArenaError> {
        Self::of(&Source::read(path)?)
    }

    /// The notes on the agents' specs, one for each renamed parameter.
    #[must_use]
    pub fn notes(&self) -> BTreeSet<&str> {
        self.cells().flat_map(|cell| cell.lineup.notes()).collect()
    }

    /// Parses the text of an experiment file. Errors name the file as `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Self, ArenaError> {
        Self::of(&Source::new(path, text, agent))
    }

    /// The same for a text from an untrusted source: agents that read files or start programs are refused.
    pub fn parse_closed(path: &Path, text: &str) -> Result<Self, ArenaError> {
        Self::of(&Source::new(path, text, closed_agent))
    }

    fn of(source: &Source) -> Result<Self, ArenaError> {
        let document = source.parse()?;
        let file = document.get_ref();
        let mut known = vec![
            "title",
            "source",
            "note",
            "quick",
            "names",
            "by-seat",
            "table",
            "rows",
            "paper",
            "all-games",
        ];
        known.extend(KEYS);
        source.know(file, &known, "an experiment")?;
        let names = names(source, file)?;
        let quick = match file.get("quick") {
            None => 0.1,
            Some(node) => number(node)
                .filter(|part| (0.0..=1.0).contains(part))
                .ok_or_else(|| source.wrong("quick", node, "a fraction 0..1 of the games, such as 0.1"))?,
        };
        let settings = Settings::default().with(source, file, 0..0)?;
        let by_seat = flag(source, file, "by-seat")?.unwrap_or(false);
        let tables = match file.get("table") {
            None => vec![table(source, file, &settings, &names, by_seat)?],
            Some(node) => {
                for key in ["rows", "paper", "all-games"] {
                    if let Some(node) = file.get(key) {
                        let why = format!("{key} must be in a [[table]], since the file has some");
                        return Err(source.refuse(node.span(), why));
                    }
                }
                let each = |node: &Node<'_>| {
                    let own = source.table("table", node)?;
                    let mut known = vec!["title", "by-seat", "rows", "paper", "all-games"];
                    known.extend(KEYS);
                    source.know(own, &known, "a table")?;
                    let settings = settings.with(source, own, node.span())?;
                    let by_seat = flag(source, own, "by-seat")?.unwrap_or(by_seat);
                    let title = text(source, own, "title")?;
                    Ok(ExperimentTable { title, ..table(source, own, &settings, &names, by_seat)? })
                };
                source.each("table", node)?.into_iter().map(each).collect::<Result<_, ArenaError>>()?
            }
        };
        Ok(Self {
            title: text(source, file, "title")?,
            source: text(source, file, "source")?,
            note: text(source, file, "note")?,
            quick,
            tables,
        })
    }

    /// Every cell, in the order of the file.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.tables.iter().flat_map(|table| &table.cells)
    }

    /// Every probe, in the order of the file.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.tables.iter().flat_map(|table| &table.probes)
    }

    /// The experiment with the games of a quick run: the first of each cell, every seating equally often.
    #[must_use]
    pub fn quickly(mut self) -> Self {
        for cell in self.tables.iter_mut().flat_map(|table| &mut table.cells) {
            cell.shorten(self.quick);
        }
        self
    }

    /// The experiment with this time per move instead of the file's. Cells that become equal are merged.
    #[must_use]
    pub fn at_time(mut self, time: Duration) -> Self {
        let mut times: Vec<String> = Vec::new();
        for table in &mut self.tables {
            let mut seen = HashSet::new();
            for cell in &mut table.cells {
                if let Some(old) = cell.change_time(time).map(|old| format!("{old:?}")) {
                    times.extend((!times.contains(&old)).then_some(old));
                }
            }
            table.cells.retain(|cell| seen.insert(cell.key.clone()));
            for total in &mut table.totals {
                total.key.time = total.key.time.map(|_| time);
            }
            table.totals.retain(|total| seen.insert(total.key.clone()));
        }
        if !times.is_empty() {
            let (gap, times) = (if self.note.is_empty() { "" } else { " " }, times.join(", "));
            self.note +=
                &format!("{gap}Played with {time:?} per move; the file and its source have {times}.");
        }
        self
    }

    /// Keeps only the cells with this many playouts per move.
    #[must_use]
    pub fn at_playouts(mut self, playouts: u64) -> Self {
        for table in &mut self.tables {
            table.cells.retain(|cell| cell.key.playouts == Some(playouts));
            table.totals.retain(|total| total.key.playouts == Some(playouts));
        }
        self.tables.retain(|table| !table.cells.is_empty());
        self
    }
}

fn text(source: &Source, table: &DeTable<'_>, key: &str) -> Result<String, ArenaError> {
    table.get(key).map_or(Ok(String::new()), |node| source.text(key, node, "a string").map(|word| word.text))
}

fn flag(source: &Source, table: &DeTable<'_>, key: &str) -> Result<Option<bool>, ArenaError> {
    let read =
        |node: &Node<'_>| node.get_ref().as_bool().ok_or_else(|| source.wrong(key, node, "true or false"));
    table.get(key).map(read).transpose()
}

fn names(source: &Source, file: &DeTable<'_>) -> Result<Names, ArenaError> {
    let Some(node) = file.get("names") else { return Ok(Names::new()) };
    let each = source.table("names", node)?.iter().map(|(name, spec)| {
        let spec = source.text(name.get_ref(), spec, "a spec such as \"uct:c=0.2\"")?;
        Ok((name.get_ref().to_string(), spec.text))
    });
    each.collect()
}

/// The cells of the rows of a table, or of the table itself if it has none.
fn table(
    source: &Source,
    own: &DeTable<'_>,
    settings: &Settings,
    names: &Names,
    by_seat: bool,
) -> Result<ExperimentTable, ArenaError> {
    let mut table = ExperimentTable {
        title: String::new(),
        by_seat,
        cells: Vec::new(),
        totals: Vec::new(),
        probes: Vec::new(),
    };
    let mut add = |own: &DeTable<'_>, settings: &Settings| {
        let paper = own.get("paper");
        let measured = |count, searchers| probes(source, settings, names, count, searchers, paper);
        match (&settings.work, settings.searches) {
            (Some(Work::Codes(playouts)), None) => table.probes.extend(measured(*playouts, None)?),
            (Some(Work::Agents(places)), Some(count)) => table.probes.extend(measured(count, Some(places))?),
            (Some(_), Some(_)) => {
                return Err(
                    source.refuse(settings.place.clone(), "searches needs agents, not round-robin or codes")
                );
            }
            _ => table.cells.extend(cells(source, settings, names, paper)?),
        }
        Ok::<(), ArenaError>(())
    };
    match own.get("rows") {
        None => add(own, settings)?,
        Some(node) => {
            if let Some(paper) = own.get("paper") {
                return Err(source.refuse(paper.span(), "paper must be in a row, since the table has rows"));
            }
            for node in source.each("rows", node)? {
                let row = source.table("rows", node)?;
                let mut known = KEYS.to_vec();
                known.push("paper");
                source.know(row, &known, "a row")?;
                add(row, &settings.with(source, row, node.span())?)?;
            }
        }
    }
    if !table.cells.is_empty() && !table.probes.is_empty() {
        let why = "the rows of a table must be either all games or all measurements (codes, searches)";
        return Err(source.refuse(settings.place.clone(), why));
    }
    if let Some(node) = own.get("all-games") {
        table.totals = totals(source, node, &table.cells)?;
    }
    Ok(table)
}

/// The totals of a table, in the order of their first cells.
fn totals(source: &Source, node: &Node<'_>, cells: &[Cell]) -> Result<Vec<Total>, ArenaError> {
    if let Some(cell) = cells.iter().find(|cell| cell.players() != 2) {
        let why = format!("all-games needs two-player games; {} is for {}", cell.key.game, cell.players());
        return Err(source.refuse(node.span(), why));
    }
    let mut keys: Vec<CellKey> = Vec::new();
    for key in cells.iter().map(Total::key) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let scores = match node.get_ref().as_bool() {
        Some(true) => vec![None; keys.len()],
        Some(false) => return Ok(Vec::new()),
        None => scores(source, "all-games", node)?,
    };
    if scores.len() != keys.len() {
        let why = format!("all-games has {} figures, but the table has {} totals", scores.len(), keys.len());
        return Err(source.refuse(node.span(), why));
    }
    let total = |(key, score): (CellKey, Option<Score>)| {
        let games = cells.iter().filter(|cell| Total::key(cell) == key).map(Cell::total).sum();
        Total { key, paper: score.map(|score| score.figure(games)) }
    };
    Ok(keys.into_iter().zip(scores).map(total).collect())
}
