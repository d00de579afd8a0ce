//! A label as the row-by-row search uses it: label + 1, with 0 for "any".
//!
//! This is a numbering of its own, so that a table lookup needs no branch for a missing neighbour.

use crate::puzzle::Label;

/// A label, or [`ANY`](SideLabel::ANY) where there is no neighbour or whatever it shows will do.
/// Labels keep the puzzle's own numbers, one up, so that ANY is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SideLabel(u16);

impl SideLabel {
    pub const ANY: SideLabel = SideLabel(0);

    /// How many of them there are, with so many labels.
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
        // `rows::serves` refuses puzzles with more labels than 16 bits number.
        SideLabel(label.index() as u16 + 1)
    }
}
