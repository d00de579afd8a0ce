//! A search under way, and what searches are told.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use edgematch::analyse::compare::named;
use edgematch::engine::{ENGINES, Engine, EngineKind, contenders};
use edgematch::enumerate::{self, Found, Limits, Outcome, RunStatus, StopReason};
use edgematch::problem::{Arrangement, Problem as Inner};
use edgematch::runtime::scheduler;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::SearchError;
use crate::background::{Background, Signals};
use crate::solution::Solution;

/// An engine that was found by its name. It is made on the thread that it stays on.
pub enum NamedEngine {
    /// In its usual form.
    Usual(&'static EngineKind),
    /// At this place among those that are compared.
    Compared(usize),
}

impl NamedEngine {
    /// The engine.
    pub fn make(&self) -> Box<dyn Engine> {
        match self {
            NamedEngine::Usual(kind) => kind.usual(),
            NamedEngine::Compared(index) => contenders().swap_remove(*index).engine,
        }
    }
}

/// The engine of a name, or of the beginning of the name of one of its forms.
pub fn engine_named(name: &str) -> PyResult<NamedEngine> {
    if let Some(kind) = ENGINES.iter().find(|kind| kind.name == name) {
        return Ok(NamedEngine::Usual(kind));
    }
    let names: Vec<String> = contenders().into_iter().map(|c| c.name).collect();
    let chosen = named(&names, &[name.to_owned()]).map_err(PyValueError::new_err)?;
    let index = names.iter().position(|name| chosen.contains(name));
    Ok(NamedEngine::Compared(index.unwrap_or_default()))
}

/// A time that Python gives in seconds.
pub fn seconds(limit: Option<f64>) -> PyResult<Option<Duration>> {
    let read = |seconds| {
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("time_limit: expected seconds, at least 0"))
    };
    limit.map(read).transpose()
}

/// Limits of a run that the flag ends.
pub fn limits(time: Option<Duration>, threads: Option<usize>, stop: &AtomicBool) -> Limits<'_> {
    Limits {
        time,
        interrupt: Some(stop),
        threads: threads.unwrap_or_else(scheduler::available),
        ..Limits::default()
    }
}

/// Refuses what an engine made of it, where it failed or does not serve the board.
pub fn refuse_failure(outcome: &Outcome) -> PyResult<()> {
    match &outcome.status {
        RunStatus::Complete | RunStatus::Stopped(_) => Ok(()),
        status => Err(SearchError::new_err(status.to_string())),
    }
}

/// What is searched for, and how.
pub struct Wanted {
    /// By this engine.
    pub engine: NamedEngine,
    /// So many distinct ones; 0 for all.
    pub limit: u64,
    /// Whether each symmetric image is handed out.
    pub every_turn: bool,
    /// Within this time.
    pub time: Option<Duration>,
    /// On at most so many threads.
    pub threads: Option<usize>,
}

/// What a search tells.
enum Event {
    Found { arrangement: Arrangement, solutions: String },
    Ended(Box<Outcome>),
}

/// A search under way: an iterator over the distinct solutions.
#[pyclass(module = "edgematch._edgematch")]
pub struct Search {
    problem: Arc<Inner>,
    events: Background<Event>,
    outcome: Option<Outcome>,
}

impl Search {
    /// Begins one, of the problem with what functions ask for.
    pub fn start(
        problem: &Arc<Inner>,
        (searched, signals): (Arc<Inner>, Arc<Signals>),
        wanted: Wanted,
    ) -> PyResult<Search> {
        let work = move |events: &SyncSender<Event>, stop: &AtomicBool| {
            let outcome = wanted.search(&searched, events, stop);
            // Where nobody wants the rest any more, nobody takes it.
            let _ = events.send(Event::Ended(Box::new(outcome)));
        };
        Ok(Search {
            problem: Arc::clone(problem),
            events: Background::start(signals, work)?,
            outcome: None,
        })
    }
}

impl Wanted {
    fn search(&self, problem: &Inner, events: &SyncSender<Event>, stop: &AtomicBool) -> Outcome {
        let limits = Limits { distinct: self.limit, ..limits(self.time, self.threads, stop) };
        let mut take = |found: &Found<'_>| {
            let distinct = found.distinct;
            let arrangements: Vec<Arrangement> = if self.every_turn {
                let images = distinct.orbit.iter();
                images.map(|image| image.arrangement(problem)).collect()
            } else {
                vec![distinct.upright(problem)]
            };
            let solutions = format!("{:x}", &distinct.solutions / arrangements.len());
            for arrangement in arrangements {
                let solutions = solutions.clone();
                let event = Event::Found { arrangement, solutions };
                if events.send(event).is_err() {
                    return ControlFlow::Break(StopReason::Interrupted);
                }
            }
            ControlFlow::Continue(())
        };
        enumerate::run(problem, self.engine.make().as_ref(), &limits, &mut take)
    }
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
            Some(Event::Found { arrangement, solutions }) => {
                Ok(Some(Solution::new(&self.problem, arrangement, solutions)))
            }
            Some(Event::Ended(outcome)) => {
                let failure = self.events.raise().and(refuse_failure(&outcome));
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
