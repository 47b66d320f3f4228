use crate::errors::refused;
use crate::json::json;
use crate::own::{self, Watch};
use crate::positions::Position;
use crate::waiting::{at_once, wait};
use permutree_zoo::{AGENTS, AnyGame, listing};
use pyo3::prelude::*;
use std::sync::Arc;

/// A game that is ready to be played.
#[pyclass(frozen, module = "permutree._native")]
pub(crate) struct Game {
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) watch: Watch,
}

/// An agent that can play any game.
#[pyclass(frozen, module = "permutree._native")]
pub(crate) struct Agent {
    pub(crate) agent: permutree_zoo::Agent,
}

/// The game that a spec names.
#[pyfunction]
pub(crate) fn game(spec: &str) -> PyResult<Game> {
    let (game, watch) = own::watching(|| permutree_zoo::game(spec))?;
    Ok(Game { game: game.map_err(refused)?, watch })
}

/// A game written in Python, under this spec.
#[pyfunction]
pub(crate) fn own_game(rules: Bound<'_, PyAny>, spec: String) -> PyResult<Game> {
    let (game, watch) = own::watching(|| own::make(&rules, spec))?;
    Ok(Game { game: game?, watch })
}

/// The agent that a spec names, with the learned values that it wants.
#[pyfunction]
pub(crate) fn agent(spec: &str) -> PyResult<Agent> {
    Ok(Agent { agent: permutree_arena::agent(spec).map_err(refused)? })
}

#[pymethods]
impl Game {
    #[getter]
    fn spec(&self) -> &str {
        self.game.spec()
    }

    #[getter]
    fn players(&self) -> usize {
        self.game.players()
    }

    #[getter]
    fn codings(&self) -> Vec<&'static str> {
        self.game.codings().to_vec()
    }

    fn codes(&self, coding: usize) -> usize {
        self.game.codes(coding)
    }

    fn start(&self, py: Python<'_>) -> PyResult<Position> {
        let position = at_once(py, &self.watch, || self.game.start())?;
        Ok(Position::new(position, &self.watch))
    }

    /// Legal moves at the start, mean length of random games, and the presence of codes for each coding.
    fn presence(&self, py: Python<'_>, playouts: u64, seed: u64) -> PyResult<PresenceParts> {
        let game = self.game.clone();
        let found = wait(py, &self.watch, &Arc::default(), move || game.presence(playouts, seed))?;
        Ok((found.moves, found.plies, found.codings))
    }

    /// Random games, checked on the way: mean plies, mean branching, mean rewards.
    fn soak(&self, py: Python<'_>, games: u32, seed: u64) -> PyResult<(f64, f64, Vec<f64>)> {
        let game = self.game.clone();
        let found = wait(py, &self.watch, &Arc::default(), move || game.soak(games, seed))?;
        let found = found.map_err(|why| refused(format!("{}: {why}", self.game.spec())))?;
        Ok((found.plies, found.branching, found.rewards[..self.game.players()].to_vec()))
    }
}

#[pymethods]
impl Agent {
    #[getter]
    fn spec(&self) -> &str {
        self.agent.spec()
    }

    #[getter]
    fn needs_budget(&self) -> bool {
        self.agent.needs_budget()
    }

    /// Whether the seed gives the same moves again, with budgets in playouts.
    #[getter]
    fn deterministic(&self) -> bool {
        self.agent.is_deterministic()
    }

    /// What to tell the user about the spec.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.agent.notes().to_vec()
    }
}

/// Legal moves at the start, plies, and the presence of codes for each coding.
type PresenceParts = (usize, f64, Vec<(&'static str, f64)>);

/// Every game with its parameters, as JSON.
#[pyfunction]
pub(crate) fn games() -> PyResult<String> {
    json(&listing())
}

/// Every agent with its parameters, as JSON.
#[pyfunction]
pub(crate) fn agents() -> PyResult<String> {
    json(&AGENTS)
}
