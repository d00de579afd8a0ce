//! The search for an optimum: alternates heuristic guesses and exact searches until the incumbent
//! meets the bound.
//!
//! Every arrangement from a method or an engine is checked against all rules before it becomes the
//! incumbent.

use std::ops::ControlFlow;

use super::method::{Effort, Guess};
use super::portfolio::Portfolio;
use super::{Optimisation, Optimum};
use crate::engine::{Decided, Engine, EngineError, FilteringHost, Host, Regions, Work};
use crate::enumerate::solution::check;
use crate::enumerate::{
    self, Improvement, Limits, Listener, NewSolution, Outcome, RunStatus, Series, StopReason, Tally,
};
use crate::problem::{Arrangement, Objective, Problem};
use crate::runtime::clock::{self, Instant};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{SearchProgress, Sink};

/// The number of steps per cell in the first round of guesses.
const STEPS: u64 = 1 << 10;

/// The number of nodes that `regions` searches for each heuristic step on a small board. A node takes
/// a quarter of the time of a step. Large boards get fewer nodes, as proofs are less likely there.
const NODES_PER_STEP: u64 = 8;

/// The number of heuristic steps for each node of another search, which copies the domains of all
/// cells and so takes longer on large boards.
const STEPS_PER_NODE: u64 = 4;

/// The maximum number of cells of a small board.
const SMALL: u64 = 36;

/// The units of work of the token for checking a cell and counting its matching seams.
const UNITS_PER_CELL: usize = 128;

/// Optimises the objectives one after the other and reports optimal arrangements to the listener, as
/// many as `limits.distinct` requests; with a gap, the best ones first if their number is limited and
/// no distance is required. If a limit stops the run earlier, reports the best arrangement found.
///
/// Guesses and searches alternate with doubled effort until a search ends, which changes the next
/// value to try.
///
/// # Panics
/// If there is no objective.
pub fn run(
    what: &Optimisation<'_>,
    engine: &dyn Engine,
    limits: &Limits<'_>,
    listener: &mut dyn Listener,
) -> Optimum {
    let token = &limits.token();
    let mut hunt = Hunt {
        what,
        engine,
        limits,
        token,
        listener,
        started: clock::now(),
        stage: Stage::new(what.problem.clone(), &what.objectives[0]),
        earlier: Vec::new(),
        ceiling: i64::MAX,
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
    let end = hunt.seek_all(&mut portfolio);
    hunt.report_result(end, portfolio.as_ref())
}

/// The result of a step of the optimisation; the error is the status that ends the run.
type HuntResult<T = ()> = Result<T, RunStatus>;

/// The optimisation of one objective.
struct Stage<'a> {
    objective: &'a Objective,
    /// The problem whose solutions have optimal values of the objectives before.
    problem: Problem,
    least: i64,
    /// The problem without a requirement on the objective, whose solutions are all feasible
    /// arrangements.
    loosest: Problem,
    bound: i64,
}

impl<'a> Stage<'a> {
    /// Creates the stage of an objective before its first search.
    fn new(problem: Problem, objective: &'a Objective) -> Stage<'a> {
        let (least, bound) = objective.range(&problem);
        let loosest = objective.reaching(&problem, least);
        Stage { objective, problem, least, loosest, bound }
    }

    /// The value of a feasible arrangement.
    fn value(&self, arrangement: &Arrangement) -> i64 {
        self.objective.value(&self.problem, arrangement)
    }

    /// The problem whose solutions have at least this value.
    fn reaching(&self, value: i64) -> Problem {
        self.objective.reaching(&self.problem, value)
    }
}

struct Hunt<'a> {
    what: &'a Optimisation<'a>,
    engine: &'a dyn Engine,
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
    listener: &'a mut dyn Listener,
    started: Instant,
    stage: Stage<'a>,
    /// The optimal values of the objectives before.
    earlier: Vec<i64>,
    /// Arrangements with a larger value are not sought: they were reported before.
    ceiling: i64,
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
    /// Optimises one objective after the other. Sets `portfolio` if heuristics are used.
    ///
    /// # Errors
    /// The status that ended the run earlier.
    fn seek_all(&mut self, portfolio: &mut Option<Portfolio<'a>>) -> HuntResult {
        if let (Objective::Seams, what) = (self.stage.objective, self.what) {
            if let Some(arrangement) = &what.start {
                self.consider(arrangement.clone(), "start")?;
            }
            let new = Portfolio::new(what, self.token);
            *portfolio = Some(RunStatus::unless_stopped(new, self.token)?);
        }
        self.seek(portfolio)?;
        for objective in &self.what.objectives[1..] {
            let Some((value, arrangement)) = self.best.take() else {
                break;
            };
            self.stage = Stage::new(self.stage.reaching(value), objective);
            self.earlier.push(value);
            self.consider(arrangement, self.method)?;
            self.seek(&mut None)?;
        }
        Ok(())
    }

    /// Alternates heuristics and searches until the incumbent meets the bound.
    ///
    /// # Errors
    /// The status that ended the run earlier.
    fn seek(&mut self, portfolio: &mut Option<Portfolio<'a>>) -> HuntResult {
        let cells = self.stage.loosest.board.size() as u64;
        let mut steps = STEPS * cells;
        for seed in 0.. {
            if let Some(portfolio) = portfolio.as_mut().filter(|_| !self.is_done()) {
                self.guess(portfolio, steps, seed)?;
            }
            let has_guesses = portfolio.is_some();
            while !self.is_done() {
                let most_nodes = has_guesses.then(|| self.nodes_for(steps));
                let value = self.next_value(has_guesses);
                if !self.search(value, most_nodes)? {
                    break;
                }
            }
            if self.best.is_none() && !self.is_done() {
                // The arrangements of the guesses violate a lazy constraint.
                self.search(self.stage.least, Some(self.nodes_for(steps)))?;
            }
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

    /// The number of nodes to search after some heuristic steps.
    fn nodes_for(&self, steps: u64) -> u64 {
        let choice = self.work.choice.as_ref().map(|choice| choice.engine);
        let size = (self.stage.loosest.board.size() as u64).div_ceil(SMALL);
        if choice.unwrap_or(self.engine.name()) == Regions.name() {
            steps * NODES_PER_STEP / size.pow(2)
        } else {
            steps / (STEPS_PER_NODE * size.pow(3))
        }
    }

    /// Returns true if the incumbent is proven optimal, or it is proven that there is no
    /// arrangement.
    fn is_done(&self) -> bool {
        let best = self.best.as_ref();
        let Stage { least, bound, .. } = self.stage;
        best.map_or(bound < least, |(value, _)| *value >= bound)
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
        let value = self.stage.value(&arrangement);
        if self.best.as_ref().is_some_and(|(best, _)| value <= *best) {
            return Ok(());
        }
        // A guess may violate lazy constraints.
        let loosest = &self.stage.loosest;
        if loosest.is_lazy() && loosest.broken_constraint(&arrangement).is_some() {
            return Ok(());
        }
        // The value is recomputed above; the other rules are the same for all values.
        if let Err(violation) = check(loosest, &arrangement) {
            return Err(RunStatus::Failed(EngineError::DoesNotFit {
                engine: method.into(),
                violation: violation.describe(loosest),
            }));
        }
        if self.ceiling == i64::MAX {
            self.listener.improved(&Improvement {
                arrangement: &arrangement,
                objective: self.earlier.len(),
                value,
                bound: self.stage.bound,
                method,
                seconds: self.started.elapsed().as_secs_f64(),
            });
        }
        self.best = Some((value, arrangement));
        self.method = method;
        Ok(())
    }

    /// The value that the next search should try to reach. Without an incumbent it is the least one,
    /// unless the search is limited because there are guesses: then few seams may break, so that it
    /// is short.
    fn next_value(&self, has_guesses: bool) -> i64 {
        let Stage { objective, least, bound, .. } = self.stage;
        match &self.best {
            Some((best, _)) => objective.next(*best, bound),
            None if has_guesses => bound,
            None => least,
        }
    }

    /// Searches for an arrangement with at least this value: improves the incumbent, or lowers the
    /// bound if there is none. Returns false if the node limit of the round ended the search.
    ///
    /// # Errors
    /// The status of the search if it ended for another reason.
    fn search(&mut self, value: i64, most_nodes: Option<u64>) -> HuntResult<bool> {
        let stage = &self.stage;
        let nodes = most_nodes.into_iter().chain(self.nodes_left()).min();
        // The listener ends the search at the first arrangement that is not above the ceiling.
        let limits = Limits { distinct: 0, nodes, ..*self.limits };
        let problem = stage.reaching(value);
        let outcome = enumerate::run_under(self.token, &problem, self.engine, &limits, self);
        let found = self.found.take();
        self.work.add(outcome.work);
        match (outcome.status, found) {
            (_, Some(found)) => {
                self.consider(found, self.engine.name())?;
                Ok(true)
            }
            (RunStatus::Complete, None) => {
                self.stage.bound = value - 1;
                Ok(true)
            }
            (RunStatus::Stopped(StopReason::Nodes(_)), None) => self.within_nodes().map(|()| false),
            (status, None) => Err(status),
        }
    }

    /// Reports the incumbent to the listener as a solution, or several arrangements if optimality is
    /// proven and more than one is requested. `end` is the result of the optimisation.
    fn report_result(mut self, end: HuntResult, portfolio: Option<&Portfolio<'_>>) -> Optimum {
        let is_proven = end.is_ok();
        let (value, bound) = (self.best.as_ref().map(|(value, _)| *value), self.stage.bound);
        let (earlier, found_by) = (self.earlier.clone(), self.method);
        let end = end.err();
        let (status, tally) = match self.best.take() {
            None => (end.unwrap_or(RunStatus::Complete), Tally::default()),
            Some((value, _)) if is_proven && self.limits.distinct != 1 => self.report_pool(value),
            Some((value, arrangement)) => {
                let problem = self.stage.reaching(value);
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
            earlier,
            value: value.filter(|_| tally.listed() > 0),
            bound,
            is_proven,
            steps: self.steps,
            methods: portfolio.map(Portfolio::methods).unwrap_or_default(),
            left_out: portfolio.map(|portfolio| portfolio.left_out.clone()).unwrap_or_default(),
            found_by,
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

    /// Reports the arrangements whose value is within the gap of `optimum`, as many as are wanted.
    fn report_pool(&mut self, optimum: i64) -> (RunStatus, Tally) {
        let gap = i64::try_from(self.what.gap).unwrap_or(i64::MAX);
        let lowest = optimum.saturating_sub(gap).max(self.stage.least);
        let (token, engine, limits) = (self.token, self.engine, self.limits);
        if let Some(distance) = self.what.distance {
            let problem = self.stage.reaching(lowest);
            let listener = &mut *self.listener;
            let all =
                enumerate::run_apart_under(token, &problem, distance, engine, limits, listener);
            self.work.add(all.work);
            (all.status, all.tally)
        } else if limits.distinct == 0 || lowest == optimum {
            let problem = self.stage.reaching(lowest);
            let all = enumerate::run_under(token, &problem, engine, limits, self.listener);
            self.work.add(all.work);
            (all.status, all.tally)
        } else {
            self.report_levels(optimum, lowest)
        }
    }

    /// Reports the arrangements with the value `level`, then those with the next lower value, down to
    /// `lowest`, until as many are reported as are wanted.
    fn report_levels(&mut self, mut level: i64, lowest: i64) -> (RunStatus, Tally) {
        let mut tally = Tally::default();
        self.stage.least = lowest;
        loop {
            let problem = self.stage.reaching(level);
            let limits = Limits { distinct: 0, nodes: self.nodes_left(), ..*self.limits };
            let mut series = Series::new(&mut *self.listener, self.limits.distinct);
            series.tally = std::mem::take(&mut tally);
            let stage = &self.stage;
            let is_level = |found: &Arrangement| stage.value(found) == level;
            let run = &mut series.next_run(&is_level);
            let all = enumerate::run_under(self.token, &problem, self.engine, &limits, run);
            tally = series.tally;
            self.work.add(all.work);
            if !all.status.is_complete() {
                return (all.status, tally);
            }
            (self.ceiling, self.stage.bound) = (level - 1, level - 1);
            if let Err(status) = self.seek(&mut None) {
                return (status, tally);
            }
            match self.best.take() {
                Some((next, _)) => level = next,
                None => return (RunStatus::Complete, tally),
            }
        }
    }
}

impl Sink<Guess> for Hunt<'_> {
    fn found(&mut self, (method, values): Guess, _steps: u64) -> Flow {
        if let Err(failure) = self.consider(self.stage.loosest.deal(values), method.name) {
            self.failed = Some(failure);
            return ControlFlow::Break(());
        }
        if self.is_done() {
            ControlFlow::Break(())
        } else {
            // On a large board nearly every step improves the incumbent, and each improvement is
            // checked.
            self.token.work(UNITS_PER_CELL * self.stage.loosest.board.size())
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
        let arrangement = &found.distinct.arrangement;
        if self.stage.value(arrangement) > self.ceiling {
            return ControlFlow::Continue(());
        }
        self.found = Some(arrangement.clone());
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
