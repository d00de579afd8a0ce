//! Starting threads. Nothing else in the library does, so that it runs where there are none.

use std::any::Any;
use std::io;
use std::num::NonZero;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::runtime::clock::{self, ProcessorTime};

/// Stack of a thread: as much as the main thread usually has. Only what is used takes memory.
pub const STACK: usize = 8 << 20;

/// Whether there are threads at all: a browser has none that share memory.
pub const ARE_THERE: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Starts a thread.
///
/// # Errors
/// Where the system starts none.
pub fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    thread::Builder::new().stack_size(STACK).spawn(work)
}

/// How many threads this machine runs at once.
pub fn available() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Does something here while so many threads, or as many as can be started, do something else;
/// returns when all have ended.
///
/// # Errors
/// Where the system starts none.
pub(super) fn beside<T>(
    threads: usize,
    there: impl Fn() + Sync,
    here: impl FnOnce() -> T,
) -> io::Result<T> {
    thread::scope(|scope| {
        for index in 0..threads {
            match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, &there) {
                Ok(_) => {}
                Err(error) if index == 0 => return Err(error),
                // Those that have started can do it all.
                Err(_) => break,
            }
        }
        Ok(here())
    })
}

/// What a panic said.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()));
    text.unwrap_or_else(|| "no message".into())
}

/// Waits until this process is idle, so that what is left of earlier work is not measured with
/// later one; not longer than `at_most`, and not at all where the processor time is not known.
pub fn wait_until_idle(processor: ProcessorTime, at_most: Duration) {
    const LOOK: Duration = Duration::from_millis(10);
    let started = clock::now();
    let mut used = (processor.0)();
    while let Some(before) = used
        && started.elapsed() < at_most
    {
        thread::sleep(LOOK);
        used = (processor.0)();
        if used.is_none_or(|used| used.saturating_sub(before) < LOOK / 10) {
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
