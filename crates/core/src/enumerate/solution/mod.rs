//! Solutions, independent of how they were found: the checker, the canonical form, and the counts.
//!
//! The checker reads the puzzle and the board, but never the tables, so that it shares no mistake
//! with the engines that it checks.

mod canonical;
mod check;
mod count;
mod expand;

pub use self::canonical::ValueArrangement;
pub use self::check::{ArrangementError, broken_seams, check, violations};
pub(crate) use self::count::stands_for_under;
pub use self::count::{StandsFor, fixed_solutions, stands_for};
pub use self::expand::expand;
