//! Where cards may lie in a photograph.

use crate::Size;
use crate::quad::Quad;

/// Where cards may lie: row by row from the top, each row from the left.
pub(crate) struct Layout {
    pub size: Size,
    pub quads: Vec<Quad>,
    /// How much speaks for it beside other layouts of the same photograph.
    pub score: f32,
}
