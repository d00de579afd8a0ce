//! The commands that search for solutions, explain why there is none, and check them.

pub mod certificate;
pub mod check;
mod conflicts;
pub mod count;
pub mod doctor;
mod forecast;
pub mod hint;
mod printer;
mod progress;
pub mod run;
mod task;
pub mod why;
