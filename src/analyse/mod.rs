//! Analyses of a puzzle and its searches: hints, explanations, mistyped tiles, estimates,
//! comparisons of engines, and merged parts.

pub mod compare;
pub mod doctor;
pub mod estimate;
pub mod explain;
pub mod hint;
pub mod merge;
