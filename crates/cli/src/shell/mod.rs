//! The commands for shells, editors and manuals.

pub mod completions;
pub mod man;
pub mod schema;
