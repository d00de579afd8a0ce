//! An iterator over solutions.
//!
//! ```
//! use edgematch::engine::Milp;
//! # let text = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}";
//! let problem = edgematch::load::from_str(text)?;
//! let mut solutions = problem.solutions().with_engine(Milp::default()).with_most(3);
//! for solution in &mut solutions {
//!     println!("{:?}", solution.arrangement);
//! }
//! let outcome = solutions.outcome().expect("it has ended");
//! assert!(!outcome.status.is_complete(), "there may be more than three");
//! # Ok::<(), edgematch::load::LoadError>(())
//! ```

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;
use std::{fmt, vec};

use super::{
    Limits, MemoryLimit, NewSolution, Outcome, RunStatus, Solution, StopReason, Tally, run,
};
use crate::engine::{Auto, Engine, EngineError, Work};
use crate::problem::Problem;
use crate::runtime::clock::{self, Instant};
use crate::runtime::scheduler::{self, message_of};

/// The solutions of a search, and its outcome.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Solved {
    /// The distinct solutions in the order in which they were found.
    pub solutions: Vec<Solution>,
    /// The status and the work of the search.
    pub outcome: Outcome,
}

/// Finds every distinct solution of a problem with [`Auto`] on this thread, without limits.
/// [`Problem::solutions`] offers limits and other engines.
///
/// ```
/// let text = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}";
/// let solved = edgematch::solve(&edgematch::load::from_str(text)?);
/// assert!(solved.outcome.status.is_complete());
/// assert_eq!(solved.solutions.len(), 5);
/// # Ok::<(), edgematch::load::LoadError>(())
/// ```
pub fn solve(problem: &Problem) -> Solved {
    problem.solutions().all()
}

impl Problem {
    /// An iterator over the distinct solutions, by default from [`Auto`] on one thread and without
    /// limits. The search begins with the first call of `next`; when it has ended,
    /// [`Solutions::outcome`] returns its outcome.
    pub fn solutions(&self) -> Solutions {
        Solutions {
            search: SearchRequest {
                problem: Arc::new(self.clone()),
                engine: Arc::new(Auto),
                limits: Limits::default(),
            },
            state: IterationState::Waiting,
        }
    }
}

/// An iterator over the distinct solutions of a problem, created by [`Problem::solutions`].
///
/// The search runs on a separate thread, one solution ahead. If several threads share it, it may be
/// ahead by a few megabytes of solutions. If no thread can be started, the search runs to its end
/// or limits before the first solution is returned. Dropping the iterator ends the search.
///
/// `None` is the end for any reason: [`outcome`](Solutions::outcome) distinguishes a complete
/// search, a limit, and a failure of the engine.
#[must_use = "the search starts when the first solution is requested"]
pub struct Solutions {
    search: SearchRequest,
    state: IterationState,
}

/// The problem, engine and limits of a search.
#[derive(Clone)]
struct SearchRequest {
    problem: Arc<Problem>,
    engine: Arc<dyn Engine + Send + Sync>,
    limits: Limits<'static>,
}

enum IterationState {
    /// The search has not begun.
    Waiting,
    Searching(Searching),
    /// The search has ended; some solutions may not be returned yet.
    Ended(vec::IntoIter<Solution>, Box<Outcome>),
}

impl Solutions {
    /// Sets the engine.
    ///
    /// # Panics
    /// Like every `with_` method, if the search has begun.
    pub fn with_engine(self, engine: impl Engine + Send + Sync + 'static) -> Solutions {
        self.configure(|search| search.engine = Arc::new(engine))
    }

    /// Sets the maximum number of threads. It affects neither the solutions nor their order.
    pub fn with_threads(self, threads: usize) -> Solutions {
        self.configure(|search| search.limits.threads = threads)
    }

    /// Sets the number of distinct solutions after which the search stops; 0 for no limit.
    pub fn with_most(self, distinct: u64) -> Solutions {
        self.configure(|search| search.limits.distinct = distinct)
    }

    /// Sets the time limit, counted from the first call of `next`. It includes the time that the
    /// caller takes between calls.
    pub fn with_time_limit(self, time: Duration) -> Solutions {
        self.configure(|search| search.limits.time = Some(time))
    }

    /// Sets the maximum number of [nodes](crate::engine::Work::nodes).
    pub fn with_node_limit(self, nodes: u64) -> Solutions {
        self.configure(|search| search.limits.nodes = Some(nodes))
    }

    /// Sets the memory of the process at which the search stops.
    pub fn with_memory_limit(self, memory: MemoryLimit) -> Solutions {
        self.configure(|search| search.limits.memory = memory)
    }

    /// Changes the settings of the search; panics if it has begun.
    fn configure(mut self, change: impl FnOnce(&mut SearchRequest)) -> Solutions {
        let has_begun = !matches!(self.state, IterationState::Waiting);
        assert!(!has_begun, "the search has started; its settings can no longer be changed");
        change(&mut self.search);
        self
    }

    /// The outcome of the search; `None` while it runs or solutions are left to be returned.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.state {
            IterationState::Ended(left, outcome) if left.len() == 0 => Some(outcome),
            _ => None,
        }
    }

    /// Continues the search until it is complete or a limit is reached; returns the solutions that
    /// the iterator has not returned yet.
    pub fn all(self) -> Solved {
        match self.state {
            IterationState::Waiting => self.search.all(),
            IterationState::Searching(searching) => searching.all(),
            IterationState::Ended(left, outcome) => {
                Solved { solutions: left.collect(), outcome: *outcome }
            }
        }
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        loop {
            match &mut self.state {
                IterationState::Waiting => self.state = self.search.start(),
                IterationState::Searching(searching) => match searching.next() {
                    Some(found) => return Some(found),
                    None => {
                        let outcome = Box::new(searching.end());
                        self.state = IterationState::Ended(Vec::new().into_iter(), outcome);
                    }
                },
                IterationState::Ended(left, _) => return left.next(),
            }
        }
    }
}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions")
            .field("puzzle", &self.search.problem.puzzle.name)
            .field("engine", &self.search.engine.name())
            .field("limits", &self.search.limits)
            .finish_non_exhaustive()
    }
}

impl SearchRequest {
    /// Runs the whole search on this thread; returns its solutions and its outcome.
    fn all(&self) -> Solved {
        let mut solutions = Vec::new();
        let mut keep = |found: &NewSolution<'_>| {
            solutions.push(found.distinct.clone());
            ControlFlow::Continue(())
        };
        let outcome = run(&self.problem, &*self.engine, &self.limits, &mut keep);
        Solved { solutions, outcome }
    }

    /// Starts the search on a separate thread. If no thread can be started, runs the whole search
    /// on this one.
    fn start(&self) -> IterationState {
        let (sender, found) = sync_channel(0);
        let is_cancelled = Arc::new(AtomicBool::new(false));
        let search = self.clone();
        let flag = Arc::clone(&is_cancelled);
        match scheduler::start(move || search.send_solutions(&sender, &flag)) {
            Ok(thread) => IterationState::Searching(Searching {
                found: Some(found),
                is_cancelled,
                thread: Some(thread),
                engine: self.engine.name(),
                started: clock::now(),
            }),
            Err(_) => {
                let Solved { solutions, outcome } = self.all();
                IterationState::Ended(solutions.into_iter(), Box::new(outcome))
            }
        }
    }

    /// Runs the search and sends every solution, until the search ends, the receiver is dropped or
    /// the flag is set.
    fn send_solutions(&self, to: &SyncSender<Solution>, is_cancelled: &AtomicBool) -> Outcome {
        let limits = Limits { interrupt: Some(is_cancelled), ..self.limits };
        let mut send_solutions = |found: &NewSolution<'_>| match to.send(found.distinct.clone()) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(StopReason::Interrupted),
        };
        run(&self.problem, &*self.engine, &limits, &mut send_solutions)
    }
}

/// A search on a separate thread.
struct Searching {
    /// The channel of solutions; `None` after the search has ended.
    found: Option<Receiver<Solution>>,
    is_cancelled: Arc<AtomicBool>,
    thread: Option<JoinHandle<Outcome>>,
    engine: &'static str,
    started: Instant,
}

impl Searching {
    /// Waits for the next solution; `None` if the search has ended.
    fn next(&mut self) -> Option<Solution> {
        self.found.as_ref()?.recv().ok()
    }

    /// Waits for the search to end; returns the solutions that were not taken yet, and the outcome.
    fn all(mut self) -> Solved {
        let solutions = self.found.iter().flatten().collect();
        Solved { solutions, outcome: self.end() }
    }

    /// Stops receiving, waits for the thread and returns its outcome; a panic becomes a failed
    /// outcome.
    fn end(&mut self) -> Outcome {
        self.found = None;
        let panic = match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => return outcome,
            Some(Err(panic)) => message_of(&*panic),
            None => String::new(),
        };
        Outcome {
            engine: self.engine,
            variant: String::new(),
            status: RunStatus::Failed(EngineError::Thread {
                message: format!("the engine panicked: {panic}"),
            }),
            tally: Tally::default(),
            work: Work::default(),
            effort: String::new(),
            seconds: self.started.elapsed().as_secs_f64(),
        }
    }
}

impl Drop for Searching {
    fn drop(&mut self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.found = None;
        if let Some(thread) = self.thread.take() {
            // The outcome is no longer needed.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::engine::{Backtrack, Propagate};
    use crate::samples;

    fn small() -> Problem {
        samples::problem(Board::grid(1, 2), "tiles: 1: [a+, b, b, c], 2: [c, c, a-, b]")
    }

    /// A problem with 12! solutions: twelve tiles that match in any order in a row.
    fn endless() -> Problem {
        let tiles: Vec<String> = (1..=12).map(|n| format!("{n}: [a, x{n}, a, x{n}]")).collect();
        let tiles = tiles.join(", ");
        let row = samples::tiles(Board::grid(1, 12), &format!("tiles: {tiles}"));
        row.without_turning().build().unwrap()
    }

    #[test]
    fn one_after_another_is_all_at_once() {
        let problem = small();
        let all = solve(&problem);
        let mut solutions = problem.solutions().with_engine(Propagate).with_threads(2);
        assert!(solutions.outcome().is_none());
        let one_by_one: Vec<Solution> = solutions.by_ref().collect();
        assert_eq!(one_by_one, all.solutions);
        let outcome = solutions.outcome().expect("it has ended");
        assert!(outcome.status.is_complete());
        assert_eq!(outcome.tally, all.outcome.tally);
        assert_eq!(solutions.next(), None);
    }

    #[test]
    fn the_rest_is_what_was_not_handed_out() {
        let mut solutions = small().solutions().with_engine(Backtrack::Fast);
        solutions.next().expect("there are five");
        let rest = solutions.all();
        assert_eq!(rest.solutions.len(), 4);
        assert_eq!(rest.outcome.tally.listed(), 5);
    }

    #[test]
    fn a_limit_is_told() {
        let solved = small().solutions().with_most(2).all();
        assert_eq!(solved.solutions.len(), 2);
        assert_eq!(solved.outcome.status, RunStatus::Stopped(StopReason::Enough));
        let no_time = small().solutions().with_time_limit(Duration::ZERO).all();
        assert!(!no_time.outcome.status.is_complete());
    }

    #[test]
    fn a_search_that_nobody_wants_any_more_ends() {
        let mut solutions = endless().solutions();
        assert!(solutions.next().is_some());
        // Waits for the search, which finds more than is read.
        drop(solutions);
    }
}
