//! A label in the row-by-row search: the label's index plus 1, with 0 for "any".
//!
//! The shift makes table lookups free of branches for missing neighbours.

use crate::puzzle::Label;

/// A label, or [`ANY`](SideLabel::ANY) if there is no neighbour or every label is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SideLabel(u16);

impl SideLabel {
    pub const ANY: SideLabel = SideLabel(0);

    /// The number of side labels of a puzzle with `labels` labels, including `ANY`.
    pub fn number(labels: usize) -> usize {
        labels + 1
    }

    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl From<Label> for SideLabel {
    fn from(label: Label) -> SideLabel {
        // `rows::serves` rejects puzzles with more labels than fit into 16 bits.
        SideLabel(label.index() as u16 + 1)
    }
}
