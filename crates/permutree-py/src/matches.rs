use crate::budgets::Limits;
use crate::errors::refused;
use crate::games::{Agent, Game};
use crate::json::json;
use crate::waiting::wait;
use permutree_arena::Match;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Plays a match and gives the result and its games, both as JSON. `progress` is called with the number of games played, as games end.
#[pyfunction]
#[expect(clippy::too_many_arguments)]
pub(crate) fn play_match(
    py: Python<'_>,
    game: &Game,
    agents: Vec<Bound<'_, Agent>>,
    games: u64,
    seed: u64,
    threads: usize,
    limits: Limits,
    progress: Option<Py<PyAny>>,
) -> PyResult<(String, String)> {
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
    Ok((json(&result.map_err(refused)?)?, json(&records)?))
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
