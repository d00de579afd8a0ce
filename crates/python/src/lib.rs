//! Edge-matching puzzles in Python. The package `edgematch` wraps this module and documents the
//! public interface.

mod background;
mod function;
mod generate;
mod model;
mod puzzle;
mod questions;
mod search;
mod solution;

use edgematch::enumerate::RunStatus;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    edgematch,
    PuzzleError,
    PyValueError,
    "A puzzle that can't be read. `message` names the fault and the expected content, `help` a fix; `line` and \
     `column` count from 1. Each is None if it is unknown."
);

create_exception!(
    edgematch,
    SearchError,
    PyException,
    "A search without an answer: an engine failed, `Stopped` or `Unsupported`."
);

create_exception!(
    edgematch,
    Stopped,
    SearchError,
    "A search that a limit stopped before its answer."
);

create_exception!(
    edgematch,
    Unsupported,
    SearchError,
    "An engine that does not support the puzzle."
);

/// Converts the status of a search without an answer to an exception.
fn unanswered(status: &RunStatus) -> PyErr {
    let message = status.to_string();
    match status {
        RunStatus::Stopped(_) => Stopped::new_err(message),
        RunStatus::Unsupported(_) => Unsupported::new_err(message),
        RunStatus::Complete | RunStatus::Failed(_) => SearchError::new_err(message),
    }
}

/// The names and descriptions of the engines.
#[pyfunction]
fn engines() -> Vec<(&'static str, &'static str)> {
    let all = edgematch::engine::ENGINES.iter();
    all.map(|kind| (kind.name, kind.help)).collect()
}

/// The Python module.
#[pymodule]
fn _edgematch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", edgematch::VERSION)?;
    module.add("PuzzleError", module.py().get_type::<PuzzleError>())?;
    module.add("SearchError", module.py().get_type::<SearchError>())?;
    module.add("Stopped", module.py().get_type::<Stopped>())?;
    module.add("Unsupported", module.py().get_type::<Unsupported>())?;
    module.add_class::<puzzle::PyProblem>()?;
    module.add_class::<solution::PySolution>()?;
    module.add_class::<search::PySearch>()?;
    module.add_class::<model::PyModel>()?;
    module.add_function(wrap_pyfunction!(engines, module)?)?;
    module.add_function(wrap_pyfunction!(generate::generate, module)?)?;
    questions::add_to(module)
}
