//! The commands that compare, measure, estimate and export.

pub mod compare;
pub mod estimate;
pub mod export;
pub mod info;
mod watcher;
