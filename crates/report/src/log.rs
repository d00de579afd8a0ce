//! The log of a run (`solve --log`): the events of a search as JSON lines.
//!
//! `docs/commands.md` describes the lines. The search is sampled when it polls its limits, so a run
//! without a log has no overhead.

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

/// The minimum time between two samples.
const PACE: Duration = Duration::from_millis(100);

/// The maximum number of lines for solutions, and for solves; samples count all of them.
const MOST_LINES: u64 = 1000;

/// A line of the log: the seconds since the start of the run, and an event.
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
        objective: Option<i64>,
        objectives: Vec<i64>,
        bound: i64,
        found_by: &'static str,
    },
    Status {
        status: &'static str,
        complete: bool,
        reason: Option<&'static str>,
        classes: Box<RawValue>,
        objective: Option<i64>,
        objectives: Vec<i64>,
        bound: Option<i64>,
        #[serde(flatten)]
        counts: LoggedCounts,
        peak_resident: Option<u64>,
    },
}

/// The counts of a run in samples and at its end.
#[derive(Serialize)]
struct LoggedCounts {
    distinct: u64,
    solutions: Box<RawValue>,
    nodes: u64,
    tries: u64,
    no_goods: u64,
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
            distinct: tally.listed(),
            solutions: number(&tally.solutions),
            nodes: work.nodes,
            tries: work.tries,
            no_goods: work.no_goods,
            solves: work.solves,
            cuts: work.cuts,
            steps,
            filled: work.filled,
            explored: work.explored,
            expected: work.expected,
        }
    }
}

/// A decision on the path from the root to the current node; `of` is the number of values to choose
/// from, if the search lists them.
#[derive(Serialize)]
struct Step<'a> {
    #[serde(flatten)]
    placement: Placement<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<usize>,
}

/// The origin of a run, for the first line of the log.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The SHA-256 of the puzzle file.
    pub hash: String,
    /// The arguments of the command.
    pub arguments: Vec<String>,
}

/// Writes a log. After a write error, which [`Log::failure`] returns, nothing more is written.
pub struct Log<'a> {
    problem: &'a Problem,
    out: Box<dyn Write + 'a>,
    /// Measures the memory of the process; `None` if the system does not report it.
    memory: fn() -> Option<Memory>,
    started: Instant,
    /// The time of the last sample.
    sampled: Option<Instant>,
    /// The path from the root to the current node, for the next sample.
    path: Option<Vec<Step<'a>>>,
    /// The engine chosen by `auto`, if it is logged.
    choice: Option<&'static str>,
    /// The number of solves that were logged, or left out because there were too many.
    solves: usize,
    /// The steps of the incomplete methods so far.
    steps: u64,
    /// The largest resident memory in a sample, in bytes.
    peak: Option<u64>,
    error: Option<io::Error>,
}

impl<'a> Log<'a> {
    /// Begins a log with the line `start`; `memory` measures the memory of the process.
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
            path: None,
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

    /// Takes the error that made writing impossible; `None` if there is none, or it was taken
    /// before.
    pub fn failure(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Logs a distinct arrangement, unless 1000 of them are logged.
    pub fn found(&mut self, found: &NewSolution<'_>) {
        self.log_new_work(found.work);
        let index = found.tally.listed();
        if index <= MOST_LINES {
            self.write(Event::Solution {
                index,
                nodes: found.work.nodes,
                tries: found.work.tries,
                solutions: number(&found.distinct.solutions),
            });
        }
    }

    /// Records the path from the root to the current node, if a sample is due.
    pub fn record_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        if !self.is_due() {
            return;
        }
        let problem = self.problem;
        let step = |decided: Decided| Step {
            placement: placement(problem, decided.cell, &decided.placed),
            of: decided.of,
        };
        self.path = Some(path().into_iter().map(step).collect());
    }

    /// Logs a sample and flushes the log, if a sample is due.
    pub fn progress(&mut self, tally: &Tally, work: &Work) {
        self.log_new_work(work);
        if !self.is_due() {
            return;
        }
        self.sampled = Some(clock::now());
        let memory = (self.memory)();
        let resident = memory.map(|memory| memory.resident);
        self.peak = self.peak.max(resident);
        let path = self.path.take();
        self.write(Event::Sample {
            counts: LoggedCounts::new(tally, work, self.steps),
            resident,
            address_space: memory.map(|memory| memory.address_space),
            path,
        });
        self.flush();
    }

    /// Logs that the search restarts.
    pub fn report_restart(&mut self, why: &str, work: &Work) {
        self.log_new_work(work);
        self.write(Event::Restart { nodes: work.nodes, why });
    }

    /// Logs a new incumbent.
    pub fn improved(&mut self, better: &Better) {
        self.write(Event::Improvement {
            objective: better.scores.last(),
            objectives: better.scores.several(),
            bound: better.bound,
            found_by: better.found_by,
        });
    }

    /// Sets the number of steps of the incomplete methods for the next sample.
    pub fn guessing(&mut self, steps: u64) {
        self.steps = steps;
    }

    /// Logs the status and flushes the log.
    ///
    /// # Errors
    /// If this or an earlier line could not be written.
    pub fn finish(mut self, ending: &Ending<'_>) -> io::Result<()> {
        let Outcome { status, tally, work, .. } = ending.outcome;
        self.log_new_work(work);
        let resident = (self.memory)().map(|memory| memory.resident);
        let best = ending.best.as_ref();
        let steps = best.map_or(self.steps, |best| best.steps);
        self.write(Event::Status {
            status: ending.conclusion().name(),
            complete: status.is_complete(),
            reason: status.reason(),
            classes: number(&tally.classes),
            objective: best.and_then(|best| best.scores.last()),
            objectives: best.map_or_else(Vec::new, |best| best.scores.several()),
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

    /// Logs the choice of `auto` and the solves that are new in `work`.
    fn log_new_work(&mut self, work: &Work) {
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

    /// Writes a line, unless an earlier one failed.
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

/// A time in seconds, rounded to microseconds.
fn microseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}
