//! Soft constraints: they may be violated, at a cost.

use std::sync::Arc;

use super::logic::check_violable;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Dependence, Formula, Listed, Nesting, Weighted};
use crate::puzzle::Puzzle;

/// The largest total weight of the soft constraints of a problem, divided by the greatest common
/// divisor of the weights. A bound on the cost repeats each constraint by its weight.
const LARGEST_TOTAL: u64 = 10_000;

/// A soft constraint. The list of a problem has a placeholder for it that always holds.
///
/// # Errors
/// If the constraint cannot be soft, because it changes the board.
pub fn soft(constraint: Arc<dyn Constraint>, weight: u32) -> Result<Listed, String> {
    check_violable("soft", std::slice::from_ref(&constraint))?;
    let weighted = Weighted { constraint, weight };
    let listed = Listed::from(Arc::new(Placeholder(weighted.clone())));
    Ok(Listed { soft: Some(weighted), ..listed })
}

/// The total weight of soft constraints that an arrangement violates.
pub fn cost<'a>(
    soft: impl Iterator<Item = &'a Weighted>,
    (puzzle, board): (&Puzzle, &Board),
    arrangement: &Arrangement,
) -> u64 {
    let violated = soft.filter(|one| one.constraint.broken(puzzle, board, arrangement).is_some());
    violated.map(|one| u64::from(one.weight)).sum()
}

/// Checks the total weight of the soft constraints of a problem.
///
/// # Errors
/// If it is too large for a bound on the cost.
pub fn check_total(weights: impl Iterator<Item = u32> + Clone) -> Result<(), String> {
    let total: u64 = weights.clone().map(u64::from).sum();
    let divisor = u64::from(greatest_divisor(weights));
    if total / divisor.max(1) > LARGEST_TOTAL {
        return Err(format!(
            "the weights of the soft constraints add up to {total}: at most {LARGEST_TOTAL} times \
             their greatest common divisor, {divisor}, is allowed"
        ));
    }
    Ok(())
}

/// The greatest common divisor of the weights; 0 if there are none.
fn greatest_divisor(weights: impl Iterator<Item = u32>) -> u32 {
    weights.fold(0, |mut one, mut other| {
        while other > 0 {
            (one, other) = (other, one % other);
        }
        one
    })
}

#[derive(Debug)]
struct Placeholder(Weighted);

impl Constraint for Placeholder {
    fn name(&self) -> &'static str {
        self.0.constraint.name()
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }

    fn is_lazy(&self) -> bool {
        false
    }
}

/// The constraint that soft constraints with a total weight of at most `most` are violated.
#[derive(Debug)]
pub(crate) struct CostLimit {
    soft: Vec<Weighted>,
    most: u64,
}

impl CostLimit {
    /// The name of this kind of constraint.
    pub const NAME: &str = "soft";

    /// Limits the cost of these soft constraints.
    pub fn new(soft: Vec<Weighted>, most: u64) -> CostLimit {
        CostLimit { soft, most }
    }

    /// The weight of the constraints that hold is at least the total without `most`. Each
    /// constraint is repeated by its weight.
    fn compose(&self, formula: impl Fn(&dyn Constraint) -> Formula) -> Formula {
        let divisor = greatest_divisor(self.soft.iter().map(|one| one.weight)).max(1);
        let parts = self.soft.iter().flat_map(|one| {
            let formula = formula(one.constraint.as_ref());
            std::iter::repeat_n(formula, (one.weight / divisor) as usize)
        });
        let parts: Vec<Formula> = parts.collect();
        let most = usize::try_from(self.most / u64::from(divisor)).unwrap_or(usize::MAX);
        Formula::AtLeast(parts.len().saturating_sub(most), parts)
    }
}

impl Constraint for CostLimit {
    fn name(&self) -> &'static str {
        CostLimit::NAME
    }

    /// The formula takes a lazy constraint for satisfied whenever its own formula is.
    fn is_lazy(&self) -> bool {
        self.soft.iter().any(|one| one.constraint.is_lazy())
    }

    fn depends_on(&self) -> Dependence {
        let lazy = self.soft.iter().filter(|one| one.constraint.is_lazy());
        let depended = lazy.map(|one| one.constraint.depends_on());
        depended.fold(Dependence::EDGES, Dependence::union)
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let cost = cost(self.soft.iter(), (puzzle, board), arrangement);
        let most = self.most;
        (cost > most).then(|| format!("soft constraints: cost {cost}, expected at most {most}"))
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.compose(|one| one.formula(puzzle, board))
    }

    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.compose(|one| one.symmetric_formula(puzzle, board))
    }

    fn nesting(&self) -> Nesting {
        Nesting { depth: 1, size: self.soft.len() }
    }
}
