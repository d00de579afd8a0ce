//! Answers [`Question::Best`](crate::Question::Best): the arrangement with the most matching seams.

use std::ops::ControlFlow;

use edgematch::engine::{Auto, Engine, Work};
use edgematch::enumerate::{Limits, Listener, NewSolution, StopReason, Tally};
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{Arrangement, Problem};
use edgematch_report::{Best, best_sentence};
use serde::Serialize;

use crate::pieces::Pieces;
use crate::refusal::{Refusal, Result, refuse_failure};

/// The arrangement with the most matching seams.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClosestArrangement {
    /// One placement per cell; `None` if no arrangement was found.
    placed: Option<Vec<[usize; 2]>>,
    /// The number of seams that do not match; all if no arrangement was found.
    broken: usize,
    /// True if it is proven that no arrangement is better.
    proven: bool,
    /// A summary of the run.
    sentence: String,
}

/// A listener that keeps the best arrangement and forwards progress to another listener.
struct BestKeeper<'a> {
    progress: &'a mut dyn Listener,
    best: Option<Arrangement>,
}

impl Listener for BestKeeper<'_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.best = Some(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.progress.progress(tally, work);
    }
}

/// Searches for the arrangement with the most matching seams, within limits.
///
/// # Errors
/// If the engine does not support the problem, or fails.
pub fn closest(
    problem: &Problem,
    limits: &Limits<'_>,
    progress: &mut dyn Listener,
) -> Result<ClosestArrangement> {
    let seams = problem.board.counted().count();
    Auto.serves(&problem.breaking(seams)).map_err(Refusal::unanswerable)?;
    let what = Optimisation::best(problem);
    let limits = Limits { distinct: 1, ..*limits };
    let mut keeper = BestKeeper { progress, best: None };
    let found = optimise::run(&what, &Auto, &limits, &mut keeper);
    refuse_failure(&found.outcome.status)?;
    let pieces = Pieces::new(problem);
    let placed = keeper.best.map(|best| pieces.arrangement(problem, &best.0));
    let matching = usize::try_from(found.value.unwrap_or(0)).unwrap_or(0);
    Ok(ClosestArrangement {
        placed,
        broken: seams - matching,
        proven: found.is_proven,
        sentence: best_sentence(problem, &found.outcome, &Best::new(&found, &what)),
    })
}
