//! The result of a run as it is stored, and as a worker process reports it.

use serde::{Deserialize, Serialize};

use super::{BatchStatus, Ended};

/// The end of a run in plain words and numbers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    pub status: String,
    pub is_complete: bool,
    pub reason: Option<String>,
    pub error: Option<String>,
    pub distinct: Option<String>,
    pub classes: Option<String>,
    pub solutions: Option<String>,
    pub has_solutions: bool,
}

impl From<Ended> for Record {
    fn from(ended: Ended) -> Record {
        let status = &ended.status;
        Record {
            status: ended.known().name().to_owned(),
            is_complete: status.is_complete(),
            reason: status.reason().map(str::to_owned),
            error: status.message(),
            distinct: ended.distinct,
            classes: ended.classes,
            solutions: ended.solutions,
            has_solutions: ended.has_solutions,
        }
    }
}

/// The reason and the message say all that the other words do.
impl TryFrom<Record> for Ended {
    type Error = String;

    fn try_from(record: Record) -> Result<Ended, String> {
        let reason = record.reason.as_deref();
        let status = BatchStatus::recorded(reason, record.error.as_deref())
            .filter(|status| status.is_complete() == record.is_complete)
            .ok_or_else(|| {
                let reason = reason.unwrap_or("no reason");
                let is = if record.is_complete { "is" } else { "is not" };
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
