//! Measuring a puzzle: how many classes it has, and how many tries a plain search makes per
//! solution.

use std::ops::ControlFlow;

use num_bigint::BigUint;

use crate::engine::{Backtrack, Engine, Host, Order, Propagate, Work};
use crate::enumerate::{self, Found, Limits, RunStatus, StopReason};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// Nodes of `propagate` after which a tree is only said to be larger, and those times cells, as a
/// node of a larger board takes longer.
const MOST_NODES: u64 = 100_000;
const MOST_CELLS_OF_NODES: u64 = 10_000_000;

/// Tries after which a puzzle is only said to be harder.
const MOST_TRIES: u64 = 5_000_000;

/// Distinct arrangements after which there are only said to be more.
const MOST_DISTINCT: u64 = 100_000;

/// A number, or what it exceeds at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtLeast<T> {
    /// What was counted.
    pub number: T,
    /// Whether that is all.
    pub is_all: bool,
}

/// What is measured of a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Measured {
    /// Solutions up to the symmetries of the board.
    pub classes: AtLeast<BigUint>,
    /// Different-looking ones.
    pub distinct: AtLeast<u64>,
    /// Decisions of `propagate` to find all of them; nothing where it does not serve the board.
    pub nodes: Option<AtLeast<u64>>,
    /// Placements that `backtrack --scan --order rows` tests to find all of them; nothing where nobody
    /// asks for the difficulty.
    pub tries: Option<AtLeast<u64>>,
}

impl Measured {
    /// Measures a puzzle, its difficulty too.
    ///
    /// # Errors
    /// How the run ended, where the limits end it or an engine fails.
    pub fn new(problem: &Problem, limits: &Limits<'_>) -> Result<Measured, RunStatus> {
        let token = &limits.token();
        measure(problem, None, limits, token)?.with_tries(problem, token)
    }

    /// Counts the tries, too, which takes longer than all else.
    ///
    /// # Errors
    /// Where the limits end it.
    pub(super) fn with_tries(
        self,
        problem: &Problem,
        token: &CancelToken<'_>,
    ) -> Result<Measured, RunStatus> {
        let tries = Some(tries(problem, MOST_TRIES, token)?);
        Ok(Measured { tries, ..self })
    }

    /// Tries per distinct arrangement, as the largest catalogue of bought puzzles measures
    /// difficulty; all tries where there is none. Nothing where it is not known how many there
    /// are, or where tries were not counted.
    pub fn difficulty(&self) -> Option<AtLeast<f64>> {
        let tries = self.tries.filter(|_| self.distinct.is_all)?;
        Some(AtLeast {
            number: tries.number as f64 / self.distinct.number.max(1) as f64,
            is_all: tries.is_all,
        })
    }
}

/// A range of difficulties with a name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Its name on the command line.
    pub name: &'static str,
    /// The least of it, in tries per distinct arrangement.
    pub from: f64,
    /// Where the next one begins.
    pub to: f64,
}

/// A third each of the bought puzzles with nine tiles in `puzzles/`.
pub const BANDS: [Band; 3] = [
    Band { name: "easy", from: 0.0, to: 35_000.0 },
    Band { name: "medium", from: 35_000.0, to: 65_000.0 },
    Band { name: "hard", from: 65_000.0, to: f64::INFINITY },
];

impl Band {
    /// Whether a difficulty is known to lie in it.
    pub fn holds(&self, difficulty: AtLeast<f64>) -> bool {
        let is_below = difficulty.number < self.to && difficulty.is_all;
        difficulty.number >= self.from && (is_below || self.to.is_infinite())
    }

    /// The band with a name that a difficulty lies in, where that is known.
    pub fn of(difficulty: AtLeast<f64>) -> Option<&'static Band> {
        BANDS.iter().find(|band| band.holds(difficulty))
    }
}

/// How many classes were seen, and whether that is all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Count {
    pub classes: BigUint,
    pub distinct: u64,
    pub is_all: bool,
    pub nodes: u64,
    /// The engine that did it.
    pub engine: &'static str,
}

/// Counts the classes of a problem, but stops above `enough` of them, or
/// after so many nodes.
///
/// # Errors
/// Where the limits end it, or the engine fails.
pub(super) fn count(
    problem: &Problem,
    engine: &dyn Engine,
    (enough, nodes): (u64, Option<u64>),
    limits: &Limits<'_>,
    token: &CancelToken<'_>,
) -> Result<Count, RunStatus> {
    let limits = Limits {
        nodes,
        // Where a node limit ends a run must not depend on threads.
        threads: nodes.map_or(limits.threads, |_| 1),
        ..*limits
    };
    let listen = &mut |found: &Found<'_>| {
        if found.tally.classes > BigUint::from(enough) {
            ControlFlow::Break(StopReason::Enough)
        } else {
            ControlFlow::Continue(())
        }
    };
    let outcome = enumerate::run_under(token, problem, engine, &limits, listen);
    match outcome.status {
        RunStatus::Complete | RunStatus::Stopped(StopReason::Enough | StopReason::Nodes(_)) => {
            Ok(Count {
                classes: outcome.tally.classes,
                distinct: outcome.tally.distinct,
                is_all: outcome.status.is_complete(),
                nodes: outcome.work.nodes,
                engine: outcome.work.choice.map_or(engine.name(), |choice| choice.engine),
            })
        }
        verdict => Err(verdict),
    }
}

/// Measures a puzzle, but for its tries; `known` is what has been counted of it before.
///
/// # Errors
/// Where the limits end it, or an engine fails.
pub(super) fn measure(
    problem: &Problem,
    known: Option<&Count>,
    limits: &Limits<'_>,
    token: &CancelToken<'_>,
) -> Result<Measured, RunStatus> {
    let known = known.filter(|known| known.is_all);
    let own = match known {
        Some(known) if known.engine == Propagate.name() => None,
        _ if Propagate.serves(problem).is_err() => None,
        _ => {
            let cells = problem.board.size() as u64;
            let nodes = MOST_NODES.min(MOST_CELLS_OF_NODES / cells.max(1));
            let most = (MOST_DISTINCT, Some(nodes));
            Some(count(problem, &Propagate, most, limits, token)?)
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

/// Counts tries, until there are about so many.
///
/// # Errors
/// Where the limits end it.
pub(super) fn tries(
    problem: &Problem,
    most: u64,
    token: &CancelToken<'_>,
) -> Result<AtLeast<u64>, RunStatus> {
    let mut meter = Meter { most, token };
    let mut work = Work::default();
    let engine: &dyn Engine = &Backtrack::Scan(Order::Rows);
    match engine.run(problem, token, &mut meter, &mut work) {
        Err(failure) => Err(RunStatus::Failed(failure)),
        Ok(_) if token.stop_reason().is_some() => Err(RunStatus::stopped_by(token)),
        Ok(end) => Ok(AtLeast { number: work.tries, is_all: end.is_continue() }),
    }
}

/// A host that only watches the tries.
struct Meter<'a> {
    most: u64,
    token: &'a CancelToken<'a>,
}

impl Host for Meter<'_> {
    fn found(&mut self, _: &Arrangement, _: &Work) -> Flow {
        ControlFlow::Continue(())
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.token.poll()?;
        self.token.may_take(0)?;
        if work.tries >= self.most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
