//! What several commands share: output files, messages, exit codes, signals, pictures.

pub mod exit;
pub mod interrupt;
pub mod line;
pub mod output;
pub mod patience;
pub mod pictures;
pub mod talk;
pub mod terminal;
pub mod warnings;
