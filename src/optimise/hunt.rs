//! The search for an optimum: alternates heuristic guesses and exact searches until the incumbent
//! meets the bound.
//!
//! Every arrangement from a method or an engine is checked against all rules before it becomes the
//! incumbent.

use std::ops::ControlFlow;

use super::method::{Effort, Guess};
use super::portfolio::Portfolio;
use super::{Aim, Optimum};
use crate::engine::{Decided, Engine, EngineError, FilteringHost, Host, Work};
use crate::enumerate::solution::check;
use crate::enumerate::{
    self, Improvement, Limits, Listener, NewSolution, Outcome, RunStatus, StopReason, Tally,
};
use crate::problem::{Arrangement, Problem};
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{SearchProgress, Sink};

/// The number of steps per cell in the first round of guesses.
const STEPS: u64 = 1 << 10;

/// The number of heuristic steps that take as long as one search node on a small board. A node
/// copies the domains of all cells, so nodes are slower on large boards, where proofs are less
/// likely too.
const STEPS_PER_NODE: u64 = 4;

/// The maximum number of cells of a small board.
const SMALL: u64 = 36;

/// The units of work of the token for checking a cell and counting its matching seams.
const UNITS_PER_CELL: usize = 128;

/// Finds optimal arrangements, as many as `limits.distinct` requests, and reports them to the
/// listener. If a limit stops the run earlier, reports the best arrangement found.
///
/// Guesses and searches alternate with doubled effort until a search ends, which changes the next
/// value to try.
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
    hunt.report_result(end, portfolio.as_ref())
}

/// The result of a step of the optimisation; the error is the status that ends the run.
type HuntResult<T = ()> = Result<T, RunStatus>;

struct Hunt<'a> {
    aim: &'a dyn Aim,
    engine: &'a dyn Engine,
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
    listener: &'a mut dyn Listener,
    started: Instant,
    least: i64,
    /// The problem without a requirement on the objective, whose solutions are all feasible
    /// arrangements.
    loosest: Problem,
    bound: i64,
    best: Option<(i64, Arrangement)>,
    work: Work,
    /// The number of heuristic steps so far, and of those in earlier rounds.
    steps: u64,
    steps_before: u64,
    /// The number of heuristic steps granted so far, used or not. They count as nodes.
    granted: u64,
    /// The name of the method or engine that found the incumbent.
    method: &'static str,
    /// The solution of the current search.
    found: Option<Arrangement>,
    /// The failure caused by the last arrangement of a heuristic, if any.
    failed: Option<RunStatus>,
}

impl<'a> Hunt<'a> {
    /// Alternates heuristics and searches until the incumbent meets the bound. Sets `portfolio` if
    /// heuristics are used.
    ///
    /// # Errors
    /// The status that ended the run earlier.
    fn seek(&mut self, portfolio: &mut Option<Portfolio<'a>>) -> HuntResult {
        if let Some(fit) = self.aim.as_fit() {
            if let Some(arrangement) = &fit.start {
                self.consider(arrangement.clone(), "start")?;
            }
            let new = Portfolio::new(fit, self.token);
            *portfolio = Some(RunStatus::unless_stopped(new, self.token)?);
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
            let why = format!(
                "the best arrangement is not proven: local search continues for {steps} steps"
            );
            self.listener.report_restart(&why, &self.work);
        }
        Ok(())
    }

    /// Returns true if the incumbent is proven optimal, or it is proven that there is no
    /// arrangement.
    fn is_done(&self) -> bool {
        let best = self.best.as_ref();
        best.map_or(self.bound < self.least, |(value, _)| *value >= self.bound)
    }

    /// Runs one round of the heuristics with up to `steps` steps, or as many nodes as are left.
    ///
    /// # Errors
    /// The status that ends the run: a heuristic failed or gave a wrong arrangement, or a limit was
    /// reached.
    fn guess(&mut self, portfolio: &mut Portfolio<'_>, steps: u64, seed: u64) -> HuntResult {
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

    /// The remaining nodes for searches and guesses; `None` if there is no limit.
    fn nodes_left(&self) -> Option<u64> {
        self.limits.nodes.map(|most| most.saturating_sub(self.granted + self.work.nodes))
    }

    /// Returns an error, the status that the node limit was reached, if no nodes are left.
    fn within_nodes(&self) -> HuntResult {
        match (self.nodes_left(), self.limits.nodes) {
            (Some(0), Some(most)) => Err(RunStatus::Stopped(StopReason::Nodes(most))),
            _ => Ok(()),
        }
    }

    /// Makes an arrangement the incumbent if it is better and satisfies the lazy constraints.
    ///
    /// # Errors
    /// If it is better but violates another rule, which means that the method is wrong.
    fn consider(&mut self, arrangement: Arrangement, method: &'static str) -> HuntResult {
        let value = self.aim.value(&arrangement);
        if self.best.as_ref().is_some_and(|(best, _)| value <= *best) {
            return Ok(());
        }
        // A guess may violate lazy constraints.
        let loosest = &self.loosest;
        if loosest.is_lazy() && loosest.broken_constraint(&arrangement).is_some() {
            return Ok(());
        }
        // The value is recomputed above; the other rules are the same for all values.
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

    /// Searches for an arrangement with the next value to try: improves the incumbent, or lowers
    /// the bound if there is none. Returns false if the node limit of the round ended the search.
    ///
    /// # Errors
    /// The status of the search if it ended for another reason.
    fn search(&mut self, most_nodes: Option<u64>) -> HuntResult<bool> {
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
                self.consider(found, self.engine.name())?;
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

    /// Reports the incumbent to the listener as a solution, or all optimal arrangements if
    /// optimality is proven and more than one is requested. `end` is the result of the
    /// optimisation.
    fn report_result(mut self, end: HuntResult, portfolio: Option<&Portfolio<'_>>) -> Optimum {
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
                // The time limit does not apply to counting a known arrangement.
                let limits = Limits::default();
                let known = enumerate::run(
                    &problem,
                    &KnownArrangement(arrangement),
                    &limits,
                    self.listener,
                );
                match known.status {
                    RunStatus::Failed(_) => (known.status, known.tally),
                    _ => (end.unwrap_or(RunStatus::Stopped(StopReason::Enough)), known.tally),
                }
            }
        };
        Optimum {
            value: value.filter(|_| tally.listed() > 0),
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

impl Sink<Guess> for Hunt<'_> {
    fn found(&mut self, (method, values): Guess, _steps: u64) -> Flow {
        if let Err(failure) = self.consider(self.loosest.deal(values), method.name) {
            self.failed = Some(failure);
            return ControlFlow::Break(());
        }
        if self.is_done() {
            ControlFlow::Break(())
        } else {
            // On a large board nearly every step improves the incumbent, and each improvement is
            // checked.
            self.token.work(UNITS_PER_CELL * self.loosest.board.size())
        }
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.steps = self.steps_before + progress.steps;
        self.token.poll()?;
        self.token.may_take(0)?;
        self.listener.guessing(self.steps);
        self.listener.progress(&Tally::default(), &self.work);
        ControlFlow::Continue(())
    }
}

/// Keeps the first solution of a search, and stops it.
impl Listener for Hunt<'_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.found = Some(found.distinct.arrangement.clone());
        ControlFlow::Break(StopReason::Enough)
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.listener.progress(tally, work);
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.listener.report_path(path);
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        self.listener.report_restart(why, work);
    }
}

/// An engine that reports one known arrangement.
struct KnownArrangement(Arrangement);

impl Engine for KnownArrangement {
    fn name(&self) -> &'static str {
        "known"
    }

    fn search(
        &self,
        _problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow, EngineError> {
        Ok(host.found(&self.0, work))
    }
}
