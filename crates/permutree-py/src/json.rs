//! Results go to Python as JSON, in the one shape that they have everywhere.

use crate::errors::refused;
use pyo3::PyResult;
use serde::Serialize;

pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(refused)
}
