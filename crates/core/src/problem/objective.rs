//! Objectives: what is maximised or minimised over the solutions of a problem.

use super::constraints::Expression;
use crate::puzzle::DocValue;

/// An objective.
#[derive(Debug, Clone)]
pub enum Objective {
    /// The number of matching seams, among those that [count](crate::board::Board::counted), is
    /// maximised. Tiles, border and extra constraints remain hard constraints.
    Seams,
    /// An expression is maximised.
    Largest(Expression),
    /// An expression is minimised.
    Smallest(Expression),
    /// The total weight of violated soft constraints is minimised.
    Cost,
}

/// The objectives that a file gives, the most important first.
#[derive(Debug, Clone, Default)]
pub struct Objectives {
    /// The objectives.
    pub list: Vec<Objective>,
    /// The list as in the file; `None` if it is not from a file.
    pub source: Option<DocValue>,
}
