//! The search tree over a model: decides placements, propagates the rows, learns from conflicts.
//!
//! A conflict is explained by literals that exclude each other; this no-good is kept, and the
//! search returns to the level on which it excludes something (Marques-Silva and Sakallah, *IEEE
//! Transactions on Computers* 48, 1999). Every solution must be found, so the search never returns
//! beyond a level above which solutions were found: there it reverses the last decision instead
//! (Gebser and others, *LPNMR* 2007). This reversed decision is the cut of the solutions before it.

use super::account::Account;
use super::no_good;
use super::rows::{Conflict, Literal, Reason, Rows};
use super::solver::{Point, Relaxation};
use super::{End, Models, unless_stopped};
use crate::domains::{Domains, SymmetryBranch};
use crate::engine::host::report_branches_to_host;
use crate::engine::{FilteringHost, Host, Work};
use crate::model::{Meaning, Model};
use crate::runtime::clock;
use crate::runtime::scheduler::Branch;

/// A decision of the search, the placement of a variable.
struct Decision {
    variable: usize,
    /// The number of values from which it was chosen.
    of: u32,
    /// The explored share before it, and its own share of the search.
    before: f64,
    share: f64,
    /// The steps of propagation before it.
    steps: u64,
}

/// The search of a symmetry branch.
pub(super) struct Tree<'a, 'h> {
    models: &'a Models<'a>,
    domains: &'a Domains,
    model: Model,
    rows: Rows,
    /// The variables of the tile on which the search branches first.
    first: Vec<usize>,
    /// For each cell, the variables of its placements.
    variables: Vec<Vec<usize>>,
    /// For each cell, the cells that touch it.
    neighbours: Vec<Vec<usize>>,
    /// For each cell, the number of conflicts below its decisions.
    failures: Vec<u32>,
    path: Vec<Decision>,
    /// Levels up to this one are left by reversing their decision.
    floor: usize,
    /// Literals that follow from the model, but were found above level 0.
    facts: Vec<Literal>,
    /// The number of no-goods, and of their literals.
    learnt: (usize, usize),
    account: Account,
    /// The rows of the model times their nonzero coefficients, with which the time to solve its
    /// relaxation grows.
    size: f64,
    /// The explored share of the whole search.
    explored: f64,
    host: &'a mut FilteringHost<'h>,
    work: &'a mut Work,
    polled: u64,
}

impl<'a, 'h> Tree<'a, 'h> {
    /// Prepares the search of a part, whose share of the whole search is from `explored.0` to
    /// `explored.1`.
    ///
    /// # Errors
    /// If the token stops the run.
    pub fn new(
        models: &'a Models<'a>,
        part: &'a SymmetryBranch,
        host: &'a mut FilteringHost<'h>,
        work: &'a mut Work,
    ) -> Result<Self, End> {
        let board = &models.problem.board;
        let model = unless_stopped(models.model(&part.domains, work))?;
        let rows = unless_stopped(Rows::new(&model, board.size(), models.token))?;
        let first = part.first.iter().flatten();
        let mut neighbours = vec![Vec::new(); board.size()];
        for [one, other] in board.seams().iter().map(|seam| [seam.first.0, seam.second.0]) {
            neighbours[one].push(other);
            neighbours[other].push(one);
        }
        let mut variables = vec![Vec::new(); board.size()];
        for (cell, domain) in part.domains.cells.iter().enumerate() {
            variables[cell] = domain.iter().map(|value| model.placement(cell, value)).collect();
        }
        Ok(Tree {
            models,
            domains: &part.domains,
            first: first.map(|&(cell, value)| model.placement(cell, value)).collect(),
            account: Account::new(models.milp.lp),
            size: model.rows.len() as f64 * model.nonzeros() as f64,
            model,
            rows,
            variables,
            neighbours,
            failures: vec![0; board.size()],
            path: Vec::new(),
            floor: 0,
            facts: Vec::new(),
            learnt: (0, 0),
            explored: work.explored.unwrap_or_default(),
            host,
            work,
            polled: 0,
        })
    }

    /// Reports all solutions.
    ///
    /// # Errors
    /// If the run is stopped, or the solver fails.
    pub fn search(&mut self, share: f64) -> Result<(), End> {
        let end = self.explored + share;
        unless_stopped(self.host.poll(self.work))?;
        let mut result = self.rows.look_at_all(0);
        loop {
            self.poll()?;
            let goes_on = match result {
                Err(conflict) => self.recover(conflict),
                Ok(()) if self.rows.unfilled == 0 => self.found()?,
                Ok(()) => match self.relax()? {
                    Some(guide) => {
                        self.decide(&guide, end);
                        true
                    }
                    None => {
                        let choices = self.rows.choices();
                        self.recover(choices)
                    }
                },
            };
            if !goes_on {
                return Ok(());
            }
            result = self.rows.propagate();
        }
    }

    /// Counts the steps since the last call, and polls the host after many.
    ///
    /// # Errors
    /// If the run is stopped.
    fn poll(&mut self) -> Result<(), End> {
        const STEPS_PER_POLL: u64 = 1 << 16;
        if self.rows.steps - self.polled < STEPS_PER_POLL {
            return Ok(());
        }
        unless_stopped(self.models.token.work((self.rows.steps - self.polled) as usize))?;
        self.polled = self.rows.steps;
        self.work.explored = Some(self.explored);
        let filled = self.neighbours.len() - self.rows.unfilled;
        self.work.filled = self.work.filled.max(filled);
        let branch = |decision: &Decision| {
            let (cell, value) = placement(&self.model, decision.variable);
            Branch { cell, value, of: decision.of as usize }
        };
        let branches = || self.path.iter().map(branch).collect();
        report_branches_to_host(self.models.problem, self.host, &branches);
        unless_stopped(self.host.poll(self.work))
    }

    /// Excludes what a conflict excludes, and returns to where the search continues; false if it is
    /// complete.
    fn recover(&mut self, conflict: Conflict) -> bool {
        let level = self.rows.highest_level(&conflict);
        self.return_to(level);
        if level <= self.floor || !self.learns() {
            return self.reverse();
        }
        if let Some(branch) = self.path.last() {
            self.failures[placement(&self.model, branch.variable).0] += 1;
        }
        let learnt = self.rows.learn(conflict);
        self.learnt.0 += 1;
        self.learnt.1 += learnt.len();
        let target = self.rows.highest_level(&learnt[1..]).max(self.floor);
        self.return_to(target);
        let follows = learnt[0].negation();
        let reason = self.rows.add_no_good(learnt);
        self.work.no_goods += 1;
        if reason == Reason::Fact && target > 0 {
            self.facts.push(follows);
        }
        self.rows.set(follows, reason);
        self.restore_facts();
        true
    }

    /// Returns true if no-goods have been short so far. Long ones exclude almost nothing, and
    /// finding them takes several times as long as reversing a decision.
    fn learns(&self) -> bool {
        const TRIALS: usize = 32;
        const SHORT: usize = 48;
        let (number, literals) = self.learnt;
        number < TRIALS || literals <= SHORT * number
    }

    /// Reverses the last decision, below which everything is known; false if there is none.
    fn reverse(&mut self) -> bool {
        let level = self.rows.level();
        if level == 0 {
            return false;
        }
        let decision = self.rows.decision(level);
        self.return_to(level - 1);
        self.floor = level - 1;
        self.rows.set(decision.negation(), Reason::Choice);
        self.restore_facts();
        true
    }

    fn restore_facts(&mut self) {
        for &fact in &self.facts {
            if self.rows.value(fact.variable()).is_none() {
                self.rows.set(fact, Reason::Fact);
            }
        }
    }

    fn return_to(&mut self, level: usize) {
        if let Some(branch) = self.path.get(level) {
            self.explored = self.explored.max(branch.before + branch.share);
        }
        for (depth, branch) in self.path.drain(level..).enumerate() {
            self.account.searched(level + depth + 1, self.rows.steps - branch.steps);
        }
        self.rows.return_to(level);
    }

    /// The value of each cell if all are filled.
    fn values(&self) -> Vec<usize> {
        let cells = (0..self.neighbours.len()).filter_map(|cell| self.rows.filled(cell));
        cells.map(|variable| placement(&self.model, variable).1).collect()
    }

    /// Reports and excludes the arrangement that fills every cell; if it violates a constraint that
    /// the model omits, excludes it. Returns false if the search is complete.
    ///
    /// # Errors
    /// If the run is stopped.
    fn found(&mut self) -> Result<bool, End> {
        let (problem, values) = (self.models.problem, self.values());
        // Propagation leaves open which seams are broken.
        let breaks_few = problem.most_broken.is_none()
            || self.model.point(&values).is_some_and(|p| self.model.broken_row(&p).is_none());
        if !breaks_few {
            return Ok(self.reverse());
        }
        self.work.cuts += 1;
        if self.models.is_solution(&values) {
            unless_stopped(self.host.found(&problem.deal(values), self.work))?;
        } else if problem.lazy_cut(&values).is_some() {
            let cut = no_good::of_violation(problem, self.domains, &values);
            let from = self.rows.len();
            self.rows.add(&self.model.no_good(&cut, self.work.cuts));
            if let Err(conflict) = self.rows.look_at_all(from) {
                return Ok(self.recover(conflict));
            }
        }
        Ok(self.reverse())
    }

    /// Solves the relaxation of the current node if that pays. Returns its point, which is empty if
    /// it was not solved, or `None` if it is infeasible.
    ///
    /// # Errors
    /// If the run is stopped, or the solver fails.
    fn relax(&mut self) -> Result<Option<Point>, End> {
        let level = self.rows.level();
        let size = self.rows.open_share() * self.size;
        if !self.account.allows(level, self.rows.steps, size as u64) {
            return Ok(Some(Point::new()));
        }
        let relaxation = Relaxation::of_open(&self.model, &|variable| self.rows.value(variable));
        let (host, work) = (&mut *self.host, &mut *self.work);
        work.solves += 1;
        let started = clock::now();
        let point = relaxation.solve(self.models.token, &mut || host.poll(work))?;
        work.rounds.push(started.elapsed().as_secs_f64());
        self.account.relaxed(level, size as u64, point.is_none());
        Ok(point)
    }

    /// Decides a placement. `point` is that of the relaxation, `end` the explored share at the end
    /// of the search.
    fn decide(&mut self, point: &Point, end: f64) {
        let variable = self.next_placement(point);
        let of = self.rows.sizes[placement(&self.model, variable).0];
        let end = self.path.last().map_or(end, |branch| branch.before + branch.share);
        let share = (end - self.explored).max(0.0) / f64::from(of);
        let steps = self.rows.steps;
        self.path.push(Decision { variable, of, before: self.explored, share, steps });
        self.rows.decide(Literal::one(variable));
        self.work.nodes += 1;
    }

    /// The variable to decide: a placement of the first tile, then one in the cell that promises
    /// the smallest tree. A point of the relaxation shows which value of the cell is the largest.
    fn next_placement(&self, point: &Point) -> usize {
        let is_true = |&&variable: &&usize| self.rows.value(variable) == Some(true);
        if !self.first.iter().any(|variable| is_true(&variable))
            && let Some(&open) = self.first.iter().find(|v| self.rows.value(**v).is_none())
        {
            return open;
        }
        let open = (0..self.neighbours.len()).filter(|&cell| self.rows.filled(cell).is_none());
        let cell = open.min_by(|&one, &other| self.score(one).total_cmp(&self.score(other)));
        let cell = cell.unwrap_or_default();
        let largest = point
            .iter()
            .filter(|&&(variable, _)| self.variables[cell].contains(&variable))
            .max_by(|one, other| one.1.total_cmp(&other.1));
        let first = self.variables[cell].iter().find(|v| self.rows.value(**v).is_none());
        largest.map_or(*first.unwrap_or(&0), |&(variable, _)| variable)
    }

    /// The expected size of the tree below a cell: the fewer values it and the cells around it
    /// have, and the more often it has failed, the smaller.
    fn score(&self, cell: usize) -> f64 {
        const FEW: u32 = 16;
        const BASE: f64 = 60.0;
        let size = f64::from(self.rows.sizes[cell]);
        let around =
            self.neighbours[cell].iter().filter(|&&other| self.rows.filled(other).is_none());
        let around: u32 = around.map(|&other| FEW + 1 - self.rows.sizes[other].min(FEW)).sum();
        size * (BASE - f64::from(around)).max(1.0) / f64::from(1 + self.failures[cell]).sqrt()
    }
}

/// The cell and the value of a placement variable.
fn placement(model: &Model, variable: usize) -> (usize, usize) {
    match model.variables[variable].meaning {
        Meaning::Placement { cell, value } => (cell, value),
        _ => unreachable!("the search decides placements only"),
    }
}
