//! Propagation on the rows of a model: which variables are decided, and why.
//!
//! A row is stored as Σ weights of its true literals ≤ capacity, with positive weights; a literal
//! is a variable or its negation, and an equation is two rows. A literal whose weight exceeds what
//! is left of a row's capacity is false; a row whose capacity is exceeded is a conflict. In the
//! rows of cells and tiles this finds single values, in those of seams it is arc consistency over
//! labels.

mod learn;

use std::ops::ControlFlow;

use self::learn::NoGood;
use crate::model::{Meaning, Model, Row, Sense};
use crate::runtime::limits::{CancelToken, Flow};

/// A variable of the model that is 1, or one that is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Literal(u32);

impl Literal {
    /// The literal that a variable is 1.
    pub fn one(variable: usize) -> Literal {
        Literal(2 * variable as u32)
    }

    /// The opposite literal.
    pub fn negation(self) -> Literal {
        Literal(self.0 ^ 1)
    }

    pub fn variable(self) -> usize {
        self.0 as usize / 2
    }

    /// Returns true for a variable that is 1.
    fn is_one(self) -> bool {
        self.0.is_multiple_of(2)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a literal is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// It was decided, or its negation was searched completely.
    Choice,
    /// It follows from the model alone.
    Fact,
    /// It follows from the row with this index.
    Row(u32),
    /// It follows from the no-good with this index.
    NoGood(u32),
}

/// Σ weights of true literals ≤ capacity.
struct PackedRow {
    terms: Vec<(Literal, i32)>,
    capacity: i64,
    /// The other row of an equation whose weights are all 1. What both leave of their capacities is
    /// the number of open literals.
    other: Option<u32>,
}

/// What changes with every literal, and is therefore kept apart from the rows.
#[derive(Clone, Copy)]
struct Slack {
    /// What the true literals of a row leave of its capacity.
    left: i32,
    /// The largest weight of the row.
    largest: i32,
}

/// A state of the variables of a model, with its decision levels.
pub(super) struct Rows {
    rows: Vec<PackedRow>,
    slacks: Vec<Slack>,
    /// For each literal, the rows in which it occurs, with its weight.
    rows_of: Vec<Vec<(u32, i32)>>,
    no_goods: Vec<NoGood>,
    /// For each literal, the no-goods that watch it.
    watched_by: Vec<Vec<u32>>,
    /// For each literal, whether it is true.
    is_true: Vec<bool>,
    /// For each variable, why it was decided, on which level and at which place of the trail.
    reasons: Vec<Reason>,
    level_of: Vec<u32>,
    place_of: Vec<u32>,
    /// The true literals, in the order in which they became true.
    trail: Vec<Literal>,
    /// The number of literals of the trail that have been propagated.
    propagated: usize,
    /// The length of the trail at the beginning of each decision level but the first.
    levels: Vec<usize>,
    /// For each variable, the cell of its placement.
    cell_of: Vec<Option<u32>>,
    /// For each cell, the number of values that are left.
    pub sizes: Vec<u32>,
    /// For each cell, the variable that is 1.
    filled: Vec<Option<u32>>,
    /// The number of cells without a tile.
    pub unfilled: usize,
    /// The steps of propagation so far: terms and literals looked at.
    pub steps: u64,
}

/// Literals that are true and exclude each other.
pub(super) type Conflict = Vec<Literal>;

impl Rows {
    /// Loads the rows of a model with `cells` cells. Breaks if the token stops the run.
    pub fn new(model: &Model, cells: usize, token: &CancelToken<'_>) -> Flow<Rows> {
        let variables = model.variables.len();
        let mut sizes = vec![0; cells];
        let cell_of = model.variables.iter().map(|variable| match variable.meaning {
            Meaning::Placement { cell, .. } => {
                sizes[cell] += 1;
                Some(cell as u32)
            }
            Meaning::Both(..) | Meaning::Broken | Meaning::Holds => None,
        });
        let cell_of = cell_of.collect();
        let mut rows = Rows {
            rows: Vec::new(),
            slacks: Vec::new(),
            rows_of: vec![Vec::new(); 2 * variables],
            no_goods: Vec::new(),
            watched_by: vec![Vec::new(); 2 * variables],
            is_true: vec![false; 2 * variables],
            reasons: vec![Reason::Choice; variables],
            level_of: vec![0; variables],
            place_of: vec![0; variables],
            trail: Vec::with_capacity(variables),
            propagated: 0,
            levels: Vec::new(),
            cell_of,
            sizes,
            filled: vec![None; cells],
            unfilled: cells,
            steps: 0,
        };
        for row in model.rows.iter().chain(&model.implied) {
            rows.add(row);
            token.work(8 * row.terms.len())?;
        }
        ControlFlow::Continue(rows)
    }

    /// Adds a row. [`Rows::look_at_all`] propagates it.
    pub fn add(&mut self, row: &Row) {
        let is_equation =
            row.sense == Sense::Equal && row.terms.iter().all(|term| term.1.abs() == 1);
        for &sign in row.sense.signs() {
            let index = self.rows.len() as u32;
            let mut capacity = sign * row.bound;
            let mut terms = Vec::with_capacity(row.terms.len());
            for &(variable, coefficient) in &row.terms {
                let weight = sign * coefficient;
                let literal = Literal::one(variable);
                // With a negative weight w, w · x = w + |w| · (1 − x).
                capacity -= weight.min(0);
                let literal = if weight < 0 { literal.negation() } else { literal };
                terms.push((literal, weight.abs() as i32));
                self.rows_of[literal.index()].push((index, weight.abs() as i32));
            }
            let is_counted = |literal: Literal| {
                self.is_true[literal.index()]
                    && (self.place_of[literal.variable()] as usize) < self.propagated
            };
            let counted = terms.iter().filter(|&&(literal, _)| is_counted(literal));
            let taken: i64 = counted.map(|&(_, weight)| i64::from(weight)).sum();
            let largest = terms.iter().map(|&(_, weight)| weight).max().unwrap_or_default();
            // The weights in a row for solvers add up to far less than this.
            const MUCH: i64 = i32::MAX as i64 / 2;
            let left = (capacity - taken).clamp(-MUCH, MUCH) as i32;
            self.slacks.push(Slack { left, largest });
            let other = if sign > 0 { index + 1 } else { index.saturating_sub(1) };
            self.rows.push(PackedRow { terms, capacity, other: is_equation.then_some(other) });
        }
    }

    /// Propagates every row from the given one on, and then all consequences.
    ///
    /// # Errors
    /// If there is a conflict.
    pub fn look_at_all(&mut self, from: usize) -> Result<(), Conflict> {
        for row in from..self.rows.len() {
            self.look_at(row)?;
        }
        self.propagate()
    }

    /// The number of rows, with two for each equation.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The square of the share of the variables that are open: that of the rows and coefficients
    /// which are left.
    pub fn open_share(&self) -> f64 {
        let variables = self.reasons.len();
        ((variables - self.trail.len()) as f64 / variables.max(1) as f64).powi(2)
    }

    /// The current decision level.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The decision with which a level begins; the first such level is 1.
    pub fn decision(&self, level: usize) -> Literal {
        self.trail[self.levels[level - 1]]
    }

    /// Every literal that was decided or whose negation was searched completely.
    pub fn choices(&self) -> Vec<Literal> {
        let is_choice = |literal: &&Literal| self.reasons[literal.variable()] == Reason::Choice;
        self.trail.iter().filter(is_choice).copied().collect()
    }

    /// The value of a variable; `None` if it is open.
    pub fn value(&self, variable: usize) -> Option<bool> {
        let literal = Literal::one(variable);
        if self.is_true[literal.index()] {
            return Some(true);
        }
        self.is_true[literal.negation().index()].then_some(false)
    }

    /// The variable that is 1 in a cell; `None` if it is open.
    pub fn filled(&self, cell: usize) -> Option<usize> {
        self.filled[cell].map(|variable| variable as usize)
    }

    /// Returns true if these literals, on a new level, fill every cell without a conflict.
    pub fn forces(&mut self, literals: impl Iterator<Item = Literal>) -> bool {
        let level = self.levels.len();
        self.levels.push(self.trail.len());
        let mut fits = true;
        for literal in literals {
            match self.value(literal.variable()) {
                Some(_) => fits = self.is_true[literal.index()],
                None => {
                    self.set(literal, Reason::Choice);
                    fits = self.propagate().is_ok();
                }
            }
            if !fits {
                break;
            }
        }
        let is_forced = fits && self.unfilled == 0;
        self.return_to(level);
        is_forced
    }

    /// Returns false if a variable is 0, or would lead to a conflict if it were 1; then it is made
    /// 0.
    pub fn may_be_one(&mut self, variable: usize) -> bool {
        if let Some(value) = self.value(variable) {
            return value;
        }
        let literal = Literal::one(variable);
        self.decide(literal);
        let fits = self.propagate().is_ok();
        self.return_to(self.levels.len() - 1);
        if !fits {
            self.set(literal.negation(), Reason::Fact);
        }
        fits
    }

    /// Begins a decision level with a literal, which must be open.
    pub fn decide(&mut self, literal: Literal) {
        self.levels.push(self.trail.len());
        self.set(literal, Reason::Choice);
    }

    /// Makes an open literal true.
    pub fn set(&mut self, literal: Literal, reason: Reason) {
        let variable = literal.variable();
        self.is_true[literal.index()] = true;
        self.reasons[variable] = reason;
        self.level_of[variable] = self.levels.len() as u32;
        self.place_of[variable] = self.trail.len() as u32;
        self.trail.push(literal);
        if let Some(cell) = self.cell_of[variable] {
            let cell = cell as usize;
            if !literal.is_one() {
                self.sizes[cell] -= 1;
            } else if self.filled[cell].is_none() {
                self.filled[cell] = Some(variable as u32);
                self.unfilled -= 1;
            }
        }
    }

    /// Returns to a decision level.
    pub fn return_to(&mut self, level: usize) {
        let Some(&length) = self.levels.get(level) else {
            return;
        };
        for place in (length..self.trail.len()).rev() {
            let literal = self.trail[place];
            let variable = literal.variable();
            self.is_true[literal.index()] = false;
            if let Some(cell) = self.cell_of[variable] {
                let cell = cell as usize;
                if !literal.is_one() {
                    self.sizes[cell] += 1;
                } else if self.filled[cell] == Some(variable as u32) {
                    self.filled[cell] = None;
                    self.unfilled += 1;
                }
            }
            if place < self.propagated {
                for &(row, weight) in &self.rows_of[literal.index()] {
                    self.slacks[row as usize].left += weight;
                }
            }
        }
        self.trail.truncate(length);
        self.propagated = self.propagated.min(length);
        self.levels.truncate(level);
    }

    /// Propagates until nothing follows any more.
    ///
    /// # Errors
    /// If there is a conflict.
    pub fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let mut broken = None;
            let rows = std::mem::take(&mut self.rows_of[literal.index()]);
            self.steps += rows.len() as u64 + 1;
            for &(row, weight) in &rows {
                let slack = &mut self.slacks[row as usize];
                slack.left -= weight;
                // The other rows are counted even after a conflict.
                if slack.left < slack.largest && broken.is_none() {
                    broken = self.look_at(row as usize).err();
                }
            }
            self.rows_of[literal.index()] = rows;
            broken.map_or(Ok(()), Err)?;
            self.visit_no_goods(literal)?;
        }
        Ok(())
    }

    /// Makes the literals false whose weight exceeds the slack of a row.
    ///
    /// # Errors
    /// If the slack is negative.
    fn look_at(&mut self, row: usize) -> Result<(), Conflict> {
        let Slack { left, largest } = self.slacks[row];
        if left < 0 {
            return Err(self.explain(row, None));
        }
        let is_full = |other: u32| self.slacks[other as usize].left <= 0;
        if left >= largest || self.rows[row].other.is_some_and(is_full) {
            return Ok(());
        }
        let terms = std::mem::take(&mut self.rows[row].terms);
        self.steps += terms.len() as u64 / 4;
        for &(literal, weight) in &terms {
            let no = literal.negation();
            if weight > left && !self.is_true[literal.index()] && !self.is_true[no.index()] {
                self.set(no, Reason::Row(row as u32));
            }
        }
        self.rows[row].terms = terms;
        Ok(())
    }

    /// True literals that exceed the capacity of a row together with the negation of `implied`, a
    /// literal that the row made true; without it, on their own.
    fn explain(&self, row: usize, implied: Option<Literal>) -> Vec<Literal> {
        let PackedRow { terms, capacity, .. } = &self.rows[row];
        let (mut room, mut before) = (*capacity, self.propagated as u32);
        if let Some(implied) = implied {
            before = before.min(self.place_of[implied.variable()]);
            let own = terms.iter().find(|(literal, _)| *literal == implied.negation());
            room -= own.map_or(0, |&(_, weight)| i64::from(weight));
        }
        let mut causes = Vec::new();
        for &(literal, weight) in terms {
            if room < 0 {
                break;
            }
            if self.is_true[literal.index()] && self.place_of[literal.variable()] < before {
                room -= i64::from(weight);
                causes.push(literal);
            }
        }
        causes
    }

    /// The true literals from which a true literal follows; `None` if it was chosen, an empty list
    /// for a fact.
    fn causes(&mut self, literal: Literal) -> Option<Vec<Literal>> {
        match self.reasons[literal.variable()] {
            Reason::Choice => None,
            Reason::Fact => Some(Vec::new()),
            Reason::Row(row) => {
                self.steps += self.rows[row as usize].terms.len() as u64 / 2;
                Some(self.explain(row as usize, Some(literal)))
            }
            Reason::NoGood(index) => {
                let no_good = &mut self.no_goods[index as usize];
                no_good.uses += 1;
                let others = no_good.literals.iter().filter(|other| **other != literal.negation());
                Some(others.copied().collect())
            }
        }
    }

    /// The highest level of some true literals.
    pub fn highest_level(&self, literals: &[Literal]) -> usize {
        let levels = literals.iter().map(|literal| self.level_of[literal.variable()]);
        levels.max().unwrap_or_default() as usize
    }
}
