use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(
    permutree,
    PermutreeError,
    PyValueError,
    "An argument is invalid. The message lists or describes the valid values."
);
create_exception!(
    permutree,
    GameError,
    PermutreeError,
    "A game written in Python raised an exception or returned an invalid value. The message names the method and the position."
);

/// Everything that the zoo and the arena refuse is one line, and so is the exception.
pub(crate) fn refused(error: impl std::fmt::Display) -> PyErr {
    PermutreeError::new_err(error.to_string())
}

/// Something went wrong that no input should be able to bring about.
pub(crate) fn broken() -> PyErr {
    PermutreeError::new_err("internal error in permutree; please report it with the text that it printed")
}
