//! What a linear constraint sees of the domains: the values of a cell, and a way to remove some.
//!
//! Both kinds of state, with hard seams and with soft ones, are such a store.

use super::words::Words;

/// These domains hold no solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Conflict {
    /// No value is left for a cell.
    Cell(usize),
    /// A kind must be used more often than there are cells left for it, or a sum is too large.
    Elsewhere,
}

/// Domains that constraints cut down.
pub(super) trait DomainStore<const W: usize> {
    /// What a cell can still take.
    fn domain(&self, cell: usize) -> Words<W>;

    /// The cell keeps only these of its values, which are not all.
    fn keep(&mut self, cell: usize, values: &Words<W>) -> Result<(), Conflict>;

    /// The cell keeps only these of its values; says whether it held others.
    fn restrict(&mut self, cell: usize, values: &Words<W>) -> Result<bool, Conflict> {
        let is_less = *values != self.domain(cell);
        if is_less {
            self.keep(cell, values)?;
        }
        Ok(is_less)
    }
}
