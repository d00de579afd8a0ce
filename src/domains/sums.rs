//! Linear constraints and clauses over bit sets.
//!
//! Bounds propagation: for Σ w ≤ b a cell loses every value whose weight exceeds b minus the minima
//! of the other cells. A clause is a unit clause when one pair is left, and then that pair is
//! enforced.

use super::store::{Conflict, DomainStore};
use super::words::{Words, both, meet, to_words};
use crate::problem::{CellClause, CellSum, Problem, with_sets};
use crate::puzzle::ValueSet;

/// The sums of a problem.
pub(super) fn sums<const W: usize>(problem: &Problem) -> Vec<CellSum<Words<W>>> {
    with_sets(&problem.sums, to_words)
}

/// The clauses of a problem.
pub(super) fn clauses<const W: usize>(problem: &Problem) -> Vec<CellClause<Words<W>>> {
    let bits = |(cell, values): &(usize, ValueSet)| (*cell, to_words(values));
    let over_bits = |clause: &CellClause<ValueSet>| CellClause {
        pairs: clause
            .pairs
            .iter()
            .map(|pair| pair.each_ref().map(bits))
            .collect(),
    };
    problem.clauses.iter().map(over_bits).collect()
}

impl<const W: usize> CellClause<Words<W>> {
    /// Where one pair alone is left, its cells keep nothing else; says whether they held more.
    pub(super) fn enforce(&self, domains: &mut impl DomainStore<W>) -> Result<bool, Conflict> {
        let is_left = |(cell, values): &(usize, Words<W>)| meet(values, &domains.domain(*cell));
        let mut left = self.pairs.iter().filter(|pair| pair.iter().all(is_left));
        let only = left.next().ok_or(Conflict::Elsewhere)?;
        if left.next().is_some() {
            return Ok(false);
        }
        let mut has_changed = false;
        for (cell, values) in only {
            let kept = both(&domains.domain(*cell), values);
            has_changed |= domains.restrict(*cell, &kept)?;
        }
        Ok(has_changed)
    }
}

/// Takes out what would break one of these; says whether there was anything.
pub(super) fn enforce_all<'a, const W: usize>(
    domains: &mut impl DomainStore<W>,
    sums: impl IntoIterator<Item = &'a CellSum<Words<W>>>,
    clauses: &[CellClause<Words<W>>],
) -> Result<bool, Conflict> {
    let mut has_changed = false;
    for sum in sums {
        has_changed |= sum.enforce(domains)?;
    }
    for clause in clauses {
        has_changed |= clause.enforce(domains)?;
    }
    Ok(has_changed)
}

impl<const W: usize> CellSum<Words<W>> {
    /// The least and the most that the sum can be; `None` where a cell has no value left.
    fn range(&self, domains: &impl DomainStore<W>) -> Option<(i64, i64)> {
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

    /// Whether something in the domains breaks it.
    pub(super) fn may_break(&self, domains: &impl DomainStore<W>) -> bool {
        self.range(domains)
            .is_none_or(|(_, most)| most > self.bound)
    }

    /// Takes out what would break it; says whether there was anything.
    pub(super) fn enforce(&self, domains: &mut impl DomainStore<W>) -> Result<bool, Conflict> {
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
