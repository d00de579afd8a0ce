//! Counting solutions without listing them.

pub mod halves;
