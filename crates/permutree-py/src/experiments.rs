use crate::errors::refused;
use crate::json::json;
use crate::matches::Progress;
use crate::own::{self, Watch};
use crate::waiting::{at_once, wait};
use permutree_arena::ArenaError;
use permutree_arena::experiment as arena;
use permutree_arena::experiment::{Format, Report, Run, Shard, Store, export};
use pyo3::prelude::*;
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

    /// What a store holds: the tables as Markdown, and the report as JSON.
    fn report(&self, py: Python<'_>, store: PathBuf) -> PyResult<(String, String)> {
        let report = at_once(py, &self.watch, || Report::of(&self.experiment, &Store::open(&store)?))?;
        let report = report.map_err(refused)?;
        Ok((report.markdown(), json(&report)?))
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
