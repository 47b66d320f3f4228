use crate::budgets::Limits;
use crate::errors::refused;
use crate::json::json;
use crate::own::Watch;
use crate::positions::Position;
use crate::waiting::{at_once, wait};
use permutree_zoo::{MoveReport, Source};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Inside = Box<dyn permutree_zoo::Session>;

/// A search under way. It is taken out of its place while it works, and stays out if its game made a mistake.
#[pyclass(frozen, module = "permutree._native")]
pub(crate) struct Session {
    place: Arc<Mutex<Option<Inside>>>,
    agent: permutree_zoo::Agent,
    /// Whether every budget so far was in playouts.
    counted: Mutex<bool>,
    watch: Watch,
}

impl Session {
    pub(crate) fn new(session: Inside, agent: &permutree_zoo::Agent, watch: &Watch) -> Self {
        let place = Arc::new(Mutex::new(Some(session)));
        Self { place, agent: agent.clone(), counted: Mutex::new(true), watch: watch.clone() }
    }

    fn take(&self) -> PyResult<Inside> {
        let why = "this search is running on another thread, or an error in its game has ended it";
        locked(&self.place).take().ok_or_else(|| refused(why))
    }

    /// Does something short with the search.
    fn with<T: Send>(&self, py: Python<'_>, act: impl FnOnce(&mut Inside) -> T + Send) -> PyResult<T> {
        let mut session = self.take()?;
        let (done, session) = at_once(py, &self.watch, move || (act(&mut session), session))?;
        *locked(&self.place) = Some(session);
        Ok(done)
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl Session {
    /// Goes on searching. An agent with a budget in its spec uses that.
    fn advance(&self, py: Python<'_>, limits: Limits) -> PyResult<()> {
        let stop = Arc::default();
        let budget = self.agent.budget(&limits.budget(Arc::clone(&stop))?);
        if self.agent.needs_budget() && budget.playouts.is_none() && budget.time.is_none() {
            return Err(refused(format!(
                "{} needs a budget: playouts=10_000 or time='20ms'",
                self.agent.spec()
            )));
        }
        *locked(&self.counted) &= budget.time.is_none();
        let (mut session, place) = (self.take()?, self.place.clone());
        wait(py, &self.watch, &stop, move || {
            session.advance(&budget);
            *locked(&place) = Some(session);
        })
    }

    /// The report as JSON without its moves, and the moves as dictionaries with the keys that they have in JSON. There is one
    /// for every legal move, and parsing them from text would make a report take 2.5 times as long.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<(String, Vec<Bound<'py, PyDict>>)> {
        let mut report = self.with(py, |session| session.report())?;
        // Nobody pressed Ctrl-C, so the flag that would have ended the search decided nothing.
        report.deterministic = *locked(&self.counted) && self.agent.is_deterministic();
        let moves = std::mem::take(&mut report.moves);
        let moves = moves.into_iter().map(|found| move_dict(py, found)).collect::<PyResult<_>>()?;
        Ok((json(&report)?, moves))
    }

    /// The game went on by these moves, each the place of a move in the list of its position.
    fn follow(&self, py: Python<'_>, moves: Vec<usize>, seed: u64) -> PyResult<()> {
        self.with(py, |session| session.follow(&moves, seed))?.map_err(refused)
    }

    /// Whether this search, started over, is like a new one.
    #[getter]
    fn forgets(&self) -> bool {
        self.watch.is_empty() && !self.agent.keeps()
    }

    /// Starts over from another position of the game.
    fn restart(&self, py: Python<'_>, position: &Position, seed: u64) -> PyResult<()> {
        *locked(&self.counted) = true;
        let position = position.inside();
        self.with(py, move |session| session.restart(&*position, seed))?.map_err(refused)
    }
}

fn move_dict(py: Python<'_>, found: MoveReport<String>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "move"), found.mv)?;
    dict.set_item(intern!(py, "index"), found.index)?;
    dict.set_item(intern!(py, "visits"), found.visits)?;
    dict.set_item(intern!(py, "mean"), found.mean)?;
    dict.set_item(intern!(py, "amaf"), source_dict(py, found.amaf)?)?;
    dict.set_item(intern!(py, "permutation"), source_dict(py, found.permutation)?)?;
    dict.set_item(intern!(py, "weights"), <(f64, f64, f64)>::from(found.weights))?;
    dict.set_item(intern!(py, "proven"), found.proven)?;
    Ok(dict)
}

fn source_dict(py: Python<'_>, source: Option<Source>) -> PyResult<Option<Bound<'_, PyDict>>> {
    let Some(source) = source else { return Ok(None) };
    let dict = PyDict::new(py);
    dict.set_item(intern!(py, "count"), source.count)?;
    dict.set_item(intern!(py, "mean"), source.mean)?;
    Ok(Some(dict))
}
