//! Python functions as constraints that the engines evaluate.

use std::sync::Arc;

use edgematch::board::Board;
use edgematch::problem::{Arrangement, Constraint, Dependence, Problem as Inner};
use edgematch::puzzle::Puzzle;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::background::Signals;
use crate::solution::PySolution;

/// A Python function that must return true for a solution.
pub struct Function {
    /// The callable; it receives a `Solution`.
    pub call: Py<PyAny>,
    /// The parts of an arrangement that its result depends on.
    pub depends_on: Dependence,
}

impl Function {
    /// Clones the reference to the function.
    pub fn clone_ref(&self, py: Python<'_>) -> Function {
        Function { call: self.call.clone_ref(py), depends_on: self.depends_on }
    }
}

/// Parses the argument `depends_on`: `edges`, `tiles`, `rotations`, `position`. `None` means that
/// the function may depend on everything.
pub fn dependence(words: Option<Vec<String>>) -> PyResult<Dependence> {
    let Some(words) = words else {
        return Ok(Dependence::EVERYTHING);
    };
    let mut dependence = Dependence::EDGES;
    for word in words {
        match &*word {
            "edges" => {}
            "tiles" => dependence.tiles = true,
            "rotations" => dependence.rotations = true,
            "position" => dependence.position = true,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "depends_on: `{word}` is not one of edges, tiles, rotations and position"
                )));
            }
        }
    }
    Ok(dependence)
}

/// A Python function as a constraint of one run.
#[derive(Debug)]
pub struct Where {
    call: Py<PyAny>,
    /// The function's name, for messages.
    name: String,
    depends_on: Dependence,
    /// The problem without functions, for the names of cells and tiles.
    problem: Arc<Inner>,
    signals: Arc<Signals>,
}

impl Where {
    /// Creates a constraint that stops the run if the function raises an exception.
    pub fn new(
        py: Python<'_>,
        function: Function,
        problem: &Arc<Inner>,
        signals: &Arc<Signals>,
    ) -> Where {
        let name = function.call.bind(py).getattr("__name__").and_then(|name| name.extract());
        Where {
            call: function.call,
            name: name.unwrap_or_else(|_| "where".to_owned()),
            depends_on: function.depends_on,
            problem: Arc::clone(problem),
            signals: Arc::clone(signals),
        }
    }

    /// Calls the function. An exception is recorded, stops the run and counts as false.
    fn allows(&self, arrangement: &Arrangement) -> bool {
        // The run is about to stop, and its result will be ignored.
        if self.signals.is_stopped() {
            return false;
        }
        let answer = Python::try_attach(|py| {
            let solution = PySolution::new(&self.problem, arrangement.clone(), "1".into());
            self.call.bind(py).call1((solution,))?.is_truthy()
        });
        match answer {
            Some(Ok(answer)) => answer,
            Some(Err(exception)) => {
                self.signals.fail(exception);
                false
            }
            // The interpreter is shutting down.
            None => {
                self.signals.stop();
                false
            }
        }
    }
}

impl Constraint for Where {
    fn name(&self) -> &'static str {
        "where"
    }

    fn broken(&self, _: &Puzzle, _: &Board, arrangement: &Arrangement) -> Option<String> {
        let is_allowed = self.allows(arrangement);
        (!is_allowed).then(|| format!("the function `{}` of `where` is false", self.name))
    }

    fn depends_on(&self) -> Dependence {
        self.depends_on
    }
}
