//! The log of a run: what a search does, as JSON lines, for those who study searches.
//!
//! `docs/commands.md` describes the lines. The search is sampled where it asks whether to go on, so a run
//! without a log does nothing for it.

use std::io::{self, Write};
use std::time::Duration;

use edgematch::engine::{Decided, Engine, Work};
use edgematch::enumerate::{Limits, Memory, NewSolution, Outcome, Tally};
use edgematch::problem::Problem;
use edgematch::runtime::clock::{self, Instant};
use serde::Serialize;
use serde_json::value::RawValue;

use super::json::{Placement, number, placement};
use super::{Better, Ending};

/// The time between two samples.
const PACE: Duration = Duration::from_millis(100);

/// Solutions and solves that have a line each; samples have the number of all.
const MOST_LINES: u64 = 1000;

/// A line, with the seconds since the run began.
#[derive(Serialize)]
struct Line<'a> {
    seconds: f64,
    #[serde(flatten)]
    event: Event<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Event<'a> {
    Start {
        version: &'static str,
        revision: &'static str,
        puzzle: &'a str,
        hash: &'a str,
        arguments: &'a [String],
        board: &'a str,
        cells: usize,
        tiles: usize,
        kinds: usize,
        values: usize,
        engine: &'static str,
        variant: Option<String>,
        threads: usize,
        time_limit: Option<f64>,
    },
    Choice {
        engine: &'static str,
        why: &'a str,
    },
    Sample {
        #[serde(flatten)]
        counts: LoggedCounts,
        resident: Option<u64>,
        address_space: Option<u64>,
        path: Option<Vec<Step<'a>>>,
    },
    Restart {
        nodes: u64,
        why: &'a str,
    },
    Solve {
        index: u64,
        took: f64,
    },
    Solution {
        index: u64,
        nodes: u64,
        tries: u64,
        solutions: Box<RawValue>,
    },
    Improvement {
        objective: i64,
        bound: i64,
        found_by: &'static str,
    },
    Status {
        status: &'static str,
        complete: bool,
        reason: Option<&'static str>,
        classes: Box<RawValue>,
        objective: Option<i64>,
        bound: Option<i64>,
        #[serde(flatten)]
        counts: LoggedCounts,
        peak_resident: Option<u64>,
    },
}

/// How far a run is.
#[derive(Serialize)]
struct LoggedCounts {
    distinct: u64,
    solutions: Box<RawValue>,
    nodes: u64,
    tries: u64,
    decisions: u64,
    solves: u64,
    cuts: u64,
    steps: u64,
    filled: usize,
    explored: Option<f64>,
    expected: Option<f64>,
}

impl LoggedCounts {
    fn new(tally: &Tally, work: &Work, steps: u64) -> LoggedCounts {
        LoggedCounts {
            distinct: tally.distinct,
            solutions: number(&tally.solutions),
            nodes: work.nodes,
            tries: work.tries,
            decisions: work.decisions,
            solves: work.solves,
            cuts: work.cuts,
            steps,
            filled: work.filled,
            explored: work.explored,
            expected: work.expected,
        }
    }
}

/// A decision on the way from the root.
#[derive(Serialize)]
struct Step<'a> {
    #[serde(flatten)]
    placement: Placement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
}

/// What is run: what the first line has of it.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The SHA-256 of the puzzle's text.
    pub hash: String,
    /// The arguments of the command.
    pub arguments: Vec<String>,
}

/// A log as it grows; [`Log::failure`] tells that it can't be written any more.
pub struct Log<'a> {
    problem: &'a Problem,
    out: Box<dyn Write + 'a>,
    /// Tells the memory of the process.
    memory: fn() -> Option<Memory>,
    started: Instant,
    /// When the last sample was taken.
    sampled: Option<Instant>,
    /// Where the search stands, for the sample to come.
    stands_at: Option<Vec<Step<'a>>>,
    /// What `auto` has chosen, once it is logged.
    choice: Option<&'static str>,
    /// Solves that are logged or left out.
    solves: usize,
    /// Steps of the methods that guess.
    steps: u64,
    peak: Option<u64>,
    error: Option<io::Error>,
}

impl<'a> Log<'a> {
    /// Begins a log; `memory` tells what the process has.
    pub fn new(
        out: Box<dyn Write + 'a>,
        memory: fn() -> Option<Memory>,
        origin: &Origin,
        (problem, engine): (&'a Problem, &dyn Engine),
        limits: &Limits<'_>,
    ) -> Self {
        let mut log = Log {
            problem,
            out,
            memory,
            started: clock::now(),
            sampled: None,
            stands_at: None,
            choice: None,
            solves: 0,
            steps: 0,
            peak: None,
            error: None,
        };
        log.write(Event::Start {
            version: edgematch::VERSION,
            revision: edgematch::REVISION,
            puzzle: &problem.puzzle.name,
            hash: &origin.hash,
            arguments: &origin.arguments,
            board: problem.board.description(),
            cells: problem.board.size(),
            tiles: problem.puzzle.tiles.len(),
            kinds: problem.kinds.kinds.len(),
            values: problem.kinds.values.len(),
            engine: engine.name(),
            variant: Some(engine.variant()).filter(|variant| !variant.is_empty()),
            threads: limits.threads.max(1),
            time_limit: limits.time.map(|time| time.as_secs_f64()),
        });
        log
    }

    /// What made writing impossible.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Notes a distinct arrangement.
    pub fn found(&mut self, found: &NewSolution<'_>) {
        self.note(found.work);
        let index = found.tally.distinct;
        if index <= MOST_LINES {
            self.write(Event::Solution {
                index,
                nodes: found.work.nodes,
                tries: found.work.tries,
                solutions: number(&found.distinct.solutions),
            });
        }
    }

    /// Notes where the search stands, if a sample is due.
    pub fn record_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        if !self.is_due() {
            return;
        }
        let problem = self.problem;
        let step = |decided: Decided| Step {
            placement: placement(problem, decided.cell, &decided.placed),
            of: decided.of,
        };
        self.stands_at = Some(path().into_iter().map(step).collect());
    }

    /// Takes a sample, if one is due.
    pub fn progress(&mut self, tally: &Tally, work: &Work) {
        self.note(work);
        if !self.is_due() {
            return;
        }
        self.sampled = Some(clock::now());
        let memory = (self.memory)();
        let resident = memory.map(|memory| memory.resident);
        self.peak = self.peak.max(resident);
        let path = self.stands_at.take();
        self.write(Event::Sample {
            counts: LoggedCounts::new(tally, work, self.steps),
            resident,
            address_space: memory.map(|memory| memory.address_space),
            path,
        });
        self.flush();
    }

    /// Notes that the search begins again.
    pub fn report_restart(&mut self, why: &str, work: &Work) {
        self.note(work);
        self.write(Event::Restart { nodes: work.nodes, why });
    }

    /// Notes something better than before.
    pub fn improved(&mut self, better: &Better) {
        self.write(Event::Improvement {
            objective: better.score.value,
            bound: better.bound,
            found_by: better.found_by,
        });
    }

    /// Notes how many steps the methods that guess have made.
    pub fn guessing(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Ends the log.
    ///
    /// # Errors
    /// Where a line could not be written.
    pub fn finish(mut self, ending: &Ending<'_>) -> io::Result<()> {
        let Outcome { status, tally, work, .. } = ending.outcome;
        self.note(work);
        let resident = (self.memory)().map(|memory| memory.resident);
        let best = ending.best.as_ref();
        let steps = best.map_or(self.steps, |best| best.steps);
        self.write(Event::Status {
            status: ending.known().name(),
            complete: status.is_complete(),
            reason: status.reason(),
            classes: number(&tally.classes),
            objective: best.and_then(|best| best.value),
            bound: best.map(|best| best.bound),
            counts: LoggedCounts::new(tally, work, steps),
            peak_resident: self.peak.max(resident),
        });
        self.flush();
        self.error.map_or(Ok(()), Err)
    }

    fn is_due(&self) -> bool {
        self.sampled.is_none_or(|sampled| sampled.elapsed() >= PACE)
    }

    /// Notes what is new in the work: the choice of an engine, and solves.
    fn note(&mut self, work: &Work) {
        if let Some(choice) = &work.choice
            && self.choice != Some(choice.engine)
        {
            self.choice = Some(choice.engine);
            self.write(Event::Choice { engine: choice.engine, why: &choice.why });
        }
        for (index, &took) in work.rounds.iter().enumerate().skip(self.solves) {
            let index = index as u64 + 1;
            if index <= MOST_LINES {
                self.write(Event::Solve { index, took });
            }
        }
        self.solves = self.solves.max(work.rounds.len());
    }

    fn write(&mut self, event: Event<'_>) {
        if self.error.is_some() {
            return;
        }
        let line = Line { seconds: microseconds(self.started.elapsed()), event };
        let written = serde_json::to_writer(&mut self.out, &line)
            .map_err(io::Error::from)
            .and_then(|()| self.out.write_all(b"\n"));
        self.error = written.err();
    }

    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.flush().err();
        }
    }
}

/// Seconds to the microsecond.
fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
