use crate::errors::refused;
use crate::games::Agent;
use crate::own::Watch;
use crate::searches::Session;
use crate::waiting::{at_once, wait};
use permutree_zoo::{AnyPosition, Rng, Turn};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A position, which never changes.
#[pyclass(frozen, module = "permutree._native")]
pub(crate) struct Position {
    /// Behind a lock only because a position may not be looked at from two threads at once; it is copied at once.
    position: Mutex<Box<dyn AnyPosition>>,
    pub(crate) watch: Watch,
}

impl Position {
    pub(crate) fn new(position: Box<dyn AnyPosition>, watch: &Watch) -> Self {
        Self { position: Mutex::new(position), watch: watch.clone() }
    }

    /// A copy of what is inside.
    pub(crate) fn inside(&self) -> Box<dyn AnyPosition> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner).boxed_clone()
    }

    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&dyn AnyPosition) -> T + Send,
    ) -> PyResult<T> {
        let position = self.inside();
        at_once(py, &self.watch, move || question(&*position))
    }
}

/// A turn as a number: the player from 0, -1 for chance, -2 when the game is over.
pub(crate) fn turn(turn: Turn) -> i32 {
    match turn {
        Turn::Player(player) => i32::from(player.0),
        Turn::Chance => -1,
        Turn::Over => -2,
    }
}

#[pymethods]
impl Position {
    fn turn(&self, py: Python<'_>) -> PyResult<i32> {
        self.ask(py, |position| turn(position.turn()))
    }

    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |position| position.moves())
    }

    fn codes(&self, py: Python<'_>, coding: usize) -> PyResult<Vec<u32>> {
        self.ask(py, |position| position.codes(coding))
    }

    /// The place of a move in the list.
    fn find(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        self.ask(py, |position| position.find(text))?.map_err(refused)
    }

    /// The position after the legal move at this place of the list.
    fn play(&self, py: Python<'_>, index: usize) -> PyResult<Self> {
        let mut position = self.inside();
        let played = at_once(py, &self.watch, move || position.play(index).map(|()| position))?;
        Ok(Self::new(played.map_err(refused)?, &self.watch))
    }

    /// A random move, or an outcome of chance by its probability, as its place in the list.
    fn random(&self, py: Python<'_>, seed: u64) -> PyResult<Option<usize>> {
        self.ask(py, |position| position.random(&mut Rng::new(seed)))
    }

    fn rewards(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        self.ask(py, |position| position.rewards().as_slice().to_vec())
    }

    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, |position| position.hash())
    }

    fn board(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |position| position.board())
    }

    fn picture(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |position| position.picture())
    }

    fn perft(&self, py: Python<'_>, depth: usize) -> PyResult<Vec<u64>> {
        let position = self.inside();
        wait(py, &self.watch, &Arc::default(), move || position.perft(depth))
    }

    /// A search from here.
    fn session(&self, py: Python<'_>, agent: &Agent, seed: u64) -> PyResult<Session> {
        let session = self.ask(py, |position| position.session(&agent.agent, seed))?.map_err(refused)?;
        Ok(Session::new(session, &agent.agent, &self.watch))
    }
}
