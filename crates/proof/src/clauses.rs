//! Rules to clauses, with auxiliary variables where counting needs them.
//!
//! Unit propagation on the clauses finds all that a search finds that knows how many of the
//! variables are true, or within which bounds a sum lies.

use std::collections::BTreeMap;

use super::encode::{Encoding, SizeError};
use super::formula::Formula;
use super::rule::Rule;

/// At most one of so many is said pair by pair; of more a counter takes fewer clauses.
const PAIRWISE: usize = 40;

/// Clauses of sums above which there is no certificate.
const MOST_CLAUSES: usize = 4_000_000;

impl Encoding {
    /// The section `base`: every solution is a model of it.
    ///
    /// # Errors
    /// Where extra constraints would take too many clauses.
    pub fn base(&self) -> Result<Formula, SizeError> {
        let mut writer = Writer(Formula::over(self.meanings.len() as i32));
        for rule in &self.rules {
            match rule {
                Rule::Clause(clause) => writer.add(clause.iter().copied()),
                Rule::AtMost { of, most } => writer.at_most(of, *most),
                Rule::Sum { cells, most } => writer.sum(cells, *most)?,
            }
            if writer.0.variables > i32::MAX / 2 || writer.0.len() > i32::MAX as usize {
                return Err(SizeError("too many clauses".into()));
            }
        }
        Ok(writer.0)
    }
}

struct Writer(Formula);

impl Writer {
    fn fresh(&mut self) -> i32 {
        self.0.variables += 1;
        self.0.variables
    }

    /// Adds a clause. Some programs refuse the empty one, so it is said with a variable.
    fn add(&mut self, clause: impl IntoIterator<Item = i32>) {
        let mut clause = clause.into_iter().peekable();
        match clause.peek() {
            Some(_) => self.0.push(clause),
            None => {
                let never = self.fresh();
                self.0.push([never]);
                self.0.push([-never]);
            }
        }
    }

    /// At most `most` of the variables, by pairs or by the sequential counter (Sinz, CP 2005):
    /// after each of them, whether at least 1, 2, … were true so far.
    fn at_most(&mut self, of: &[i32], most: usize) {
        if of.len() <= most {
            return;
        }
        if most == 1 && of.len() <= PAIRWISE {
            for (index, &one) in of.iter().enumerate() {
                for &other in &of[index + 1..] {
                    self.add([-one, -other]);
                }
            }
            return;
        }
        let mut before: Vec<i32> = Vec::new();
        for (index, &variable) in of.iter().enumerate() {
            if before.len() == most {
                match before.last() {
                    Some(&all) => self.add([-variable, -all]),
                    None => self.add([-variable]),
                }
            }
            if index + 1 == of.len() {
                return;
            }
            let after: Vec<i32> = (0..most.min(index + 1)).map(|_| self.fresh()).collect();
            for (number, &counted) in after.iter().enumerate() {
                if let Some(&already) = before.get(number) {
                    self.add([-already, counted]);
                }
                match number.checked_sub(1) {
                    None => self.add([-variable, counted]),
                    Some(less) => self.add([-variable, -before[less], counted]),
                }
            }
            before = after;
        }
    }

    /// Σ over cells ≤ most, in the same way: for each cell and number, whether it counts at least
    /// that, beyond the least that it can; after each cell, for every sum that can occur, whether
    /// that was reached.
    fn sum(&mut self, cells: &[Vec<(i32, i64)>], most: i64) -> Result<(), SizeError> {
        let Some((counting, bound)) = above_the_least(cells, most) else {
            return Ok(());
        };
        if bound < 0 {
            self.add([]);
            return Ok(());
        }
        let largest = |levels: &BTreeMap<i128, Vec<i32>>| levels.keys().last().copied();
        let mut rest: i128 = counting.iter().filter_map(largest).sum();
        let mut before: BTreeMap<i128, i32> = BTreeMap::new();
        for levels in &counting {
            if self.0.len() + (before.len() + 1) * (levels.len() + 1) > MOST_CLAUSES {
                let sums = before.len();
                let many = format!("a constraint can have more than {sums} different sums");
                return Err(SizeError(many));
            }
            let reaching = self.levels(levels, bound);
            rest -= largest(levels).unwrap_or_default();
            // What stays within the bound, whatever follows, need not be counted.
            let counts = |sum: i128| sum <= bound && sum + rest > bound;
            let mut after: BTreeMap<i128, i32> = BTreeMap::new();
            let added = before.keys().flat_map(|sum| {
                reaching.iter().map(move |&(weight, _)| sum + weight).chain([*sum])
            });
            let alone = reaching.iter().map(|&(weight, _)| weight);
            for sum in added.chain(alone).filter(|&sum| counts(sum)) {
                after.entry(sum).or_default();
            }
            for variable in after.values_mut() {
                *variable = self.fresh();
            }
            for (&sum, &reached) in &before {
                if let Some(&still) = after.get(&sum) {
                    self.add([-reached, still]);
                }
            }
            for &(weight, reaches) in &reaching {
                if let Some(&sum) = after.get(&weight) {
                    self.add([-reaches, sum]);
                }
                for (&sum, &reached) in &before {
                    if sum + weight > bound {
                        self.add([-reached, -reaches]);
                    } else if let Some(&then) = after.get(&(sum + weight)) {
                        self.add([-reached, -reaches, then]);
                    }
                }
            }
            before = after;
        }
        Ok(())
    }

    /// For each number above the least, the variable that says that a cell counts at least that.
    fn levels(&mut self, levels: &BTreeMap<i128, Vec<i32>>, bound: i128) -> Vec<(i128, i32)> {
        let mut reaching: Vec<(i128, i32)> = Vec::new();
        let mut lower: Vec<i32> = Vec::new();
        for (&weight, variables) in levels {
            if weight > 0 {
                let reaches = self.fresh();
                for &variable in variables {
                    self.add([-variable, reaches]);
                }
                if let Some(&(_, less)) = reaching.last() {
                    self.add([-reaches, less]);
                }
                self.add(lower.iter().copied().chain([reaches]));
                if weight > bound {
                    self.add([-reaches]);
                }
                reaching.push((weight, reaches));
            }
            lower.extend(variables);
        }
        reaching
    }
}

/// By cell, the variables by what they count beyond the least that the cell can; and what of the
/// bound is left then. `None` where a cell has no variables: that it is wrong is said elsewhere.
fn above_the_least(cells: &[Vec<(i32, i64)>], most: i64) -> Option<(Vec<Levels>, i128)> {
    let mut bound = i128::from(most);
    let mut counting: Vec<Levels> = Vec::new();
    for cell in cells {
        let least = cell.iter().map(|&(_, weight)| i128::from(weight)).min()?;
        bound -= least;
        let mut levels: Levels = BTreeMap::new();
        for &(variable, weight) in cell {
            levels.entry(i128::from(weight) - least).or_default().push(variable);
        }
        if levels.len() > 1 {
            counting.push(levels);
        }
    }
    Some((counting, bound))
}

/// Variables by what they count.
type Levels = BTreeMap<i128, Vec<i32>>;
