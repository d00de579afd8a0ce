//! How runs of a batch end: as searches do, or as only a worker process can.

use std::time::Duration;

use edgematch::engine::EngineError;
use edgematch::enumerate::{Conclusion, RunStatus, StopReason};
use serde::{Deserialize, Serialize};

/// The end of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchStatus {
    /// The engine searched the problem, or refused to.
    Ran(RunStatus),
    /// There is no outcome, with a message that says why.
    Lost(RunFailure, String),
}

/// Why a run has no outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFailure {
    /// It did not stop when its time was up, and was killed.
    Hung,
    /// Its process ended, as it had no more memory.
    OutOfMemory,
    /// Its process ended.
    Crashed,
    /// The text is no puzzle.
    NoPuzzle,
    /// The file can't be read.
    Unreadable,
    /// The text is longer than any puzzle.
    TooLarge,
}

/// Each loss with its reason in results, a few words for people, and its group.
const LOSSES: [(RunFailure, &str, &str, Group); 6] = [
    (RunFailure::Hung, "hang", "it hung", Group::Stopped),
    (RunFailure::OutOfMemory, "memory", "out of memory", Group::Stopped),
    (RunFailure::Crashed, "crash", "worker process ended", Group::Failed),
    (RunFailure::NoPuzzle, "puzzle", "no puzzle", Group::Bad),
    (RunFailure::Unreadable, "unreadable", "can't be read", Group::Bad),
    (RunFailure::TooLarge, "too large", "too large", Group::Bad),
];

/// Limits as results name them, without their size.
const STOPS: [StopReason; 5] = [
    StopReason::Enough,
    StopReason::Time(Duration::ZERO),
    StopReason::Nodes(0),
    StopReason::Memory(0),
    StopReason::Interrupted,
];

/// The groups in which many runs are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Every solution was found, and there is at least one.
    Complete,
    /// There is no solution, proven.
    NoSolution,
    /// The requested number was found.
    Enough,
    /// A limit ended it.
    Stopped,
    /// The engine is not for this board.
    Unsupported,
    /// There is no puzzle.
    Bad,
    /// Something failed.
    Failed,
}

impl Group {
    /// Every group, in the order in which they are listed, with its name.
    pub const ALL: [(Group, &'static str); 7] = [
        (Group::Complete, "complete"),
        (Group::NoSolution, "no solution"),
        (Group::Enough, "limit reached"),
        (Group::Stopped, "stopped"),
        (Group::Unsupported, "unsupported"),
        (Group::Bad, "bad"),
        (Group::Failed, "failed"),
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        Group::ALL[self as usize].1
    }
}

impl BatchStatus {
    /// Returns true if nothing is missing, with proof.
    pub fn is_complete(&self) -> bool {
        *self == BatchStatus::Ran(RunStatus::Complete)
    }

    /// The reason why the run is not complete, as results name it.
    pub fn reason(&self) -> Option<&'static str> {
        match self {
            BatchStatus::Ran(status) => status.reason(),
            BatchStatus::Lost(loss, _) => Some(LOSSES[*loss as usize].1),
        }
    }

    /// The error, if there was one.
    pub fn message(&self) -> Option<String> {
        match self {
            BatchStatus::Ran(status) => status.message(),
            BatchStatus::Lost(_, message) => Some(message.clone()),
        }
    }

    /// The status with this [reason](Self::reason) and [message](Self::message), as far as they
    /// tell: neither the size of a limit nor the kind of a failure. `None` if no status has them.
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

    /// The status in a few words, without figures.
    pub fn words(&self) -> &'static str {
        match self {
            BatchStatus::Ran(status) => status.words(),
            BatchStatus::Lost(loss, _) => LOSSES[*loss as usize].2,
        }
    }

    /// The group of a run that has found something or nothing.
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

    /// The knowledge after a run that has found something or nothing.
    pub fn known(&self, has_found: bool) -> Conclusion {
        match self.group(has_found) {
            Group::Bad | Group::Failed => Conclusion::Error,
            _ => Conclusion::of_search(self.is_complete(), has_found),
        }
    }
}

/// The end of a run, and its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Record", into = "Record")]
pub struct Ended {
    /// The status.
    pub status: BatchStatus,
    /// Distinct arrangements, in decimal digits; `None` where nothing was searched.
    pub distinct: Option<String>,
    /// Solutions up to the group.
    pub classes: Option<String>,
    /// Solutions.
    pub solutions: Option<String>,
    /// True if every arrangement that was found is kept.
    pub has_solutions: bool,
}

/// The same in plain words and numbers, as workers report it and results store it.
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
    /// The end of a run in which nothing could be searched, or of which nothing is known.
    pub fn unfinished(status: BatchStatus) -> Ended {
        Ended { status, distinct: None, classes: None, solutions: None, has_solutions: false }
    }

    /// Returns true if the run need not be repeated.
    pub(crate) fn is_enough(&self, wants_solutions: bool) -> bool {
        !wants_solutions || self.has_solutions || self.distinct.is_none()
    }

    /// Returns true if there was a solution.
    pub fn has_found(&self) -> bool {
        self.distinct.as_deref().is_some_and(|digits| digits != "0")
    }

    /// The knowledge that the run has brought.
    pub fn known(&self) -> Conclusion {
        self.status.known(self.has_found())
    }

    /// The group in which the run is counted.
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

/// The reason and the message determine the status.
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
        // Files that were written before have these words.
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
