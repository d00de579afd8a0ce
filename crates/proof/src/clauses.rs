//! Translates rules to clauses, with auxiliary variables for counting.
//!
//! Unit propagation on the clauses is as strong as a search that counts true variables and keeps
//! bounds on sums.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;

use super::encode::{Encoding, SizeError};
use super::formula::Cnf;
use super::rule::Rule;

/// The largest number of variables whose at-most-one rule is encoded pair by pair; for more, a
/// counter takes fewer clauses.
const PAIRWISE: usize = 40;

/// The maximum number of clauses at which another sum is begun; beyond it the encoding fails.
const MOST_CLAUSES: usize = 4_000_000;

impl Encoding {
    /// Builds the section `base`, which every solution satisfies.
    ///
    /// # Errors
    /// If constraints would take too many clauses.
    pub fn base(&self) -> Result<Cnf, SizeError> {
        let mut writer = Writer(Cnf::with_variables(self.meanings.len() as i32));
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

/// Appends the clauses of rules to a formula.
struct Writer(Cnf);

impl Writer {
    /// Creates an auxiliary variable.
    fn fresh(&mut self) -> i32 {
        self.0.variables += 1;
        self.0.variables
    }

    /// Adds a clause. Some programs reject the empty clause, so it is encoded with a fresh
    /// variable.
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

    /// Allows at most `most` true variables, pair by pair or by a sequential counter (Sinz, CP
    /// 2005). The counter has variables for "at least 1, 2, … of the first i variables are true".
    fn at_most(&mut self, of: &[i32], most: usize) {
        if of.len() <= most {
            return;
        }
        if most == 1 && of.len() <= PAIRWISE {
            for [one, other] in of.iter().array_combinations() {
                self.add([-one, -other]);
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

    /// Encodes Σ over cells ≤ `most` in the same way. For each cell, a variable per level says that
    /// it contributes at least that much, beyond its minimum. After each cell, a variable per
    /// possible sum says that at least this sum is reached.
    ///
    /// # Errors
    /// If there are too many different sums.
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
            // Sums that stay within the bound with any remainder need no variable.
            let counts = |sum: i128| sum <= bound && sum + rest > bound;
            let added = before.keys().flat_map(|sum| {
                reaching.iter().map(move |&(weight, _)| sum + weight).chain([*sum])
            });
            let alone = reaching.iter().map(|&(weight, _)| weight);
            let sums: BTreeSet<i128> = added.chain(alone).filter(|&sum| counts(sum)).collect();
            let after: BTreeMap<i128, i32> =
                sums.into_iter().map(|sum| (sum, self.fresh())).collect();
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

    /// Returns each positive contribution in ascending order, with a new variable for "the cell
    /// contributes at least this", and adds the clauses that define these variables and forbid
    /// contributions above `bound`.
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

/// Groups the variables of each cell by their contribution above the cell's minimum, and subtracts
/// the minima from the bound. Cells with a constant contribution are left out. `None` if a cell has
/// no variables, in which case another clause is unsatisfiable.
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

/// The variables of a cell by their contribution above its minimum.
type Levels = BTreeMap<i128, Vec<i32>>;
