//! Compresses responses for clients that accept it, line by line, so that no line waits for another.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, HeaderMap, HeaderValue, VARY,
};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::{StreamExt, stream};

/// Returns true if the client accepts gzip.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let mut names = accepted.unwrap_or_default().split(',').map(|name| name.trim());
    names.any(|name| name == "gzip" || (name.starts_with("gzip;") && !name.ends_with("q=0")))
}

/// Compresses the body of a response, if the client accepts it.
pub(super) async fn compress(request: Request, next: Next) -> Response {
    let is_accepted = accepts_gzip(request.headers());
    let response = next.run(request).await;
    if !is_accepted {
        return response;
    }
    let (mut head, body) = response.into_parts();
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    head.headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    head.headers.remove(CONTENT_LENGTH);
    let encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let parts = stream::unfold((body.into_data_stream(), Some(encoder)), |(mut parts, encoder)| {
        async move {
            let mut encoder = encoder?;
            let compressed = match parts.next().await {
                Some(Ok(part)) => {
                    // Writing to memory cannot fail.
                    let _ = encoder.write_all(&part).and_then(|()| encoder.flush());
                    let compressed = std::mem::take(encoder.get_mut());
                    return Some((Ok(Bytes::from(compressed)), (parts, Some(encoder))));
                }
                Some(Err(error)) => Err(error),
                None => Ok(Bytes::from(encoder.finish().unwrap_or_default())),
            };
            Some((compressed, (parts, None)))
        }
    });
    Response::from_parts(head, Body::from_stream(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clients_that_accept_gzip_get_it() {
        let accepts = |value: &'static str| {
            accepts_gzip(&HeaderMap::from_iter([(
                ACCEPT_ENCODING,
                HeaderValue::from_static(value),
            )]))
        };
        assert!(accepts("gzip") && accepts("br, gzip, deflate") && accepts("gzip;q=0.5"));
        assert!(!accepts("br") && !accepts("gzip;q=0") && !accepts_gzip(&HeaderMap::new()));
    }
}
