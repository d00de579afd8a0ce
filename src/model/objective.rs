//! The objective of a model: a linear expression to maximise.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::ModelBuilder;
use crate::problem::Objective;
use crate::runtime::limits::Flow;

/// An objective, Σ terms + constant, to be maximised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinearObjective {
    /// The variables with their coefficients, each variable at most once.
    pub terms: Vec<(usize, i64)>,
    /// The part of the value that is the same for all points.
    pub constant: i64,
    /// The factor of each of the problem's objectives, the most important first: one more than all
    /// later objectives together can change. A minimised quantity has a negative factor.
    pub factors: Vec<i64>,
}

/// The objective of one of the problem's objectives, and the difference of its largest and its
/// smallest value.
struct Part {
    terms: Vec<(usize, i64)>,
    constant: i64,
    span: i64,
    is_negated: bool,
}

impl ModelBuilder<'_> {
    /// Combines the objectives, in lexicographic order, into that of the model. Adds variables for
    /// soft constraints. Factors beyond 64 bits are limited to them.
    pub(super) fn post_objectives(&mut self, objectives: &[Objective]) -> Flow {
        let parts = objectives.iter().map(|objective| match self.part(objective) {
            ControlFlow::Continue(part) => Some(part),
            ControlFlow::Break(()) => None,
        });
        let Some(parts) = parts.collect::<Option<Vec<Part>>>() else {
            return ControlFlow::Break(());
        };
        let mut factor = 1_i64;
        let mut all = LinearObjective::default();
        let mut coefficients = BTreeMap::<usize, i64>::new();
        for part in parts.into_iter().rev() {
            for (variable, coefficient) in part.terms {
                let sum = coefficients.entry(variable).or_default();
                *sum = sum.saturating_add(coefficient.saturating_mul(factor));
            }
            all.constant = all.constant.saturating_add(part.constant.saturating_mul(factor));
            all.factors.insert(0, if part.is_negated { -factor } else { factor });
            factor = factor.saturating_mul(part.span.saturating_add(1));
        }
        coefficients.retain(|_, coefficient| *coefficient != 0);
        all.terms = coefficients.into_iter().collect();
        self.model.objective = Some(all);
        ControlFlow::Continue(())
    }

    /// The linear form of an objective.
    fn part(&mut self, objective: &Objective) -> Flow<Part> {
        let (expression, sign) = match objective {
            Objective::Largest(expression) => (expression, 1),
            Objective::Smallest(expression) => (expression, -1),
            Objective::Seams => {
                let terms = self.broken_terms().into_iter().map(|(variable, n)| (variable, -n));
                let seams = self.problem.board.counted().count() as i64;
                let terms = terms.collect();
                let part = Part { terms, constant: seams, span: seams, is_negated: false };
                return ControlFlow::Continue(part);
            }
            Objective::Cost => return self.cost(),
        };
        let sum = self.problem.sum_over_values(&expression.sum(&self.problem.puzzle));
        let (least, most) = sum.range(&self.domains.cells);
        let terms = self.terms_of(&sum)?;
        let terms = terms.into_iter().map(|(variable, coefficient)| (variable, sign * coefficient));
        ControlFlow::Continue(Part {
            terms: terms.collect(),
            constant: 0,
            span: most - least,
            is_negated: sign < 0,
        })
    }

    /// The negated cost of the soft constraints, each with a variable that is 1 if it holds.
    fn cost(&mut self) -> Flow<Part> {
        let problem = self.problem;
        let (mut terms, mut constant) = (Vec::new(), 0);
        for (index, soft) in problem.soft_constraints().enumerate() {
            let formula = problem.formula_over_values(&*soft.constraint);
            let variable = self.reify(&formula, &format!("soft[{}", index + 1))?;
            let weight = i64::from(soft.weight);
            terms.push((variable, weight));
            constant -= weight;
        }
        ControlFlow::Continue(Part { terms, constant, span: -constant, is_negated: true })
    }
}

impl LinearObjective {
    /// A sentence that relates the value of the terms to the objectives of the problem.
    pub(super) fn explain(&self) -> String {
        let factors = self.factors.iter().enumerate().map(|(index, factor)| {
            let name = match self.factors.len() {
                1 => "objective".to_owned(),
                _ => format!("objective {}", index + 1),
            };
            format!("{factor} * {name}")
        });
        let sum = itertools::join(factors, " + ");
        match self.constant {
            0 => format!("maximise {sum}"),
            constant => format!("maximise {sum} {:+}", -constant),
        }
    }
}
