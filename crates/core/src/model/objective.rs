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
    /// The factor and the name of each of the problem's objectives, the most important first. The
    /// factor is one more than all later objectives together can change; that of a minimised
    /// quantity is negative.
    pub factors: Vec<(i64, &'static str)>,
}

/// The objective of one of the problem's objectives, and the difference of its largest and its
/// smallest value.
struct Part {
    name: &'static str,
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
            all.factors.insert(0, (if part.is_negated { -factor } else { factor }, part.name));
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
                let name = "matching edges";
                let part = Part { name, terms, constant: seams, span: seams, is_negated: false };
                return ControlFlow::Continue(part);
            }
            Objective::Cost => return self.cost(),
        };
        let sum = self.problem.sum_over_values(&expression.sum(&self.problem.puzzle));
        let (least, most) = sum.range(&self.domains.cells);
        let terms = self.terms_of(&sum)?;
        let terms = terms.into_iter().map(|(variable, coefficient)| (variable, sign * coefficient));
        ControlFlow::Continue(Part {
            name: "objective",
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
        let listed = problem.constraints.iter().filter_map(|one| Some((one, one.soft.as_ref()?)));
        for (index, (listed, soft)) in listed.enumerate() {
            let formula = problem.formula_over_values(&*soft.constraint);
            let name = listed.name.as_deref().unwrap_or("soft");
            let variable = self.reify(&formula, &format!("{name}[{}", index + 1))?;
            let weight = i64::from(soft.weight);
            terms.push((variable, weight));
            constant -= weight;
        }
        let span = -constant;
        ControlFlow::Continue(Part { name: "cost", terms, constant, span, is_negated: true })
    }
}

impl LinearObjective {
    /// A sentence that relates the value of the terms to the objectives of the problem.
    pub fn explain(&self) -> String {
        let mut sum = "maximise".to_owned();
        for (index, (factor, name)) in self.factors.iter().enumerate() {
            sum += match (index, factor.is_negative()) {
                (0, false) => " ",
                (_, false) => " + ",
                (0, true) => " -",
                (_, true) => " - ",
            };
            if factor.unsigned_abs() > 1 {
                sum += &format!("{} * ", factor.unsigned_abs());
            }
            sum += name;
            if self.factors.iter().filter(|(_, other)| other == name).count() > 1 {
                sum += &format!(" {}", index + 1);
            }
        }
        match self.constant {
            0 => sum,
            constant if constant > 0 => format!("{sum} - {constant}"),
            constant => format!("{sum} + {}", constant.unsigned_abs()),
        }
    }
}
