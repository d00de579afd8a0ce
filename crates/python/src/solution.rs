//! The Python class `Solution`, an arrangement.

use std::sync::Arc;

use edgematch::board::CellName;
use edgematch::problem::{Arrangement, Placed, Problem as Inner};
use edgematch_report::{arrangement_text, steps};
use pyo3::prelude::*;

/// A placement: the cell, the tile, the rotation, and the face of a two-sided tile.
pub type Placement = (Py<PyAny>, String, usize, Option<&'static str>);

/// An arrangement of all tiles on the board, usually a solution.
#[pyclass(name = "Solution", frozen, module = "edgematch._edgematch")]
pub struct PySolution {
    problem: Arc<Inner>,
    /// The placement in each cell.
    pub arrangement: Arrangement,
    /// The number of labelled solutions that it represents, in hexadecimal digits.
    solutions: String,
}

impl PySolution {
    /// Creates an arrangement that represents a number of solutions, given in hexadecimal digits.
    pub fn new(problem: &Arc<Inner>, arrangement: Arrangement, solutions: String) -> PySolution {
        PySolution { problem: Arc::clone(problem), arrangement, solutions }
    }
}

#[pymethods]
impl PySolution {
    /// The placements: cell, tile, rotation and face.
    #[getter]
    fn placements(&self, py: Python<'_>) -> PyResult<Vec<Placement>> {
        let placed = self.arrangement.0.iter().enumerate();
        placed.map(|(cell, placed)| placement(py, &self.problem, cell, placed)).collect()
    }

    /// The number of labelled solutions that it represents, in hexadecimal digits. Python parses
    /// any number of these, but only 4300 decimal digits.
    #[getter]
    fn solutions(&self) -> &str {
        &self.solutions
    }

    /// The arrangement as `edgematch solve` prints it.
    fn __str__(&self) -> String {
        arrangement_text(&self.problem, &self.arrangement)
    }

    /// Instructions for placing the tiles, one line per tile.
    #[getter]
    fn steps(&self) -> String {
        steps(&self.problem, &self.arrangement)
    }
}

/// The placement of a tile in a cell.
pub fn placement(
    py: Python<'_>,
    problem: &Inner,
    cell: usize,
    placed: &Placed,
) -> PyResult<Placement> {
    let tile = &problem.puzzle.tiles[placed.tile];
    let face = tile.back.as_ref().map(|_| placed.orientation.face().name());
    let cell = cell_name(py, problem, cell)?;
    Ok((cell, tile.name.clone(), placed.orientation.rotation(), face))
}

/// The name of a cell as a Python object: a tuple (row, column), or a string.
pub fn cell_name(py: Python<'_>, problem: &Inner, cell: usize) -> PyResult<Py<PyAny>> {
    Ok(match &problem.board.cells()[cell].name {
        CellName::At(row, column) => (*row, *column).into_pyobject(py)?.into_any().unbind(),
        CellName::Named(name) => name.into_pyobject(py)?.into_any().unbind(),
    })
}
