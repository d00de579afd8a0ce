//! Arc consistency over the tables, and all-different both ways, to the fixpoint.
//!
//! - A seam keeps only the labels that both of its sides can show.
//! - A kind whose copies are all placed leaves the other cells.
//! - A kind with no more cells left than copies that must be used takes those cells.
//!
//! None of these takes a solution away.

use thiserror::Error;

use super::Domains;
use crate::board::{Problem, Seam};
use crate::puzzle::LookSet;
use crate::tables::{Table, Tables};

/// A cell has no look left, or a kind too few cells: there is no solution in these domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("nothing fits")]
pub struct NothingFits;

/// Takes out of the domains what cannot be part of any solution, until nothing more is found.
///
/// # Errors
/// Where nothing is left, which proves that the domains hold no solution.
pub fn reduce(
    problem: &Problem,
    tables: &Tables,
    domains: &mut Domains,
) -> Result<(), NothingFits> {
    let kind_sets: Vec<LookSet> = problem
        .kinds
        .kinds
        .iter()
        .map(|kind| LookSet::from_range(problem.kinds.looks.len(), kind.looks.clone()))
        .collect();
    loop {
        let mut has_changed = false;
        for seam in problem.board.seams() {
            has_changed |= keep_shared_labels(tables.of(seam), seam, domains)?;
        }
        for (kind, set) in kind_sets.iter().enumerate() {
            has_changed |= keep_counts(kind, set, domains)?;
        }
        if !has_changed {
            return Ok(());
        }
    }
}

/// Leaves on both sides of a seam only the labels that both can show.
fn keep_shared_labels(
    table: &Table,
    seam: &Seam,
    domains: &mut Domains,
) -> Result<bool, NothingFits> {
    let (a, b) = (seam.first.0, seam.second.0);
    let mut first = table.no_looks();
    let mut second = table.no_looks();
    for block in table.blocks() {
        if block.first.meets(&domains.cells[a]) && block.second.meets(&domains.cells[b]) {
            first.insert_all(&block.first);
            second.insert_all(&block.second);
        }
    }
    Ok(restrict(domains, a, &first)? | restrict(domains, b, &second)?)
}

/// Applies the two all-different rules to one kind.
fn keep_counts(kind: usize, set: &LookSet, domains: &mut Domains) -> Result<bool, NothingFits> {
    let uses = domains.uses[kind];
    let possible = domains.cells.iter().filter(|c| c.meets(set)).count();
    let certain = domains.cells.iter().filter(|c| c.is_within(set)).count();
    if certain > uses.most || possible < uses.least {
        return Err(NothingFits);
    }
    let mut has_changed = false;
    if certain < possible && (certain == uses.most || possible == uses.least) {
        for cell in 0..domains.cells.len() {
            let domain = &mut domains.cells[cell];
            if domain.is_within(set) || !domain.meets(set) {
                continue;
            }
            match certain == uses.most {
                true => domain.remove_all(set),
                false => domain.keep(set),
            }
            has_changed = true;
        }
    }
    Ok(has_changed)
}

/// Keeps in a cell only these looks; says whether that took any out.
fn restrict(domains: &mut Domains, cell: usize, to: &LookSet) -> Result<bool, NothingFits> {
    let domain = &mut domains.cells[cell];
    if domain.is_within(to) && !domain.is_empty() {
        return Ok(false);
    }
    domain.keep(to);
    match domain.is_empty() {
        true => Err(NothingFits),
        false => Ok(true),
    }
}
