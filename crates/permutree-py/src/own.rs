//! Games written in Python.

mod faults;
mod game;
mod keys;
mod rules;

pub(crate) use faults::{Watch, known_to_python, watching};
pub(crate) use rules::CODES;

use crate::errors::PermutreeError;
use game::OwnGame;
use permutree_zoo::{AnyGame, erase};
use pyo3::prelude::*;
use rules::Rules;
use std::sync::Arc;

/// The game that an object of class `permutree.Game` describes, under a spec.
pub(crate) fn make(rules: &Bound<'_, PyAny>, spec: String) -> PyResult<Arc<dyn AnyGame>> {
    Ok(erase(OwnGame(Arc::new(Rules::new(rules)?)), spec))
}

/// The game that `module:Class` names, for specs that begin with `py:`.
pub(crate) fn by_name(text: &str) -> Result<Arc<dyn AnyGame>, String> {
    loaded("permutree._own", "load", text)
}

/// The game of OpenSpiel that a text names, for specs that begin with `openspiel:`.
pub(crate) fn by_openspiel(text: &str) -> Result<Arc<dyn AnyGame>, String> {
    loaded("permutree.openspiel", "rules", text)
}

/// The game that a function in Python makes, with its spec.
fn loaded(module: &str, function: &str, text: &str) -> Result<Arc<dyn AnyGame>, String> {
    Python::attach(|py| {
        let load = || {
            let load = py.import(module)?.getattr(function)?;
            let (rules, spec): (Bound<'_, PyAny>, String) = load.call1((text,))?.extract()?;
            make(&rules, spec)
        };
        // What Python raised, in one line; who refuses already says it so.
        load().map_err(|error: PyErr| match error.is_instance_of::<PermutreeError>(py) {
            true => error.value(py).to_string(),
            false => faults::in_words(py, &error),
        })
    })
}
