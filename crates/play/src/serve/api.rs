//! The routes of the server: the page and its assets, and the requests of the page.
//!
//! The size and the time of reading a request are limited. Names of puzzles are looked up in a list
//! and never used as paths.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use super::Service;
use super::compress::compress;
use super::lane::JobAsker;
use super::middleware::middleware;
use super::refusal::error;
use crate::assets::{EXTRA_ASSETS, INDEX, SERVED};
use crate::refusal::{Reason, Refusal, Result};
use crate::request::{Effort, REQUESTS, RequestKind};

/// The time limit for receiving a request.
const PATIENCE: Duration = Duration::from_secs(10);

/// The router of the server: the page, its files, and a path below `/api` for each kind
/// of request, all behind the middleware. Other paths are answered with 404.
pub(super) fn router(service: Arc<Service>) -> Router {
    let mut router = Router::new().route("/", get(|| async { page() }));
    for asset in SERVED.into_iter().chain(EXTRA_ASSETS) {
        let file = move || async move { ([(header::CONTENT_TYPE, asset.kind)], asset.text) };
        router = router.route(&format!("/{}", asset.name), get(file));
    }
    for kind in &REQUESTS {
        let handler = move |State(service): State<Arc<Service>>, body: Body| async move {
            answer(kind, &service, body).await
        };
        let method = match kind.largest {
            None => get(handler),
            Some(_) => post(handler),
        };
        router = router.route(&format!("/api/{}", kind.name), method);
    }
    router
        .fallback(|uri: Uri| async move {
            let path: String = uri.path().chars().take(100).collect();
            error(StatusCode::NOT_FOUND, &format!("there is no {path} here"))
        })
        .method_not_allowed_fallback(|| async {
            error(StatusCode::METHOD_NOT_ALLOWED, "method not allowed: use GET or POST")
        })
        .layer(from_fn(compress))
        .layer(from_fn_with_state(Arc::clone(&service), middleware))
        .with_state(service)
}

/// The response with the page.
fn page() -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], INDEX.as_str()).into_response()
}

/// Answers a request of the page, in the lane of its effort.
///
/// # Errors
/// If the body is too large or cannot be read as a request of this kind.
async fn answer(kind: &RequestKind, service: &Arc<Service>, body: Body) -> Result<Response> {
    let body = match kind.largest {
        None => Vec::new(),
        Some(largest) => read_body(body, largest).await?,
    };
    let request = kind.read(&body)?;
    let lane = match request.effort() {
        Effort::Short => &service.short,
        Effort::Long => &service.long,
        Effort::Background => &service.background,
    };
    let puzzles = Arc::clone(service);
    Ok(lane.answer(move |asker: &JobAsker| request.answer(&puzzles.gallery, asker)).await)
}

/// Reads the body of a request; an error if it has more than `largest` bytes or takes longer than
/// [`PATIENCE`].
async fn read_body(body: Body, largest: usize) -> Result<Vec<u8>> {
    let too_large = || {
        let message = format!("the request is larger than {} KiB", largest >> 10);
        Refusal::new(Reason::TooLarge, message)
    };
    // Reject a body whose announced length is too large without waiting for it.
    if body.size_hint().lower() > largest as u64 {
        return Err(too_large());
    }
    let bytes = tokio::time::timeout(PATIENCE, to_bytes(body, largest))
        .await
        .map_err(|_| Refusal::new(Reason::TooSlow, "the request was not complete in time"))?
        .map_err(|_| too_large())?;
    Ok(bytes.into())
}
