//! An arrangement as Python has it.

use std::sync::Arc;

use edgematch::board::CellName;
use edgematch::problem::{Arrangement, Problem as Inner};
use edgematch_report::{arrangement_text, steps};
use pyo3::prelude::*;

/// A placement: the cell, the tile, the rotation, and the face of a tile that has two.
type Placement = (Py<PyAny>, String, usize, Option<&'static str>);

/// An arrangement.
#[pyclass(frozen, module = "edgematch._edgematch")]
pub struct Solution {
    problem: Arc<Inner>,
    /// What lies in each cell.
    pub arrangement: Arrangement,
    solutions: String,
}

impl Solution {
    /// An arrangement that stands for so many solutions.
    pub fn new(problem: &Arc<Inner>, arrangement: Arrangement, solutions: String) -> Solution {
        Solution { problem: Arc::clone(problem), arrangement, solutions }
    }
}

#[pymethods]
impl Solution {
    /// Cell, tile, rotation and face of each placement.
    #[getter]
    fn placements(&self, py: Python<'_>) -> PyResult<Vec<Placement>> {
        let placed = self.arrangement.0.iter().enumerate();
        placed
            .map(|(cell, placed)| {
                let tile = &self.problem.puzzle.tiles[placed.tile];
                let face = tile.back.as_ref().map(|_| placed.orientation.face().name());
                let cell = cell_name(py, &self.problem, cell)?;
                Ok((cell, tile.name.clone(), placed.orientation.rotation(), face))
            })
            .collect()
    }

    /// The number of labelled solutions that it stands for, in hexadecimal digits: Python reads any
    /// number of these, but only 4300 decimal ones.
    #[getter]
    fn solutions(&self) -> &str {
        &self.solutions
    }

    /// The arrangement as `edgematch solve` prints it.
    fn __str__(&self) -> String {
        arrangement_text(&self.problem, &self.arrangement)
    }

    /// How to lay it, a line a tile.
    #[getter]
    fn steps(&self) -> String {
        steps(&self.problem, &self.arrangement)
    }
}

/// The name of a cell as Python has it.
pub fn cell_name(py: Python<'_>, problem: &Inner, cell: usize) -> PyResult<Py<PyAny>> {
    Ok(match &problem.board.cells()[cell].name {
        CellName::At(row, column) => (*row, *column).into_pyobject(py)?.into_any().unbind(),
        CellName::Named(name) => name.into_pyobject(py)?.into_any().unbind(),
    })
}
