//! The size of a model, computed from domains and tables without building it. A test compares the
//! results with built models.

use std::collections::HashMap;
use std::iter::Sum;
use std::ops::Add;

use super::{Formulation, constraints, seam_encoding};
use crate::board::Seam;
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::ValueSet;

/// The size of a set of rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RowsSize {
    /// The number of rows.
    pub number: usize,
    /// The number of terms in these rows together.
    pub nonzeros: usize,
}

impl RowsSize {
    /// Adds a row with the given number of terms.
    pub(super) fn add_row(&mut self, terms: usize) {
        self.number += 1;
        self.nonzeros += terms;
    }
}

impl Add for RowsSize {
    type Output = RowsSize;

    fn add(self, other: RowsSize) -> RowsSize {
        RowsSize { number: self.number + other.number, nonzeros: self.nonzeros + other.nonzeros }
    }
}

/// The size of a model or a part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelSize {
    /// The number of variables.
    pub variables: usize,
    /// The rows with `=`.
    pub equalities: RowsSize,
    /// The rows with `≤` or `≥`.
    pub inequalities: RowsSize,
}

impl ModelSize {
    /// The size of the model that [`Model::build`](super::Model::build) returns for the same
    /// arguments.
    pub fn new(problem: &Problem, domains: &Domains, formulation: &dyn Formulation) -> ModelSize {
        // Most seams of a large board have the same pair of domains.
        let mut known: HashMap<(usize, &ValueSet, &ValueSet), ModelSize> = HashMap::new();
        let mut of_seam = |seam: &Seam| {
            let [first, second] = [seam.first, seam.second].map(|end| &domains.cells[end.0]);
            let size = known.entry((seam.seam_type, first, second));
            *size.or_insert_with(|| formulation.size(&seam_encoding(problem, domains, seam)))
        };
        let seams = problem.board.seams().iter().map(&mut of_seam).sum();
        let size = placements_size(problem, domains) + constraints_size(problem, domains) + seams;
        if problem.most_broken.is_none() {
            return size;
        }
        let wanted = problem.board.wanted_seams().iter().map(|seam| of_seam(seam).relaxed()).sum();
        size + wanted + most_broken_size(problem, domains)
    }

    /// The total of equalities and inequalities.
    pub fn rows(&self) -> RowsSize {
        self.equalities + self.inequalities
    }

    /// The size after adding a variable that relaxes all rows; each equality becomes two
    /// inequalities.
    fn relaxed(self) -> ModelSize {
        let RowsSize { number, nonzeros } = self.equalities + self.equalities + self.inequalities;
        ModelSize {
            variables: self.variables + 1,
            equalities: RowsSize::default(),
            inequalities: RowsSize { number, nonzeros: nonzeros + number },
        }
    }
}

impl Add for ModelSize {
    type Output = ModelSize;

    fn add(self, other: ModelSize) -> ModelSize {
        ModelSize {
            variables: self.variables + other.variables,
            equalities: self.equalities + other.equalities,
            inequalities: self.inequalities + other.inequalities,
        }
    }
}

impl Sum for ModelSize {
    fn sum<I: Iterator<Item = ModelSize>>(sizes: I) -> ModelSize {
        sizes.fold(ModelSize::default(), ModelSize::add)
    }
}

/// The size of the variables of placements, the rows of cells, and the rows of kinds.
fn placements_size(problem: &Problem, domains: &Domains) -> ModelSize {
    let mut size = ModelSize { variables: domains.placements(), ..ModelSize::default() };
    for domain in &domains.cells {
        size.equalities.add_row(domain.len());
    }
    let mut terms = vec![0; problem.kinds.kinds.len()];
    for value in domains.cells.iter().flat_map(|domain| domain.iter()) {
        terms[problem.kinds.values[value].kind] += 1;
    }
    for (terms, uses) in terms.into_iter().zip(&domains.uses) {
        if uses.least == uses.most {
            if terms > 0 || uses.most > 0 {
                size.equalities.add_row(terms);
            }
            continue;
        }
        if uses.least > 0 {
            size.inequalities.add_row(terms);
        }
        if terms > 0 {
            size.inequalities.add_row(terms);
        }
    }
    size
}

/// The size of the variables and rows of the extra constraints.
fn constraints_size(problem: &Problem, domains: &Domains) -> ModelSize {
    let (variables, rows) = constraints::sizes(problem, domains);
    let mut size = ModelSize { variables, ..ModelSize::default() };
    rows.into_iter().for_each(|terms| size.inequalities.add_row(terms));
    size
}

/// The size of the row that bounds the number of broken seams.
fn most_broken_size(problem: &Problem, domains: &Domains) -> ModelSize {
    let within = domains.cells.iter().enumerate().map(|(cell, domain)| {
        let broken = problem.tables().own_broken(cell);
        let breaking = domain.iter().filter(|&value| {
            let broken = broken.get(value);
            broken.is_some_and(|&broken| broken > 0)
        });
        breaking.count()
    });
    let terms = problem.board.wanted_seams().len() + within.sum::<usize>();
    let mut size = ModelSize::default();
    // [`Model::post`](super::Model::post) does not add a row without terms that holds.
    if terms > 0 {
        size.inequalities.add_row(terms);
    }
    size
}
