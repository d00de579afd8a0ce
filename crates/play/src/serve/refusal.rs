//! Error responses: a status code and a message as JSON.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::refusal::{Reason, Refusal};

/// The status code for a kind of refusal.
fn status(reason: Reason) -> StatusCode {
    match reason {
        Reason::Malformed => StatusCode::BAD_REQUEST,
        Reason::Unanswerable => StatusCode::UNPROCESSABLE_ENTITY,
        Reason::Missing => StatusCode::NOT_FOUND,
        Reason::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Reason::TooSlow => StatusCode::REQUEST_TIMEOUT,
        Reason::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Reason::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A response with a line of JSON.
fn response(status: StatusCode, line: String) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], line).into_response()
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        response(status(self.reason), self.line())
    }
}

/// An error response with this status code and message.
pub(super) fn error(status: StatusCode, message: &str) -> Response {
    response(status, Refusal::new(Reason::Malformed, message).line())
}
