//! Translates linear rows over 0-1 variables to clauses.
//!
//! A row becomes Σ weight · literal ≤ bound with positive weights, where a literal is x or its
//! negation. A row that is a single clause or an at-most-one constraint is stated directly; a long
//! at-most-one constraint uses a chain of auxiliary variables. Every other row becomes a decision
//! diagram over its partial sums. Each assignment of a row's own variables that satisfies the row
//! has exactly one extension to the auxiliary variables; any other has none.

use std::collections::BTreeMap;

use super::ExportError;
use crate::model::{Row, Sense};

/// A DIMACS literal: a variable numbered from 1, or its negative for the negation.
pub(super) type Literal = i32;

/// A formula in conjunctive normal form.
pub(super) struct ClauseSet {
    variables: Literal,
    /// The literals of the clauses, each clause terminated by a 0.
    literals: Vec<Literal>,
    number: usize,
}

/// The maximum number of nodes in the diagram of one row.
const LARGEST_DIAGRAM: usize = 1 << 20;

/// The maximum number of literals in all clauses together, counting one more per clause.
const LARGEST_FORMULA: usize = 1 << 28;

impl ClauseSet {
    /// Creates an empty formula over the `variables` variables of the rows. Variable v of the rows
    /// is v + 1 here.
    pub fn new(variables: usize) -> Self {
        ClauseSet { variables: variables as Literal, literals: Vec::new(), number: 0 }
    }

    /// The number of variables, including auxiliary ones.
    pub fn variables(&self) -> Literal {
        self.variables
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.number
    }

    /// The clauses in the order in which they were added, without the final 0.
    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        self.literals.split(|&literal| literal == 0).take(self.number)
    }

    /// Adds clauses that are equivalent to a row. Errors refer to the row as `name`.
    ///
    /// # Errors
    /// If the diagram of the row or the whole formula is too large.
    pub fn add(&mut self, row: &Row, name: &str) -> Result<(), ExportError> {
        let most = WeightedSum::new(row);
        let least = most.negated();
        let is_direct = match row.sense {
            Sense::AtMost => self.add_directly(&most),
            Sense::AtLeast => self.add_directly(&least),
            Sense::Equal => {
                most.is_simple()
                    && least.is_simple()
                    && self.add_directly(&most)
                    && self.add_directly(&least)
            }
        };
        if !is_direct {
            let (sum, is_exact) = match row.sense {
                Sense::AtMost => (most, false),
                Sense::AtLeast => (least, false),
                Sense::Equal => (most, true),
            };
            self.build_diagram(sum, is_exact).map_err(|DiagramError| ExportError::Diagram {
                row: name.to_owned(),
                limit: LARGEST_DIAGRAM,
            })?;
        }
        if self.literals.len() > LARGEST_FORMULA {
            Err(ExportError::Formula { limit: LARGEST_FORMULA })
        } else {
            Ok(())
        }
    }

    /// Adds a clause: at least one of these literals is true.
    fn add_clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.literals.extend(literals);
        self.literals.push(0);
        self.number += 1;
    }

    /// Adds an auxiliary variable and returns it.
    fn add_variable(&mut self) -> Literal {
        self.variables += 1;
        self.variables
    }

    /// Adds a contradiction as two unit clauses, because some readers reject an empty clause.
    fn add_contradiction(&mut self) {
        let either = self.add_variable();
        self.add_clause([either]);
        self.add_clause([-either]);
    }

    /// Adds clauses for a sum ≤ its bound if it needs no diagram; otherwise adds nothing and
    /// returns false.
    fn add_directly(&mut self, sum: &WeightedSum) -> bool {
        match sum.form() {
            SumForm::Never => self.add_contradiction(),
            SumForm::Simple { forced, rest } => {
                forced.iter().for_each(|&literal| self.add_clause([-literal]));
                match rest {
                    Rest::Free => {}
                    Rest::NotAll(literals) => self.add_clause(literals.into_iter().map(|l| -l)),
                    Rest::AtMostOne(literals) => self.at_most_one(&literals),
                }
            }
            SumForm::Other => return false,
        }
        true
    }

    /// Adds clauses that allow at most one true literal: for up to 6 literals, one per pair;
    /// otherwise a chain of auxiliary variables, each of which is true if one of the literals so
    /// far is.
    fn at_most_one(&mut self, literals: &[Literal]) {
        const FEW: usize = 6;
        if literals.len() <= FEW {
            for (index, &first) in literals.iter().enumerate() {
                for &second in &literals[index + 1..] {
                    self.add_clause([-first, -second]);
                }
            }
            return;
        }
        let mut so_far = literals[0];
        for (index, &literal) in literals.iter().enumerate().skip(1) {
            self.add_clause([-so_far, -literal]);
            if index + 1 < literals.len() {
                let next = self.add_variable();
                self.add_clause([-so_far, next]);
                self.add_clause([-literal, next]);
                self.add_clause([-next, so_far, literal]);
                so_far = next;
            }
        }
    }

    /// Adds clauses for a sum = its bound if `is_exact`, otherwise ≤ its bound, as a decision
    /// diagram. It is built level by level, with one node for each partial sum from which both
    /// outcomes are possible. A node's variable is true if the remaining literals satisfy the row.
    ///
    /// # Errors
    /// If there are more than [`LARGEST_DIAGRAM`] nodes.
    fn build_diagram(&mut self, mut sum: WeightedSum, is_exact: bool) -> Result<(), DiagramError> {
        // Partial sums of large weights reach an outcome sooner.
        sum.terms.sort_by_key(|&(_, weight)| -weight);
        let mut left = sum.total();
        let ends = |so_far: i64, left: i64| match (so_far > sum.bound, is_exact) {
            (true, _) => Some(BranchTarget::False),
            (false, true) if so_far + left < sum.bound => Some(BranchTarget::False),
            (false, true) if left == 0 => Some(BranchTarget::True),
            (false, false) if so_far + left <= sum.bound => Some(BranchTarget::True),
            _ => None,
        };
        let root = match ends(0, left) {
            Some(BranchTarget::True) => return Ok(()),
            Some(_) => {
                self.add_contradiction();
                return Ok(());
            }
            None => self.add_variable(),
        };
        self.add_clause([root]);
        let mut level = BTreeMap::from([(0, root)]);
        let mut nodes = 1;
        for &(literal, weight) in &sum.terms {
            left -= weight;
            let mut next: BTreeMap<i64, Literal> = BTreeMap::new();
            for (so_far, node) in level {
                let children = [so_far + weight, so_far].map(|so_far| {
                    ends(so_far, left).unwrap_or_else(|| {
                        let node = next.entry(so_far).or_insert_with(|| {
                            nodes += 1;
                            self.add_variable()
                        });
                        BranchTarget::Open(*node)
                    })
                });
                self.define_branch(node, literal, children);
                if nodes > LARGEST_DIAGRAM {
                    return Err(DiagramError);
                }
            }
            level = next;
        }
        Ok(())
    }

    /// Adds clauses that make `node` equal to the first child if the literal is true, and to the
    /// second child otherwise.
    fn define_branch(&mut self, node: Literal, literal: Literal, children: [BranchTarget; 2]) {
        for (child, other) in children.into_iter().zip([-literal, literal]) {
            match child {
                BranchTarget::True => self.add_clause([node, other]),
                BranchTarget::False => self.add_clause([-node, other]),
                BranchTarget::Open(child) => {
                    self.add_clause([-node, other, child]);
                    self.add_clause([node, other, -child]);
                }
            }
        }
    }
}

/// The error for a diagram with more than [`LARGEST_DIAGRAM`] nodes.
struct DiagramError;

/// The target of a branch in a diagram.
#[derive(Clone, Copy)]
enum BranchTarget {
    True,
    False,
    Open(Literal),
}

/// A sum Σ weight · literal with positive weights, and its upper bound.
struct WeightedSum {
    terms: Vec<(Literal, i64)>,
    bound: i64,
}

/// The way in which clauses express a sum ≤ its bound.
enum SumForm {
    /// A contradiction: the bound is negative.
    Never,
    /// A unit clause for each literal whose weight alone exceeds the bound, and simple clauses for
    /// the rest.
    Simple { forced: Vec<Literal>, rest: Rest },
    /// A decision diagram is needed.
    Other,
}

enum Rest {
    Free,
    NotAll(Vec<Literal>),
    AtMostOne(Vec<Literal>),
}

impl WeightedSum {
    /// Converts a row to a sum with positive weights: each term c · x with c < 0 becomes c + |c| ·
    /// (not x). The sense of the row is ignored.
    fn new(row: &Row) -> Self {
        let below: i64 = row.terms.iter().map(|&(_, c)| c.min(0)).sum();
        let terms = row.terms.iter().filter(|&&(_, c)| c != 0).map(|&(variable, c)| {
            let literal = variable as Literal + 1;
            (if c > 0 { literal } else { -literal }, c.abs())
        });
        WeightedSum { terms: terms.collect(), bound: row.bound - below }
    }

    /// The sum of all weights.
    fn total(&self) -> i64 {
        self.terms.iter().map(|term| term.1).sum()
    }

    /// The sum over negated literals, which is at most its bound if and only if this one is at
    /// least its own.
    fn negated(&self) -> Self {
        WeightedSum {
            terms: self.terms.iter().map(|&(l, w)| (-l, w)).collect(),
            bound: self.total() - self.bound,
        }
    }

    /// Returns true if the sum needs no decision diagram.
    fn is_simple(&self) -> bool {
        !matches!(self.form(), SumForm::Other)
    }

    /// The way in which clauses can express the sum ≤ its bound.
    fn form(&self) -> SumForm {
        if self.bound < 0 {
            return SumForm::Never;
        }
        let is_too_much = |&&(_, weight): &&(Literal, i64)| weight > self.bound;
        let forced = self.terms.iter().filter(is_too_much).map(|term| term.0).collect();
        let rest = self.terms.iter().filter(|term| !is_too_much(term));
        let (rest, mut weights): (Vec<Literal>, Vec<i64>) = rest.copied().unzip();
        weights.sort_unstable();
        let total: i64 = weights.iter().sum();
        let rest = match weights[..] {
            _ if total <= self.bound => Rest::Free,
            [smallest, ..] if total - smallest <= self.bound => Rest::NotAll(rest),
            [first, second, ..] if first + second > self.bound => Rest::AtMostOne(rest),
            _ => return SumForm::Other,
        };
        SumForm::Simple { forced, rest }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The number of assignments of the remaining variables that satisfy the clauses, given the
    /// values of the first variables.
    fn completions(formula: &ClauseSet, values: &mut Vec<bool>) -> usize {
        let is_open = |literal: &Literal| literal.unsigned_abs() as usize > values.len();
        let is_true = |literal: &Literal| {
            let value = values.get(literal.unsigned_abs() as usize - 1);
            value.is_some_and(|&value| value == (*literal > 0))
        };
        let mut clauses = formula.clauses();
        if clauses.any(|clause| !clause.iter().any(|l| is_true(l) || is_open(l))) {
            return 0;
        }
        if values.len() == formula.variables() as usize {
            return 1;
        }
        let mut number = 0;
        for value in [false, true] {
            values.push(value);
            number += completions(formula, values);
            values.pop();
        }
        number
    }

    fn assert_translated(row: &Row, variables: usize) {
        let mut formula = ClauseSet::new(variables);
        formula.add(row, "row").unwrap();
        assert_eq!(formula.clauses().count(), formula.len());
        for point in 0..1_u32 << variables {
            let bits = (0..variables).map(|v| point >> v & 1);
            let values: Vec<i64> = bits.clone().map(i64::from).collect();
            let mut given = bits.map(|bit| bit == 1).collect();
            let expected = usize::from(row.holds(&values));
            let found = completions(&formula, &mut given);
            assert_eq!(found, expected, "{row:?} at {values:?}");
        }
    }

    fn row(coefficients: &[i64], sense: Sense, bound: i64) -> Row {
        Row {
            name: String::new(),
            terms: coefficients.iter().copied().enumerate().collect(),
            sense,
            bound,
        }
    }

    const SENSES: [Sense; 3] = [Sense::Equal, Sense::AtMost, Sense::AtLeast];

    #[test]
    fn every_row_of_small_coefficients_is_translated() {
        let coefficients = |code: usize| -> Vec<i64> {
            (0..3).map(|place| (code / 5_usize.pow(place) % 5) as i64 - 2).collect()
        };
        for code in 0..125 {
            for sense in SENSES {
                for bound in -4..=4 {
                    assert_translated(&row(&coefficients(code), sense, bound), 3);
                }
            }
        }
    }

    #[test]
    fn rows_without_terms_are_free_or_contradictions() {
        for sense in SENSES {
            for bound in -1..=1 {
                assert_translated(&row(&[], sense, bound), 1);
            }
        }
    }

    #[test]
    fn long_rows_of_the_model_are_translated() {
        for sense in SENSES {
            for bound in -1..=3 {
                assert_translated(&row(&[1; 9], sense, bound), 9);
                assert_translated(&row(&[1, 1, 1, 1, -1, -1, -1, -1], sense, bound), 8);
                assert_translated(&row(&[1, -1, -1, -1, -1, -1, -1, -1, -1], sense, bound), 9);
            }
        }
    }

    #[test]
    fn what_needs_no_diagram_has_none() {
        let plain = [
            (row(&[1; 6], Sense::Equal, 1), 16),
            (row(&[1; 40], Sense::AtMost, 39), 1),
            (row(&[1; 40], Sense::AtLeast, 1), 1),
            (row(&[1, -1, -1, -1], Sense::AtMost, 0), 1),
            (row(&[5, 7, 9], Sense::AtMost, 6), 2),
        ];
        for (row, clauses) in plain {
            let mut formula = ClauseSet::new(row.terms.len());
            formula.add(&row, "row").unwrap();
            assert_eq!(formula.variables() as usize, row.terms.len(), "{row:?}");
            assert_eq!(formula.len(), clauses, "{row:?}");
        }
    }

    #[test]
    fn a_diagram_that_grows_too_large_is_refused() {
        let cubes: Vec<i64> = (0..60).map(|n| 1_000_000 + 7 * n * n * n).collect();
        let row = row(&cubes, Sense::AtMost, cubes.iter().sum::<i64>() / 2);
        let message = ClauseSet::new(60).add(&row, "constraint_1").unwrap_err().to_string();
        assert!(message.contains("row constraint_1") && message.contains("1048576 nodes"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn any_row_is_translated(
            coefficients in proptest::collection::vec(-6..=6_i64, 1..8),
            sense in proptest::sample::select(&SENSES[..]),
            bound in -12..=12_i64,
        ) {
            assert_translated(&row(&coefficients, sense, bound), coefficients.len());
        }
    }
}
