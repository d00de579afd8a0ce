//! Measures a puzzle: the number of its classes of solutions, and the tries of a plain search per
//! solution.

use std::ops::ControlFlow;

use num_bigint::BigUint;

use crate::engine::{Backtrack, Engine, Host, Order, Propagate, Work};
use crate::enumerate::{self, Limits, NewSolution, RunStatus, StopReason};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// The maximum number of `propagate` nodes before only a lower bound is reported.
const MOST_NODES: u64 = 100_000;
/// The maximum of nodes × cells, for large boards, whose nodes take longer.
const MOST_NODES_TIMES_CELLS: u64 = 10_000_000;

/// The maximum number of tries before only a lower bound is reported.
const MOST_TRIES: u64 = 5_000_000;

/// The number of classes after which only a lower bound is reported.
const MOST_CLASSES: u64 = 100_000;

/// A number that is either exact or a lower bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtLeast<T> {
    /// The number, as far as it was counted.
    pub number: T,
    /// True if the number is exact, false if it is only a lower bound.
    pub is_all: bool,
}

/// The measurements of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// The number of solutions, where those that a symmetry of the board maps to each other count
    /// once.
    pub classes: AtLeast<BigUint>,
    /// The number of distinct solutions.
    pub distinct: AtLeast<u64>,
    /// The number of `propagate` decisions needed to find all solutions; `None` if that engine does
    /// not support the board.
    pub nodes: Option<AtLeast<u64>>,
    /// The number of placements that `backtrack --scan --order rows` tests to find all solutions;
    /// `None` if tries were not counted.
    pub tries: Option<AtLeast<u64>>,
}

impl Measured {
    /// Measures a puzzle, including its tries. Counts are cut off and reported as lower bounds
    /// after 100,000 classes, 5,000,000 tries, or the maximum number of nodes.
    ///
    /// # Errors
    /// The status of the run if the limits ended it or an engine failed.
    pub fn new(problem: &Problem, limits: &Limits<'_>) -> Result<Measured, RunStatus> {
        let token = &limits.token();
        measure(problem, None, limits, token)?.with_tries(problem, token)
    }

    /// Adds the number of tries, which takes longer to count than everything else.
    ///
    /// # Errors
    /// The status of the run if the token stopped it or the engine failed.
    pub(super) fn with_tries(
        self,
        problem: &Problem,
        token: &CancelToken<'_>,
    ) -> Result<Measured, RunStatus> {
        let tries = Some(count_tries(problem, MOST_TRIES, token)?);
        Ok(Measured { tries, ..self })
    }

    /// The number of tries per distinct arrangement, the measure of difficulty in the largest
    /// catalogue of commercial puzzles; without a solution, the number of all tries. `None` if the
    /// number of solutions is not exact or tries were not counted.
    pub fn difficulty(&self) -> Option<AtLeast<f64>> {
        let tries = self.tries.filter(|_| self.distinct.is_all)?;
        Some(AtLeast {
            number: tries.number as f64 / self.distinct.number.max(1) as f64,
            is_all: tries.is_all,
        })
    }
}

/// A named range of difficulties.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// The name on the command line.
    pub name: &'static str,
    /// The inclusive lower bound, in tries per distinct arrangement.
    pub from: f64,
    /// The exclusive upper bound; infinite for the last band.
    pub to: f64,
}

/// The bands in ascending order. Each contains a third of the commercial puzzles with nine tiles in
/// `puzzles/`.
pub const BANDS: [Band; 3] = [
    Band { name: "easy", from: 0.0, to: 35_000.0 },
    Band { name: "medium", from: 35_000.0, to: 65_000.0 },
    Band { name: "hard", from: 65_000.0, to: f64::INFINITY },
];

impl Band {
    /// Returns true if the difficulty is certainly in the band. A lower bound on the difficulty is
    /// only in a band without an upper bound.
    pub fn holds(&self, difficulty: AtLeast<f64>) -> bool {
        let is_below = difficulty.number < self.to && difficulty.is_all;
        difficulty.number >= self.from && (is_below || self.to.is_infinite())
    }

    /// The band that certainly contains a difficulty; `None` if it is only a lower bound that does
    /// not decide the band. A lower bound decides only the last band.
    pub fn from_difficulty(difficulty: AtLeast<f64>) -> Option<&'static Band> {
        BANDS.iter().find(|band| band.holds(difficulty))
    }
}

/// A count of solutions, possibly cut off.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClassCount {
    /// The number of solutions up to the symmetries of the board.
    pub classes: BigUint,
    /// The number of distinct arrangements.
    pub distinct: u64,
    /// True if all solutions were counted.
    pub is_all: bool,
    /// The number of nodes of the engine.
    pub nodes: u64,
    /// The name of the engine that counted; for `auto`, the one that it chose.
    pub engine: &'static str,
}

/// Counts the classes of a problem until there are more than `enough` or the engine has visited
/// `nodes` nodes (`None` for no limit). With a node limit, runs on one thread.
///
/// # Errors
/// The status of the run if other limits ended it or the engine failed.
pub(super) fn count_classes(
    problem: &Problem,
    engine: &dyn Engine,
    (enough, nodes): (u64, Option<u64>),
    limits: &Limits<'_>,
    token: &CancelToken<'_>,
) -> Result<ClassCount, RunStatus> {
    let limits = Limits {
        nodes,
        // The result of a node limit must not depend on threads.
        threads: nodes.map_or(limits.threads, |_| 1),
        ..*limits
    };
    let listen = &mut |found: &NewSolution<'_>| {
        if found.tally.classes > BigUint::from(enough) {
            ControlFlow::Break(StopReason::Enough)
        } else {
            ControlFlow::Continue(())
        }
    };
    let outcome = enumerate::run_under(token, problem, engine, &limits, listen);
    match outcome.status {
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough | StopReason::Nodes(_)) => {
            Ok(ClassCount {
                distinct: outcome.tally.listed(),
                classes: outcome.tally.classes,
                is_all: outcome.status.is_complete(),
                nodes: outcome.work.nodes,
                engine: outcome.work.choice.map_or(engine.name(), |choice| choice.engine),
            })
        }
        verdict => Err(verdict),
    }
}

/// Measures a puzzle except for its tries, which are `None`. `known` is an earlier count, which is
/// used if it is complete. Without it, if `propagate` does not support the board, nothing is
/// counted: the counts are the lower bound 0.
///
/// # Errors
/// The status of a run if the limits ended it or an engine failed.
pub(super) fn measure(
    problem: &Problem,
    known: Option<&ClassCount>,
    limits: &Limits<'_>,
    token: &CancelToken<'_>,
) -> Result<Measured, RunStatus> {
    let known = known.filter(|known| known.is_all);
    let own = match known {
        Some(known) if known.engine == Propagate.name() => None,
        _ if Propagate.serves(problem).is_err() => None,
        _ => {
            let cells = problem.board.size() as u64;
            let nodes = MOST_NODES.min(MOST_NODES_TIMES_CELLS / cells.max(1));
            let most = (MOST_CLASSES, Some(nodes));
            Some(count_classes(problem, &Propagate, most, limits, token)?)
        }
    };
    let propagated = own.as_ref().or(known.filter(|k| k.engine == Propagate.name()));
    let best = known.or(propagated);
    let is_all = best.is_some_and(|count| count.is_all);
    Ok(Measured {
        classes: AtLeast {
            number: best.map_or(BigUint::ZERO, |count| count.classes.clone()),
            is_all,
        },
        distinct: AtLeast { number: best.map_or(0, |count| count.distinct), is_all },
        nodes: propagated.map(|count| AtLeast { number: count.nodes, is_all: count.is_all }),
        tries: None,
    })
}

/// Counts the tries of a plain search for all solutions. Stops soon after `most` tries, and then
/// returns a lower bound.
///
/// # Errors
/// The status of the run if the token stopped it or the engine failed.
pub(super) fn count_tries(
    problem: &Problem,
    most: u64,
    token: &CancelToken<'_>,
) -> Result<AtLeast<u64>, RunStatus> {
    let mut meter = TryLimit { most, token };
    let mut work = Work::default();
    let engine: &dyn Engine = &Backtrack::Scan(Order::Rows);
    match engine.run(problem, token, &mut meter, &mut work) {
        Err(failure) => Err(RunStatus::Failed(failure)),
        Ok(_) if token.stop_reason().is_some() => Err(RunStatus::stopped_by(token)),
        Ok(end) => Ok(AtLeast { number: work.tries, is_all: end.is_continue() }),
    }
}

/// A host that drops all arrangements and breaks after `most` tries or if the token breaks.
struct TryLimit<'a> {
    most: u64,
    token: &'a CancelToken<'a>,
}

impl Host for TryLimit<'_> {
    fn found(&mut self, _: &Arrangement, _: &Work) -> Flow {
        ControlFlow::Continue(())
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.token.poll()?;
        self.token.may_take(0)?;
        if work.tries >= self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
