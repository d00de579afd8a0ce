//! How a run of a batch ended: the status of a search, or a failure of the file or the worker
//! process.

use std::time::Duration;

use edgematch::engine::EngineError;
use edgematch::enumerate::{Conclusion, RunStatus, StopReason};
use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchStatus {
    /// The engine searched the problem, or does not support it.
    Ran(RunStatus),
    /// There was no search, or its result was lost; the message says why.
    Lost(RunFailure, String),
}

/// Why a run has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFailure {
    /// It did not stop at its time limit, so its worker was killed.
    Hung,
    /// Its worker aborted because its memory is limited.
    OutOfMemory,
    /// Its worker ended for another reason.
    Crashed,
    /// The text is not a valid puzzle.
    NoPuzzle,
    /// The file cannot be read.
    Unreadable,
    /// The text exceeds [`edgematch::load::LARGEST_FILE`].
    TooLarge,
}

/// For each failure, in the order of the enum: its `reason` in results, a description for people,
/// and its group.
const LOSSES: [(RunFailure, &str, &str, Group); 6] = [
    (RunFailure::Hung, "hang", "it hung", Group::Stopped),
    (RunFailure::OutOfMemory, "memory", "out of memory", Group::Stopped),
    (RunFailure::Crashed, "crash", "worker process ended", Group::Failed),
    (RunFailure::NoPuzzle, "puzzle", "no puzzle", Group::Bad),
    (RunFailure::Unreadable, "unreadable", "can't be read", Group::Bad),
    (RunFailure::TooLarge, "too large", "too large", Group::Bad),
];

/// One stop reason of each kind, with an arbitrary limit: results name only the kind.
const STOPS: [StopReason; 5] = [
    StopReason::Enough,
    StopReason::Time(Duration::ZERO),
    StopReason::Nodes(0),
    StopReason::Memory(0),
    StopReason::Interrupted,
];

/// The categories in which a summary counts runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// All solutions were found, proven, and there is at least one.
    Complete,
    /// Proven to have no solution.
    NoSolution,
    /// The requested number of solutions was found.
    Enough,
    /// A limit of time, nodes or memory, or an interrupt ended it.
    Stopped,
    /// The engine does not support the problem.
    Unsupported,
    /// The text cannot be read or is not a valid puzzle.
    Bad,
    /// The engine failed, or the worker process crashed.
    Failed,
}

impl Group {
    /// All groups with their names, in the order of the enum and of output.
    pub const ALL: [(Group, &'static str); 7] = [
        (Group::Complete, "complete"),
        (Group::NoSolution, "no solution"),
        (Group::Enough, "limit reached"),
        (Group::Stopped, "stopped"),
        (Group::Unsupported, "unsupported"),
        (Group::Bad, "bad"),
        (Group::Failed, "failed"),
    ];

    /// The name in output, as in [`Group::ALL`].
    pub fn name(self) -> &'static str {
        Group::ALL[self as usize].1
    }
}

impl BatchStatus {
    /// Returns true if the search finished, so that its solutions are proven to be all.
    pub fn is_complete(&self) -> bool {
        *self == BatchStatus::Ran(RunStatus::Complete)
    }

    /// Why the run is not complete, as a word in results; `None` if it is complete.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            BatchStatus::Ran(status) => status.reason(),
            BatchStatus::Lost(loss, _) => Some(LOSSES[*loss as usize].1),
        }
    }

    /// The error message, also that of an unsupported puzzle; `None` if the run is complete or was
    /// stopped.
    pub fn message(&self) -> Option<String> {
        match self {
            BatchStatus::Ran(status) => status.message(),
            BatchStatus::Lost(_, message) => Some(message.clone()),
        }
    }

    /// Restores a status from its [reason](Self::reason) and [message](Self::message), which
    /// determine it except for the size of a limit and the kind of an engine's failure. `None` if
    /// no status has them.
    pub(crate) fn recorded(reason: Option<&str>, message: Option<&str>) -> Option<BatchStatus> {
        let Some(reason) = reason else {
            return message.is_none().then_some(BatchStatus::Ran(RunStatus::Complete));
        };
        let text = message.unwrap_or_default().to_owned();
        let ran = match message {
            None => STOPS.map(RunStatus::Stopped).to_vec(),
            Some(_) => {
                let failed = EngineError::Recorded { message: text.clone() };
                vec![RunStatus::Unsupported(text.clone()), RunStatus::Failed(failed)]
            }
        };
        let ran = ran.into_iter().find(|status| status.reason() == Some(reason));
        let lost = LOSSES.iter().find(|loss| loss.1 == reason);
        ran.map(BatchStatus::Ran).or_else(|| Some(BatchStatus::Lost(lost?.0, text)))
    }

    /// A short description of the status for people, without numbers.
    pub fn words(&self) -> &'static str {
        match self {
            BatchStatus::Ran(status) => status.words(),
            BatchStatus::Lost(loss, _) => LOSSES[*loss as usize].2,
        }
    }

    /// The group of a run with this status; `has_found` is true if it found a solution.
    pub fn group(&self, has_found: bool) -> Group {
        match self {
            BatchStatus::Ran(RunStatus::Complete) if has_found => Group::Complete,
            BatchStatus::Ran(RunStatus::Complete) => Group::NoSolution,
            BatchStatus::Ran(RunStatus::Stopped(StopReason::Enough)) => Group::Enough,
            BatchStatus::Ran(RunStatus::Stopped(_)) => Group::Stopped,
            BatchStatus::Ran(RunStatus::Unsupported(_)) => Group::Unsupported,
            BatchStatus::Ran(RunStatus::Failed(_)) => Group::Failed,
            BatchStatus::Lost(loss, _) => LOSSES[*loss as usize].3,
        }
    }

    /// What a run with this status shows about its problem; `has_found` is true if it found a
    /// solution.
    pub fn known(&self, has_found: bool) -> Conclusion {
        match self.group(has_found) {
            Group::Bad | Group::Failed => Conclusion::Error,
            _ => Conclusion::of_search(self.is_complete(), has_found),
        }
    }
}

/// How a run ended, and its numbers of solutions in decimal digits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Ended {
    /// The status.
    pub status: BatchStatus,
    /// The number of solutions that differ by more than symmetries and exchanges of equal tiles;
    /// `None` if nothing was searched.
    pub distinct: Option<String>,
    /// The number of solutions that differ by more than symmetries of the board; `None` if nothing
    /// was searched.
    pub classes: Option<String>,
    /// The number of solutions; `None` if nothing was searched.
    pub solutions: Option<String>,
    /// True if every solution that was found is stored.
    pub has_solutions: bool,
}

/// [`Ended`] as strings and numbers: the form in the protocol of workers and in results.
#[derive(Serialize, Deserialize)]
struct Record {
    status: String,
    complete: bool,
    reason: Option<String>,
    error: Option<String>,
    distinct: Option<String>,
    classes: Option<String>,
    solutions: Option<String>,
    has_solutions: bool,
}

impl Ended {
    /// The end of a run without counts and solutions.
    pub fn unfinished(status: BatchStatus) -> Ended {
        Ended { status, distinct: None, classes: None, solutions: None, has_solutions: false }
    }

    /// Returns true if the run need not be repeated for its solutions: they are not wanted, or are
    /// stored, or nothing was searched. Says nothing about whether the run is complete.
    pub(crate) fn is_enough(&self, wants_solutions: bool) -> bool {
        !wants_solutions || self.has_solutions || self.distinct.is_none()
    }

    /// Returns true if at least one solution was found.
    pub fn has_found(&self) -> bool {
        self.distinct.as_deref().is_some_and(|digits| digits != "0")
    }

    /// What the run shows about its problem: `UNSATISFIABLE`, `ALL_SOLUTIONS` and so on.
    pub fn known(&self) -> Conclusion {
        self.status.known(self.has_found())
    }

    /// The group in which summaries count the run.
    pub fn group(&self) -> Group {
        self.status.group(self.has_found())
    }
}

impl From<Ended> for Record {
    fn from(ended: Ended) -> Record {
        Record {
            status: ended.known().name().to_owned(),
            complete: ended.status.is_complete(),
            reason: ended.status.reason().map(str::to_owned),
            error: ended.status.message(),
            distinct: ended.distinct,
            classes: ended.classes,
            solutions: ended.solutions,
            has_solutions: ended.has_solutions,
        }
    }
}

/// Restores the status from reason and message; ignores the field `status`. Fails if no status has
/// them, or `complete` contradicts them.
impl TryFrom<Record> for Ended {
    type Error = String;

    fn try_from(record: Record) -> Result<Ended, String> {
        let reason = record.reason.as_deref();
        let status = BatchStatus::recorded(reason, record.error.as_deref())
            .filter(|status| status.is_complete() == record.complete)
            .ok_or_else(|| {
                let reason = reason.unwrap_or("no reason");
                let is = if record.complete { "is" } else { "is not" };
                format!("a run that {is} complete ended for `{reason}`")
            })?;
        Ok(Ended {
            status,
            distinct: record.distinct,
            classes: record.classes,
            solutions: record.solutions,
            has_solutions: record.has_solutions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_status() -> Vec<BatchStatus> {
        let text = || "why".to_owned();
        let ran = [
            RunStatus::Complete,
            RunStatus::Unsupported(text()),
            RunStatus::Failed(EngineError::Trace { message: text() }),
        ];
        let stopped = STOPS.map(RunStatus::Stopped);
        let ran = ran.into_iter().chain(stopped).map(BatchStatus::Ran);
        let lost = LOSSES.map(|(loss, ..)| BatchStatus::Lost(loss, text()));
        ran.chain(lost).collect()
    }

    #[test]
    fn a_record_has_the_reason_message_and_group_of_its_status() {
        let named = every_status().into_iter().map(|status| {
            let message = status.message();
            let recorded = BatchStatus::recorded(status.reason(), message.as_deref()).unwrap();
            assert_eq!(recorded.reason(), status.reason());
            assert_eq!(recorded.message(), message);
            for has_found in [false, true] {
                assert_eq!(recorded.known(has_found), status.known(has_found));
                assert_eq!(recorded.group(has_found), status.group(has_found));
            }
            let group = status.group(true).name();
            (status.reason().unwrap_or(""), group, status.known(false).name())
        });
        // Results files have these words, so they must not change.
        let expected = [
            ("", "complete", "UNSATISFIABLE"),
            ("engine", "unsupported", "UNKNOWN"),
            ("failed", "failed", "ERROR"),
            ("solutions", "limit reached", "UNKNOWN"),
            ("time", "stopped", "UNKNOWN"),
            ("nodes", "stopped", "UNKNOWN"),
            ("memory", "stopped", "UNKNOWN"),
            ("interrupted", "stopped", "UNKNOWN"),
            ("hang", "stopped", "UNKNOWN"),
            ("memory", "stopped", "UNKNOWN"),
            ("crash", "failed", "ERROR"),
            ("puzzle", "bad", "ERROR"),
            ("unreadable", "bad", "ERROR"),
            ("too large", "bad", "ERROR"),
        ];
        assert_eq!(named.collect::<Vec<_>>(), expected);
        assert_eq!(BatchStatus::recorded(Some("boredom"), None), None);
        assert_eq!(BatchStatus::recorded(None, Some("why")), None);
    }

    #[test]
    fn tables_are_in_the_order_of_their_types() {
        for (number, (group, _)) in Group::ALL.into_iter().enumerate() {
            assert_eq!(group as usize, number);
        }
        for (number, (loss, ..)) in LOSSES.into_iter().enumerate() {
            assert_eq!(loss as usize, number);
        }
    }
}
