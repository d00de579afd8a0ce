//! The status of a run, shared by all engines and output formats.
//!
//! The names in JSON follow MiniZinc.

use std::fmt;
use std::time::Duration;

use crate::engine::{EngineError, counted};
use crate::runtime::clock::seconds;
use crate::runtime::limits::{CancelToken, Flow, StopReason};

/// The status of a finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunStatus {
    /// Every solution was found; it is proven that there are no more.
    Complete,
    /// The run was stopped; there may be more solutions.
    Stopped(StopReason),
    /// The engine does not support the problem, with the reason.
    Unsupported(String),
    /// The engine failed, or reported an arrangement that the checker rejects.
    Failed(EngineError),
}

/// The conclusion of a run, in MiniZinc's terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// There are solutions, and all of them are known.
    AllSolutions,
    /// A proven optimal solution.
    Optimal,
    /// Solutions are known; there may be more.
    Satisfied,
    /// It is proven that there is no solution.
    Unsatisfiable,
    /// Neither a solution nor a proof that there is none is known.
    Unknown,
    /// The run failed.
    Error,
}

impl Conclusion {
    /// The conclusion of a search for all solutions, from whether it is complete and has found any.
    pub fn of_search(is_complete: bool, has_found: bool) -> Conclusion {
        match (is_complete, has_found) {
            (true, true) => Conclusion::AllSolutions,
            (true, false) => Conclusion::Unsatisfiable,
            (false, true) => Conclusion::Satisfied,
            (false, false) => Conclusion::Unknown,
        }
    }

    /// The name in MiniZinc's output.
    pub fn name(self) -> &'static str {
        match self {
            Conclusion::AllSolutions => "ALL_SOLUTIONS",
            Conclusion::Optimal => "OPTIMAL_SOLUTION",
            Conclusion::Satisfied => "SATISFIED",
            Conclusion::Unsatisfiable => "UNSATISFIABLE",
            Conclusion::Unknown => "UNKNOWN",
            Conclusion::Error => "ERROR",
        }
    }
}

impl RunStatus {
    /// The status of a run that its token has stopped.
    pub fn stopped_by(token: &CancelToken<'_>) -> RunStatus {
        RunStatus::Stopped(token.stop_reason().unwrap_or(StopReason::Interrupted))
    }

    /// The value of a step of a run.
    ///
    /// # Errors
    /// The status of the run if its token has stopped it in this step.
    pub fn unless_stopped<T>(step: Flow<T>, token: &CancelToken<'_>) -> Result<T, RunStatus> {
        step.continue_value().ok_or_else(|| RunStatus::stopped_by(token))
    }

    /// Returns true if it is proven that no solution is missing.
    pub fn is_complete(&self) -> bool {
        *self == RunStatus::Complete
    }

    /// Returns true if the run failed or is unsupported, so that its results allow no conclusion.
    pub fn is_failure(&self) -> bool {
        !matches!(self, RunStatus::Complete | RunStatus::Stopped(_))
    }

    /// The results of [`RunStatus::reason`], `None` if complete, and of [`RunStatus::words`].
    fn names(&self) -> (Option<&'static str>, &'static str) {
        let (reason, words) = match self {
            RunStatus::Complete => return (None, "complete"),
            RunStatus::Stopped(StopReason::Enough) => ("solutions", "requested number found"),
            RunStatus::Stopped(StopReason::Time(_)) => ("time", "time limit"),
            RunStatus::Stopped(StopReason::Nodes(_)) => ("nodes", "node limit"),
            RunStatus::Stopped(StopReason::Memory(_)) => ("memory", "out of memory"),
            RunStatus::Stopped(StopReason::Interrupted) => ("interrupted", "interrupted"),
            RunStatus::Unsupported(_) => ("engine", "board not supported"),
            RunStatus::Failed(_) => ("failed", "engine failed"),
        };
        (Some(reason), words)
    }

    /// The reason why the run is incomplete as one word, such as `time`, for JSON results; `None`
    /// if it is complete.
    pub fn reason(&self) -> Option<&'static str> {
        self.names().0
    }

    /// A short description of the status without numbers, such as `time limit`.
    pub fn words(&self) -> &'static str {
        self.names().1
    }

    /// The error message if the run failed or is unsupported; otherwise `None`.
    pub fn message(&self) -> Option<String> {
        self.is_failure().then(|| self.to_string())
    }

    /// The conclusion of a search for all solutions; `has_found` is true if it has found any.
    pub fn conclusion(&self, has_found: bool) -> Conclusion {
        match self {
            RunStatus::Failed(_) => Conclusion::Error,
            _ => Conclusion::of_search(self.is_complete(), has_found),
        }
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunStatus::Complete => f.write_str(self.words()),
            RunStatus::Stopped(reason) => reason.fmt(f),
            RunStatus::Unsupported(message) => f.write_str(message),
            RunStatus::Failed(failure) => failure.fmt(f),
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
                write!(f, "stopped by the limit of {}", counted(most, "node", "nodes"))
            }
            StopReason::Memory(0) => f.write_str("stopped: out of memory"),
            StopReason::Memory(limit) => {
                write!(f, "stopped: out of memory (limit {})", bytes(limit))
            }
            StopReason::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// Formats a number of bytes in the syntax of limits: a multiple of 1 GiB as `2G`, any other number
/// in MiB, rounded down, as `64M`.
fn bytes(bytes: u64) -> String {
    const MEGA: u64 = 1 << 20;
    const GIGA: u64 = 1 << 30;
    if bytes > 0 && bytes.is_multiple_of(GIGA) {
        format!("{}G", bytes / GIGA)
    } else {
        format!("{}M", bytes / MEGA)
    }
}
