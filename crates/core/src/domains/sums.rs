//! Linear constraints and formulas over bit sets.
//!
//! Bounds propagation: for Σ w ≤ b, a cell loses every value whose weight exceeds b minus the
//! minima of the other cells. If exactly k parts of an "at least k" formula can still hold, all of
//! them are enforced. Few problems have formulas, so their code is compiled once for all kinds of
//! states.

use super::tree::{Conflict, DomainStore};
use super::words::{Words, meet, to_words};
use crate::problem::{CellFormula, CellSum, OverSets, Problem};

/// The sums and formulas of a problem, over bit sets.
pub(super) struct Constraints<const W: usize> {
    pub sums: Vec<CellSum<Words<W>>>,
    pub formulas: Vec<CellFormula<Words<W>>>,
}

impl<const W: usize> Constraints<W> {
    /// Converts the linear constraints and formulas of a problem to sets of `W` words.
    pub fn new(problem: &Problem) -> Self {
        let mut over_words = OverSets::new(to_words);
        let sums = problem.sums.iter().map(|sum| over_words.sum(sum));
        Constraints {
            sums: sums.collect(),
            formulas: problem
                .formulas
                .iter()
                .map(|formula| formula.map(&mut |sum| over_words.sum(sum)))
                .collect(),
        }
    }
}

/// The truth value of a formula under the current domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Truth {
    /// It holds for every assignment.
    Always,
    /// It holds for no assignment.
    Never,
    /// Neither can be shown from the domains.
    Open,
}

impl<const W: usize> CellFormula<Words<W>> {
    /// The truth value, as far as bounds on the sums show it.
    fn truth(&self, domains: &dyn DomainStore<W>) -> Truth {
        match self {
            CellFormula::Linear(sum) => match sum.range(domains) {
                Some((_, most)) if most <= sum.bound => Truth::Always,
                Some((least, _)) if least <= sum.bound => Truth::Open,
                _ => Truth::Never,
            },
            CellFormula::AtLeast(number, parts) => {
                let mut always = 0;
                let mut possible = 0;
                for part in parts {
                    let truth = part.truth(domains);
                    always += usize::from(truth == Truth::Always);
                    possible += usize::from(truth != Truth::Never);
                    if always >= *number {
                        return Truth::Always;
                    }
                }
                if possible < *number { Truth::Never } else { Truth::Open }
            }
        }
    }

    /// Removes values that would break the formula; returns true if there were any. Fails if the
    /// formula cannot hold or a cell has no value left.
    fn enforce(&self, domains: &mut dyn DomainStore<W>) -> Result<bool, Conflict> {
        let (number, parts) = match self {
            CellFormula::Linear(sum) => return sum.enforce(domains),
            CellFormula::AtLeast(number, parts) => (*number, parts),
        };
        let mut always = 0;
        let mut open = Vec::new();
        for part in parts {
            match part.truth(domains) {
                Truth::Always => always += 1,
                Truth::Open => open.push(part),
                Truth::Never => {}
            }
        }
        if always >= number {
            return Ok(false);
        }
        if always + open.len() < number {
            return Err(Conflict::Elsewhere);
        }
        let mut has_changed = false;
        if always + open.len() == number {
            for part in open {
                has_changed |= part.enforce(domains)?;
            }
        }
        Ok(has_changed)
    }
}

/// Removes values that would break a sum or formula; returns true if there were any. Fails if one
/// of them cannot hold or a cell has no value left.
pub(super) fn enforce_all<'a, const W: usize>(
    domains: &mut impl DomainStore<W>,
    sums: impl IntoIterator<Item = &'a CellSum<Words<W>>>,
    formulas: &[CellFormula<Words<W>>],
) -> Result<bool, Conflict> {
    let mut has_changed = false;
    for sum in sums {
        has_changed |= sum.enforce(domains)?;
    }
    for formula in formulas {
        has_changed |= formula.enforce(domains)?;
    }
    Ok(has_changed)
}

impl<const W: usize> CellSum<Words<W>> {
    /// The minimum and maximum of the sum; `None` if one of its cells has no value left.
    fn range(&self, domains: &(impl DomainStore<W> + ?Sized)) -> Option<(i64, i64)> {
        let mut range = (0, 0);
        for (cell, levels) in &self.cells {
            let domain = domains.domain(*cell);
            let mut left = levels.iter().filter(|level| meet(&level.values, &domain));
            let least = left.next()?.coefficient;
            range.0 += least;
            range.1 += left.next_back().map_or(least, |level| level.coefficient);
        }
        Some(range)
    }

    /// Returns true if some assignment may exceed the bound, or one of the cells has no value left.
    pub(super) fn may_break(&self, domains: &impl DomainStore<W>) -> bool {
        self.range(domains).is_none_or(|(_, most)| most > self.bound)
    }

    /// Removes values that would make the sum exceed its bound; returns true if there were any.
    /// Fails if the bound cannot be met or a cell has no value left.
    pub(super) fn enforce(
        &self,
        domains: &mut (impl DomainStore<W> + ?Sized),
    ) -> Result<bool, Conflict> {
        let mut has_changed = false;
        let Some((least, most)) = self.range(domains) else {
            return Err(Conflict::Elsewhere);
        };
        if most <= self.bound {
            return Ok(false);
        }
        let slack = self.bound - least;
        if slack < 0 {
            return Err(Conflict::Elsewhere);
        }
        for (cell, levels) in &self.cells {
            let domain = domains.domain(*cell);
            let mut left = levels.iter().filter(|level| meet(&level.values, &domain));
            let Some(lowest) = left.next() else {
                return Err(Conflict::Cell(*cell));
            };
            let mut kept = domain;
            for level in left.filter(|level| level.coefficient - lowest.coefficient > slack) {
                for (word, gone) in kept.iter_mut().zip(&level.values) {
                    *word &= !gone;
                }
            }
            has_changed |= domains.restrict(*cell, &kept)?;
        }
        Ok(has_changed)
    }
}
