//! Signals: Ctrl-C, and whatever else asks a program to end.
//!
//! The first one asks the run to stop and print what it has, the second one ends the program at
//! once; where one of several runs can be [skipped](Skips), it takes one more. A verb installs the
//! handler before it reads or says anything, so that none comes too early.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit;

/// A flag that becomes true when somebody interrupts.
pub fn flag() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
        raise(&interrupted, signal, &interrupted);
    }
    interrupted
}

/// Lets the next signal end the program at once, with the exit code of an interruption: for commands,
/// and the last part of commands, that only read and write.
pub fn end_at_once() {
    flag().store(true, Ordering::Relaxed);
}

/// Lets a signal raise a flag; where `end` is up, it ends the program at once.
fn raise(raised: &Arc<AtomicBool>, signal: c_int, end: &Arc<AtomicBool>) {
    let code = i32::from(exit::INTERRUPTED);
    // In this order: where both are one, the first signal finds it down. Without a handler it ends
    // the program at once, which is no reason not to go on.
    let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(end));
    let _ = flag::register(signal, Arc::clone(raised));
}

/// A second Ctrl-C within this time ends it all.
const TWICE: Duration = Duration::from_secs(1);

/// Ctrl-C skips one of several runs, and ends them all where it comes twice; once more ends the
/// program at once. Whatever else asks for the end ends them all.
#[derive(Debug, Default)]
pub struct Skips {
    pressed: Arc<AtomicBool>,
    terminated: Arc<AtomicBool>,
    /// When Ctrl-C came last.
    last: Option<Instant>,
    /// Asks the run to stop.
    pub skip: Arc<AtomicBool>,
    /// Asks all of them to stop.
    pub end: Arc<AtomicBool>,
}

impl Skips {
    /// Listens from now on.
    pub fn new() -> Skips {
        let skips = Skips::default();
        raise(&skips.pressed, SIGINT, &skips.end);
        for signal in [SIGTERM].into_iter().chain(hang_up()) {
            raise(&skips.terminated, signal, &skips.end);
        }
        skips
    }

    /// Turns what has come since the last look into flags. To be called many times a second, as
    /// two signals between looks are one.
    pub fn look(&mut self) {
        let is_terminated = self.terminated.load(Ordering::Relaxed);
        let is_pressed = self.pressed.swap(false, Ordering::Relaxed);
        if !is_pressed && !is_terminated {
            return;
        }
        let last = self.last.replace(Instant::now());
        let is_second = last.is_some_and(|last| last.elapsed() < TWICE);
        // Where a run has not heard the first one yet, nobody knows what a second one is for.
        if is_terminated || is_second || self.skip.load(Ordering::Relaxed) {
            self.end.store(true, Ordering::Relaxed);
        }
        self.skip.store(true, Ordering::Relaxed);
    }
}

/// The signal of a terminal that is closed, unless the program was started to outlive that
/// (`nohup`).
#[cfg(unix)]
fn hang_up() -> Option<i32> {
    use signal_hook::consts::SIGHUP;
    let is_ignored = |mask: &str| {
        let ignored = u64::from_str_radix(mask.trim(), 16);
        ignored.is_ok_and(|ignored| ignored >> (SIGHUP - 1) & 1 == 1)
    };
    // Where the system does not tell, nothing is ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    (!mask.is_some_and(is_ignored)).then_some(SIGHUP)
}

#[cfg(not(unix))]
fn hang_up() -> Option<i32> {
    None
}

/// A file that may not grow is an error, as a full disk is, not the end of the process.
#[cfg(unix)]
pub fn survive_full_files() {
    // A handler that does nothing: the write then fails.
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(not(unix))]
pub fn survive_full_files() {}
