//! A scheduler of threads that share a search. Results are emitted in the order in which a single
//! thread would find them.
//!
//! ```text
//!   row of jobs    ✓   ▶   ▶   ·   ·     ✓ done  ▶ on a thread  · waits
//!                  └─────► results go out from the left, as far as jobs are done
//! ```
//!
//! A thread takes the first waiting job. While threads are idle, busy ones give away the ends of
//! their jobs. These become jobs directly after the one that they come from, so the row always has
//! the order of the search. The calling thread runs no job: it emits the results and polls for
//! cancellation.

mod queue;
mod row;
mod threads;
mod worker;

pub use self::queue::{QueueWorker, SchedulerError, room_for, run_jobs};
pub(crate) use self::threads::message_of;
pub use self::threads::{HAS_THREADS, STACK, available, start, wait_until_idle};
pub use self::worker::{Branch, SearchProgress, SingleWorker, Sink, Worker};
