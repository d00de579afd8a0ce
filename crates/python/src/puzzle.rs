//! The Python class `Problem`: reading, searching, explaining, drawing and exporting a puzzle.

use std::path::PathBuf;
use std::sync::Arc;

use edgematch::enumerate::solution;
use edgematch::export::answer;
use edgematch::load::{self, LoadError, ReadOptions};
use edgematch::optimise;
use edgematch::problem::{Constraint, Problem as Inner};
use edgematch::puzzle::{Face, Puzzle, Tile};
use edgematch_draw::{Style, Theme};
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::PuzzleError;
use crate::background::Signals;
use crate::function::{Function, Where, dependence};
use crate::model::PyModel;
use crate::search::{PySearch, SearchParameters, engine_named, seconds};
use crate::solution::{PySolution, cell_name};

/// A puzzle on a board with its constraints.
#[pyclass(name = "Problem", frozen, module = "edgematch._edgematch")]
pub struct PyProblem {
    /// The puzzle without the functions.
    pub inner: Arc<Inner>,
    /// The Python functions that solutions must satisfy.
    functions: Vec<Function>,
    /// Probable mistakes in the text that it was read from.
    #[pyo3(get)]
    warnings: Vec<String>,
}

impl PyProblem {
    /// Wraps a puzzle, without functions as constraints.
    pub fn new(inner: Inner) -> PyProblem {
        PyProblem { inner: Arc::new(inner), functions: Vec::new(), warnings: Vec::new() }
    }

    /// Adds the warnings about the text of a file.
    fn with_warnings(mut self, text: &[u8], file: &str) -> PyResult<PyProblem> {
        let warnings = load::warnings(text, file, &ReadOptions::AS_WRITTEN, &self.inner);
        let warnings = warnings.map_err(|error| refused(&error))?;
        self.warnings = warnings.iter().map(ToString::to_string).collect();
        Ok(self)
    }

    /// Clones the references to the functions.
    fn functions(&self, py: Python<'_>) -> Vec<Function> {
        let functions = self.functions.iter();
        functions.map(|function| function.clone_ref(py)).collect()
    }

    /// The problem for one run, with its Python functions as constraints, and the signals by which
    /// they can stop the run.
    pub fn for_run(&self, py: Python<'_>) -> (Arc<Inner>, Arc<Signals>) {
        let signals = Arc::default();
        if self.functions.is_empty() {
            return (Arc::clone(&self.inner), signals);
        }
        let functions = self.functions(py).into_iter();
        let constraint = |function| -> Arc<dyn Constraint> {
            Arc::new(Where::new(py, function, &self.inner, &signals))
        };
        let problem = Inner::clone(&self.inner).with_constraints(functions.map(constraint));
        (Arc::new(problem), signals)
    }
}

/// Two placements, each a tile's name and its rotation, that match across a seam.
type Pair = ((String, String), (String, String));

/// Converts a reader's error to a `PuzzleError` with position and help.
pub fn refused(error: &LoadError) -> PyErr {
    let raised = PuzzleError::new_err(error.render());
    let (line, column) = error.position.unzip();
    Python::attach(|py| {
        let value = raised.value(py);
        let set = value.setattr("message", &error.message);
        let set = set.and_then(|()| value.setattr("help", &error.help));
        let set = set.and_then(|()| value.setattr("line", line));
        set.and_then(|()| value.setattr("column", column)).err()
    })
    .unwrap_or(raised)
}

#[pymethods]
impl PyProblem {
    /// Reads a text in any format that the command reads; `name` names it in errors, and the puzzle
    /// if it has no name.
    #[staticmethod]
    fn from_text(text: &str, name: &str) -> PyResult<PyProblem> {
        let bytes = text.as_bytes();
        let read = load::from_bytes(bytes, name, name).map_err(|error| refused(&error))?;
        PyProblem::new(read).with_warnings(bytes, name)
    }

    /// Reads a puzzle file, or a folder with one.
    #[staticmethod]
    fn from_path(path: PathBuf) -> PyResult<PyProblem> {
        let read = load::read_with_bytes(&path, &ReadOptions::AS_WRITTEN);
        let (problem, bytes) = read.map_err(|error| refused(&error))?;
        PyProblem::new(problem).with_warnings(&bytes, &path.display().to_string())
    }

    /// The puzzle as a YAML file. Fails if it has functions as constraints.
    fn to_yaml(&self) -> PyResult<String> {
        let fail = |why: String| PyValueError::new_err(why);
        if !self.functions.is_empty() {
            return Err(fail("a puzzle with functions as constraints can't be written".into()));
        }
        let form = load::PUZZLE_FORMATS.iter().find(|form| form.name == "yaml");
        let form = form.ok_or_else(|| fail("there is no form `yaml`".into()))?;
        Ok(form.write(&self.inner, None).map_err(|error| fail(error.to_string()))?.text)
    }

    /// The name of the puzzle.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.puzzle.name
    }

    /// The names of the tiles with this face, each with its edges, counter-clockwise from the right.
    fn tiles(&self, face: &str) -> Vec<(String, Vec<String>)> {
        let Puzzle { labels, tiles, .. } = &self.inner.puzzle;
        let faces = tiles.iter().flat_map(|tile| tile.faces().map(move |of_tile| (tile, of_tile)));
        let faces = faces.filter(|(_, of_tile)| of_tile.name() == face);
        let named = |(tile, face): (&Tile, Face)| {
            let edges = tile.face(face).iter().map(|&edge| labels.name(edge));
            (tile.name.clone(), edges.collect())
        };
        faces.map(named).collect()
    }

    /// The cells of the board: pairs of row and column, or names.
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..self.inner.board.size()).map(|cell| cell_name(py, &self.inner, cell)).collect()
    }

    /// The pairs of cells that touch.
    #[getter]
    fn seams(&self, py: Python<'_>) -> PyResult<Vec<(Py<PyAny>, Py<PyAny>)>> {
        let name = |cell| cell_name(py, &self.inner, cell);
        let ends = self.inner.board.touching();
        ends.map(|[(one, _), (other, _)]| Ok((name(one)?, name(other)?))).collect()
    }

    /// A description of the board.
    #[getter]
    fn board(&self) -> &str {
        self.inner.board.description()
    }

    /// Returns the problem with the constraints of a YAML or JSON text added.
    fn with_constraints(&self, py: Python<'_>, text: &str) -> PyResult<PyProblem> {
        let problem = Inner::clone(&self.inner);
        let read = load::constraints_from_bytes(problem, text.as_bytes(), "constraints");
        let read = read.map_err(|error| refused(&error))?;
        Ok(PyProblem { functions: self.functions(py), ..PyProblem::new(read) })
    }

    /// Returns the problem with a function added that must be true for solutions.
    #[pyo3(signature = (function, depends_on))]
    fn with_function(
        &self,
        py: Python<'_>,
        function: Py<PyAny>,
        depends_on: Option<Vec<String>>,
    ) -> PyResult<PyProblem> {
        let mut functions = self.functions(py);
        functions.push(Function { call: function, depends_on: dependence(depends_on)? });
        Ok(PyProblem { inner: Arc::clone(&self.inner), functions, warnings: Vec::new() })
    }

    /// Lets the garbage collector follow functions that refer to puzzles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let mut functions = self.functions.iter();
        functions.try_for_each(|function| visit.call(&function.call))
    }

    /// Starts a search on another thread. `limit` is the number of distinct solutions, 0 for all; if
    /// it is expanded, every solution is yielded.
    #[pyo3(signature = (engine, limit, is_expanded, time_limit, threads))]
    fn search(
        &self,
        py: Python<'_>,
        engine: &str,
        limit: u64,
        is_expanded: bool,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<PySearch> {
        let wanted = SearchParameters {
            engine: engine_named(engine)?,
            limit,
            is_expanded,
            time: seconds(time_limit)?,
            threads,
        };
        PySearch::start(&self.inner, self.for_run(py), wanted)
    }

    /// Draws the tiles, or an arrangement, as SVG.
    #[pyo3(signature = (solution, theme))]
    fn draw(&self, solution: Option<&PySolution>, theme: &str) -> PyResult<String> {
        let known = Theme::ALL.iter().find(|(name, _)| *name == theme);
        let names = || Theme::ALL.map(|(name, _)| name).join(", ");
        let unknown = || PyValueError::new_err(format!("{theme:?} is not a theme: {}", names()));
        let (_, theme) = *known.ok_or_else(unknown)?;
        let style = Style { theme, is_white: true, ..Style::default() };
        let drawing = match solution {
            None => edgematch_draw::tiles(&self.inner, &style),
            Some(solution) => {
                edgematch_draw::arrangement(&self.inner, &solution.arrangement, &style)
            }
        };
        Ok(drawing.svg)
    }

    /// The name and the allowed pairs of each type of seam.
    fn tables(&self) -> Vec<(String, Vec<Pair>)> {
        let value = |value: usize| {
            let kinds = &self.inner.kinds;
            let tile = kinds.kind_of(value).tiles[0];
            let mut looks = kinds.orientations_of(tile, value);
            let tile = &self.inner.puzzle.tiles[tile];
            let word = looks.next().map_or(String::new(), |look| tile.describe(look));
            (tile.name.clone(), word)
        };
        let tables = self.inner.tables();
        let all = tables.all().iter();
        all.map(|table| {
            let pairs = table.tuples().map(|(p, q)| (value(p), value(q)));
            (table.name.clone(), pairs.collect())
        })
        .collect()
    }

    /// Builds the 0-1 model; an error if the problem has Python functions.
    #[pyo3(signature = (formulation, break_symmetry))]
    fn model(&self, formulation: &str, break_symmetry: bool) -> PyResult<PyModel> {
        if !self.functions.is_empty() {
            let message = "the model can't state functions of `where`: use with_constraints";
            return Err(PyValueError::new_err(message));
        }
        PyModel::new(&self.inner, formulation, break_symmetry)
    }

    /// Reads arrangements from placements: names of tiles and rotations, in the order of the cells.
    fn arrange(&self, text: &str) -> PyResult<Vec<PySolution>> {
        let read = load::read_solutions(text.as_bytes(), "the arrangement", &self.inner);
        let read = read.map_err(|error| refused(&error))?;
        let solution = |arrangement| PySolution::new(&self.inner, arrangement, "1".into());
        Ok(read.into_iter().map(solution).collect())
    }

    /// Reads an arrangement from the names of the columns that are 1 in a solution of the model.
    fn answer(&self, text: &str) -> PyResult<PySolution> {
        // The model distinguishes tiles as its objectives do.
        let objectives = optimise::own_objectives(&self.inner);
        let modelled = optimise::weakest(&self.inner, &objectives);
        let read = answer::PlacementNames::new(&modelled).read(text.as_bytes(), "the values");
        let read = read.map_err(|error| refused(&error))?;
        let first = read.into_iter().next();
        let missing = || refused(&LoadError::whole_file("the values", "no arrangement".to_owned()));
        let first = first.ok_or_else(missing)?;
        Ok(PySolution::new(&self.inner, first, "1".into()))
    }

    /// Describes a violation of an arrangement; `None` if it is a solution.
    fn violation(&self, py: Python<'_>, solution: &PySolution) -> PyResult<Option<String>> {
        let (problem, signals) = self.for_run(py);
        let checked = solution::check(&problem, &solution.arrangement);
        signals.raise()?;
        Ok(checked.err().map(|violation| violation.describe(&problem)))
    }
}
