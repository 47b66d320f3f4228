use super::cells::Cell;
use super::file::{Experiment, ExperimentTable, Total};
use super::paper::Figure;
use super::probe::Probe;
use super::results::CellResult;
use super::store::Store;
use crate::statistics::{Trinomial, holm, two_sided};
use crate::{AgentResult, ArenaError, Elo};
use permutree_zoo::agent;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// An experiment with its stored results.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct Report {
    /// The title.
    pub title: String,
    /// The paper and the table.
    pub source: String,
    /// A note for readers.
    pub note: String,
    /// The tables, in the order of the file.
    pub tables: Vec<TableReport>,
}

/// One table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TableReport {
    /// The title.
    pub title: String,
    /// Whether scores are also shown by seat.
    pub by_seat: bool,
    /// Games between agents.
    pub cells: Vec<CellReport>,
    /// Totals over several cells; the game of their key is [`Total::ALL`].
    pub totals: Vec<CellReport>,
    /// The measurements.
    pub probes: Vec<ProbeReport>,
}

/// A cell, its results, and whether the paper agrees.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct CellReport {
    /// The cell.
    #[serde(skip)]
    pub cell: Cell,
    /// The results.
    #[serde(flatten)]
    pub found: CellResult,
    /// The agents as the file names them.
    pub names: Vec<String>,
    /// The budget per move in words; empty if there is none.
    pub budget: String,
    /// The paper's figure for the first agent.
    pub paper: Option<Figure>,
    /// Whether the intervals of the paper and of the first agent overlap; `None` without a figure or games.
    pub agrees: Option<bool>,
    /// The p-value of the difference between two agents in a two-player game, corrected for the number of such cells in
    /// the table ([`holm`]). `None` without games.
    #[serde(rename = "p_holm")]
    pub p_value: Option<f64>,
}

/// Cells with a corrected p-value below this are marked.
const SURE: f64 = 0.05;

/// A probe and its results.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ProbeReport {
    /// The probe.
    #[serde(skip)]
    pub probe: Probe,
    /// The game's spec.
    pub game: String,
    /// The agent that searches; `None` where codes are counted.
    pub agent: Option<String>,
    /// The number of random games or searches.
    pub count: u64,
    /// The seed.
    pub seed: u64,
    /// The measured values, by quantity; empty if not yet measured.
    #[serde(serialize_with = "quantities")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, f64>))]
    pub found: Vec<(String, f64)>,
    /// The paper's figures, by quantity.
    #[serde(serialize_with = "quantities")]
    #[cfg_attr(feature = "openapi", schema(value_type = std::collections::HashMap<String, f64>))]
    pub paper: Vec<(String, f64)>,
}

/// Serialises quantities by name.
fn quantities<S: Serializer>(values: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(name, value)| (name, value)))
}

impl ProbeReport {
    fn new(probe: Probe, found: Vec<(String, f64)>) -> Self {
        Self {
            game: probe.game.spec().to_string(),
            agent: probe.agent().map(String::from),
            count: probe.count(),
            seed: probe.seed,
            found,
            paper: probe.paper.clone(),
            probe,
        }
    }
}

impl Report {
    /// Reads the results of an experiment.
    pub fn of(experiment: &Experiment, store: &Store) -> Result<Self, ArenaError> {
        let mut tables = Vec::new();
        for table in &experiment.tables {
            let cell = |cell: &Cell| Ok(CellReport::new(cell.clone(), store.result(cell)?));
            let probe = |probe: &Probe| Ok(ProbeReport::new(probe.clone(), probe.found(store)?));
            let mut cells = table.cells.iter().map(cell).collect::<Result<Vec<_>, ArenaError>>()?;
            compare(&mut cells);
            tables.push(TableReport {
                title: table.title.clone(),
                by_seat: table.by_seat,
                cells,
                totals: totals(table, store)?,
                probes: table.probes.iter().map(probe).collect::<Result<_, ArenaError>>()?,
            });
        }
        let Experiment { title, source, note, .. } = experiment.clone();
        Ok(Self { title, source, note, tables })
    }

    /// The report as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n", self.title);
        for text in [&self.source, &self.note] {
            if !text.is_empty() {
                page.push_str(&format!("\n{}\n", text.trim()));
            }
        }
        for table in &self.tables {
            if !table.title.is_empty() {
                page.push_str(&format!("\n## {}\n", table.title));
            }
            let (alike, columns) = table.columns();
            if !alike.is_empty() {
                page.push_str(&format!("\n{alike}\n"));
            }
            page.push_str(&lines(&columns));
            for note in notes(&table.cells) {
                page.push_str(&format!("\n{note}\n"));
            }
        }
        if let Some(legend) = self.legend() {
            page.push_str(&format!("\n{legend}\n"));
        }
        page
    }

    /// How to read the scores, if there are any.
    pub(super) fn legend(&self) -> Option<String> {
        let cells = || self.tables.iter().flat_map(|table| &table.cells);
        let mut legend = vec!["Scores are in percent with their 95 % intervals"];
        if cells().any(CellReport::is_sure) {
            legend.push("a * marks a score that is not even (p < 0.05 with Holm's correction for the table)");
        }
        if cells().any(|cell| cell.agrees.is_some()) {
            legend.push("the paper agrees where the two intervals overlap");
        }
        cells().any(|cell| cell.found.result.games > 0).then(|| format!("{}.", legend.join("; ")))
    }
}

impl CellReport {
    fn new(cell: Cell, mut found: CellResult) -> Self {
        let figure = cell.paper.filter(|_| found.result.games > 0);
        let agrees = figure.map(|figure| figure.agrees(found.result.agents[0].ci95));
        // The game of a total is not a spec.
        found.result.game.clone_from(&cell.key.game);
        let (names, budget, paper) = (cell.names.clone(), cell.key.budget(), cell.paper);
        Self { cell, found, names, budget, paper, agrees, p_value: None }
    }

    /// Whether the agents differ significantly.
    fn is_sure(&self) -> bool {
        self.p_value.is_some_and(|p| p < SURE)
    }
}

/// The totals of a table, each as if it were a cell.
fn totals(table: &ExperimentTable, store: &Store) -> Result<Vec<CellReport>, ArenaError> {
    let mut reports = Vec::new();
    for total in &table.totals {
        let cells: Vec<&Cell> = table.cells.iter().filter(|cell| Total::key(cell) == total.key).collect();
        if let Some(first) = cells.first() {
            let cell = Cell { key: total.key.clone(), paper: total.paper, ..Cell::clone(first) };
            reports.push(CellReport::new(cell, store.results(&cells)?));
        }
    }
    Ok(reports)
}

/// Computes the p-values of a table's cells.
fn compare(cells: &mut [CellReport]) {
    let p_value = |report: &CellReport| {
        let first = report.found.result.agents.first().filter(|first| first.elo.is_some())?;
        let counts = Trinomial::from([first.losses, first.draws, first.wins]);
        (report.found.result.games > 0).then(|| two_sided(counts.z()))
    };
    let found: Vec<Option<f64>> = cells.iter().map(p_value).collect();
    let mut corrected = holm(&found.iter().copied().flatten().collect::<Vec<_>>()).into_iter();
    for (report, found) in cells.iter_mut().zip(found) {
        report.p_value = found.and_then(|_| corrected.next());
    }
}

impl TableReport {
    /// What is the same in all lines of the table, and the other columns.
    pub(super) fn columns(&self) -> (String, Vec<Column>) {
        let mut columns = if self.probes.is_empty() {
            score_columns(self.cells.iter().chain(&self.totals), self.by_seat)
        } else {
            probe_columns(&self.probes)
        };
        (hoist(&mut columns), columns)
    }
}

/// A column of a table: its header and its cells.
pub(super) struct Column {
    pub(super) head: &'static str,
    pub(super) cells: Vec<String>,
    /// Whether it says what was played, and moves above the table if it is the same everywhere.
    about: bool,
}

/// A line of a table: an agent of a cell, in all its seats or in one of them, counted from 0.
struct Line<'a> {
    report: &'a CellReport,
    agent: usize,
    seat: Option<usize>,
}

impl Line<'_> {
    fn result(&self) -> &AgentResult {
        &self.report.found.result.agents[self.agent]
    }

    /// The score and its interval, if there are games.
    fn score(&self) -> Option<(f64, (f64, f64))> {
        let all = (self.report.found.result.games, self.result().score, self.result().ci95);
        let (games, score, ci95) = self.seat.map_or(all, |seat| {
            let seat = &self.result().seats[seat];
            (seat.games, seat.score, seat.ci95)
        });
        (games > 0).then_some((score, ci95))
    }

    /// Whether the paper's figure is for this line.
    fn is_first(&self) -> bool {
        self.agent == 0 && self.seat.is_none()
    }
}

/// A line for each agent of each cell, but only for the first where its score determines the other's.
fn score_columns<'a>(cells: impl Iterator<Item = &'a CellReport>, by_seat: bool) -> Vec<Column> {
    let mut lines = Vec::new();
    for report in cells {
        let kinds: BTreeSet<&String> = report.cell.key.agents.iter().collect();
        let decided = report.cell.players() > 1 && kinds.len() <= 2;
        for agent in 0..if decided { 1 } else { report.cell.names.len() } {
            lines.push(Line { report, agent, seat: None });
            let seats = if by_seat { report.cell.players() } else { 0 };
            lines.extend((0..seats).map(|seat| Line { report, agent, seat: Some(seat) }));
        }
    }
    let column = |head, about, text: &dyn Fn(&Line<'_>) -> Option<String>| {
        let cells = lines.iter().map(|line| text(line).unwrap_or_default()).collect();
        Column { head, cells, about }
    };
    let shown = |score: f64, ci95: (f64, f64)| format!("{} {}", percent(score), interval(ci95));
    let mut columns = vec![
        column("game", true, &|line| Some(line.report.cell.key.game.clone())),
        column("agents", true, &|line| Some(agents(line.report, line.agent))),
        column("budget", true, &|line| Some(line.report.cell.key.budget())),
        column("games", true, &|line| Some(games(&line.report.found))),
        column("seat", false, &|line| line.seat.map(|seat| (seat + 1).to_string())),
        column("score", false, &|line| {
            let mark = if line.seat.is_none() && line.report.is_sure() { " *" } else { "" };
            line.score().map(|(score, ci95)| shown(score, ci95) + mark)
        }),
        column("Elo", false, &|line| {
            line.score().filter(|_| line.seat.is_none())?;
            line.result().elo.as_ref().map(elo)
        }),
        column("playouts per game", false, &|line| {
            line.score().filter(|_| line.seat.is_none() && line.report.cell.key.time.is_some())?;
            Some(effort(line))
        }),
        column("paper", false, &|line| {
            let figure = line.report.cell.paper.filter(|_| line.is_first())?;
            Some(shown(figure.score, figure.ci95))
        }),
        column("agrees", false, &|line| {
            let agrees = line.report.agrees.filter(|_| line.is_first())?;
            Some(if agrees { "yes" } else { "no" }.to_string())
        }),
    ];
    // Empty columns are dropped, such as Elo or the paper's.
    columns.retain(|column| {
        column.about || column.head == "score" || column.cells.iter().any(|cell| !cell.is_empty())
    });
    columns
}

/// A line for each probe, with the paper's number after each of ours.
fn probe_columns(probes: &[ProbeReport]) -> Vec<Column> {
    let mut quantities: Vec<&'static str> = Vec::new();
    for name in probes.iter().flat_map(|report| report.probe.quantities()) {
        if !quantities.contains(&name) {
            quantities.push(name);
        }
    }
    let column = |head, about, text: &dyn Fn(&ProbeReport) -> String| {
        let cells = probes.iter().map(text).collect();
        Column { head, cells, about }
    };
    let count = |head, searching: bool| {
        column(head, true, &|report| {
            let probe = &report.probe;
            if probe.agent().is_some() == searching { probe.count().to_string() } else { String::new() }
        })
    };
    let mut columns = vec![
        column("game", true, &|report| report.probe.game.spec().to_string()),
        column("agent", true, &|report| report.probe.agent().unwrap_or_default().to_string()),
        count("random games", false),
        count("searches", true),
    ];
    columns.retain(|column| column.cells.iter().any(|cell| !cell.is_empty()));
    for head in quantities {
        let value =
            |values: &[(String, f64)]| values.iter().find(|(name, _)| name == head).map(|(_, value)| *value);
        columns.push(column(
            head,
            false,
            &|report| match (value(&report.found), value(&report.probe.paper)) {
                (None, None) => String::new(),
                (None, Some(paper)) => format!("(paper {paper})"),
                (Some(ours), None) => three(ours),
                (Some(ours), Some(paper)) => format!("{} (paper {paper})", three(ours)),
            },
        ));
    }
    columns
}

/// Removes the columns that are the same in every line, and returns their contents as a sentence.
fn hoist(columns: &mut Vec<Column>) -> String {
    let mut said = Vec::new();
    columns.retain(|column| {
        let alike = column.about
            && column.cells.len() > 1
            && column.cells.iter().all(|cell| *cell == column.cells[0]);
        if alike && !column.cells[0].is_empty() {
            said.push(match column.head {
                "games" => format!("{} games each", column.cells[0]),
                "random games" => format!("{} random games each", column.cells[0]),
                "searches" => format!("medians of {} searches each", column.cells[0]),
                _ => column.cells[0].clone(),
            });
        }
        !alike
    });
    let mut line = said.join("; ");
    if !line.is_empty() {
        line.push('.');
    }
    line
}

fn lines(columns: &[Column]) -> String {
    let row = |cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = columns.iter().map(|column| cell(column).replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = String::from("\n");
    text.push_str(&row(&|column| column.head.to_string()));
    text.push_str(&format!("|{}\n", "---|".repeat(columns.len())));
    let height = columns.first().map_or(0, |column| column.cells.len());
    for line in 0..height {
        text.push_str(&row(&|column| column.cells[line].clone()));
    }
    text
}

/// Notes for readers of the table.
pub(super) fn notes(cells: &[CellReport]) -> Vec<String> {
    let mut notes = Vec::new();
    let sum = |count: &dyn Fn(&CellReport) -> u64| cells.iter().map(count).sum::<u64>();
    let missing = sum(&|report| report.found.wanted - report.found.result.games);
    if missing > 0 {
        notes.push(format!("{missing} games are not yet played."));
    }
    if cells.iter().any(|report| !report.found.result.deterministic) {
        let causes = "time budgets, search threads and external engines are not deterministic";
        notes.push(format!("Another run will differ: {causes}."));
    }
    let unfinished = sum(&|report| report.found.result.unfinished);
    if unfinished > 0 {
        notes.push(format!("{unfinished} games were stopped at the ply limit and scored as draws."));
    }
    let forfeits = sum(&|report| report.found.result.forfeits.len() as u64);
    if forfeits > 0 {
        notes.push(format!("{forfeits} games were forfeited by external engines."));
    }
    let called = cells.iter().flat_map(|report| report.cell.names.iter().zip(&report.cell.key.agents));
    let called: BTreeSet<String> = called
        .filter(|(name, spec)| !agent(name).is_ok_and(|agent| agent.spec() == *spec))
        .map(|(name, spec)| format!("{name} is `{spec}`"))
        .collect();
    if !called.is_empty() {
        notes.push(format!("{}.", called.into_iter().collect::<Vec<_>>().join(", ")));
    }
    let mut versions: Vec<&str> =
        cells.iter().flat_map(|cell| &cell.found.versions).map(String::as_str).collect();
    versions.sort_unstable();
    versions.dedup();
    if versions.len() > 1 {
        notes.push(format!("Played by several versions of permutree: {}.", versions.join(", ")));
    }
    notes
}

/// The agents of a line, the scored one first.
pub(super) fn agents(report: &CellReport, agent: usize) -> String {
    let names = &report.cell.names;
    let others: Vec<&str> = names
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != agent)
        .map(|(_, name)| name.as_str())
        .collect();
    if report.cell.players() == 1 || others.is_empty() {
        return names[agent].clone();
    }
    format!("{} against {}", names[agent], others.join(", "))
}

/// The mean playouts per game of the agent, and of its opponent.
fn effort(line: &Line<'_>) -> String {
    let result = &line.report.found.result;
    let own = if line.report.cell.players() == 1 { line.report.cell.games } else { result.games };
    let mean = |agent: &AgentResult| (agent.playouts as f64 / own.max(1) as f64).round() as u64;
    match (&result.agents[..], line.agent) {
        ([first, second], 0) if line.report.cell.players() > 1 => {
            format!("{} : {}", mean(first), mean(second))
        }
        (agents, agent) => mean(&agents[agent]).to_string(),
    }
}

fn games(found: &CellResult) -> String {
    match found.result.games {
        games if games == found.wanted => games.to_string(),
        games => format!("{games} of {}", found.wanted),
    }
}

pub(super) fn percent(score: f64) -> String {
    format!("{:.1}", 100.0 * score)
}

pub(super) fn interval((low, high): (f64, f64)) -> String {
    format!("({}..{})", percent(low), percent(high))
}

fn elo(elo: &Elo) -> String {
    format!("{:+.0} ({:+.0}..{:+.0})", elo.difference, elo.ci95.0, elo.ci95.1)
}

/// Three decimals, but none for a whole number.
fn three(value: f64) -> String {
    if value.fract() == 0.0 { value.to_string() } else { format!("{value:.3}") }
}
