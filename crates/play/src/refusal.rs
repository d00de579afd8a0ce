//! Refusals: errors of requests, which the page receives as a line of JSON.

use edgematch::enumerate::RunStatus;
use edgematch::load::LoadError;
use serde::Serialize;
use thiserror::Error;

/// The kind of a refusal, which determines the status code of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The request is not valid JSON of the expected shape.
    Malformed,
    /// The request is well-formed but cannot be answered, such as a text that is not a puzzle or a
    /// cell that does not exist.
    Unanswerable,
    /// The request names something that does not exist here.
    Missing,
    /// The request is too large.
    TooLarge,
    /// The request did not arrive in time.
    TooSlow,
    /// The server is too busy.
    Busy,
    /// The program failed.
    Failed,
}

/// An answer or a refusal.
pub type Result<T, E = Refusal> = std::result::Result<T, E>;

/// The reason why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
#[serde(tag = "type", rename = "error")]
pub struct Refusal {
    /// The kind of the refusal.
    #[serde(skip)]
    pub reason: Reason,
    /// The message for the player.
    pub message: String,
    /// A word for what is wrong, by which the page finds its own words; most refusals have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The line in the puzzle's text or the request, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The column, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// A suggestion how to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal with only a message.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Refusal {
            reason,
            message: message.into(),
            code: None,
            line: None,
            column: None,
            help: None,
        }
    }

    /// A refusal of the kind [`Reason::Unanswerable`].
    pub fn unanswerable(message: impl ToString) -> Self {
        Refusal::new(Reason::Unanswerable, message.to_string())
    }

    /// The message in the form `file:line:column: message`.
    pub fn located(&self, file: &str) -> String {
        let place = self.line.zip(self.column).map(|(line, column)| format!(":{line}:{column}"));
        format!("{file}{}: {}", place.unwrap_or_default(), self.message)
    }

    /// The refusal as one line of JSON, with a line break.
    pub fn line(&self) -> String {
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// Returns a refusal of the kind [`Reason::Failed`] as an error if the engine failed or does not
/// support the puzzle. A run that a limit has stopped is not a failure.
pub(crate) fn refuse_failure(status: &RunStatus) -> Result<()> {
    if status.is_failure() {
        return Err(Refusal::new(Reason::Failed, status.to_string()));
    }
    Ok(())
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Refusal {
        Refusal {
            line: error.position.map(|(line, _)| line),
            column: error.position.map(|(_, column)| column),
            help: error.help,
            ..Refusal::unanswerable(error.message)
        }
    }
}
