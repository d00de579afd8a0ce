//! Questions about a puzzle and its searches: what comes next, why nothing fits, which card was
//! mistyped, how long a search takes, whether engines agree, what parts found together.

pub mod compare;
pub mod doctor;
pub mod estimate;
pub mod explain;
pub mod hint;
pub mod merge;
