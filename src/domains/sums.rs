//! Extra constraints over bits. Bounds propagation: for Σ w ≤ b a cell loses every look whose weight
//! exceeds b minus the minima of the other cells. Of a clause the last pair that is possible must hold.

use std::collections::HashMap;
use std::sync::Arc;

use super::holder::{Dead, Holder};
use super::words::{Words, both, meet, to_words};
use crate::problem::{Level, LookClause, LookSum, Problem};
use crate::puzzle::LookSet;

/// Σ over cells of what the cell's look counts ≤ most.
pub(super) struct BitSum<const W: usize> {
    /// Each cell that counts, with all looks by what they count, ascending.
    pub cells: Vec<(usize, Arc<[BitLevel<W>]>)>,
    pub most: i64,
}

/// The looks that count alike in a cell.
pub(super) struct BitLevel<const W: usize> {
    pub weight: i64,
    pub looks: Words<W>,
}

/// Pairs of cells and looks; of at least one pair both cells take one of their looks.
pub(super) struct BitClause<const W: usize> {
    pairs: Vec<[(usize, Words<W>); 2]>,
}

impl<const W: usize> BitClause<W> {
    /// The clauses of a problem.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let bits = |(cell, looks): &(usize, LookSet)| (*cell, to_words(looks));
        let over_bits = |clause: &LookClause| BitClause {
            pairs: clause
                .pairs
                .iter()
                .map(|pair| pair.each_ref().map(bits))
                .collect(),
        };
        problem.clauses.iter().map(over_bits).collect()
    }

    /// Where one pair alone is left, its cells keep nothing else; says whether they held more.
    pub fn obey(&self, domains: &mut impl Holder<W>) -> Result<bool, Dead> {
        let is_left = |(cell, looks): &(usize, Words<W>)| meet(looks, &domains.domain(*cell));
        let mut left = self.pairs.iter().filter(|pair| pair.iter().all(is_left));
        let only = left.next().ok_or(Dead::Elsewhere)?;
        if left.next().is_some() {
            return Ok(false);
        }
        let mut has_changed = false;
        for (cell, looks) in only {
            let kept = both(&domains.domain(*cell), looks);
            has_changed |= domains.restrict(*cell, &kept)?;
        }
        Ok(has_changed)
    }
}

/// Takes out what would break one of these; says whether there was anything.
pub(super) fn obey_all<'a, const W: usize>(
    domains: &mut impl Holder<W>,
    sums: impl IntoIterator<Item = &'a BitSum<W>>,
    clauses: &[BitClause<W>],
) -> Result<bool, Dead> {
    let mut has_changed = false;
    for sum in sums {
        has_changed |= sum.obey(domains)?;
    }
    for clause in clauses {
        has_changed |= clause.obey(domains)?;
    }
    Ok(has_changed)
}

impl<const W: usize> BitSum<W> {
    /// The constraints of a problem.
    pub fn all(problem: &Problem) -> Vec<Self> {
        let mut known: HashMap<*const Level, Arc<[BitLevel<W>]>> = HashMap::new();
        let bits = |level: &Level| BitLevel {
            weight: level.weight,
            looks: to_words(&level.looks),
        };
        let mut over_bits = |sum: &LookSum| {
            let cells = sum.cells.iter().map(|(cell, levels)| {
                let known = known.entry(levels.as_ptr());
                let levels = known.or_insert_with(|| levels.iter().map(bits).collect());
                (*cell, Arc::clone(levels))
            });
            BitSum {
                cells: cells.collect(),
                most: sum.most,
            }
        };
        problem.sums.iter().map(&mut over_bits).collect()
    }

    /// The least and the most that the sum can be; `None` where a cell has no look left.
    fn range(&self, domains: &impl Holder<W>) -> Option<(i64, i64)> {
        let mut range = (0, 0);
        for (cell, levels) in &self.cells {
            let domain = domains.domain(*cell);
            let mut left = levels.iter().filter(|level| meet(&level.looks, &domain));
            let least = left.next()?.weight;
            range.0 += least;
            range.1 += left.next_back().map_or(least, |level| level.weight);
        }
        Some(range)
    }

    /// Whether something in the domains breaks it.
    pub fn may_break(&self, domains: &impl Holder<W>) -> bool {
        self.range(domains).is_none_or(|(_, most)| most > self.most)
    }

    /// Takes out what would break it; says whether there was anything.
    pub fn obey(&self, domains: &mut impl Holder<W>) -> Result<bool, Dead> {
        let mut has_changed = false;
        let Some((least, most)) = self.range(domains) else {
            return Err(Dead::Elsewhere);
        };
        if most <= self.most {
            return Ok(false);
        }
        let slack = self.most - least;
        if slack < 0 {
            return Err(Dead::Elsewhere);
        }
        for (cell, levels) in &self.cells {
            let domain = domains.domain(*cell);
            let mut left = levels.iter().filter(|level| meet(&level.looks, &domain));
            let Some(lowest) = left.next() else {
                return Err(Dead::Cell(*cell));
            };
            let mut kept = domain;
            for level in left.filter(|level| level.weight - lowest.weight > slack) {
                for (word, gone) in kept.iter_mut().zip(&level.looks) {
                    *word &= !gone;
                }
            }
            has_changed |= domains.restrict(*cell, &kept)?;
        }
        Ok(has_changed)
    }
}
