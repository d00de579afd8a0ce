//! Responses that are errors: a status, a message as JSON, no details of the machine.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use edgematch::load::LoadError;
use serde::Serialize;

/// Why a request is not answered.
#[derive(Debug, Clone)]
pub(super) struct Refusal {
    pub status: StatusCode,
    pub message: String,
    pub position: Option<(usize, usize)>,
    pub help: Option<String>,
}

#[derive(Serialize)]
struct ErrorLine<'a> {
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
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Refusal {
            status,
            message: message.into(),
            position: None,
            help: None,
        }
    }

    /// What cannot be done as it is asked.
    pub fn wrong(message: impl ToString) -> Self {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message.to_string())
    }

    /// One line of JSON.
    pub fn line(&self) -> String {
        let line = ErrorLine {
            r#type: "error",
            message: &self.message,
            line: self.position.map(|(line, _)| line),
            column: self.position.map(|(_, column)| column),
            help: self.help.as_deref(),
        };
        serde_json::to_string(&line).unwrap_or_default() + "\n"
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Refusal {
        Refusal {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            message: error.message,
            position: error.position,
            help: error.help,
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (self.status, kind, self.line()).into_response()
    }
}

/// An answer that is an error.
pub(super) fn error(status: StatusCode, message: &str) -> Response {
    Refusal::new(status, message).into_response()
}
