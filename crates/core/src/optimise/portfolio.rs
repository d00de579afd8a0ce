//! A portfolio of heuristic methods for good arrangements.
//!
//! Rounds of doubling effort are divided into jobs for all threads. The first round uses annealing
//! only, which suffices for small boards. After that, the method that found the incumbent gets most
//! of each round and the others share the rest. Methods that do not support a problem are left out.

use std::ops::ControlFlow;

use super::Optimisation;
use super::method::{Effort, Guess, Incumbent, Method, MethodRun};
use super::tables::FitTables;
use crate::enumerate::solution::broken_seams;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{self, SchedulerError, SearchProgress, Sink, Worker};

/// Every method; the first one that supports the problem gets the whole first round. Builds for
/// browsers, which download the code, omit the largest method, which is for large boards with a
/// frame.
pub(super) const METHODS: &[&Method] = &[
    &super::anneal::METHOD,
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    &super::scheduled::METHOD,
    &super::repair::METHOD,
];

/// The number of quarters of a round that the leading method gets.
const LEADING: u64 = 3;

/// A factor that spreads neighbouring seeds: 2^64 divided by the golden ratio. Every job of every
/// round has a different seed.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Runs the heuristic methods that support a problem, in rounds; one of them leads.
pub(super) struct Portfolio<'a> {
    tables: FitTables<'a>,
    serving: Vec<&'static Method>,
    /// The names of the unsupported methods, with the reasons.
    pub left_out: Vec<(&'static str, &'static str)>,
    seed: u64,
    reached: Incumbent,
    rounds: u64,
}

/// A part of a round: a method with its limits.
type Job<'e> = (&'static Method, Effort<'e>);

impl<'a> Portfolio<'a> {
    /// Creates the portfolio of an optimisation, with its initial arrangement as incumbent, if there
    /// is one. Breaks if the token stops the run.
    pub fn new(fit: &Optimisation<'a>, token: &CancelToken<'_>) -> Flow<Self> {
        let tables = FitTables::new(fit.problem, token)?;
        let mut serving = Vec::new();
        let mut left_out = Vec::new();
        for &method in METHODS {
            match (method.serves)(&tables) {
                Ok(()) => serving.push(method),
                Err(why) => left_out.push((method.name, why)),
            }
        }
        let reached = Incumbent::new(fit.start.as_ref().and_then(|start| {
            let kinds = &fit.problem.kinds;
            let values = start.0.iter().map(|at| kinds.value_of(at.tile, at.orientation));
            // `None` if a tile has a forbidden orientation.
            Some((broken_seams(fit.problem, start).len(), values.collect::<Option<_>>()?))
        }));
        let seed = fit.seed;
        ControlFlow::Continue(Portfolio { tables, serving, left_out, seed, reached, rounds: 0 })
    }

    /// The jobs of the next round, method by method. Their steps add up to those of `effort`,
    /// except for rounding.
    fn jobs<'e>(&self, effort: &Effort<'e>, threads: usize) -> Vec<Job<'e>> {
        let used = self.used(self.rounds);
        let others = used.len() as u64 - 1;
        let leading = self.reached.lock().leading.unwrap_or(used[0].name);
        let mut jobs = Vec::new();
        for &method in used {
            let mut left = if others == 0 {
                effort.steps
            } else if method.name == leading {
                effort.steps * LEADING / 4
            } else {
                effort.steps * (4 - LEADING) / 4 / others
            };
            // Zero threads count as one.
            let pieces = if others == 0 { 1 } else { threads.max(1) as u64 };
            let piece = (method.restart)(&self.tables).unwrap_or(left / pieces).max(1);
            while left > 0 {
                // The last piece includes the remainder.
                let steps = if left < 2 * piece { left } else { piece };
                left -= steps;
                let job = jobs.len() as u64;
                let seed = self.seed.wrapping_mul(SPREAD) ^ (effort.seed << 32 | job);
                jobs.push((method, Effort { steps, seed, ..*effort }));
            }
        }
        jobs
    }

    /// The methods used in a round: only the first one in round 0.
    fn used(&self, round: u64) -> &[&'static Method] {
        if round == 0 { &self.serving[..1] } else { &self.serving }
    }

    /// Runs a job and returns the last reply of the sink, `Break` if it has stopped the run, and
    /// the number of steps. `before` is the number of steps of earlier jobs with this sink.
    fn run(&self, job: &Job<'_>, before: u64, sink: &mut dyn Sink<Guess>) -> (Flow, u64) {
        let &(method, effort) = job;
        let mut run = MethodRun {
            method,
            tables: &self.tables,
            effort,
            reached: &self.reached,
            random: Random::with_seed(effort.seed),
            before,
            steps: 0,
            sink,
            flow: ControlFlow::Continue(()),
        };
        // The result is ignored, because the method also breaks when its effort is spent.
        let _spent = (method.run)(&mut run);
        (run.flow, run.steps)
    }

    /// Runs one round of jobs on up to `threads` threads. Passes each arrangement that improves on
    /// the incumbent to `sink`, which can end the round.
    ///
    /// # Errors
    /// If a thread panics or cannot be started.
    pub fn guess(
        &mut self,
        effort: &Effort<'_>,
        threads: usize,
        sink: &mut dyn Sink<Guess>,
    ) -> Result<(), SchedulerError> {
        let jobs = self.jobs(effort, threads);
        if threads > 1 && scheduler::HAS_THREADS && self.rounds > 0 {
            let work = |worker: &mut scheduler::QueueWorker<'_, Job<'_>, Guess>| {
                while let Some(job) = worker.next_job() {
                    if self.run(&job, 0, worker).0.is_break() {
                        break;
                    }
                }
            };
            let room = scheduler::room_for(self.tables.problem.board.size());
            // The sink remembers if it has replied with a break.
            let (_flow, _steps) =
                scheduler::run_jobs(threads, jobs, SearchProgress::default(), room, &work, sink)?;
        } else {
            let mut before = 0;
            for job in &jobs {
                let (flow, steps) = self.run(job, before, sink);
                before += steps;
                if flow.is_break() {
                    break;
                }
            }
        }
        self.rounds += 1;
        Ok(())
    }

    /// The names of the methods used so far.
    pub fn methods(&self) -> Vec<&'static str> {
        self.used(self.rounds.saturating_sub(1)).iter().map(|method| method.name).collect()
    }
}
