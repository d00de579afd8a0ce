//! Edge-matching puzzles in Python. The package `edgematch` wraps this module and documents the
//! public interface.

mod background;
mod function;
mod model;
mod puzzle;
mod search;
mod solution;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;

create_exception!(
    edgematch,
    PuzzleError,
    PyValueError,
    "A puzzle that can't be read, with the place and what was expected."
);

create_exception!(
    edgematch,
    SearchError,
    PyException,
    "An engine that failed, or does not support the puzzle."
);

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
    module.add_class::<puzzle::PyProblem>()?;
    module.add_class::<solution::PySolution>()?;
    module.add_class::<search::PySearch>()?;
    module.add_class::<model::PyModel>()?;
    module.add_function(wrap_pyfunction!(engines, module)?)
}
