//! The hunt for the best: guesses and searches in turn, until what is reached meets the bound.
//!
//! Whatever a method or an engine finds is checked here, against all rules, before it counts.

use std::ops::ControlFlow;

use super::portfolio::Portfolio;
use super::{Aim, Effort, Guess, Optimum};
use crate::engine::{Decided, Engine, EngineError, Filtered, Host, Work};
use crate::enumerate::solution::check;
use crate::enumerate::{
    self, Found, Improvement, Limits, Listener, Outcome, RunStatus, StopReason, Tally,
};
use crate::problem::{Arrangement, Problem};
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{Progress, Sink};

/// Steps of the first guess, for each cell.
const STEPS: u64 = 1 << 10;

/// Steps of a guess take as long as one node of a search on a small board. A node copies the
/// domains of all cells, so it takes longer on a large one, where a proof is also less likely.
const STEPS_PER_NODE: u64 = 4;

/// The cells of a small board.
const SMALL: u64 = 36;

/// Units of work that it takes to check a cell and to count how many of its seams fit.
const UNITS_PER_CELL: usize = 128;

/// Finds the best arrangements, as many as the limits say, and hands them over.
///
/// Guesses and searches take turns, each twice as long as the one before, until one of the searches
/// ends; the value to try then changes. A search of an engine that [seeks
/// alone](Engine::seeks_alone) goes on until it ends.
pub fn run(
    aim: &dyn Aim,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Optimum {
    let token = &limits.token();
    let (least, bound) = aim.range();
    let mut hunt = Hunt {
        aim,
        engine,
        limits,
        token,
        listener,
        started: clock::now(),
        guesser: None,
        least,
        loosest: aim.reaching(least),
        bound,
        best: None,
        work: Work::default(),
        steps: 0,
        granted: 0,
        method: engine.name(),
    };
    let stop = hunt.start().and_then(|()| hunt.seek());
    hunt.hand_over(stop)
}

struct Hunt<'a> {
    aim: &'a dyn Aim,
    engine: &'a dyn Engine,
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
    listener: &'a mut dyn Listener,
    started: Instant,
    guesser: Option<Portfolio<'a>>,
    least: i64,
    /// What whatever fits at all obeys.
    loosest: Problem,
    bound: i64,
    best: Option<(i64, Arrangement)>,
    work: Work,
    /// Steps of all guesses.
    steps: u64,
    /// Steps that they might have made; what a method leaves over is lost.
    granted: u64,
    /// What found the best.
    method: &'static str,
}

impl Hunt<'_> {
    /// Takes what is known, and prepares the guesses.
    fn start(&mut self) -> Result<(), RunStatus> {
        if let Some(arrangement) = self.aim.start() {
            self.take(arrangement.clone(), "start")?;
        }
        if !self.engine.seeks_alone() {
            let guesser = self.aim.guesser(self.token).continue_value();
            self.guesser = guesser.ok_or_else(|| RunStatus::stopped_by(self.token))?;
        }
        Ok(())
    }

    /// Goes on until what is reached meets the bound; says why it stopped before.
    fn seek(&mut self) -> Result<(), RunStatus> {
        let cells = self.loosest.board.size() as u64;
        let mut steps = STEPS * cells;
        for seed in 0.. {
            self.guess(steps, seed)?;
            let per_node = STEPS_PER_NODE * cells.div_ceil(SMALL).pow(3);
            let most_nodes = self.guesser.is_some().then_some(steps / per_node);
            while !self.is_done() {
                if !self.search(most_nodes)? {
                    break;
                }
            }
            if self.is_done() {
                break;
            }
            steps *= 2;
            let why = format!("the best is not proven, and the methods guess for {steps} steps");
            self.listener.begins_again(&why, &self.work);
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        match &self.best {
            Some((value, _)) => *value >= self.bound,
            None => self.bound < self.least,
        }
    }

    fn guess(&mut self, steps: u64, seed: u64) -> Result<(), RunStatus> {
        let Some(mut guesser) = self.guesser.take() else {
            return Ok(());
        };
        if self.is_done() {
            self.guesser = Some(guesser);
            return Ok(());
        }
        let token = self.token;
        let effort =
            Effort::new(self.nodes_left().map_or(steps, |left| steps.min(left)), seed, token);
        self.granted += effort.steps;
        let threads = self.limits.threads;
        let mut guesses = Guesses { hunt: self, steps: 0, failed: None };
        let done = guesser.guess(&effort, threads, &mut guesses);
        let failed = guesses.failed;
        self.guesser = Some(guesser);
        done.map_err(|error| RunStatus::Failed(error.into()))?;
        match failed {
            Some(failure) => Err(failure),
            None if token.stop_reason().is_some() => Err(RunStatus::stopped_by(token)),
            None if self.is_done() => Ok(()),
            None => self.within_nodes(),
        }
    }

    /// The nodes that the limit leaves, of searches and of guesses; `None` without a limit.
    fn nodes_left(&self) -> Option<u64> {
        self.limits.nodes.map(|most| most.saturating_sub(self.granted + self.work.nodes))
    }

    fn within_nodes(&self) -> Result<(), RunStatus> {
        match (self.nodes_left(), self.limits.nodes) {
            (Some(0), Some(most)) => Err(RunStatus::Stopped(StopReason::Nodes(most))),
            _ => Ok(()),
        }
    }

    /// Takes what is better than all before, once it is checked.
    fn take(&mut self, arrangement: Arrangement, method: &'static str) -> Result<(), RunStatus> {
        let value = self.aim.value(&arrangement);
        if self.best.as_ref().is_some_and(|(best, _)| value <= *best) {
            return Ok(());
        }
        // A guess may break what is only checked.
        let loosest = &self.loosest;
        if loosest.is_lazy() && loosest.broken_constraint(&arrangement).is_some() {
            return Ok(());
        }
        // Its value was counted above; the rest is the same for all values.
        if let Err(violation) = check(&self.loosest, &arrangement) {
            return Err(RunStatus::Failed(EngineError::DoesNotFit {
                engine: method.into(),
                violation: violation.describe(&self.loosest),
            }));
        }
        self.listener.improved(&Improvement {
            arrangement: &arrangement,
            value,
            bound: self.bound,
            method,
            seconds: self.started.elapsed().as_secs_f64(),
        });
        self.best = Some((value, arrangement));
        self.method = method;
        Ok(())
    }

    /// Searches for something better, or proves that there is nothing; says whether one of these.
    fn search(&mut self, most_nodes: Option<u64>) -> Result<bool, RunStatus> {
        let value = match &self.best {
            Some((reached, _)) => self.aim.next(*reached, self.bound),
            None => self.least,
        };
        let nodes = most_nodes.into_iter().chain(self.nodes_left()).min();
        let limits = Limits { distinct: 1, nodes, ..*self.limits };
        let problem = self.aim.reaching(value);
        let mut first = First { listener: &mut *self.listener, arrangement: None };
        let outcome = enumerate::run_under(self.token, &problem, self.engine, &limits, &mut first);
        let found = first.arrangement;
        self.work.add(outcome.work);
        match (outcome.status, found) {
            (_, Some(found)) => {
                self.take(found, self.engine.name())?;
                Ok(true)
            }
            (RunStatus::Complete, None) => {
                self.bound = value - 1;
                Ok(true)
            }
            (RunStatus::Stopped(StopReason::Nodes(_)), None) => self.within_nodes().map(|()| false),
            (status, None) => Err(status),
        }
    }

    /// Hands over what was found: all that are as good where that is proven and asked for.
    fn hand_over(mut self, end: Result<(), RunStatus>) -> Optimum {
        let is_proven = end.is_ok();
        let methods = self.guesser.as_ref().map(|guesser| guesser.methods()).unwrap_or_default();
        let left_out = self.guesser.as_ref().map(|guesser| guesser.left_out()).unwrap_or_default();
        let value = self.best.as_ref().map(|(value, _)| *value);
        let outcome = match self.best.take() {
            None => self.nothing(end),
            Some((value, _)) if is_proven && self.limits.distinct != 1 => {
                let problem = self.aim.reaching(value);
                let (token, limits) = (self.token, self.limits);
                enumerate::run_under(token, &problem, self.engine, limits, &mut *self.listener)
            }
            Some((value, arrangement)) => {
                let problem = self.aim.reaching(value);
                // What was found in time is shown, however long it takes to count it.
                let limits = Limits::default();
                let known = Given(arrangement);
                let outcome = enumerate::run(&problem, &known, &limits, &mut *self.listener);
                let status = match outcome.status {
                    RunStatus::Failed(_) => outcome.status,
                    _ => end.err().unwrap_or(RunStatus::Stopped(StopReason::Enough)),
                };
                Outcome { status, ..outcome }
            }
        };
        self.work.add(outcome.work);
        Optimum {
            value: value.filter(|_| outcome.tally.distinct > 0),
            bound: self.bound,
            is_proven,
            steps: self.steps,
            methods,
            left_out,
            found_by: self.method,
            outcome: Outcome {
                engine: self.engine.name(),
                variant: self.engine.variant(),
                status: outcome.status,
                effort: self.engine.effort(&self.work),
                work: self.work,
                seconds: self.started.elapsed().as_secs_f64(),
                tally: outcome.tally,
            },
        }
    }

    /// A run that found nothing.
    fn nothing(&self, end: Result<(), RunStatus>) -> Outcome {
        Outcome {
            engine: self.engine.name(),
            variant: self.engine.variant(),
            status: end.err().unwrap_or(RunStatus::Complete),
            tally: Tally::default(),
            work: Work::default(),
            effort: String::new(),
            seconds: 0.0,
        }
    }
}

/// Keeps the first solution.
struct First<'a> {
    listener: &'a mut dyn Listener,
    arrangement: Option<Arrangement>,
}

impl Listener for First<'_> {
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<StopReason> {
        self.arrangement = Some(found.distinct.arrangement.clone());
        ControlFlow::Break(StopReason::Enough)
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.listener.progress(tally, work);
    }

    fn stands_at(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.listener.stands_at(path);
    }

    fn begins_again(&mut self, why: &str, work: &Work) {
        self.listener.begins_again(why, work);
    }
}

struct Guesses<'h, 'a> {
    hunt: &'h mut Hunt<'a>,
    /// Steps so far.
    steps: u64,
    failed: Option<RunStatus>,
}

impl Sink<Guess> for Guesses<'_, '_> {
    fn found(&mut self, guess: Guess, _steps: u64) -> Flow {
        if let Err(failure) = self.hunt.take(guess.arrangement, guess.method) {
            self.failed = Some(failure);
            return ControlFlow::Break(());
        }
        if self.hunt.is_done() {
            ControlFlow::Break(())
        } else {
            // Of a large board nearly every step is better than all before, and each is checked.
            self.hunt.token.work(UNITS_PER_CELL * self.hunt.loosest.board.size())
        }
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.hunt.steps += progress.steps - self.steps;
        self.steps = progress.steps;
        self.hunt.token.poll()?;
        self.hunt.token.may_take(0)?;
        self.hunt.listener.guessing(self.hunt.steps);
        self.hunt.listener.progress(&Tally::default(), &self.hunt.work);
        ControlFlow::Continue(())
    }
}

/// An engine that hands over what is known.
struct Given(Arrangement);

impl Engine for Given {
    fn name(&self) -> &'static str {
        "known"
    }

    /// What is known was checked.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn effort(&self, _work: &Work) -> String {
        String::new()
    }

    fn search(
        &self,
        _problem: &Problem,
        host: &mut Filtered<'_>,
        work: &mut Work,
    ) -> Result<Flow, EngineError> {
        Ok(host.found(&self.0, work))
    }
}
