//! A portfolio of methods for good arrangements, without proof.
//!
//! Rounds of doubling effort are divided into jobs for all threads. The first round is of annealing
//! alone, which suffices for small boards; from then on the method that found the best arrangement
//! gets most of a round, and the others share the rest. A method that cannot obey a problem is left
//! out.

use std::ops::ControlFlow;

use super::anneal::Annealing;
use super::method::{Method, Reached};
use super::repair::Repair;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use super::scheduled::Scheduled;
use super::tables::FitTables;
use super::{Effort, Guess};
use crate::enumerate::solution::broken_seams;
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{self, Progress, SchedulerError, Sink, Worker};

/// Every method; the first one has the first round for itself.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const METHODS: &[&dyn Method] = &[&Annealing, &Scheduled, &Repair];

/// Without the longest one, for large boards with a frame, where the code is downloaded first.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
const METHODS: &[&dyn Method] = &[&Annealing, &Repair];

/// What of a round the method that found the best gets, in quarters.
const LEADING: u64 = 3;

/// Looks for good arrangements, round by round, with the methods that serve a problem, of which one
/// leads.
pub struct Portfolio<'a> {
    tables: FitTables<'a>,
    serving: Vec<&'static dyn Method>,
    /// The names of the other methods, and what they cannot obey.
    left_out: Vec<(&'static str, &'static str)>,
    seed: u64,
    /// The place of the method that found the best arrangement.
    leading: usize,
    reached: Reached,
    rounds: u64,
}

/// A piece of a round: a method with its effort.
struct Job<'e> {
    method: usize,
    effort: Effort<'e>,
}

impl<'a> Portfolio<'a> {
    /// For a problem with some seams that count, of which an arrangement may be known. `Break` where
    /// the token says so.
    pub(super) fn new(
        problem: &'a Problem,
        seed: u64,
        start: Option<&Arrangement>,
        token: &CancelToken<'_>,
    ) -> Flow<Self> {
        let tables = FitTables::new(problem, token)?;
        let mut serving = Vec::new();
        let mut left_out = Vec::new();
        for &method in METHODS {
            match method.serves(&tables) {
                Ok(()) => serving.push(method),
                Err(why) => left_out.push((method.name(), why)),
            }
        }
        let reached = Reached::default();
        if let Some((start, values)) = start.and_then(|s| Some((s, values_of(problem, s)?))) {
            reached.improve(broken_seams(problem, start).len(), || values);
        }
        ControlFlow::Continue(Portfolio {
            serving,
            left_out,
            seed,
            tables,
            leading: 0,
            reached,
            rounds: 0,
        })
    }

    /// The jobs of a round, method by method.
    fn jobs<'e>(&self, effort: &Effort<'e>, threads: usize) -> Vec<Job<'e>> {
        let used = &self.serving[..self.number_used(self.rounds)];
        let others = used.len() as u64 - 1;
        let mut jobs = Vec::new();
        for (method, serving) in used.iter().enumerate() {
            let mut left = if others == 0 {
                effort.steps
            } else if method == self.leading {
                effort.steps * LEADING / 4
            } else {
                effort.steps * (4 - LEADING) / 4 / others
            };
            // No threads are one.
            let pieces = if others == 0 { 1 } else { threads.max(1) as u64 };
            let piece = serving.restart(&self.tables).unwrap_or(left / pieces).max(1);
            while left > 0 {
                // What is left over joins the last piece.
                let steps = if left < 2 * piece { left } else { piece };
                left -= steps;
                let seed = self.seed_of(effort.seed, jobs.len() as u64);
                let effort = Effort { steps, seed, ..*effort };
                jobs.push(Job { method, effort });
            }
        }
        jobs
    }

    /// A seed for each job of each round: other runs have others.
    fn seed_of(&self, round: u64, job: u64) -> u64 {
        /// The golden ratio, which spreads neighbouring numbers.
        const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
        self.seed.wrapping_mul(SPREAD) ^ (round << 32 | job)
    }

    /// How many methods a round uses: the first one has the first round for itself.
    fn number_used(&self, round: u64) -> usize {
        if round == 0 { 1 } else { self.serving.len() }
    }

    fn run(&self, job: &Job<'_>, sink: &mut dyn Sink<(usize, Vec<usize>)>) -> Flow {
        let mut named = Named { method: job.method, sink, flow: ControlFlow::Continue(()) };
        self.serving[job.method].run(&self.tables, &job.effort, &self.reached, &mut named);
        named.flow
    }

    /// One round, on so many threads. Only arrangements better than all before are handed over.
    ///
    /// # Errors
    /// Where a thread panics, or none can be started.
    pub(super) fn guess(
        &mut self,
        effort: &Effort<'_>,
        threads: usize,
        sink: &mut dyn Sink<Guess>,
    ) -> Result<(), SchedulerError> {
        let jobs = self.jobs(effort, threads);
        let mut leading = self.leading;
        let mut taker = Taker {
            problem: self.tables.problem,
            names: &self.serving,
            leading: &mut leading,
            sink,
        };
        if threads > 1 && scheduler::ARE_THERE && self.rounds > 0 {
            let work = |worker: &mut scheduler::QueueWorker<'_, Job<'_>, (usize, Vec<usize>)>| {
                while let Some(job) = worker.next_job() {
                    if self.run(&job, worker).is_break() {
                        break;
                    }
                }
            };
            let room = scheduler::room_for(self.tables.problem.board.size());
            // Whether it was told to stop the sink knows itself.
            let (_flow, _steps) =
                scheduler::run_jobs(threads, jobs, Progress::default(), room, &work, &mut taker)?;
        } else {
            let mut done = 0;
            for job in &jobs {
                let mut counted = Counted { before: done, steps: 0, sink: &mut taker };
                let flow = self.run(job, &mut counted);
                done += counted.steps;
                if flow.is_break() {
                    break;
                }
            }
        }
        self.leading = leading;
        self.rounds += 1;
        Ok(())
    }

    /// The methods that have been used.
    pub(super) fn methods(&self) -> Vec<&'static str> {
        let used = &self.serving[..self.number_used(self.rounds.saturating_sub(1))];
        used.iter().map(|method| method.name()).collect()
    }

    /// The methods that cannot obey the problem, and why.
    pub(super) fn left_out(&self) -> Vec<(&'static str, &'static str)> {
        self.left_out.clone()
    }
}

/// The values of an arrangement; `None` where a tile lies as it cannot.
fn values_of(problem: &Problem, arrangement: &Arrangement) -> Option<Vec<usize>> {
    let values = arrangement.0.iter();
    values.map(|placed| problem.kinds.value_of(placed.tile, placed.orientation)).collect()
}

/// Makes arrangements of values, and notes whose was the last one.
struct Taker<'a> {
    problem: &'a Problem,
    names: &'a [&'static dyn Method],
    leading: &'a mut usize,
    sink: &'a mut dyn Sink<Guess>,
}

impl Sink<(usize, Vec<usize>)> for Taker<'_> {
    fn found(&mut self, (method, values): (usize, Vec<usize>), steps: u64) -> Flow {
        let guess =
            Guess { arrangement: self.problem.deal(values), method: self.names[method].name() };
        if self.names[method].leads() {
            *self.leading = method;
        }
        self.sink.found(guess, steps)
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.sink.progress(progress)
    }
}

/// Says which method found what, and remembers whether it was told to stop.
struct Named<'a> {
    method: usize,
    sink: &'a mut dyn Sink<(usize, Vec<usize>)>,
    flow: Flow,
}

impl Sink<Vec<usize>> for Named<'_> {
    fn found(&mut self, values: Vec<usize>, steps: u64) -> Flow {
        self.flow = self.sink.found((self.method, values), steps);
        self.flow
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.flow = self.sink.progress(progress);
        self.flow
    }
}

/// Adds the steps of the jobs before.
struct Counted<'a, 'b> {
    before: u64,
    steps: u64,
    sink: &'a mut Taker<'b>,
}

impl Sink<(usize, Vec<usize>)> for Counted<'_, '_> {
    fn found(&mut self, found: (usize, Vec<usize>), steps: u64) -> Flow {
        self.sink.found(found, self.before + steps)
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.steps = progress.steps;
        self.sink.progress(Progress { steps: self.before + progress.steps, ..progress })
    }
}
