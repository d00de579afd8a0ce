//! Time, limits, random numbers and threads: the interface to the machine.

pub mod clock;
pub mod limits;
pub mod random;
pub mod scheduler;
