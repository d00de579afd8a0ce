//! Threads that share a search, and hand over what they find in the order in which one thread
//! would have found it.
//!
//! ```text
//!   row of jobs    ✓   ▶   ▶   ·   ·     ✓ done  ▶ on a thread  · waits
//!                  └─────► results go out from the left, as far as jobs are done
//! ```
//!
//! A thread takes the first job that waits. While somebody is idle, those at work give away part of
//! theirs; what they give joins the row right behind them, so that the row keeps the order of the
//! search however it is shared. The caller's own thread does no job: it hands the results over, and
//! asks now and then whether to go on.

mod queue;
mod row;
mod threads;
mod worker;

pub use self::queue::{QueueWorker, SchedulerError, room_for, run_jobs};
pub(crate) use self::threads::message_of;
pub use self::threads::{ARE_THERE, STACK, available, start, wait_until_idle};
pub use self::worker::{Alone, Branch, Progress, Sink, Worker};
