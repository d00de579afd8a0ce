//! Time, limits, random numbers and threads: all that a run asks of the machine.

pub mod clock;
pub mod limits;
pub mod random;
pub mod scheduler;
