//! Signals: Ctrl-C, and whatever else asks a program to end.
//!
//! The first one asks the run to stop and print what it has, the second one ends the program at
//! once. A verb installs the handler before it reads or says anything, so that none comes too
//! early.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit;

/// A flag that becomes true when somebody interrupts.
pub fn flag() -> Arc<AtomicBool> {
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM].into_iter().chain(hang_up()) {
        let code = i32::from(exit::INTERRUPTED);
        // In this order: the first signal finds the flag down. Without a handler it ends the
        // program at once, which is no reason not to go on.
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&interrupted));
        let _ = flag::register(signal, Arc::clone(&interrupted));
    }
    interrupted
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
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
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
