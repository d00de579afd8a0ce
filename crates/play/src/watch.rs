//! Recordings of searches, step by step, for the page.
//!
//! An observer records the real engines: the published backtracker in spiral order, which tries
//! every tile in every rotation, and `propagate`, which maintains the domain of each cell. A
//! recording ends after a given number of steps even if the search is not finished.

use std::cell::RefCell;
use std::ops::ControlFlow;

use edgematch::domains::{Decision, Domains, Observer};
use edgematch::engine::{Engine, EngineError, Host, Order, Traced, Work, observe_scan};
use edgematch::enumerate::solution::check;
use edgematch::enumerate::{CancelToken, RunStatus};
use edgematch::problem::{Arrangement, Problem};
use serde::Serialize;

use crate::pieces::Pieces;

/// One step of a search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum RecordedStep {
    /// A tile is placed.
    Lay {
        /// The cell.
        cell: usize,
        /// The piece, and the [index](edgematch::puzzle::Orientation::index) of its orientation.
        placed: [usize; 2],
        /// The number of tries so far; `None` for an engine that does not try all tiles.
        #[serde(skip_serializing_if = "Option::is_none")]
        tries: Option<u64>,
        /// The domain of each cell after propagation; `None` on a conflict, or if the engine does
        /// not propagate.
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<Vec<CellDomain>>,
    },
    /// The tile placed last is taken back, and the domains before it are restored.
    Back,
    /// The placed tiles are a solution.
    Found,
}

/// The domain of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CellDomain {
    /// The number of values.
    Many(usize),
    /// The only value: the piece, and the index of its orientation.
    One([usize; 2]),
}

/// A recorded search, or the first steps of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recording {
    /// The steps.
    pub steps: Vec<RecordedStep>,
    /// True if the whole search is recorded.
    pub complete: bool,
    /// The domain of each cell before the first step; empty if the engine does not propagate.
    pub first: Vec<CellDomain>,
}

/// Records the backtracker in spiral order, which tries all tiles, for at most `most` steps.
///
/// # Errors
/// The status of the run if the token stops it, or the engine fails.
pub fn spiral(
    problem: &Problem,
    most: usize,
    token: &CancelToken<'_>,
) -> Result<Recording, RunStatus> {
    let recording = RefCell::new(RecordingBuilder::new(problem, most));
    let mut host = RecordingHost { builder: &recording, token };
    let end = observe_scan(problem, Order::Spiral, &mut Recorder(&recording), token, &mut host);
    recording.into_inner().finish(end, token, Vec::new())
}

/// Records `propagate`, for at most `most` steps.
///
/// # Errors
/// The status of the run if the token stops it, the board has too many values for the engine, or
/// the engine fails.
pub fn propagate(
    problem: &Problem,
    most: usize,
    token: &CancelToken<'_>,
) -> Result<Recording, RunStatus> {
    let recording = RefCell::new(RecordingBuilder::new(problem, most));
    let first = Domains::first(problem);
    let first = cell_domains(problem, &recording.borrow().pieces, &first);
    let mut observer = Recorder(&recording);
    let engine = Traced::new(problem, true, &mut observer);
    let served = engine.serves(problem);
    let end = served.map_err(|message| EngineError::Trace { message }).and_then(|()| {
        let engine: &dyn Engine = &engine;
        let mut host = RecordingHost { builder: &recording, token };
        engine.run(problem, token, &mut host, &mut Work::default())
    });
    recording.into_inner().finish(end, token, first)
}

/// A recording in progress.
struct RecordingBuilder<'a> {
    problem: &'a Problem,
    pieces: Pieces,
    /// The maximum number of steps.
    most: usize,
    steps: Vec<RecordedStep>,
    /// The failure of a check, after which the search was stopped.
    failed: Option<RunStatus>,
}

impl<'a> RecordingBuilder<'a> {
    /// Creates an empty recording that takes at most `most` steps.
    fn new(problem: &'a Problem, most: usize) -> Self {
        RecordingBuilder {
            problem,
            pieces: Pieces::new(problem),
            most,
            steps: Vec::new(),
            failed: None,
        }
    }

    /// Adds a step; breaks if the recording is full.
    fn add(&mut self, step: impl FnOnce(&Problem, &Pieces) -> RecordedStep) -> ControlFlow<()> {
        if self.steps.len() >= self.most {
            return ControlFlow::Break(());
        }
        self.steps.push(step(self.problem, &self.pieces));
        ControlFlow::Continue(())
    }

    /// The recording, given the result of the engine and the domains before the first step;
    /// incomplete if the engine was stopped after the maximum number of steps.
    ///
    /// # Errors
    /// The status of the run if the engine failed, the token stopped it, or a step could not be
    /// recorded.
    fn finish(
        self,
        end: Result<ControlFlow<()>, EngineError>,
        token: &CancelToken<'_>,
        first: Vec<CellDomain>,
    ) -> Result<Recording, RunStatus> {
        let complete = end.map_err(RunStatus::Failed)?.is_continue();
        if let Some(stop) = token.stop_reason() {
            return Err(RunStatus::Stopped(stop));
        }
        match self.failed {
            Some(failure) => Err(failure),
            None => Ok(Recording { steps: self.steps, complete, first }),
        }
    }
}

/// The host of an engine, which checks and records solutions, and stops the search when the
/// recording is full.
struct RecordingHost<'a, 'p> {
    builder: &'a RefCell<RecordingBuilder<'p>>,
    token: &'a CancelToken<'a>,
}

impl Host for RecordingHost<'_, '_> {
    fn found(&mut self, arrangement: &Arrangement, _work: &Work) -> ControlFlow<()> {
        let mut recording = self.builder.borrow_mut();
        if let Err(violation) = check(recording.problem, arrangement) {
            let violation = violation.describe(recording.problem);
            recording.failed = Some(RunStatus::Failed(EngineError::DoesNotFit {
                engine: "watched".into(),
                violation,
            }));
            return ControlFlow::Break(());
        }
        recording.add(|_, _| RecordedStep::Found)
    }

    fn poll(&mut self, _work: &Work) -> ControlFlow<()> {
        let recording = self.builder.borrow();
        if recording.steps.len() >= recording.most {
            return ControlFlow::Break(());
        }
        self.token.poll()
    }

    fn threads(&self) -> usize {
        1
    }
}

/// The observer of an engine, which records decisions and backtracking.
struct Recorder<'a, 'p>(&'a RefCell<RecordingBuilder<'p>>);

impl Observer for Recorder<'_, '_> {
    fn decided(&mut self, decision: &Decision<'_>) -> ControlFlow<()> {
        let Decision { cell, placed, tries, left } = *decision;
        self.0.borrow_mut().add(|problem, pieces| RecordedStep::Lay {
            cell,
            placed: pieces.placed(problem, placed),
            tries,
            left: left.map(|node| cell_domains(problem, pieces, &node.domains())),
        })
    }

    fn done(&mut self, _path: &mut dyn Iterator<Item = (usize, usize)>) -> ControlFlow<()> {
        self.0.borrow_mut().add(|_, _| RecordedStep::Back)
    }
}

/// The domains of all cells in the form of a recording.
fn cell_domains(problem: &Problem, pieces: &Pieces, domains: &Domains) -> Vec<CellDomain> {
    let left = |values: &edgematch::puzzle::ValueSet| match (values.len(), values.iter().next()) {
        (1, Some(value)) => CellDomain::One(pieces.placed(problem, problem.first_with(value))),
        (number, _) => CellDomain::Many(number),
    };
    domains.cells.iter().map(left).collect()
}

#[cfg(test)]
mod tests {
    use edgematch::enumerate::Limits;
    use edgematch::load;

    use super::*;

    fn scramble() -> Problem {
        load::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles/scramble-1.yaml").as_ref())
            .unwrap()
    }

    /// The numbers of placements, backtracking steps and solutions.
    fn numbers_of(recording: &Recording) -> (usize, usize, usize) {
        let number =
            |is: fn(&RecordedStep) -> bool| recording.steps.iter().filter(|s| is(s)).count();
        (
            number(|s| matches!(s, RecordedStep::Lay { .. })),
            number(|s| matches!(s, RecordedStep::Back)),
            number(|s| matches!(s, RecordedStep::Found)),
        )
    }

    #[test]
    fn the_spiral_places_the_published_number_of_tiles() {
        let limits = Limits::default();
        let token = &limits.token();
        let whole = spiral(&scramble(), 100_000, token).unwrap();
        assert!(whole.complete);
        // The published 470 calls include the root, which places no tile.
        assert_eq!(numbers_of(&whole), (469, 469, 1));
        let last_tries = whole.steps.iter().rev().find_map(|step| match step {
            RecordedStep::Lay { tries, .. } => *tries,
            _ => None,
        });
        assert!(last_tries.is_some_and(|tries| tries <= 8717));
        let part = spiral(&scramble(), 100, token).unwrap();
        assert!(!part.complete);
        assert_eq!(part.steps, whole.steps[..100]);
    }

    #[test]
    fn propagate_takes_back_each_tile_and_finds_the_solution() {
        let limits = Limits::default();
        let token = &limits.token();
        let recording = propagate(&scramble(), 100_000, token).unwrap();
        assert!(recording.complete);
        let (laid, back, found) = numbers_of(&recording);
        assert_eq!((laid, found), (back, 1));
        assert_eq!(recording.first, vec![CellDomain::Many(36); 9]);
        let mut solved = recording.steps.iter();
        assert!(solved.any(|step| match step {
            RecordedStep::Lay { left: Some(left), .. } =>
                left.iter().all(|left| matches!(left, CellDomain::One(_))),
            _ => false,
        }));
    }

    #[test]
    fn a_stopped_search_is_an_error() {
        let stop = std::sync::atomic::AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&stop), ..Limits::default() };
        let token = &limits.token();
        let stopped = Err(RunStatus::Stopped(edgematch::enumerate::StopReason::Interrupted));
        assert_eq!(spiral(&scramble(), 100, token), stopped);
        assert_eq!(propagate(&scramble(), 100, token), stopped);
    }
}
