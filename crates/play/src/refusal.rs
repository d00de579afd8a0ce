//! Why a request is not answered, as a line of JSON.

use edgematch::enumerate::RunStatus;
use edgematch::load::LoadError;
use serde::Serialize;
use thiserror::Error;

/// What kind of refusal it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The request is not what is expected here.
    Malformed,
    /// It is, but cannot be answered: a text that is no puzzle, a cell that is not there.
    Wrong,
    /// What it names is not here.
    Missing,
    /// It is too large.
    TooLarge,
    /// It did not come in time.
    TooSlow,
    /// There is too much to do.
    Busy,
    /// Something failed here.
    Failed,
}

/// What is answered, or a refusal.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// Its kind.
    pub reason: Reason,
    /// The message.
    pub message: String,
    /// Line and column of the text that is meant, both from 1 on.
    pub position: Option<(usize, usize)>,
    /// What may help.
    pub help: Option<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    r#type: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl Refusal {
    /// A refusal with nothing but a message.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Refusal { reason, message: message.into(), position: None, help: None }
    }

    /// What cannot be done as it is asked.
    pub fn wrong(message: impl ToString) -> Self {
        Refusal::new(Reason::Wrong, message.to_string())
    }

    /// The message behind the place in a file that is meant.
    pub fn located(&self, file: &str) -> String {
        let place = self.position.map(|(line, column)| format!(":{line}:{column}"));
        format!("{file}{}: {}", place.unwrap_or_default(), self.message)
    }

    /// One line of JSON.
    pub fn line(&self) -> String {
        let line = Line {
            r#type: "error",
            message: &self.message,
            line: self.position.map(|(line, _)| line),
            column: self.position.map(|(_, column)| column),
            help: self.help.as_deref(),
        };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }
}

/// Refuses to answer from a run that failed.
pub(crate) fn refuse_failure(status: &RunStatus) -> Result<()> {
    if status.is_failure() {
        return Err(Refusal::new(Reason::Failed, status.to_string()));
    }
    Ok(())
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Refusal {
        Refusal {
            reason: Reason::Wrong,
            message: error.message,
            position: error.position,
            help: error.help,
        }
    }
}
