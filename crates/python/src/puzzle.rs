//! A problem, what is found of it, and its pictures.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use edgematch::board::CellName;
use edgematch::compare::named;
use edgematch::engine::{Auto, ENGINES, Engine, contenders};
use edgematch::enumerate::{self, Found, Limits, Outcome, RunStatus, StopReason};
use edgematch::explain::{Members, Why, counts, why};
use edgematch::halves::count_or_list;
use edgematch::model::export::answer;
use edgematch::optimise::{self, Fit};
use edgematch::problem::{Arrangement, Problem as Inner};
use edgematch::puzzle::{TileId, ValueId};
use edgematch::tables::Tables;
use edgematch::{counting, load, scheduler, solution};
use edgematch_draw::{Drawing, Names, Style};
use edgematch_report::{arrangement_text, steps};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::background::Background;
use crate::model::Model;
use crate::{PuzzleError, SearchError};

/// A puzzle on a board with its constraints.
#[pyclass(frozen, module = "edgematch._edgematch")]
pub struct Problem {
    inner: Inner,
}

/// A placement: the cell, the tile, the rotation, and the face of a tile that has two.
type Placement = (Py<PyAny>, String, usize, Option<&'static str>);

/// Two pairs of a tile and its rotation that fit side by side.
type Pair = ((String, String), (String, String));

fn refused(error: &load::LoadError) -> PyErr {
    PuzzleError::new_err(error.render())
}

/// The engine of a name, or of the beginning of the name of one of its forms.
fn engine_named(name: &str) -> PyResult<Box<dyn Engine>> {
    if let Some(kind) = ENGINES.iter().find(|kind| kind.name == name) {
        return Ok(kind.usual());
    }
    let all = contenders();
    let names: Vec<String> = all.iter().map(|contender| contender.name.clone()).collect();
    let chosen = named(&names, &[name.to_owned()]).map_err(PyValueError::new_err)?;
    let mut all = all.into_iter();
    let found = all.find(|contender| Some(&contender.name) == chosen.first());
    Ok(found.map_or_else(|| Box::new(Auto) as Box<dyn Engine>, |found| found.engine))
}

fn seconds(limit: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("time_limit: expected seconds, at least 0"))
    };
    limit.map(read).transpose()
}

fn limits(time: Option<Duration>, threads: Option<usize>, stop: &AtomicBool) -> Limits<'_> {
    Limits {
        time,
        interrupt: Some(stop),
        threads: threads.unwrap_or_else(scheduler::available),
        ..Limits::default()
    }
}

#[pymethods]
impl Problem {
    /// Reads a text in any form that the command reads.
    #[staticmethod]
    fn from_text(text: &str, name: &str) -> PyResult<Problem> {
        let inner = load::from_bytes(text.as_bytes(), name, name);
        Ok(Problem {
            inner: inner.map_err(|error| refused(&error))?,
        })
    }

    /// Reads a file or a folder.
    #[staticmethod]
    fn from_path(path: PathBuf) -> PyResult<Problem> {
        let inner = load::read(&path).map_err(|error| refused(&error))?;
        Ok(Problem { inner })
    }

    /// The name of the puzzle.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.puzzle.name
    }

    /// The tiles by name, each with its edges, counter-clockwise from the right.
    #[getter]
    fn tiles(&self) -> Vec<(String, Vec<String>)> {
        let labels = &self.inner.puzzle.labels;
        let tiles = self.inner.puzzle.tiles.iter();
        tiles
            .map(|tile| {
                let edges = tile.edges.iter();
                (
                    tile.name.clone(),
                    edges.map(|&edge| labels.name(edge)).collect(),
                )
            })
            .collect()
    }

    /// The cells of the board: pairs of row and column, or names.
    #[getter]
    fn cells(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        (0..self.inner.board.size())
            .map(|cell| cell_name(py, &self.inner, cell))
            .collect()
    }

    /// The board in words.
    #[getter]
    fn board(&self) -> &str {
        self.inner.board.description()
    }

    /// The same problem with the constraints in a text of YAML or JSON.
    fn with_constraints(&self, text: &str) -> PyResult<Problem> {
        let inner =
            load::constraints_from_bytes(self.inner.clone(), text.as_bytes(), "constraints");
        Ok(Problem {
            inner: inner.map_err(|error| refused(&error))?,
        })
    }

    /// Begins a search.
    #[pyo3(signature = (engine, limit, every_turn, time_limit, threads))]
    fn search(
        &self,
        engine: &str,
        limit: u64,
        every_turn: bool,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Search> {
        engine_named(engine)?;
        let (name, time) = (engine.to_owned(), seconds(time_limit)?);
        let problem = self.inner.clone();
        let work = move |events: &SyncSender<Event>, stop: &AtomicBool| {
            let limits = Limits {
                distinct: limit,
                ..limits(time, threads, stop)
            };
            let mut take = |found: &Found<'_>| {
                let distinct = found.distinct;
                let images = if every_turn { &distinct.orbit[..] } else { &[] };
                let solutions = &distinct.solutions / images.len().max(1);
                let images = images.iter().map(|image| image.arrangement(&problem));
                let upright = (!every_turn).then(|| distinct.upright(&problem));
                for arrangement in images.chain(upright) {
                    let solutions = solutions.to_string();
                    // Where nobody wants the rest any more, nobody takes it.
                    if events
                        .send(Event::Found {
                            arrangement,
                            solutions,
                        })
                        .is_err()
                    {
                        return ControlFlow::Break(StopReason::Interrupted);
                    }
                }
                ControlFlow::Continue(())
            };
            // An engine stays on its thread; the name was found before.
            let engine = engine_named(&name).unwrap_or_else(|_| Box::new(Auto));
            let outcome = enumerate::run(&problem, engine.as_ref(), &limits, &mut take);
            let _ = events.send(Event::Ended(Box::new(outcome)));
        };
        Ok(Search {
            problem: self.inner.clone(),
            events: Background::start(work)?,
            outcome: None,
        })
    }

    /// Counts: distinct, classes, solutions as text, whether that is all, the status, seconds.
    #[pyo3(signature = (engine, time_limit, threads))]
    fn count(
        &self,
        py: Python<'_>,
        engine: Option<&str>,
        time_limit: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<(u64, String, String, bool, String, f64)> {
        engine.map(engine_named).transpose()?;
        let name = engine.map(str::to_owned);
        let (problem, time) = (self.inner.clone(), seconds(time_limit)?);
        let work = move |answers: &SyncSender<Outcome>, stop: &AtomicBool| {
            let limits = limits(time, threads, stop);
            let outcome = match name.as_deref().map(engine_named) {
                None | Some(Err(_)) => count_or_list(&problem, &limits),
                Some(Ok(engine)) => {
                    let mut ignore = |_: &Found<'_>| ControlFlow::Continue(());
                    enumerate::run(&problem, engine.as_ref(), &limits, &mut ignore)
                }
            };
            let _ = answers.send(outcome);
        };
        let outcome = Background::start(work)?.only(py)?;
        refuse_failure(&outcome)?;
        let tally = &outcome.tally;
        Ok((
            tally.distinct,
            tally.classes.to_string(),
            tally.solutions.to_string(),
            outcome.status.is_complete(),
            outcome.status.to_string(),
            outcome.seconds,
        ))
    }

    /// An arrangement with the most fitting seams: it, their number, the bound, whether none is better.
    #[pyo3(signature = (time_limit, seed, threads))]
    fn best(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<(Option<Solution>, Option<i64>, i64, bool)> {
        let (problem, time) = (self.inner.clone(), seconds(time_limit)?);
        let work = move |answers: &SyncSender<_>, stop: &AtomicBool| {
            let limits = Limits {
                distinct: 1,
                ..limits(time, threads, stop)
            };
            let mut best = None;
            let mut take = |found: &Found<'_>| {
                best = Some(found.distinct.upright(&problem));
                ControlFlow::Continue(())
            };
            let fit = Fit::new(&problem).seeded(seed);
            let optimum = optimise::run(&fit, &Auto, &limits, &mut take);
            let _ = answers.send((best, optimum.value, optimum.bound, optimum.is_proven));
        };
        let (best, value, bound, is_proven) = Background::start(work)?.only(py)?;
        let best = best.map(|arrangement| Solution::new(&self.inner, arrangement, "1".into()));
        Ok((best, value, bound, is_proven))
    }

    /// Why there is no solution: the reasons, and whether none of them can be missed; `None` where
    /// there is one.
    #[pyo3(signature = (time_limit,))]
    fn why(
        &self,
        py: Python<'_>,
        time_limit: Option<f64>,
    ) -> PyResult<Option<(Vec<String>, bool)>> {
        let (problem, time) = (self.inner.clone(), seconds(time_limit)?);
        let work = move |answers: &SyncSender<_>, stop: &AtomicBool| {
            let _ = answers.send(reasons(&problem, &limits(time, None, stop)));
        };
        let answer = Background::start(work)?.only(py)?;
        answer.map_err(|status: RunStatus| SearchError::new_err(status.to_string()))
    }

    /// An SVG of the tiles, or of an arrangement.
    #[pyo3(signature = (solution))]
    fn draw(&self, solution: Option<&Solution>) -> String {
        let style = Style {
            names: Names::Turned,
            pictures: None,
            images: &[],
            has_legend: false,
            is_white: true,
        };
        let drawing: Drawing = match solution {
            None => edgematch_draw::tiles(&self.inner, &style),
            Some(solution) => {
                edgematch_draw::arrangement(&self.inner, &solution.arrangement, &style)
            }
        };
        drawing.svg
    }

    /// The allowed tuples of each type of seam, by its name.
    fn tables(&self) -> Vec<(String, Vec<Pair>)> {
        let value = |value: usize| {
            let kinds = &self.inner.kinds;
            let tile = kinds.kind_of(value).tiles[0];
            let mut looks = kinds.orientations_of(TileId(tile), ValueId(value));
            let tile = &self.inner.puzzle.tiles[tile];
            let word = looks.next().map_or(String::new(), |look| tile.word(look));
            (tile.name.clone(), word)
        };
        let tables = Tables::build(&self.inner);
        let all = tables.all().iter();
        all.map(|table| {
            let pairs = table.tuples().map(|(p, q)| (value(p), value(q)));
            (table.name.clone(), pairs.collect())
        })
        .collect()
    }

    /// The 0-1 model.
    #[pyo3(signature = (formulation, break_symmetry))]
    fn model(&self, formulation: &str, break_symmetry: bool) -> PyResult<Model> {
        Model::new(&self.inner, formulation, break_symmetry)
    }

    /// A solution from placements: names of tiles and rotations, in the order of the cells.
    fn arrange(&self, text: &str) -> PyResult<Vec<Solution>> {
        let read = load::read_solutions(text.as_bytes(), "the arrangement", &self.inner);
        let read = read.map_err(|error| refused(&error))?;
        let solution = |arrangement| Solution::new(&self.inner, arrangement, "1".into());
        Ok(read.into_iter().map(solution).collect())
    }

    /// An arrangement from the names of placements in the model.
    fn answer(&self, text: &str) -> PyResult<Solution> {
        let read = answer::Names::new(&self.inner).read(text.as_bytes(), "the values");
        let read = read.map_err(|error| refused(&error))?;
        let first = read.into_iter().next();
        let first = first.ok_or_else(|| PuzzleError::new_err("no arrangement"))?;
        Ok(Solution::new(&self.inner, first, "1".into()))
    }

    /// What an arrangement breaks; `None` where it fits.
    fn check(&self, solution: &Solution) -> Option<String> {
        let violation = solution::check(&self.inner, &solution.arrangement).err()?;
        Some(violation.describe(&self.inner))
    }
}

/// Counts that rule it out, or a smallest set of members.
fn reasons(problem: &Inner, limits: &Limits<'_>) -> Result<Option<(Vec<String>, bool)>, RunStatus> {
    let mut counted = counts(problem);
    if counted.is_empty() {
        counted.extend(counting::proof(problem));
    }
    if !counted.is_empty() {
        let words = counted.iter().map(|count| count.describe(problem));
        return Ok(Some((words.collect(), false)));
    }
    match why(problem, limits)? {
        Why::Solvable(_) => Ok(None),
        Why::Impossible { members, smallest } => Ok(Some((
            members_in_words(problem, &members),
            smallest.is_ok(),
        ))),
    }
}

fn members_in_words(problem: &Inner, members: &Members) -> Vec<String> {
    let board = &problem.board;
    let cell = |cell: usize| &board.cells()[cell].name;
    let constraints = members.constraints.iter();
    let constraints = constraints.map(|&index| {
        let constraint = &problem.constraints[index];
        format!("constraint {}: {}", index + 1, constraint.name())
    });
    let seams: Vec<_> = board.required().collect();
    let seams = members.seams.iter().map(|&index| {
        let [first, second] = seams[index].map(|(index, _)| cell(index));
        format!("seam {first} {second}")
    });
    let tiles = members.tiles.iter();
    let tiles = tiles.map(|&index| format!("tile {}", problem.puzzle.tiles[index].name));
    constraints.chain(seams).chain(tiles).collect()
}

/// The name of a cell as Python has it.
fn cell_name(py: Python<'_>, problem: &Inner, cell: usize) -> PyResult<Py<PyAny>> {
    Ok(match &problem.board.cells()[cell].name {
        CellName::At(row, column) => (*row, *column).into_pyobject(py)?.into_any().unbind(),
        CellName::Named(name) => name.into_pyobject(py)?.into_any().unbind(),
    })
}

fn refuse_failure(outcome: &Outcome) -> PyResult<()> {
    match &outcome.status {
        RunStatus::Complete | RunStatus::Stopped(_) => Ok(()),
        status => Err(SearchError::new_err(status.to_string())),
    }
}

/// What a search tells.
enum Event {
    Found {
        arrangement: Arrangement,
        solutions: String,
    },
    Ended(Box<Outcome>),
}

/// A search under way: an iterator over the distinct solutions.
#[pyclass(module = "edgematch._edgematch")]
pub struct Search {
    problem: Inner,
    events: Background<Event>,
    outcome: Option<Outcome>,
}

#[pymethods]
impl Search {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Solution>> {
        if self.outcome.is_some() {
            return Ok(None);
        }
        match self.events.next(py)? {
            Some(Event::Found {
                arrangement,
                solutions,
            }) => Ok(Some(Solution::new(&self.problem, arrangement, solutions))),
            Some(Event::Ended(outcome)) => {
                let failure = refuse_failure(&outcome);
                self.outcome = Some(*outcome);
                failure.map(|()| None)
            }
            None => Err(SearchError::new_err("the search ended without an answer")),
        }
    }

    /// Whether the search has ended with all solutions; `None` while it goes on.
    #[getter]
    fn complete(&self) -> Option<bool> {
        Some(self.outcome.as_ref()?.status.is_complete())
    }

    /// How it ended, in words; `None` while it goes on.
    #[getter]
    fn status(&self) -> Option<String> {
        Some(self.outcome.as_ref()?.status.to_string())
    }

    /// What it took: the engine, the nodes, the seconds; `None` while it goes on.
    #[getter]
    fn effort(&self) -> Option<(&'static str, u64, f64)> {
        let outcome = self.outcome.as_ref()?;
        Some((outcome.engine, outcome.work.nodes, outcome.seconds))
    }
}

/// An arrangement.
#[pyclass(frozen, module = "edgematch._edgematch")]
pub struct Solution {
    problem: Inner,
    arrangement: Arrangement,
    solutions: String,
}

impl Solution {
    fn new(problem: &Inner, arrangement: Arrangement, solutions: String) -> Solution {
        Solution {
            problem: problem.clone(),
            arrangement,
            solutions,
        }
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

    /// The labelled solutions that it stands for, as text, as they may be many.
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
