//! Starting threads. No other module of the library starts any, so that it also runs on platforms
//! without threads.

use std::any::Any;
use std::io;
use std::num::NonZero;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::runtime::clock::{self, ProcessorTime};

/// The stack size of a thread in bytes, that of a usual main thread. Only used pages take memory.
pub const STACK: usize = 8 << 20;

/// True if the platform has threads that share memory; false in browsers.
pub const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Starts a thread with a stack of [`STACK`] bytes.
///
/// # Errors
/// If the system cannot start it.
pub fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().stack_size(STACK).spawn(work)
}

/// The number of threads that this machine runs in parallel; 1 if unknown.
pub fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs `here` on this thread while `threads` threads, or as many as can be started, run `there`.
/// Returns the result of `here` when all have ended.
///
/// # Errors
/// If the system cannot start any thread.
pub(super) fn run_with_threads<T>(
    threads: usize,
    there: impl Fn() + Sync,
    here: impl FnOnce() -> T,
) -> io::Result<T> {
    thread::scope(|scope| {
        for index in 0..threads {
            match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &there) {
                Ok(_) => {}
                Err(error) if index == 0 => return Err(error),
                // The threads started so far can do all the work.
                Err(_) => break,
            }
        }
        Ok(here())
    })
}

/// The message of a panic; `no message` if the panic value is not a text.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_else(|| "no message".into())
}

/// Waits until this process has used less than a tenth of a processor for 10 ms, so that the
/// remains of earlier work do not affect a measurement. Waits at most about `at_most`, and not at
/// all if the processor time is unknown.
pub fn wait_until_idle(processor: ProcessorTime, at_most: Duration) {
    const INTERVAL: Duration = Duration::from_millis(10);
    let started = clock::now();
    let mut used = (processor.0)();
    while let Some(before) = used
        && started.elapsed() < at_most
    {
        thread::sleep(INTERVAL);
        used = (processor.0)();
        if used.is_none_or(|used| used.saturating_sub(before) < INTERVAL / 10) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn waiting_ends_where_nothing_is_used_nothing_is_known_or_the_time_is_over() {
        let day = Duration::from_secs(86_400);
        wait_until_idle(ProcessorTime::default(), day);
        wait_until_idle(ProcessorTime(|| Some(Duration::from_secs(7))), day);
        let busy = ProcessorTime(|| SystemTime::UNIX_EPOCH.elapsed().ok());
        let started = clock::now();
        wait_until_idle(busy, Duration::from_millis(30));
        assert!(started.elapsed() >= Duration::from_millis(30));
    }
}
