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
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of the refusal.
    pub reason: Reason,
    /// The message for the player.
    pub message: String,
    /// A word for what is wrong, by which the page finds its own words; most refusals have none.
    pub code: Option<&'static str>,
    /// The line and column in the puzzle's text or the request, counted from 1.
    pub position: Option<(usize, usize)>,
    /// A suggestion how to fix it.
    pub help: Option<String>,
}

/// The JSON of a refusal.
#[derive(Serialize)]
struct RefusalLine<'a> {
    r#type: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

impl Refusal {
    /// A refusal with only a message.
    pub fn new(reason: Reason, message: impl Into<String>) -> Self {
        Refusal { reason, message: message.into(), code: None, position: None, help: None }
    }

    /// A refusal of the kind [`Reason::Unanswerable`].
    pub fn unanswerable(message: impl ToString) -> Self {
        Refusal::new(Reason::Unanswerable, message.to_string())
    }

    /// The message in the form `file:line:column: message`.
    pub fn located(&self, file: &str) -> String {
        let place = self.position.map(|(line, column)| format!(":{line}:{column}"));
        format!("{file}{}: {}", place.unwrap_or_default(), self.message)
    }

    /// The refusal as one line of JSON, with a line break.
    pub fn line(&self) -> String {
        let line = RefusalLine {
            r#type: "error",
            message: &self.message,
            code: self.code,
            line: self.position.map(|(line, _)| line),
            column: self.position.map(|(_, column)| column),
            help: self.help.as_deref(),
        };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
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
            position: error.position,
            help: error.help,
            ..Refusal::unanswerable(error.message)
        }
    }
}
