use crate::budgets::Limits;
use crate::errors::refused;
use crate::games::{Agent, Game};
use crate::waiting::wait;
use permutree_arena::{AgentResult, GameRecord, Match, MatchResult};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Plays a match. `progress` is called with the number of games played, as games end.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn play_match<'py>(
    py: Python<'py>,
    game: &Game,
    agents: Vec<Bound<'py, Agent>>,
    games: u64,
    seed: u64,
    threads: usize,
    limits: Limits,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Vec<RecordParts>)> {
    let stop = Arc::default();
    let contest = Match {
        game: game.game.clone(),
        agents: agents.iter().map(|agent| agent.get().agent.clone()).collect(),
        games,
        seed,
        threads,
        budget: limits.budget(Arc::clone(&stop))?,
    };
    let progress = Progress::new(progress, &stop);
    let watcher = progress.clone();
    let (result, mut records) = wait(py, &game.watch, &stop, move || {
        let mut records = Vec::new();
        let result = contest.play(&mut |record, standing| {
            records.push(record.clone());
            watcher.tell(standing.games());
        });
        (result, records)
    })?;
    progress.outcome()?;
    records.sort_by_key(|record| (record.number, record.seating.clone()));
    Ok((match_parts(py, &result.map_err(refused)?)?, records.into_iter().map(record_parts).collect()))
}

/// The 95 % interval of a mean reward over games, by the mean of the rewards and of their squares.
#[pyfunction]
pub(crate) fn reward_interval(games: u64, mean: f64, mean_square: f64) -> (f64, f64) {
    permutree_arena::statistics::reward_interval(games, mean, mean_square)
}

/// Who hears how far a long work is. When telling fails, the work is stopped and the failure is raised.
#[derive(Clone)]
pub(crate) struct Progress {
    listener: Option<Arc<Py<PyAny>>>,
    stop: Arc<AtomicBool>,
    failure: Arc<Mutex<Option<PyErr>>>,
}

impl Progress {
    pub(crate) fn new(listener: Option<Py<PyAny>>, stop: &Arc<AtomicBool>) -> Self {
        Self { listener: listener.map(Arc::new), stop: stop.clone(), failure: Arc::default() }
    }

    pub(crate) fn tell(&self, done: u64) {
        let Some(listener) = &self.listener else { return };
        if let Err(error) = Python::attach(|py| listener.call1(py, (done,)).map(drop)) {
            self.stop.store(true, Ordering::Relaxed);
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    }

    pub(crate) fn outcome(&self) -> PyResult<()> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// Number, seating, rewards, moves, unfinished, forfeit, playouts, seconds.
type RecordParts =
    (u64, Vec<usize>, Vec<f64>, Vec<String>, bool, Option<(usize, String)>, Vec<u64>, Vec<f64>);

fn record_parts(record: GameRecord) -> RecordParts {
    let seconds = record.time.iter().map(std::time::Duration::as_secs_f64).collect();
    let forfeit = record.forfeit.map(|forfeit| (forfeit.agent, forfeit.why));
    let rewards = record.rewards.as_slice().to_vec();
    let GameRecord { number, seating, moves, unfinished, playouts, .. } = record;
    (number, seating, rewards, moves, unfinished, forfeit, playouts, seconds)
}

/// The result under the names that `permutree match --json` has.
pub(crate) fn match_parts<'py>(py: Python<'py>, result: &MatchResult) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    parts.set_item("game", &result.game)?;
    parts.set_item("games", result.games)?;
    parts.set_item("unfinished", result.unfinished)?;
    parts.set_item("forfeits", result.forfeits.len())?;
    parts.set_item("seed", result.seed)?;
    parts.set_item("deterministic", result.deterministic)?;
    let agents = result.agents.iter().map(|agent| agent_parts(py, agent));
    parts.set_item("agents", agents.collect::<PyResult<Vec<_>>>()?)?;
    Ok(parts)
}

fn agent_parts<'py>(py: Python<'py>, agent: &AgentResult) -> PyResult<Bound<'py, PyDict>> {
    let parts = PyDict::new(py);
    parts.set_item("spec", &agent.spec)?;
    parts.set_item("score", agent.score)?;
    parts.set_item("ci95", agent.ci95)?;
    parts.set_item("elo", agent.elo.as_ref().map(|elo| (elo.difference, elo.ci95)))?;
    parts.set_item("wins", agent.wins)?;
    parts.set_item("draws", agent.draws)?;
    parts.set_item("losses", agent.losses)?;
    parts.set_item("playouts", agent.playouts)?;
    parts.set_item("time_s", agent.time.as_secs_f64())?;
    let seats = agent.seats.iter().map(|seat| (seat.seat, seat.games, seat.score, seat.ci95));
    parts.set_item("seats", seats.collect::<Vec<_>>())?;
    Ok(parts)
}
