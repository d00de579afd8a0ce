//! How a run ended: one status and one stop reason, for every engine, every output format and every
//! exit code.
//!
//! `Complete` means that the engine proved that nothing is missing. Names in JSON follow MiniZinc.

use std::fmt;
use std::time::Duration;

use crate::clock::seconds;
use crate::engine::{EngineError, counted};

/// How a run ended. [`run`](super::run) itself gives the first four; what else can happen is known
/// to those who start runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStatus {
    /// Every solution was found, and it is proven that there are no more.
    Complete,
    /// It was stopped: there may be more.
    Stopped(StopReason),
    /// The engine can't search this problem, and why.
    NotServed(String),
    /// The engine failed, or disagrees with the checker.
    Failed(EngineError),
    /// It did not stop when its time was up, and was killed.
    Hung(String),
    /// Its process ended, as it had no more memory.
    OutOfMemory(String),
    /// Its process ended.
    Crashed(String),
    /// The text is no puzzle.
    NoPuzzle(String),
    /// The file can't be read.
    Unreadable(String),
    /// The text is longer than any puzzle.
    TooLarge(String),
}

/// Why a run was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// As many as asked for were found.
    Enough,
    /// The time was up; zero where nobody knows how long it was.
    Time(Duration),
    /// The engine had visited as many nodes as it might; 0 where nobody knows how many.
    Nodes(u64),
    /// The methods that look for the best had made as many steps as they might.
    Steps(u64),
    /// It would have needed more memory than so many bytes; 0 where nobody knows how many.
    Memory(u64),
    /// Somebody interrupted it.
    Interrupted,
}

/// What is known after a run, in MiniZinc's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Every solution.
    AllSolutions,
    /// A solution better than which none is.
    Optimal,
    /// Some solutions.
    Satisfied,
    /// That there is none.
    Unsatisfiable,
    /// Nothing.
    Unknown,
    /// Nothing, as something went wrong.
    Error,
}

impl Known {
    /// After a search for all solutions, which is complete or not and has found something or
    /// nothing.
    pub fn of_search(is_complete: bool, has_found: bool) -> Known {
        match (is_complete, has_found) {
            (true, true) => Known::AllSolutions,
            (true, false) => Known::Unsatisfiable,
            (false, true) => Known::Satisfied,
            (false, false) => Known::Unknown,
        }
    }

    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Known::AllSolutions => "ALL_SOLUTIONS",
            Known::Optimal => "OPTIMAL_SOLUTION",
            Known::Satisfied => "SATISFIED",
            Known::Unsatisfiable => "UNSATISFIABLE",
            Known::Unknown => "UNKNOWN",
            Known::Error => "ERROR",
        }
    }
}

/// What many runs are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// All was found, and something.
    Complete,
    /// There is no solution, proven.
    NoSolution,
    /// As many as asked for were found.
    Enough,
    /// A limit ended it.
    Stopped,
    /// The engine is not for this board.
    NotServed,
    /// There is no puzzle.
    Bad,
    /// Something failed.
    Failed,
}

impl Group {
    /// Every one, in the order in which they are listed.
    pub const ALL: [Group; 7] = [
        Group::Complete,
        Group::NoSolution,
        Group::Enough,
        Group::Stopped,
        Group::NotServed,
        Group::Bad,
        Group::Failed,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Group::Complete => "complete",
            Group::NoSolution => "no solution",
            Group::Enough => "enough",
            Group::Stopped => "stopped",
            Group::NotServed => "not served",
            Group::Bad => "bad",
            Group::Failed => "failed",
        }
    }
}

/// What a program ends with.
pub mod exit {
    /// Complete, or the asked number of solutions found; the arrangement fits.
    pub const FOUND: u8 = 0;
    /// Complete: there is none; the arrangement does not fit.
    pub const NONE: u8 = 1;
    /// Bad usage, bad puzzle, bad file, output that cannot be written.
    pub const BAD_INPUT: u8 = 2;
    /// Stopped early by a limit: there may be more.
    pub const STOPPED: u8 = 3;
    /// Engines disagree, or a solver failed.
    pub const FAILED: u8 = 4;
    /// Interrupted.
    pub const INTERRUPTED: u8 = 130;
}

impl RunStatus {
    /// Whether it is proven that nothing is missing.
    pub fn is_complete(&self) -> bool {
        *self == RunStatus::Complete
    }

    /// Whether something went wrong, so that what was found says nothing of the rest: neither the
    /// end of the search nor a limit.
    pub fn is_failure(&self) -> bool {
        !matches!(self, RunStatus::Complete | RunStatus::Stopped(_))
    }

    /// Why it is not complete, as results name it.
    pub fn reason(&self) -> Option<&'static str> {
        Some(match self {
            RunStatus::Complete => return None,
            RunStatus::Stopped(StopReason::Enough) => "solutions",
            RunStatus::Stopped(StopReason::Time(_)) => "time",
            RunStatus::Stopped(StopReason::Nodes(_)) => "nodes",
            RunStatus::Stopped(StopReason::Steps(_)) => "steps",
            RunStatus::Stopped(StopReason::Memory(_)) | RunStatus::OutOfMemory(_) => "memory",
            RunStatus::Stopped(StopReason::Interrupted) => "interrupted",
            RunStatus::NotServed(_) => "engine",
            RunStatus::Failed(_) => "failed",
            RunStatus::Hung(_) => "hang",
            RunStatus::Crashed(_) => "crash",
            RunStatus::NoPuzzle(_) => "puzzle",
            RunStatus::Unreadable(_) => "unreadable",
            RunStatus::TooLarge(_) => "too large",
        })
    }

    /// What went wrong, where something did.
    pub fn message(&self) -> Option<String> {
        match self {
            RunStatus::Complete | RunStatus::Stopped(_) => None,
            RunStatus::Failed(failure) => Some(failure.to_string()),
            RunStatus::NotServed(message)
            | RunStatus::Hung(message)
            | RunStatus::OutOfMemory(message)
            | RunStatus::Crashed(message)
            | RunStatus::NoPuzzle(message)
            | RunStatus::Unreadable(message)
            | RunStatus::TooLarge(message) => Some(message.clone()),
        }
    }

    /// The status with this [reason](Self::reason) and [message](Self::message), as far as they
    /// tell: not how large a limit was, nor what sort of failure it was. `None` where there is
    /// no such reason.
    pub fn recorded(reason: Option<&str>, message: Option<&str>) -> Option<RunStatus> {
        let text = || message.unwrap_or_default().to_owned();
        Some(match (reason, message) {
            (None, None) => RunStatus::Complete,
            (Some("solutions"), _) => RunStatus::Stopped(StopReason::Enough),
            (Some("time"), _) => RunStatus::Stopped(StopReason::Time(Duration::ZERO)),
            (Some("nodes"), _) => RunStatus::Stopped(StopReason::Nodes(0)),
            (Some("steps"), _) => RunStatus::Stopped(StopReason::Steps(0)),
            (Some("memory"), None) => RunStatus::Stopped(StopReason::Memory(0)),
            (Some("memory"), Some(_)) => RunStatus::OutOfMemory(text()),
            (Some("interrupted"), _) => RunStatus::Stopped(StopReason::Interrupted),
            (Some("engine"), _) => RunStatus::NotServed(text()),
            (Some("failed"), _) => RunStatus::Failed(EngineError::Recorded { message: text() }),
            (Some("hang"), _) => RunStatus::Hung(text()),
            (Some("crash"), _) => RunStatus::Crashed(text()),
            (Some("puzzle"), _) => RunStatus::NoPuzzle(text()),
            (Some("unreadable"), _) => RunStatus::Unreadable(text()),
            (Some("too large"), _) => RunStatus::TooLarge(text()),
            _ => return None,
        })
    }

    /// The same in a few words, without figures.
    pub fn words(&self) -> &'static str {
        match self {
            RunStatus::Complete => "complete",
            RunStatus::Stopped(StopReason::Enough) => "requested number found",
            RunStatus::Stopped(StopReason::Time(_)) => "time limit",
            RunStatus::Stopped(StopReason::Nodes(_)) => "node limit",
            RunStatus::Stopped(StopReason::Steps(_)) => "step limit",
            RunStatus::Stopped(StopReason::Memory(_)) | RunStatus::OutOfMemory(_) => {
                "out of memory"
            }
            RunStatus::Stopped(StopReason::Interrupted) => "interrupted",
            RunStatus::NotServed(_) => "board not supported",
            RunStatus::Failed(_) => "engine failed",
            RunStatus::Hung(_) => "it hung",
            RunStatus::Crashed(_) => "worker process ended",
            RunStatus::NoPuzzle(_) => "no puzzle",
            RunStatus::Unreadable(_) => "can't be read",
            RunStatus::TooLarge(_) => "too large",
        }
    }

    /// The group of a run that has found something or nothing.
    pub fn group(&self, has_found: bool) -> Group {
        match self {
            RunStatus::Complete if has_found => Group::Complete,
            RunStatus::Complete => Group::NoSolution,
            RunStatus::Stopped(StopReason::Enough) => Group::Enough,
            RunStatus::Stopped(_) | RunStatus::Hung(_) | RunStatus::OutOfMemory(_) => {
                Group::Stopped
            }
            RunStatus::NotServed(_) => Group::NotServed,
            RunStatus::NoPuzzle(_) | RunStatus::Unreadable(_) | RunStatus::TooLarge(_) => {
                Group::Bad
            }
            RunStatus::Failed(_) | RunStatus::Crashed(_) => Group::Failed,
        }
    }

    /// What is known after a run for all solutions, which has found something or nothing.
    pub fn known(&self, has_found: bool) -> Known {
        match self {
            RunStatus::Complete
            | RunStatus::Stopped(_)
            | RunStatus::NotServed(_)
            | RunStatus::Hung(_)
            | RunStatus::OutOfMemory(_) => Known::of_search(self.is_complete(), has_found),
            RunStatus::Failed(_)
            | RunStatus::Crashed(_)
            | RunStatus::NoPuzzle(_)
            | RunStatus::Unreadable(_)
            | RunStatus::TooLarge(_) => Known::Error,
        }
    }

    /// What a program ends with after a run that has found something or nothing.
    pub fn exit_code(&self, has_found: bool) -> u8 {
        match self {
            RunStatus::Complete if !has_found => exit::NONE,
            RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => exit::FOUND,
            RunStatus::Stopped(StopReason::Interrupted) => exit::INTERRUPTED,
            RunStatus::Stopped(_) | RunStatus::Hung(_) | RunStatus::OutOfMemory(_) => exit::STOPPED,
            RunStatus::NotServed(_)
            | RunStatus::NoPuzzle(_)
            | RunStatus::Unreadable(_)
            | RunStatus::TooLarge(_) => exit::BAD_INPUT,
            RunStatus::Failed(_) | RunStatus::Crashed(_) => exit::FAILED,
        }
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.message()) {
            (RunStatus::Stopped(reason), _) => reason.fmt(f),
            (_, Some(message)) => f.write_str(&message),
            (_, None) => f.write_str(self.words()),
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            StopReason::Enough => f.write_str("stopped after the requested number"),
            StopReason::Time(Duration::ZERO) => f.write_str("stopped by the time limit"),
            StopReason::Time(limit) => write!(f, "stopped after {}", seconds(limit.as_secs_f64())),
            StopReason::Nodes(0) => f.write_str("stopped by the node limit"),
            StopReason::Nodes(most) => {
                write!(f, "stopped after {}", counted(most, "node", "nodes"))
            }
            StopReason::Steps(0) => f.write_str("stopped by the step limit"),
            StopReason::Steps(most) => {
                write!(
                    f,
                    "stopped by the limit of {}",
                    counted(most, "step", "steps")
                )
            }
            StopReason::Memory(0) => f.write_str("stopped: out of memory"),
            StopReason::Memory(limit) => {
                write!(f, "stopped: out of memory (limit {})", bytes(limit))
            }
            StopReason::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// So many bytes as limits are given: `64M`, `2G`.
fn bytes(bytes: u64) -> String {
    const MEGA: u64 = 1 << 20;
    const GIGA: u64 = 1 << 30;
    if bytes > 0 && bytes.is_multiple_of(GIGA) {
        format!("{}G", bytes / GIGA)
    } else {
        format!("{}M", bytes / MEGA)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_tells_the_same_reason_message_and_code() {
        let text = || "why".to_owned();
        let all = [
            RunStatus::Complete,
            RunStatus::Stopped(StopReason::Enough),
            RunStatus::Stopped(StopReason::Time(Duration::from_secs(2))),
            RunStatus::Stopped(StopReason::Nodes(7)),
            RunStatus::Stopped(StopReason::Steps(7)),
            RunStatus::Stopped(StopReason::Memory(1 << 30)),
            RunStatus::Stopped(StopReason::Interrupted),
            RunStatus::NotServed(text()),
            RunStatus::Failed(EngineError::Trace { message: text() }),
            RunStatus::Hung(text()),
            RunStatus::OutOfMemory(text()),
            RunStatus::Crashed(text()),
            RunStatus::NoPuzzle(text()),
            RunStatus::Unreadable(text()),
            RunStatus::TooLarge(text()),
        ];
        for status in all {
            let message = status.message();
            let recorded = RunStatus::recorded(status.reason(), message.as_deref()).unwrap();
            assert_eq!(recorded.reason(), status.reason());
            assert_eq!(recorded.message(), message);
            for has_found in [false, true] {
                assert_eq!(recorded.exit_code(has_found), status.exit_code(has_found));
                assert_eq!(recorded.known(has_found), status.known(has_found));
                assert_eq!(recorded.group(has_found), status.group(has_found));
            }
        }
        assert_eq!(RunStatus::recorded(Some("boredom"), None), None);
        assert_eq!(RunStatus::recorded(None, Some("why")), None);
    }

    #[test]
    fn groups_are_numbered_in_their_order() {
        for (number, group) in Group::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, number);
        }
    }
}
