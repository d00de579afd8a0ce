//! The first solutions of a large board: an exact search and local search take turns.
//!
//! A search for all solutions may decide wrongly at its first cells and then never reach one, while
//! local search completes a board that has very many. If only some solutions are wanted, neither is
//! given up: each turn is longer than the one before, and the exact search starts again in each, so
//! that its result does not depend on threads. A search that has found a solution goes on to its end.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::ControlFlow;

use super::Optimisation;
use super::method::{Effort, Guess};
use super::portfolio::Portfolio;
use crate::engine::{
    Decided, Engine, EngineChoice, EngineError, FilteringHost, Host, Work, nodes_of_backtrack,
};
use crate::enumerate::solution::broken_seams;
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{SearchProgress, Sink};

/// The first turn of the exact search, in nodes of `backtrack`: half a second. Most boards that a
/// search can solve need less.
const FIRST_TURN: f64 = 16e6;

/// How long turns are after the first one of the exact search.
struct Turns {
    /// The factor from one turn of the exact search to the next.
    growth: f64,
    /// The time of a turn of local search, as a multiple of the one of the exact search before it.
    local: f64,
}

/// The turns on most boards. The repeated beginnings add a third to the time of the last turn.
const USUAL: Turns = Turns { growth: 4.0, local: 0.5 };

/// The turns on boards of at least [`LARGE`] cells, where an exact search that found nothing at first
/// hardly ever finds anything: framed 16×16 with six and seven images are completed by local search
/// in 20 and 76 million steps.
const ON_LARGE: Turns = Turns { growth: 2.0, local: 4.0 };
const LARGE: usize = 128;

/// The nodes of `backtrack` that take as long as a step of local search.
const NODES_PER_STEP: f64 = 8.0;

/// The fewest steps of a turn of local search.
const FEWEST_STEPS: f64 = 1e3;

/// An engine that finds some solutions by an exact search and local search in turn, and all of them
/// once a turn of the exact search suffices.
pub struct FirstSolutions<'e> {
    engine: &'e dyn Engine,
    /// The first turn, in nodes of `backtrack`.
    turn: f64,
}

impl<'e> FirstSolutions<'e> {
    /// Creates the engine from an exact search.
    pub fn new(engine: &'e dyn Engine) -> Self {
        FirstSolutions { engine, turn: FIRST_TURN }
    }

    /// Replaces the length of the first turn, in nodes of a fast search.
    #[must_use]
    pub fn with_first_turn(self, nodes: u32) -> Self {
        FirstSolutions { turn: nodes.into(), ..self }
    }
}

impl Engine for FirstSolutions<'_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn variant(&self) -> String {
        self.engine.variant()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        self.engine.serves(problem)
    }

    /// Always true: the turns of the exact search have a host that tests the constraints if
    /// necessary.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn uses_threads(&self) -> bool {
        self.engine.uses_threads()
    }

    fn effort(&self, work: &Work) -> String {
        self.engine.effort(work)
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow, EngineError> {
        let token = host.token();
        let mut guesses = Guesses { problem, portfolio: None, rounds: 0, known: HashSet::new() };
        let Turns { growth, local } = if problem.board.size() < LARGE { USUAL } else { ON_LARGE };
        let mut nodes = self.turn;
        loop {
            let mut turn = SearchTurn {
                problem,
                host,
                before: work,
                nodes,
                is_over: false,
                has_found: false,
                may_promise: guesses.known.is_empty(),
                has_promised: false,
            };
            let mut own = Work::default();
            let end = self.engine.run(problem, token, &mut turn, &mut own)?;
            let is_over = turn.is_over;
            work.explored = own.explored;
            work.add(own);
            if !is_over {
                return Ok(end);
            }
            let steps = (local * nodes / NODES_PER_STEP).max(FEWEST_STEPS);
            host.report_restart(&format!("local search for {steps:.0} steps"), work);
            if guesses.take_turn(steps as u64, token, host, work)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            nodes *= growth;
        }
    }
}

/// The host of a turn of the exact search: passes everything on, but ends the search if it has found
/// nothing after a number of nodes. Nodes that threads make ahead do not count, so what is passed on
/// does not depend on threads.
struct SearchTurn<'t, 'h> {
    problem: &'t Problem,
    host: &'t mut FilteringHost<'h>,
    /// The work of the turns before.
    before: &'t Work,
    /// The length of the turn, in nodes of `backtrack`.
    nodes: f64,
    is_over: bool,
    has_found: bool,
    /// True if local search has found no solution that the exact search could repeat.
    may_promise: bool,
    /// True if the exact search promises to repeat no solution.
    has_promised: bool,
}

impl SearchTurn<'_, '_> {
    /// Breaks if the turn is over.
    fn check_length(&mut self, work: &Work) -> Flow {
        self.is_over = !self.has_found && nodes_of_backtrack(self.problem, work) > self.nodes;
        if self.is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// The work of all turns.
    fn total<'w>(&self, work: &'w Work) -> Cow<'w, Work> {
        if self.before.nodes == 0 {
            return Cow::Borrowed(work);
        }
        let mut total = self.before.clone();
        (total.explored, total.expected) = (work.explored, work.expected);
        total.filled = total.filled.max(work.filled);
        total.add(work.clone());
        Cow::Owned(total)
    }

    /// Passes on the promise of the exact search once no other turn can follow.
    fn pass_promise(&mut self) {
        if self.has_promised && self.has_found && self.may_promise {
            self.host.promise_no_duplicates();
        }
    }
}

impl Host for SearchTurn<'_, '_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> Flow {
        self.check_length(work)?;
        if !self.has_found {
            self.has_found = true;
            self.pass_promise();
        }
        let total = self.total(work);
        self.host.found(arrangement, &total)
    }

    fn poll(&mut self, work: &Work) -> Flow {
        self.check_length(work)?;
        let total = self.total(work);
        self.host.poll(&total)
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.report_path(path);
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        let total = self.total(work);
        self.host.report_restart(why, &total);
    }

    fn promise_no_duplicates(&mut self) {
        self.has_promised = true;
        self.pass_promise();
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}

/// The turns of local search.
struct Guesses<'p> {
    problem: &'p Problem,
    /// The portfolio with its incumbent; `None` if a new one is to start.
    portfolio: Option<Portfolio<'p>>,
    /// The number of rounds of all portfolios.
    rounds: u64,
    /// The complete boards found, by their values.
    known: HashSet<Vec<usize>>,
}

impl Guesses<'_> {
    /// Runs rounds, each until it finds a solution, for `left` steps or until a solution is not new.
    /// Breaks if the host or the token stops the run.
    ///
    /// # Errors
    /// If a thread fails.
    fn take_turn(
        &mut self,
        mut left: u64,
        token: &CancelToken<'_>,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow, EngineError> {
        while left > 0 {
            let mut portfolio = match self.portfolio.take() {
                Some(portfolio) => portfolio,
                None => {
                    let seed = self.rounds;
                    let what = Optimisation { seed, ..Optimisation::best(self.problem) };
                    match Portfolio::new(&what, token) {
                        ControlFlow::Continue(portfolio) => portfolio,
                        ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                    }
                }
            };
            let (problem, flow) = (self.problem, ControlFlow::Continue(()));
            let mut sink = FullBoards {
                problem,
                host: &mut *host,
                work: &mut *work,
                flow,
                full: None,
                steps: 0,
            };
            portfolio.guess(&Effort::new(left, self.rounds, token), 1, &mut sink)?;
            let FullBoards { flow, full, steps, .. } = sink;
            left = left.saturating_sub(steps.max(1));
            self.rounds += 1;
            if flow.is_break() || token.stop_reason().is_some() {
                return Ok(ControlFlow::Break(()));
            }
            match full {
                None => {
                    self.portfolio = Some(portfolio);
                    return Ok(ControlFlow::Continue(()));
                }
                Some(values) if !self.known.insert(values.clone()) => {
                    return Ok(ControlFlow::Continue(()));
                }
                Some(_) => {}
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Passes on the boards on which all seams match.
struct FullBoards<'s, 'h> {
    problem: &'s Problem,
    host: &'s mut FilteringHost<'h>,
    work: &'s mut Work,
    /// The last reply of the host.
    flow: Flow,
    /// The values of such a board; it ends the round.
    full: Option<Vec<usize>>,
    /// The steps of the round.
    steps: u64,
}

impl Sink<Guess> for FullBoards<'_, '_> {
    fn found(&mut self, (method, values): Guess, steps: u64) -> Flow {
        self.steps = steps;
        let arrangement = self.problem.deal(values.iter().copied());
        if !broken_seams(self.problem, &arrangement).is_empty() {
            return self.host.token().work(self.problem.board.size());
        }
        self.full = Some(values);
        // Local search knows no lazy constraints.
        if self.problem.broken_constraint(&arrangement).is_none() {
            let why = "local search completed the board".to_owned();
            self.work.choice = Some(EngineChoice { engine: method.name, why });
            self.flow = self.host.found(&arrangement, self.work);
        }
        ControlFlow::Break(())
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.steps = progress.steps;
        self.flow = self.host.poll(self.work);
        self.flow
    }
}
