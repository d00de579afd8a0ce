//! Runs an engine under limits.
//!
//! Every arrangement from the engine is checked against the puzzle, brought into canonical form,
//! counted, and passed to the caller. The outcome has the counts, the work, and a [`RunStatus`]
//! that states if the enumeration is complete.
//!
//! ```
//! use edgematch::{engine::Milp, enumerate, load, model::Balance};
//! let problem = load::from_str("tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, a, a, a], 4: [a, a, a, a]}")?;
//! let mut solutions = Vec::new();
//! let outcome = enumerate::run(
//!     &problem,
//!     &Milp::new(&Balance),
//!     &enumerate::Limits::default(),
//!     &mut |found: &enumerate::NewSolution<'_>| {
//!         solutions.push(found.distinct.clone());
//!         std::ops::ControlFlow::Continue(())
//!     },
//! );
//! assert!(outcome.status.is_complete());
//! assert_eq!(solutions.len(), 1);
//! assert_eq!(outcome.tally.solutions, 6144u32.into()); // 4! deals, each tile in 4 rotations
//! # Ok::<(), edgematch::load::LoadError>(())
//! ```

mod apart;
mod count;
mod found;
pub mod frontier;
mod seen;
mod series;
pub mod solution;
mod solutions;
mod status;
pub mod up_to;

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use num_bigint::BigUint;

pub use self::apart::run_apart;
pub(crate) use self::apart::run_apart_under;
pub use self::count::{Method, assign_at_random, count, count_up_to, marginals, sample};
use self::found::PuzzleNames;
pub use self::found::Solution;
pub use self::frontier::Marginals;
use self::seen::Seen;
pub use self::seen::first_half;
pub(crate) use self::series::Series;
pub use self::solutions::{Solutions, Solved, solve};
pub use self::status::{Conclusion, RunStatus};
use crate::engine::{Decided, Engine, EngineError, Host, Work};
use crate::enumerate::solution::{
    ArrangementError, StandsFor, ValueArrangement, check, stands_for_under,
};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::Flow;
pub use crate::runtime::limits::{CancelToken, Limits, Memory, MemoryLimit, StopReason};
use crate::runtime::{clock, scheduler};

/// The counts of the solutions found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// The number of distinct solutions: images under the group, and exchanges of tiles that look
    /// the same, count once.
    pub distinct: BigUint,
    /// The number of labelled solutions that they represent: images under the group, and exchanges
    /// of twins, count separately.
    pub solutions: BigUint,
    /// The number of labelled solutions, with all images under the group counted once.
    pub classes: BigUint,
}

impl Tally {
    /// The number of distinct arrangements; `u64::MAX` if there are more. A run that lists them
    /// never reaches it.
    pub fn listed(&self) -> u64 {
        u64::try_from(&self.distinct).unwrap_or(u64::MAX)
    }
}

/// A newly found distinct solution, as passed to a [`Listener`].
#[derive(Debug)]
#[non_exhaustive]
pub struct NewSolution<'a> {
    /// The solution.
    pub distinct: &'a Solution,
    /// The tally, including this solution.
    pub tally: &'a Tally,
    /// The work of the engine so far.
    pub work: &'a Work,
    /// The token of the run, for listeners that take long.
    pub token: &'a CancelToken<'a>,
}

/// An improved incumbent of an optimisation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Improvement<'a> {
    /// The arrangement, which satisfies all constraints.
    pub arrangement: &'a Arrangement,
    /// The index of the objective. Those before it have reached their optimum.
    pub objective: usize,
    /// The value of this objective for the arrangement.
    pub value: i64,
    /// The best proven upper bound of the objective.
    pub bound: i64,
    /// The method or engine that found it.
    pub method: &'static str,
    /// Seconds since the start of the run.
    pub seconds: f64,
}

/// The observer of an enumeration or optimisation. Closures over [`NewSolution`] implement it.
pub trait Listener {
    /// Receives a new distinct solution; `Break` ends the enumeration with the given reason.
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason>;

    /// Receives the progress from time to time.
    fn progress(&mut self, _tally: &Tally, _work: &Work) {}

    /// Receives the current [search path](crate::engine::Host::report_path), before
    /// [`Listener::progress`].
    fn report_path(&mut self, _path: &dyn Fn() -> Vec<Decided>) {}

    /// Called with the reason when the search restarts.
    fn report_restart(&mut self, _why: &str, _work: &Work) {}

    /// Receives an improved incumbent of an optimisation.
    fn improved(&mut self, _better: &Improvement<'_>) {}

    /// Receives the total number of steps of the heuristic methods from time to time.
    fn guessing(&mut self, _steps: u64) {}
}

impl<F: FnMut(&NewSolution<'_>) -> ControlFlow<StopReason>> Listener for F {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self(found)
    }
}

/// The result of an enumeration.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The name of the engine that ran.
    pub engine: &'static str,
    /// Its non-default options; empty if there are none.
    pub variant: String,
    /// The final status.
    pub status: RunStatus,
    /// The counts of the solutions found.
    pub tally: Tally,
    /// The work of the engine.
    pub work: Work,
    /// The work in words, such as `34 nodes`.
    pub effort: String,
    /// The time of the run in seconds, without loading the puzzle.
    pub seconds: f64,
}

/// Runs an engine on a problem until the enumeration is complete, a limit is reached, the listener
/// ends it or the engine fails; the outcome states which.
pub fn run(
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    run_under(&limits.token(), problem, engine, limits, listener)
}

/// Like [`run`], with a token that other runs share.
pub fn run_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    let started = clock::now();
    let mut run = RunHost {
        problem,
        engine: engine.name(),
        token,
        limits,
        listener,
        names: OnceCell::new(),
        seen: Seen::default(),
        has_no_duplicates: false,
        tally: Tally::default(),
        ended: None,
    };
    let mut work = Work::default();
    let result = match engine.serves(problem) {
        Ok(()) => engine.run(problem, token, &mut run, &mut work),
        Err(reason) => Ok(run.end(RunStatus::Unsupported(reason))),
    };
    let RunHost { tally, ended, .. } = run;
    let status = match (result, ended) {
        (Err(failure), _) => RunStatus::Failed(failure),
        (Ok(_), Some(status)) => status,
        (Ok(_), None) if token.stop_reason().is_some() => RunStatus::stopped_by(token),
        (Ok(ControlFlow::Continue(())), None) => RunStatus::Complete,
        // The engine stopped although no stop was requested.
        (Ok(ControlFlow::Break(())), None) => {
            RunStatus::Failed(EngineError::GaveUp { engine: engine.name().to_owned() })
        }
    };
    // The share of an unfinished search stays below 1, so a complete run sets it.
    if status.is_complete() {
        work.explored = work.explored.map(|_| 1.0);
    }
    Outcome {
        engine: engine.name(),
        variant: engine.variant(),
        status,
        tally,
        effort: engine.effort(&work),
        work,
        seconds: started.elapsed().as_secs_f64(),
    }
}

/// Finds one solution; `None` if it is proven that there is none.
///
/// # Errors
/// The status of the run if it ended without an answer.
pub fn first(
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
) -> Result<Option<Arrangement>, RunStatus> {
    first_under(&limits.token(), problem, engine, limits, &mut |_| ())
}

/// Like [`first`], with a token that other runs share, and a function that receives the progress.
pub fn first_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    progress: &mut dyn FnMut(&Work),
) -> Result<Option<Arrangement>, RunStatus> {
    let limits = Limits { distinct: 1, ..*limits };
    let mut taker = FirstTaker { solution: None, progress };
    match run_under(token, problem, engine, &limits, &mut taker).status {
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => Ok(taker.solution),
        status => Err(status),
    }
}

/// A listener that keeps the first solution.
struct FirstTaker<'a> {
    solution: Option<Arrangement>,
    progress: &'a mut dyn FnMut(&Work),
}

impl Listener for FirstTaker<'_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.solution = Some(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _tally: &Tally, work: &Work) {
        (self.progress)(work);
    }
}

/// The host of one run.
struct RunHost<'a> {
    problem: &'a Problem,
    engine: &'static str,
    token: &'a CancelToken<'a>,
    limits: &'a Limits<'a>,
    listener: &'a mut dyn Listener,
    /// The names of the puzzle, shared by all solutions; set at the first one.
    names: OnceCell<Arc<PuzzleNames>>,
    /// The arrangements found while the engine may report duplicates.
    seen: Seen,
    /// True once the engine promises to report each arrangement only once.
    has_no_duplicates: bool,
    tally: Tally,
    /// Set when the run stops the engine.
    ended: Option<RunStatus>,
}

impl RunHost<'_> {
    /// Breaks if the run has ended. Engines that ignored the first `Break` get it again.
    fn check_running(&self) -> Flow {
        if self.ended.is_some() || self.token.stop_reason().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Sets the final status of the run and returns `Break`.
    fn end(&mut self, status: RunStatus) -> Flow {
        self.ended = Some(status);
        ControlFlow::Break(())
    }

    /// Returns true if the canonical form was not found before, and remembers it if the engine may
    /// repeat it. Breaks if that would exceed the memory limit.
    fn is_new(&mut self, canonical: &ValueArrangement) -> Flow<bool> {
        if self.has_no_duplicates {
            return ControlFlow::Continue(!self.seen.contains(canonical));
        }
        self.seen.insert(canonical, self.token)
    }

    /// Checks an arrangement of the engine. Returns the error of the engine or constraint if it is
    /// not a solution, otherwise `None`.
    fn find_error(&mut self, arrangement: &Arrangement) -> Option<EngineError> {
        let violation = check(self.problem, arrangement).err()?;
        let how = violation.describe(self.problem);
        let mut constraints = match violation {
            ArrangementError::Constraint { .. } => self.problem.constraints.iter(),
            _ => [].iter(),
        };
        let loose = constraints.find(|c| self.problem.has_loose_formula(&***c, arrangement));
        Some(match loose {
            Some(constraint) => EngineError::Constraint {
                message: format!(
                    "the formula of constraint `{}` allows an arrangement that the constraint rejects: {how}",
                    constraint.name()
                ),
            },
            None => EngineError::DoesNotFit { engine: self.engine.to_owned(), violation: how },
        })
    }
}

impl Host for RunHost<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow {
        self.check_running()?;
        if let Some(failure) = self.find_error(arrangement) {
            return self.end(RunStatus::Failed(failure));
        }
        let orbit = ValueArrangement::new(self.problem, arrangement)
            .orbit_under(self.token, self.problem)?;
        if !self.is_new(&orbit[0])? {
            return ControlFlow::Continue(());
        }
        let counted = stands_for_under(self.token, self.problem, &orbit[0], orbit.len())?;
        let StandsFor { solutions, classes } = counted;
        let names = Arc::clone(self.names.get_or_init(|| Arc::new(PuzzleNames::new(self.problem))));
        let mut upright = (orbit[0].upright(self.problem), &orbit[0]);
        for image in &orbit[1..] {
            self.token.work(self.problem.board.size())?;
            let number = image.upright(self.problem);
            if number > upright.0 {
                upright = (number, image);
            }
        }
        let upright = upright.1.arrangement(self.problem);
        let canonical = orbit[0].arrangement(self.problem);
        let distinct = Solution { arrangement: upright, canonical, solutions, orbit, names };
        // The canonical form is equivalent to the accepted arrangement under kinds and group. A
        // constraint that rejects it depends on more than it declares.
        if distinct.canonical != *arrangement
            && let Err(violation) = check(self.problem, &distinct.canonical)
        {
            let violation = violation.describe(self.problem);
            let message = format!(
                "a constraint rejects one of two arrangements that are equivalent according to its \
                 formula and its declared dependence: {violation}"
            );
            return self.end(RunStatus::Failed(EngineError::Constraint { message }));
        }
        self.tally.distinct += 1u32;
        self.tally.solutions += &distinct.solutions;
        self.tally.classes += classes;
        let found =
            NewSolution { distinct: &distinct, tally: &self.tally, work, token: self.token };
        match self.listener.found(&found) {
            ControlFlow::Break(stop) => self.end(RunStatus::Stopped(stop)),
            ControlFlow::Continue(()) if self.tally.listed() == self.limits.distinct => {
                self.end(RunStatus::Stopped(StopReason::Enough))
            }
            // The listener may have taken long, for example to draw, so the limits are checked.
            ControlFlow::Continue(()) => self.token.poll(),
        }
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.check_running()?;
        self.token.poll()?;
        self.token.may_take(0)?;
        if let Some(most) = self.limits.nodes
            && work.nodes >= most
        {
            return self.end(RunStatus::Stopped(StopReason::Nodes(most)));
        }
        self.listener.progress(&self.tally, work);
        ControlFlow::Continue(())
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.listener.report_path(path);
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        self.listener.report_restart(why, work);
    }

    fn threads(&self) -> usize {
        if scheduler::HAS_THREADS { self.limits.threads.max(1) } else { 1 }
    }

    /// Ignored if some tiles look the same: labelled solutions that differ then may have the same
    /// canonical form.
    fn promise_no_duplicates(&mut self) {
        self.has_no_duplicates = !self.problem.has_tiles_alike();
    }
}
