//! Running an engine under limits.
//!
//! Every arrangement that the engine hands over is checked against the puzzle, brought into
//! canonical form and counted; then the caller sees it. The outcome has the counts, the work and a
//! [`RunStatus`] that says whether the enumeration is complete.
//!
//! ```
//! use edgematch::{engine::Milp, enumerate, load, model::Balance};
//! let problem = load::from_str("tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, a, a, a], 4: [a, a, a, a]}")?;
//! let mut solutions = Vec::new();
//! let outcome = enumerate::run(
//!     &problem,
//!     &Milp::new(&Balance),
//!     &enumerate::Limits::default(),
//!     &mut |found: &enumerate::Found<'_>| {
//!         solutions.push(found.distinct.clone());
//!         std::ops::ControlFlow::Continue(())
//!     },
//! );
//! assert!(outcome.status.is_complete());
//! assert_eq!(solutions.len(), 1);
//! assert_eq!(outcome.tally.solutions, 6144u32.into()); // 4! deals, each tile in 4 rotations
//! # Ok::<(), edgematch::load::LoadError>(())
//! ```

mod found;
pub mod halves;
mod seen;
pub mod solution;
mod solutions;
mod status;

use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use num_bigint::BigUint;

use self::found::Names;
pub use self::found::Solution;
use self::seen::{Full, Seen};
pub use self::solutions::{Solutions, Solved, solve};
pub use self::status::{Known, RunStatus};
use crate::engine::{Decided, Engine, EngineError, Host, Work};
use crate::enumerate::solution::{ArrangementError, Picture, StandsFor, check, stands_for_under};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::Flow;
pub use crate::runtime::limits::{CancelToken, Limits, Memory, MemoryLimit, StopReason};
use crate::runtime::{clock, scheduler};

/// What has been found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Solution arrangements.
    pub distinct: u64,
    /// Labelled solutions that they stand for.
    pub solutions: BigUint,
    /// Those up to the group.
    pub classes: BigUint,
}

/// A distinct arrangement as it is found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found<'a> {
    /// The arrangement.
    pub distinct: &'a Solution,
    /// The tally with this one.
    pub tally: &'a Tally,
    /// What the engine has done so far.
    pub work: &'a Work,
    /// The token of the run, for listeners that take long.
    pub token: &'a CancelToken<'a>,
}

/// Something better than before, where the best is sought.
#[derive(Debug)]
#[non_exhaustive]
pub struct Improvement<'a> {
    /// The arrangement, which obeys all that is asked for.
    pub arrangement: &'a Arrangement,
    /// The value of the aim that it reaches.
    pub value: i64,
    /// What nothing exceeds, as far as is known.
    pub bound: i64,
    /// What found it: a method that guesses, or an engine.
    pub method: &'static str,
    /// Seconds since the run began.
    pub seconds: f64,
}

/// What listens to an enumeration. A closure over [`Found`] is one.
pub trait Listener {
    /// Takes a new distinct arrangement. `Break` ends the enumeration.
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<StopReason>;

    /// Told now and then how far it is.
    fn progress(&mut self, _tally: &Tally, _work: &Work) {}

    /// Offered, before [`Listener::progress`], where the search [stands](crate::engine::Host::stands_at).
    fn stands_at(&mut self, _path: &dyn Fn() -> Vec<Decided>) {}

    /// Told that the search begins again, and why.
    fn begins_again(&mut self, _why: &str, _work: &Work) {}

    /// Told, where the best is sought, of something better than before.
    fn improved(&mut self, _better: &Improvement<'_>) {}

    /// Told now and then, where the best is sought, how many steps the methods have made.
    fn guessing(&mut self, _steps: u64) {}
}

impl<F: FnMut(&Found<'_>) -> ControlFlow<StopReason>> Listener for F {
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<StopReason> {
        self(found)
    }
}

/// What came out of an enumeration.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// The engine that ran.
    pub engine: &'static str,
    /// What of its options it ran with; empty where it has none.
    pub variant: String,
    /// How it ended.
    pub status: RunStatus,
    /// What was found.
    pub tally: Tally,
    /// What the engine did.
    pub work: Work,
    /// The same in a few words.
    pub effort: String,
    /// Seconds from the loaded puzzle to the verdict.
    pub seconds: f64,
}

/// Runs an engine on a problem until all is found or a limit is reached.
pub fn run(
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    run_under(&limits.token(), problem, engine, limits, listener)
}

/// The same as one of several runs that share a token.
pub(crate) fn run_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Outcome {
    let started = clock::now();
    let mut run = Run {
        problem,
        engine: engine.name(),
        token,
        limits,
        listener,
        names: OnceCell::new(),
        seen: Seen::default(),
        meets_each_once: false,
        tally: Tally::default(),
        ended: None,
    };
    let mut work = Work::default();
    let result = match engine.serves(problem) {
        Ok(()) => engine.run(problem, token, &mut run, &mut work),
        Err(reason) => Ok(run.end(RunStatus::NotServed(reason))),
    };
    let Run { tally, ended, .. } = run;
    let status = match (result, ended) {
        (Err(failure), _) => RunStatus::Failed(failure),
        (Ok(_), Some(status)) => status,
        (Ok(_), None) if token.stop_reason().is_some() => RunStatus::stopped_by(token),
        (Ok(ControlFlow::Continue(())), None) => RunStatus::Complete,
        // Nobody has asked it to stop.
        (Ok(ControlFlow::Break(())), None) => {
            RunStatus::Failed(EngineError::GaveUp { engine: engine.name().to_owned() })
        }
    };
    // Only a whole tree is explored whole.
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

/// A solution, or `None` where it is proven that there is none.
///
/// # Errors
/// How the run ended where it could not tell.
pub fn first(
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
) -> Result<Option<Arrangement>, RunStatus> {
    first_under(&limits.token(), problem, engine, limits)
}

/// The same as one of several runs that share a token.
pub(crate) fn first_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    engine: &dyn Engine,
    limits: &Limits<'_>,
) -> Result<Option<Arrangement>, RunStatus> {
    let limits = Limits { distinct: 1, ..*limits };
    let mut solution = None;
    let mut take = |found: &Found<'_>| {
        solution = Some(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    };
    match run_under(token, problem, engine, &limits, &mut take).status {
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => Ok(solution),
        status => Err(status),
    }
}

/// The host of one run.
struct Run<'a> {
    problem: &'a Problem,
    engine: &'static str,
    token: &'a CancelToken<'a>,
    limits: &'a Limits<'a>,
    listener: &'a mut dyn Listener,
    /// Collected for the first solution.
    names: OnceCell<Arc<Names>>,
    /// What was found while the engine could meet an arrangement again.
    seen: Seen,
    /// Whether it can't any more.
    meets_each_once: bool,
    tally: Tally,
    /// Set when the engine was asked to stop.
    ended: Option<RunStatus>,
}

impl Run<'_> {
    /// What was said once stands, however long an engine does not listen.
    fn goes_on(&self) -> Flow {
        if self.ended.is_some() || self.token.stop_reason().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn end(&mut self, status: RunStatus) -> Flow {
        self.ended = Some(status);
        ControlFlow::Break(())
    }

    /// Whether an arrangement is found for the first time; `Break` where there is no memory to
    /// tell.
    fn is_new(&mut self, canonical: &Picture) -> Flow<bool> {
        if self.meets_each_once {
            return ControlFlow::Continue(!self.seen.contains(canonical));
        }
        let token = self.token;
        match self.seen.insert(canonical, |bytes| token.may_take(bytes).is_continue()) {
            Ok(is_new) => ControlFlow::Continue(is_new),
            Err(Full) => {
                token.out_of_memory()?;
                ControlFlow::Continue(false)
            }
        }
    }

    fn refuse(&mut self, arrangement: &Arrangement) -> Option<EngineError> {
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
                    "the formula of constraint `{}` allows an arrangement that it refuses: {how}",
                    constraint.name()
                ),
            },
            None => EngineError::DoesNotFit { engine: self.engine.to_owned(), violation: how },
        })
    }
}

impl Host for Run<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow {
        self.goes_on()?;
        if let Some(failure) = self.refuse(arrangement) {
            return self.end(RunStatus::Failed(failure));
        }
        let orbit =
            Picture::new(self.problem, arrangement).orbit_under(self.token, self.problem)?;
        if !self.is_new(&orbit[0])? {
            return ControlFlow::Continue(());
        }
        let counted = stands_for_under(self.token, self.problem, &orbit[0], orbit.len())?;
        let StandsFor { solutions, classes } = counted;
        let names = Arc::clone(self.names.get_or_init(|| Arc::new(Names::new(self.problem))));
        let laid = orbit[0].arrangement(self.problem);
        let distinct = Solution { arrangement: laid, solutions, orbit, names };
        // It is the same to kinds and group as what passed: a constraint that refuses it depends on
        // more.
        if distinct.arrangement != *arrangement
            && let Err(violation) = check(self.problem, &distinct.arrangement)
        {
            let violation = violation.describe(self.problem);
            let message = format!(
                "a constraint refuses an arrangement, and allows another one that its formula and \
                 its dependence treat alike: {violation}"
            );
            return self.end(RunStatus::Failed(EngineError::Constraint { message }));
        }
        self.tally.distinct += 1;
        self.tally.solutions += &distinct.solutions;
        self.tally.classes += classes;
        let found = Found { distinct: &distinct, tally: &self.tally, work, token: self.token };
        match self.listener.found(&found) {
            ControlFlow::Break(stop) => self.end(RunStatus::Stopped(stop)),
            ControlFlow::Continue(()) if self.tally.distinct == self.limits.distinct => {
                self.end(RunStatus::Stopped(StopReason::Enough))
            }
            // A listener may take long, as one that draws does.
            ControlFlow::Continue(()) => self.token.poll(),
        }
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.goes_on()?;
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

    fn stands_at(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.listener.stands_at(path);
    }

    fn begins_again(&mut self, why: &str, work: &Work) {
        self.listener.begins_again(why, work);
    }

    fn threads(&self) -> usize {
        if scheduler::ARE_THERE { self.limits.threads.max(1) } else { 1 }
    }

    /// Where labelled solutions look alike, one arrangement stands for several of them.
    fn meets_each_once(&mut self) {
        self.meets_each_once = !self.problem.has_tiles_alike();
    }
}
