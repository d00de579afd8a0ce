//! Whether a process is still alive.
//!
//! A process number is used again after a while, so a process is known by its number and the time
//! it started.

use std::fs;

/// A process that can be recognised later, on the same machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Process {
    /// The machine.
    pub host: String,
    /// The process id there, which the system gives to another one some day.
    pub pid: u32,
    /// When it began, as the system tells it; empty where it does not.
    pub born: String,
}

impl Process {
    /// This process.
    pub fn this() -> Process {
        let pid = std::process::id();
        Process { host: host(), pid, born: born(pid).unwrap_or_default() }
    }

    /// Whether it is known to have ended. Of another machine, or where the system does not tell,
    /// nothing is known.
    pub fn is_known_dead(&self) -> bool {
        if self.host != host() || self.born.is_empty() {
            return false;
        }
        born(self.pid).as_ref() != Some(&self.born)
    }
}

/// The machine since it was started last: a container has a name of its own.
fn host() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let name = read("/proc/sys/kernel/hostname");
    let boot = read("/proc/sys/kernel/random/boot_id");
    format!("{} {}", name.trim(), boot.trim()).trim().to_owned()
}

/// The time at which a process began, in the system's ticks; `None` where there is no such process.
fn born(pid: u32) -> Option<String> {
    let line = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field is the program's name in brackets, which may hold anything.
    let behind_name = line.rsplit(')').next()?;
    let mut fields = behind_name.split_whitespace();
    let state = fields.next()?;
    let is_over = matches!(state, "Z" | "X");
    // The 22nd field of all, the 19th behind the state.
    let born = fields.nth(18)?;
    (!is_over).then(|| born.to_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives_and_another_at_its_number_does_not() {
        let this = Process::this();
        assert!(!this.is_known_dead());
        let earlier = Process { born: "1".into(), ..this.clone() };
        assert!(earlier.is_known_dead());
        let elsewhere = Process { host: "another machine".into(), ..earlier };
        assert!(!elsewhere.is_known_dead());
    }

    #[test]
    fn a_child_that_has_ended_is_dead() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let process = Process {
            pid: child.id(),
            born: born(child.id()).unwrap_or_else(|| "0".into()),
            ..Process::this()
        };
        child.wait().unwrap();
        assert!(process.is_known_dead());
    }
}
