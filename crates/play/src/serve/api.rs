//! The routes of the server: the page and its assets, thumbnails, and the requests of the page.
//!
//! The size and the time of reading a request are limited. Names of puzzles are looked up in a list
//! and never used as paths.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{Query, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use edgematch::runtime::limits::Limits;
use edgematch_draw::Theme;
use serde::Deserialize;

use super::Service;
use super::lane::JobAsker;
use super::middleware::middleware;
use super::refusal::error;
use crate::assets::{ASSETS, EXTRA_ASSETS, INDEX};
use crate::listed::{Look, theme_by_name};
use crate::refusal::{Reason, Refusal, Result};
use crate::request::{PuzzleReference, REQUESTS, RequestKind};

/// The time limit for receiving a request, and for drawing a thumbnail.
const PATIENCE: Duration = Duration::from_secs(10);

/// The router of the server: the page, its files, thumbnails, and a path below `/api` for each kind
/// of request, all behind the middleware. Other paths are answered with 404.
pub(super) fn router(service: Arc<Service>) -> Router {
    let mut router =
        Router::new().route("/", get(|| async { page() })).route("/thumbnail", get(thumbnail));
    for asset in ASSETS.into_iter().chain(EXTRA_ASSETS) {
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
        .layer(from_fn_with_state(Arc::clone(&service), middleware))
        .with_state(service)
}

/// The response with the page.
fn page() -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], INDEX).into_response()
}

/// Answers a request of the page, in the queue for long or for short requests.
///
/// # Errors
/// If the body is too large or cannot be read as a request of this kind.
async fn answer(kind: &RequestKind, service: &Arc<Service>, body: Body) -> Result<Response> {
    let body = match kind.largest {
        None => Vec::new(),
        Some(largest) => read_body(body, largest).await?,
    };
    let request = kind.read(&body)?;
    let lane = if request.is_long() { &service.long } else { &service.short };
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

/// The puzzle of a thumbnail: its name, or its text in the short form.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThumbnailQuery {
    name: Option<String>,
    code: Option<String>,
    #[serde(default, deserialize_with = "theme_by_name")]
    theme: Option<Theme>,
}

/// The response with the thumbnail of a puzzle.
async fn thumbnail(
    State(service): State<Arc<Service>>,
    Query(ThumbnailQuery { name, code, theme }): Query<ThumbnailQuery>,
) -> Result<Response> {
    let Some(which) = name.map(PuzzleReference::Name).or(code.map(PuzzleReference::Text)) else {
        return Err(Refusal::unanswerable("expected `name` or `code`"));
    };
    let limits = Limits { time: Some(PATIENCE), ..Limits::default() };
    let look = Look { theme, ..Look::default() };
    let draw = move || Ok(which.find(&service.gallery, &limits)?.thumbnail(&look));
    // Drawing reads files and would block the server's only thread.
    let drawn = tokio::task::spawn_blocking(draw).await;
    let svg =
        drawn.unwrap_or_else(|_| Err(Refusal::new(Reason::Failed, "no picture could be drawn")))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}
