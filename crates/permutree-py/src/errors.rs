use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    permutree,
    PermutreeError,
    PyValueError,
    "Something that was asked for cannot be: the message says what is possible."
);
create_exception!(
    permutree,
    GameError,
    PermutreeError,
    "A game written in Python made a mistake: the message names the method and the position."
);

/// Everything that the zoo and the arena refuse is one line, and so is the exception.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    PermutreeError::new_err(error.to_string())
}

/// Something went wrong that no input should be able to bring about.
pub(crate) fn broken() -> PyErr {
    PermutreeError::new_err("permutree itself made a mistake; what it printed says where")
}
