use crate::errors::refused;
use crate::matches::{Progress, match_parts};
use crate::own::{self, Watch};
use crate::waiting::{at_once, wait};
use permutree_arena::ArenaError;
use permutree_arena::experiment as arena;
use permutree_arena::experiment::{CellReport, Format, ProbeReport, Report, Run, Shard, Store, export};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// What an experiment file asks for, with nothing wrong about it.
#[pyclass(frozen, module = "permutree._native")]
pub(crate) struct Experiment {
    experiment: Arc<arena::Experiment>,
    watch: Watch,
}

impl Experiment {
    fn like(&self, experiment: arena::Experiment) -> Self {
        Self { experiment: Arc::new(experiment), watch: self.watch.clone() }
    }
}

#[pymethods]
impl Experiment {
    /// Reads the text of a file; errors name the file as `path`.
    #[new]
    fn new(path: PathBuf, text: &str) -> PyResult<Self> {
        let (read, watch) = own::watching(|| arena::Experiment::parse(&path, text))?;
        Ok(Self { experiment: Arc::new(read.map_err(refused)?), watch })
    }

    #[getter]
    fn title(&self) -> &str {
        &self.experiment.title
    }

    /// The experiment with as many games as a quick run plays.
    fn quickly(&self) -> Self {
        self.like((*self.experiment).clone().quickly())
    }

    /// The experiment with one round of seatings in every cell.
    fn first_rounds(&self) -> Self {
        self.like(arena::Experiment { quick: 0.0, ..(*self.experiment).clone() }.quickly())
    }

    /// The experiment with only these cells and probes, by their places.
    fn part(&self, cells: Vec<usize>, probes: Vec<usize>) -> Self {
        let mut part = (*self.experiment).clone();
        let (mut cell, mut probe) = (0.., 0..);
        for table in &mut part.tables {
            table.cells.retain(|_| cell.next().is_some_and(|place| cells.contains(&place)));
            table.probes.retain(|_| probe.next().is_some_and(|place| probes.contains(&place)));
        }
        self.like(part)
    }

    /// For each cell: game, agents, budget in words, and games of all agents.
    fn cells(&self) -> Vec<(String, Vec<String>, String, u64)> {
        let cells = self.experiment.cells();
        cells.map(|c| (c.key.game.clone(), c.key.agents.clone(), c.key.budget(), c.total())).collect()
    }

    /// How many probes there are.
    fn probes(&self) -> usize {
        self.experiment.probes().count()
    }

    /// Plays what a store lacks. Gives what there is to have, what was there, and what was added.
    fn run(
        &self,
        py: Python<'_>,
        store: PathBuf,
        shard: &str,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(u64, u64, u64)> {
        let shard: Shard = shard.parse().map_err(|why| refused(format!("shard={shard}: {why}")))?;
        let stop = Arc::default();
        let (experiment, flag) = (self.experiment.clone(), Arc::clone(&stop));
        let progress = Progress::new(progress, &stop);
        let watcher = progress.clone();
        let done = wait(py, &self.watch, &stop, move || {
            let mut store = Store::create(&store)?;
            let run = Run { experiment: &experiment, shard, threads, sprt: None, stop: &flag };
            run.play(&mut store, &mut |done| watcher.tell(done.found + done.added))
        })?;
        progress.outcome()?;
        done.map(|done| (done.total, done.found, done.added)).map_err(refused)
    }

    /// What a store holds: the tables as Markdown, the cells, and the probes.
    fn report<'py>(
        &self,
        py: Python<'py>,
        store: PathBuf,
    ) -> PyResult<(String, Vec<Bound<'py, PyDict>>, Vec<ProbeParts>)> {
        let report = at_once(py, &self.watch, || Report::of(&self.experiment, &Store::open(&store)?))?;
        let report = report.map_err(refused)?;
        let mut cells = Vec::new();
        for (table, cell) in report.tables.iter().flat_map(|t| t.cells.iter().map(move |cell| (t, cell))) {
            cells.push(cell_parts(py, &table.title, cell)?);
        }
        let probes = report.tables.iter().flat_map(|table| &table.probes).map(probe_parts).collect();
        Ok((report.markdown(), cells, probes))
    }

    /// The stored games as a text: `csv`, `jsonl` or `records`.
    fn export(&self, py: Python<'_>, store: PathBuf, format: &str) -> PyResult<String> {
        let format = match format {
            "csv" => Format::Csv,
            "jsonl" => Format::JsonLines,
            "records" => Format::Records,
            _ => return Err(refused(format!("format={format}: must be csv, jsonl or records"))),
        };
        let mut text = Vec::new();
        let written =
            at_once(py, &self.watch, || export(&self.experiment, &Store::open(&store)?, format, &mut text))?;
        written.map_err(refused)??;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// Puts stores together. Gives for each the games that were new, those that were known, and those of them with other moves.
#[pyfunction]
pub(crate) fn merge(py: Python<'_>, out: PathBuf, stores: Vec<PathBuf>) -> PyResult<Vec<(u64, u64, u64)>> {
    let merge = || -> Result<_, ArenaError> {
        let mut store = Store::create(&out)?;
        stores.iter().map(|path| store.merge(path).map(|m| (m.added, m.known, m.different))).collect()
    };
    py.detach(merge).map_err(refused)
}

fn cell_parts<'py>(py: Python<'py>, table: &str, report: &CellReport) -> PyResult<Bound<'py, PyDict>> {
    let parts = match_parts(py, &report.found.result)?;
    parts.set_item("table", table)?;
    parts.set_item("names", &report.cell.names)?;
    parts.set_item("budget", report.cell.key.budget())?;
    parts.set_item("wanted", report.found.wanted)?;
    parts.set_item("plies", report.found.plies)?;
    parts.set_item("paper", report.cell.paper.map(|paper| (paper.score, paper.ci95)))?;
    parts.set_item("agrees", report.agrees)?;
    Ok(parts)
}

/// Game, agent if it is one's searches, random games or searches, seed, and each quantity with its value.
type ProbeParts = (String, Option<String>, u64, u64, Vec<(String, f64)>);

fn probe_parts(report: &ProbeReport) -> ProbeParts {
    let probe = &report.probe;
    let agent = probe.agent().map(String::from);
    (probe.game.spec().to_string(), agent, probe.count(), probe.seed, report.found.clone())
}
