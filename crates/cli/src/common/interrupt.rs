//! Signals that ask the program to end: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
//!
//! The first one asks the run to stop and print what it has, the second one ends the program
//! immediately. Where one of several runs can be [skipped](Skips), it takes one more. Commands
//! install the handler before they read or print anything.

use std::ffi::c_int;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit;

/// Installs the handlers; returns a flag that the first signal sets. If it is set already, a signal
/// ends the process with exit code 130.
pub fn flag() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
        raise(&interrupted, signal, &interrupted);
    }
    interrupted
}

/// Makes the next signal end the program immediately with exit code 130: for commands, and final
/// stages of commands, that only read and write.
pub fn end_at_once() {
    flag().store(true, Ordering::Relaxed);
}

/// Makes a signal set the flag `raised`; if `end` is set when the signal arrives, it ends the
/// program immediately with exit code 130.
fn raise(raised: &Arc<AtomicBool>, signal: c_int, end: &Arc<AtomicBool>) {
    let code = i32::from(exit::INTERRUPTED);
    // In this order: if both are the same flag, the first signal must find it unset. Failures are
    // ignored: without a handler, a signal ends the program immediately, which is acceptable.
    let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(end));
    let _ = flag::register(signal, Arc::clone(raised));
}

/// A second Ctrl-C within this time ends all runs.
const TWICE: Duration = Duration::from_secs(1);

/// Signal handling of a command with several runs: Ctrl-C skips the current run, a second one
/// within a [second](TWICE) ends all runs, and a third one ends the program immediately. SIGTERM
/// and SIGHUP end all runs.
#[derive(Debug, Default)]
pub struct Skips {
    pressed: Arc<AtomicBool>,
    terminated: Arc<AtomicBool>,
    /// The time of the last signal.
    last: Option<Instant>,
    /// Asks the current run to stop.
    pub skip: Arc<AtomicBool>,
    /// Asks all runs to stop.
    pub end: Arc<AtomicBool>,
}

impl Skips {
    /// Installs the handlers.
    pub fn new() -> Skips {
        let skips = Skips::default();
        raise(&skips.pressed, SIGINT, &skips.end);
        for signal in [SIGTERM].into_iter().chain(hang_up()) {
            raise(&skips.terminated, signal, &skips.end);
        }
        skips
    }

    /// Sets [`skip`](Skips::skip) and [`end`](Skips::end) according to the signals since the last
    /// call. It must be called many times a second, because two signals between calls count as one.
    pub fn poll(&mut self) {
        let is_terminated = self.terminated.load(Ordering::Relaxed);
        let is_pressed = self.pressed.swap(false, Ordering::Relaxed);
        if !is_pressed && !is_terminated {
            return;
        }
        let last = self.last.replace(Instant::now());
        let is_second = last.is_some_and(|last| last.elapsed() < TWICE);
        // If the run has not yet reacted to the first signal, a second one means all runs.
        if is_terminated || is_second || self.skip.load(Ordering::Relaxed) {
            self.end.store(true, Ordering::Relaxed);
        }
        self.skip.store(true, Ordering::Relaxed);
    }
}

/// SIGHUP, the signal of a closed terminal; `None` if the program was started to ignore it
/// (`nohup`) or the system is not Unix.
#[cfg(unix)]
fn hang_up() -> Option<i32> {
    use signal_hook::consts::SIGHUP;
    let is_ignored = |mask: &str| {
        let ignored = u64::from_str_radix(mask.trim(), 16);
        ignored.is_ok_and(|ignored| ignored >> (SIGHUP - 1) & 1 == 1)
    };
    // Without /proc, assume that the signal is not ignored.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    (!mask.is_some_and(is_ignored)).then_some(SIGHUP)
}

#[cfg(not(unix))]
fn hang_up() -> Option<i32> {
    None
}

/// Makes writes beyond the file size limit (`ulimit -f`) fail with an error, as on a full disk,
/// instead of ending the process by SIGXFSZ.
#[cfg(unix)]
pub fn survive_full_files() {
    // With any handler, even one that does nothing, the write fails with EFBIG.
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

#[cfg(not(unix))]
pub fn survive_full_files() {}
