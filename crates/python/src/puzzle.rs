//! The Python class `Problem`: reading, searching, explaining, drawing and exporting a puzzle.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

use edgematch::analyse::explain::{NoReason, Reasons, SetSearch, reasons};
use edgematch::engine::Auto;
use edgematch::enumerate::solution;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load::{self, LoadError};
use edgematch::model::export::answer;
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{Constraint, Problem as Inner};
use edgematch_draw::{Style, Theme};
use edgematch_report::NamedMembers;
use pyo3::exceptions::PyValueError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;

use crate::background::{Background, Signals};
use crate::function::{Function, Where, dependence};
use crate::model::PyModel;
use crate::search::{PySearch, SearchParameters, engine_named, limits, refuse_failure, seconds};
use crate::solution::{PySolution, cell_name};
use crate::{PuzzleError, SearchError};

/// A puzzle on a board with its constraints.
#[pyclass(name = "Problem", frozen, module = "edgematch._edgematch")]
pub struct PyProblem {
    /// The puzzle without the functions.
    inner: Arc<Inner>,
    /// The Python functions that solutions must satisfy.
    functions: Vec<Function>,
}

impl PyProblem {
    /// Wraps a puzzle that was read, without functions as constraints; converts an error to
    /// `PuzzleError`.
    fn new(read: Result<Inner, LoadError>) -> PyResult<PyProblem> {
        let inner = Arc::new(read.map_err(|error| refused(&error))?);
        let functions = Vec::new();
        Ok(PyProblem { inner, functions })
    }

    /// Clones the references to the functions.
    fn functions(&self, py: Python<'_>) -> Vec<Function> {
        let functions = self.functions.iter();
        functions.map(|function| function.clone_ref(py)).collect()
    }

    /// The problem for one run, with its Python functions as constraints, and the signals by which
    /// they can stop the run.
    fn for_run(&self, py: Python<'_>) -> (Arc<Inner>, Arc<Signals>) {
        let signals = Arc::default();
        if self.functions.is_empty() {
            return (Arc::clone(&self.inner), signals);
        }
        let functions = self.functions(py).into_iter();
        let constraint = |function| -> Arc<dyn Constraint> {
            Arc::new(Where::new(function, &self.inner, &signals))
        };
        let problem = Inner::clone(&self.inner).with_constraints(functions.map(constraint));
        (Arc::new(problem), signals)
    }
}

/// Two placements, each a tile's name and its rotation, that match across a seam.
type Pair = ((String, String), (String, String));

/// Converts a reader's error to a `PuzzleError` with position and help.
fn refused(error: &LoadError) -> PyErr {
    PuzzleError::new_err(error.render())
}

#[pymethods]
impl PyProblem {
    /// Reads a text in any format that the command reads; `name` names it in errors, and the puzzle
    /// if it has no name.
    #[staticmethod]
    fn from_text(text: &str, name: &str) -> PyResult<PyProblem> {
        PyProblem::new(load::from_bytes(text.as_bytes(), name, name))
    }

    /// Reads a puzzle file, or a folder with one.
    #[staticmethod]
    fn from_path(path: PathBuf) -> PyResult<PyProblem> {
        PyProblem::new(load::read(&path))
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

    /// The names of the tiles, each with its edges, counter-clockwise from the right.
    #[getter]
    fn tiles(&self) -> Vec<(String, Vec<String>)> {
        let labels = &self.inner.puzzle.labels;
        let tiles = self.inner.puzzle.tiles.iter();
        tiles
            .map(|tile| {
                let edges = tile.edges.iter();
                (tile.name.clone(), edges.map(|&edge| labels.name(edge)).collect())
            })
            .collect()
    }

    /// The cells of the board: pairs of row and column, or names.
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..self.inner.board.size()).map(|cell| cell_name(py, &self.inner, cell)).collect()
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
        Ok(PyProblem { functions: self.functions(py), ..PyProblem::new(read)? })
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
        let inner = Arc::clone(&self.inner);
        Ok(PyProblem { inner, functions })
    }

    /// Lets the garbage collector follow functions that refer to puzzles.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let mut functions = self.functions.iter();
        functions.try_for_each(|function| visit.call(&function.call))
    }

    /// Starts a search on another thread. `limit` is the number of distinct solutions, 0 for all;
    /// with `every_turn`, each symmetric image is yielded.
    #[pyo3(signature = (engine, limit, every_turn, time_limit, threads))]
    fn search(
        &self,
        py: Python<'_>,
        engine: &str,
        limit: u64,
        every_turn: bool,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<PySearch> {
        let wanted = SearchParameters {
            engine: engine_named(engine)?,
            limit,
            every_turn,
            time: seconds(time_limit)?,
            threads,
        };
        PySearch::start(&self.inner, self.for_run(py), wanted)
    }

    /// Counts solutions. Returns the distinct ones, classes and solutions (all in hexadecimal
    /// digits), whether the count is complete, the status, and the time in seconds.
    #[pyo3(signature = (engine, time_limit, threads))]
    fn count(
        &self,
        py: Python<'_>,
        engine: Option<&str>,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<(String, String, String, bool, String, f64)> {
        let engine = engine.map(engine_named).transpose()?;
        let time = seconds(time_limit)?;
        let (problem, signals) = self.for_run(py);
        let work = move |answers: &SyncSender<Outcome>, stop: &AtomicBool| {
            let limits = limits(time, threads, stop);
            let outcome = match engine {
                None => enumerate::count(&problem, &limits, None),
                Some(engine) => {
                    let mut ignore = |_: &NewSolution<'_>| ControlFlow::Continue(());
                    enumerate::run(&problem, engine().as_ref(), &limits, &mut ignore)
                }
            };
            let _ = answers.send(outcome);
        };
        let outcome = Background::start(signals, work)?.wait(py)?;
        refuse_failure(&outcome)?;
        let tally = &outcome.tally;
        Ok((
            format!("{:x}", tally.distinct),
            format!("{:x}", tally.classes),
            format!("{:x}", tally.solutions),
            outcome.status.is_complete(),
            outcome.status.to_string(),
            outcome.seconds,
        ))
    }

    /// Finds an arrangement with the most matching seams. Returns it, the number of matching seams,
    /// the upper bound, and whether it is proven optimal; the first two are `None` if none was
    /// found.
    #[pyo3(signature = (time_limit, seed, threads))]
    fn best(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<(Option<PySolution>, Option<i64>, i64, bool)> {
        let time = seconds(time_limit)?;
        let (problem, signals) = self.for_run(py);
        let work = move |answers: &SyncSender<_>, stop: &AtomicBool| {
            let limits = Limits { distinct: 1, ..limits(time, threads, stop) };
            let mut best = None;
            let mut take = |found: &NewSolution<'_>| {
                best = Some(found.distinct.arrangement.clone());
                ControlFlow::Continue(())
            };
            let mut what = Optimisation::best(&problem);
            what.seed = seed;
            let optimum = optimise::run(&what, &Auto, &limits, &mut take);
            let _ = answers.send((best, optimum));
        };
        let (best, optimum) = Background::start(signals, work)?.wait(py)?;
        refuse_failure(&optimum.outcome)?;
        let best = best.map(|arrangement| PySolution::new(&self.inner, arrangement, "1".into()));
        Ok((best, optimum.value, optimum.bound, optimum.is_proven))
    }

    /// Explains why there is no solution. Returns the reasons, and true if none of them is
    /// redundant; `None` if there is a solution.
    #[pyo3(signature = (time_limit,))]
    fn why(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
    ) -> PyResult<Option<(Vec<String>, bool)>> {
        let time = seconds(time_limit)?;
        let (problem, signals) = self.for_run(py);
        let asked = Arc::clone(&problem);
        let work = move |answers: &SyncSender<_>, stop: &AtomicBool| {
            let reasons = reasons(&asked, SetSearch::IfNeeded, &limits(time, None, stop));
            let _ = answers.send(reasons);
        };
        match Background::start(signals, work)?.wait(py)? {
            Ok(reasons) => Ok(Some(in_words(&problem, &reasons))),
            Err(NoReason::Solvable(_)) => Ok(None),
            Err(NoReason::Ended(status)) => Err(SearchError::new_err(status.to_string())),
        }
    }

    /// Draws the tiles, or an arrangement, as SVG, with what the edges show.
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
        let read = answer::PlacementNames::new(&self.inner).read(text.as_bytes(), "the values");
        let read = read.map_err(|error| refused(&error))?;
        let first = read.into_iter().next();
        let first = first.ok_or_else(|| PuzzleError::new_err("no arrangement"))?;
        Ok(PySolution::new(&self.inner, first, "1".into()))
    }

    /// Describes a violation of an arrangement; `None` if it is a solution.
    fn check(&self, py: Python<'_>, solution: &PySolution) -> PyResult<Option<String>> {
        let (problem, signals) = self.for_run(py);
        let checked = solution::check(&problem, &solution.arrangement);
        signals.raise()?;
        Ok(checked.err().map(|violation| violation.describe(&problem)))
    }
}

/// The reasons in words, and true if they are a set of which none is redundant.
fn in_words(problem: &Inner, reasons: &Reasons) -> (Vec<String>, bool) {
    let counts = reasons.counts.iter().map(|count| count.describe(problem));
    let mut words: Vec<String> = counts.collect();
    let Some((members, smallest)) = &reasons.set else {
        return (words, false);
    };
    let named = NamedMembers::new(problem, members);
    for (kind, names) in
        [("constraint", named.constraints), ("seam", named.seams), ("tile", named.tiles)]
    {
        words.extend(names.into_iter().map(|name| format!("{kind} {name}")));
    }
    (words, smallest.is_ok())
}
