//! What the Python package is made of: the zoo's games and agents, matches and experiments as Python sees them.
//!
//! Everything here is plain: texts, numbers, lists and tuples go in and out. What users see, with its types and its
//! documentation, is Python in `python/src/permutree`, and nothing else uses this module.

mod budgets;
mod errors;
mod experiments;
mod games;
mod json;
mod matches;
mod own;
mod positions;
mod searches;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    use super::*;
    #[pymodule_export]
    use crate::errors::{GameError, PermutreeError};
    #[pymodule_export]
    use crate::experiments::{Experiment, merge};
    #[pymodule_export]
    use crate::games::{Agent, Game, agent, agents, game, games, own_game};
    #[pymodule_export]
    use crate::matches::{play_match, reward_interval};
    #[pymodule_export]
    use crate::positions::Position;
    #[pymodule_export]
    use crate::searches::Session;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        permutree_zoo::register("py", crate::own::by_name);
        permutree_zoo::register("openspiel", crate::own::by_openspiel);
        module.add("CODES", crate::own::CODES)?;
        module.add("VERSION", env!("CARGO_PKG_VERSION"))
    }
}
