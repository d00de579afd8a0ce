//! The Python class `Search`, a running search, and the parameters of searches.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use edgematch::BigUint;
use edgematch::analyse::compare::named;
use edgematch::engine::{ENGINES, Engine, contenders};
use edgematch::enumerate::solution::expand;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome, RunStatus, StopReason};
use edgematch::problem::{Arrangement, Problem as Inner};
use edgematch::runtime::scheduler;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::background::{Background, Signals};
use crate::solution::PySolution;
use crate::{SearchError, unanswered};

/// Creates an engine, on the thread that runs it.
pub type MakeEngine = Box<dyn Fn() -> Box<dyn Engine> + Send>;

/// Finds an engine by its name, or a form of one by a prefix of its name in `compare`; the first of
/// several that match.
///
/// # Errors
/// If nothing matches.
pub fn engine_named(name: &str) -> PyResult<MakeEngine> {
    if let Some(kind) = ENGINES.iter().find(|kind| kind.name == name) {
        return Ok(Box::new(move || kind.usual()));
    }
    let names: Vec<String> = contenders().into_iter().map(|c| c.name).collect();
    let chosen = named(&names, &[name.to_owned()]).map_err(|_| {
        let names = ENGINES.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        PyValueError::new_err(format!("`{name}` is not an engine; the engines are {names}"))
    })?;
    let index = names.iter().position(|name| chosen.contains(name)).unwrap_or_default();
    Ok(Box::new(move || contenders().swap_remove(index).engine))
}

/// Converts a time limit in seconds; `None` means no limit. A negative or non-finite number is an
/// error.
pub fn seconds(limit: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds).map_err(|_| {
            let expected = "expected a number of seconds of at least 0, or None for no limit";
            PyValueError::new_err(format!("time_limit: {expected}, found {seconds}"))
        })
    };
    limit.map(read).transpose()
}

/// The limits of a run; setting the flag `stop` stops it. Without `threads`, one per core is used.
pub fn limits(time: Option<Duration>, threads: Option<usize>, stop: &AtomicBool) -> Limits<'_> {
    Limits {
        time,
        interrupt: Some(stop),
        threads: threads.unwrap_or_else(scheduler::available),
        ..Limits::default()
    }
}

/// Raises an error if the engine failed or does not support the board.
pub fn refuse_failure(outcome: &Outcome) -> PyResult<()> {
    match &outcome.status {
        RunStatus::Complete | RunStatus::Stopped(_) => Ok(()),
        status => Err(unanswered(status)),
    }
}

/// The parameters of a search.
pub struct SearchParameters {
    /// The engine.
    pub engine: MakeEngine,
    /// The number of distinct solutions; 0 for all.
    pub limit: u64,
    /// True to yield every solution instead of the distinct ones.
    pub is_expanded: bool,
    /// The time limit; `None` means no limit.
    pub time: Option<Duration>,
    /// The maximum number of threads; `None` means one per core.
    pub threads: Option<usize>,
}

/// An event of a search.
enum SearchEvent {
    /// An arrangement, with the number of solutions that it represents in hexadecimal digits.
    Found { arrangement: Arrangement, solutions: String },
    /// The end of the search.
    Ended(Box<Outcome>),
}

/// A running search: an iterator over the distinct solutions.
#[pyclass(name = "Search", frozen, module = "edgematch._edgematch")]
pub struct PySearch {
    problem: Arc<Inner>,
    events: Background<SearchEvent>,
    /// The result; empty while the search runs.
    outcome: OnceLock<Outcome>,
}

impl PySearch {
    /// Starts a search of `searched`, which is `problem` with its Python functions as constraints;
    /// these stop it through `signals`.
    pub fn start(
        problem: &Arc<Inner>,
        (searched, signals): (Arc<Inner>, Arc<Signals>),
        wanted: SearchParameters,
    ) -> PyResult<PySearch> {
        let work = move |events: &SyncSender<SearchEvent>, stop: &AtomicBool| {
            let outcome = wanted.search(&searched, events, stop);
            // If the iterator was dropped, nobody receives the end.
            let _ = events.send(SearchEvent::Ended(Box::new(outcome)));
        };
        Ok(PySearch {
            problem: Arc::clone(problem),
            events: Background::start(signals, work)?,
            outcome: OnceLock::new(),
        })
    }
}

impl SearchParameters {
    /// Runs the search and sends an event for each distinct solution or, if it is expanded, for each
    /// solution; stops if the receiver is dropped. The caller reports the end.
    fn search(
        &self,
        problem: &Inner,
        events: &SyncSender<SearchEvent>,
        stop: &AtomicBool,
    ) -> Outcome {
        let limits = Limits { distinct: self.limit, ..limits(self.time, self.threads, stop) };
        let mut take = |found: &NewSolution<'_>| {
            let distinct = found.distinct;
            let send = |arrangement: Arrangement, solutions: &BigUint| {
                let solutions = format!("{solutions:x}");
                match events.send(SearchEvent::Found { arrangement, solutions }) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(StopReason::Interrupted),
                }
            };
            if self.is_expanded {
                let mut all = expand(problem, &distinct.orbit);
                all.try_for_each(|arrangement| send(arrangement, &BigUint::from(1_u8)))
            } else {
                send(distinct.arrangement.clone(), &distinct.solutions)
            }
        };
        enumerate::run(problem, (self.engine)().as_ref(), &limits, &mut take)
    }
}

#[pymethods]
impl PySearch {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PySolution>> {
        if self.outcome.get().is_some() {
            return Ok(None);
        }
        match self.events.next(py)? {
            Some(SearchEvent::Found { arrangement, solutions }) => {
                Ok(Some(PySolution::new(&self.problem, arrangement, solutions)))
            }
            Some(SearchEvent::Ended(outcome)) => {
                let failure = self.events.raise().and(refuse_failure(&outcome));
                // Another thread cannot have received the end.
                let _ = self.outcome.set(*outcome);
                failure.map(|()| None)
            }
            None => Err(SearchError::new_err("the search ended without an answer")),
        }
    }

    /// Stops the search.
    fn close(&self) {
        self.events.stop();
    }

    /// True if the search has ended with all solutions; `None` while it runs.
    #[getter]
    fn complete(&self) -> Option<bool> {
        Some(self.outcome.get()?.status.is_complete())
    }

    /// The status in words; `None` while the search runs.
    #[getter]
    fn status(&self) -> Option<String> {
        Some(self.outcome.get()?.status.to_string())
    }

    /// The engine, the number of nodes and the time in seconds; `None` while the search runs.
    #[getter]
    fn effort(&self) -> Option<(&'static str, u64, f64)> {
        let Outcome { engine, work, seconds, .. } = self.outcome.get()?;
        let chosen = work.choice.as_ref().map_or(*engine, |choice| choice.engine);
        Some((chosen, work.nodes, *seconds))
    }
}
