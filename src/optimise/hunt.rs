//! The hunt for the best: guesses and searches in turn, until what is reached meets the bound.
//!
//! Whatever a method or an engine finds is checked here, against all rules, before it counts.

use std::ops::ControlFlow;

use super::method::{Effort, Guess};
use super::portfolio::Portfolio;
use super::{Aim, Optimum};
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
        least,
        loosest: aim.reaching(least),
        bound,
        best: None,
        work: Work::default(),
        steps: 0,
        steps_before: 0,
        granted: 0,
        method: engine.name(),
        found: None,
        failed: None,
    };
    let mut portfolio = None;
    let end = hunt.seek(&mut portfolio);
    hunt.hand_over(end, portfolio.as_ref())
}

/// What a step of a hunt gives, or why the hunt ends there.
type Step<T = ()> = Result<T, RunStatus>;

struct Hunt<'a> {
    aim: &'a dyn Aim,
    engine: &'a dyn Engine,
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
    listener: &'a mut dyn Listener,
    started: Instant,
    least: i64,
    /// What whatever fits at all obeys.
    loosest: Problem,
    bound: i64,
    best: Option<(i64, Arrangement)>,
    work: Work,
    /// Steps of all guesses, and of those of the rounds before.
    steps: u64,
    steps_before: u64,
    /// Steps that they might have made; what a method leaves over is lost.
    granted: u64,
    /// What found the best.
    method: &'static str,
    /// What a search found.
    found: Option<Arrangement>,
    /// Why a guess was refused.
    failed: Option<RunStatus>,
}

impl<'a> Hunt<'a> {
    /// Prepares the guesses, and goes on until what is reached meets the bound; says why it stopped
    /// before.
    fn seek(&mut self, portfolio: &mut Option<Portfolio<'a>>) -> Step {
        if let Some(fit) = self.aim.as_fit() {
            if let Some(arrangement) = &fit.start {
                self.take(arrangement.clone(), "start")?;
            }
            if !self.engine.seeks_alone() {
                let new = Portfolio::new(fit, self.token).continue_value();
                *portfolio = Some(new.ok_or_else(|| RunStatus::stopped_by(self.token))?);
            }
        }
        let cells = self.loosest.board.size() as u64;
        let mut steps = STEPS * cells;
        for seed in 0.. {
            if let Some(portfolio) = portfolio.as_mut().filter(|_| !self.is_done()) {
                self.guess(portfolio, steps, seed)?;
            }
            let per_node = STEPS_PER_NODE * cells.div_ceil(SMALL).pow(3);
            let most_nodes = portfolio.is_some().then_some(steps / per_node);
            while !self.is_done() && self.search(most_nodes)? {}
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
        let best = self.best.as_ref();
        best.map_or(self.bound < self.least, |(value, _)| *value >= self.bound)
    }

    /// One round of guesses.
    fn guess(&mut self, portfolio: &mut Portfolio<'_>, steps: u64, seed: u64) -> Step {
        let steps = self.nodes_left().map_or(steps, |left| steps.min(left));
        self.granted += steps;
        self.steps_before = self.steps;
        let threads = self.limits.threads;
        let done = portfolio.guess(&Effort::new(steps, seed, self.token), threads, self);
        done.map_err(|error| RunStatus::Failed(error.into()))?;
        match self.failed.take() {
            Some(failure) => Err(failure),
            None if self.token.stop_reason().is_some() => Err(RunStatus::stopped_by(self.token)),
            None if self.is_done() => Ok(()),
            None => self.within_nodes(),
        }
    }

    /// The nodes that the limit leaves, of searches and of guesses; `None` without a limit.
    fn nodes_left(&self) -> Option<u64> {
        self.limits.nodes.map(|most| most.saturating_sub(self.granted + self.work.nodes))
    }

    fn within_nodes(&self) -> Step {
        match (self.nodes_left(), self.limits.nodes) {
            (Some(0), Some(most)) => Err(RunStatus::Stopped(StopReason::Nodes(most))),
            _ => Ok(()),
        }
    }

    /// Takes what is better than all before, once it is checked.
    fn take(&mut self, arrangement: Arrangement, method: &'static str) -> Step {
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
    fn search(&mut self, most_nodes: Option<u64>) -> Step<bool> {
        let best = self.best.as_ref();
        let value = best.map_or(self.least, |(best, _)| self.aim.next(*best, self.bound));
        let nodes = most_nodes.into_iter().chain(self.nodes_left()).min();
        let limits = Limits { distinct: 1, nodes, ..*self.limits };
        let problem = self.aim.reaching(value);
        let outcome = enumerate::run_under(self.token, &problem, self.engine, &limits, self);
        let found = self.found.take();
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
    fn hand_over(mut self, end: Step, portfolio: Option<&Portfolio<'_>>) -> Optimum {
        let is_proven = end.is_ok();
        let value = self.best.as_ref().map(|(value, _)| *value);
        let end = end.err();
        let (status, tally) = match self.best.take() {
            None => (end.unwrap_or(RunStatus::Complete), Tally::default()),
            Some((value, _)) if is_proven && self.limits.distinct != 1 => {
                let problem = self.aim.reaching(value);
                let (engine, limits) = (self.engine, self.limits);
                let all = enumerate::run_under(self.token, &problem, engine, limits, self.listener);
                self.work.add(all.work);
                (all.status, all.tally)
            }
            Some((value, arrangement)) => {
                let problem = self.aim.reaching(value);
                // What was found in time is shown, however long it takes to count it.
                let limits = Limits::default();
                let known = enumerate::run(&problem, &Given(arrangement), &limits, self.listener);
                match known.status {
                    RunStatus::Failed(_) => (known.status, known.tally),
                    _ => (end.unwrap_or(RunStatus::Stopped(StopReason::Enough)), known.tally),
                }
            }
        };
        Optimum {
            value: value.filter(|_| tally.distinct > 0),
            bound: self.bound,
            is_proven,
            steps: self.steps,
            methods: portfolio.map(Portfolio::methods).unwrap_or_default(),
            left_out: portfolio.map(|portfolio| portfolio.left_out.clone()).unwrap_or_default(),
            found_by: self.method,
            outcome: Outcome {
                engine: self.engine.name(),
                variant: self.engine.variant(),
                status,
                effort: self.engine.effort(&self.work),
                work: self.work,
                seconds: self.started.elapsed().as_secs_f64(),
                tally,
            },
        }
    }
}

/// Takes guesses.
impl Sink<Guess> for Hunt<'_> {
    fn found(&mut self, (method, values): Guess, _steps: u64) -> Flow {
        if let Err(failure) = self.take(self.loosest.deal(values), method.name) {
            self.failed = Some(failure);
            return ControlFlow::Break(());
        }
        if self.is_done() {
            ControlFlow::Break(())
        } else {
            // Of a large board nearly every step is better than all before, and each is checked.
            self.token.work(UNITS_PER_CELL * self.loosest.board.size())
        }
    }

    fn progress(&mut self, progress: Progress) -> Flow {
        self.steps = self.steps_before + progress.steps;
        self.token.poll()?;
        self.token.may_take(0)?;
        self.listener.guessing(self.steps);
        self.listener.progress(&Tally::default(), &self.work);
        ControlFlow::Continue(())
    }
}

/// Keeps the first solution of a search.
impl Listener for Hunt<'_> {
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<StopReason> {
        self.found = Some(found.distinct.arrangement.clone());
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

/// An engine that hands over what is known.
struct Given(Arrangement);

impl Engine for Given {
    fn name(&self) -> &'static str {
        "known"
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
