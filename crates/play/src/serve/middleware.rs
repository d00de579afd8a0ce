//! Who may ask, how often, and what answers forbid.
//!
//! A page from elsewhere, opened in the same browser, can send requests here too. It is told apart
//! by what the browser says of it: `Origin`, `Sec-Fetch-Site`, and a `Host` that is a name which
//! somebody has made to mean this machine.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;

use super::refusal::error;
use super::visitors::Visitor;
use super::{Peer, Service};
use crate::POLICY;

/// Requests a second, and as many at once.
const RATE: f64 = 400.0;
const BURST: f64 = 800.0;

/// Lets requests through, or not.
pub(super) struct Guard {
    name: Option<String>,
    bucket: Mutex<Bucket>,
}

/// A token bucket: a request takes a token, which comes back with time.
struct Bucket {
    tokens: f64,
    filled: Instant,
}

impl Bucket {
    fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.filled).as_secs_f64();
        self.filled = now;
        self.tokens = (self.tokens + passed * RATE).min(BURST);
        let has_one = self.tokens >= 1.0;
        if has_one {
            self.tokens -= 1.0;
        }
        has_one
    }
}

impl Guard {
    pub fn new(name: Option<String>) -> Self {
        let bucket = Bucket {
            tokens: BURST,
            filled: Instant::now(),
        };
        Guard {
            name,
            bucket: Mutex::new(bucket),
        }
    }

    /// Why a request is refused, if it is.
    fn refuse(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let refuse = |status, message: &str| Some(error(status, message));
        let text = |name: HeaderName| headers.get(name).map(HeaderValue::to_str);
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        if !bucket.take(Instant::now()) {
            let mut busy = error(StatusCode::TOO_MANY_REQUESTS, "too many requests");
            let headers = busy.headers_mut();
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            return Some(busy);
        }
        if let Some(name) = said_twice(headers) {
            let message = format!("expected one header {name}");
            return refuse(StatusCode::BAD_REQUEST, &message);
        }
        let host = match text(header::HOST) {
            Some(Ok(host)) if self.is_called(host) => host,
            _ => {
                let message = "unknown host name: open this server by its address";
                return refuse(StatusCode::MISDIRECTED_REQUEST, message);
            }
        };
        // An absolute address is to be this server's, in the same words.
        let is_here = uri.authority().is_none_or(|own| own.as_str() == host)
            && uri.scheme_str().is_none_or(|scheme| scheme == "http");
        if !is_here {
            let message = "this server is not a proxy: open it by its address";
            return refuse(StatusCode::MISDIRECTED_REQUEST, message);
        }
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let is_foreign_origin = match text(header::ORIGIN) {
            None => false,
            Some(origin) => !origin.is_ok_and(is_own),
        };
        let is_of_page = matches!(
            text(SEC_FETCH_SITE),
            None | Some(Ok("same-origin" | "none"))
        );
        if is_foreign_origin || (uri.path().starts_with("/api/") && !is_of_page) {
            let message = "requests from other sites are refused";
            return refuse(StatusCode::FORBIDDEN, message);
        }
        let kind = text(header::CONTENT_TYPE)
            .and_then(Result::ok)
            .unwrap_or_default();
        let is_json = kind
            .split(';')
            .next()
            .is_some_and(|k| k.trim() == "application/json");
        if *method == Method::POST && !is_json {
            let message = "expected Content-Type: application/json";
            return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
        }
        None
    }

    /// Whether a `Host` names this server: an address cannot be made to mean another machine, a
    /// name can.
    fn is_called(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            // Of an address with colons, not all are in front of a port.
            Some((name, port)) if port.parse::<u16>().is_ok() && !host.ends_with(']') => name,
            _ => host,
        };
        let address = name.trim_start_matches('[').trim_end_matches(']');
        let is_own = |own: &String| own.eq_ignore_ascii_case(name);
        name.eq_ignore_ascii_case("localhost")
            || address.parse::<IpAddr>().is_ok()
            || self.name.as_ref().is_some_and(is_own)
    }
}

/// What a browser says of where a request comes from.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A header that is decisive and there more than once: one would be looked at and the other
/// believed.
fn said_twice(headers: &HeaderMap) -> Option<HeaderName> {
    let decisive = [
        header::HOST,
        header::ORIGIN,
        header::CONTENT_TYPE,
        SEC_FETCH_SITE,
    ];
    let is_twice = |name: &HeaderName| headers.get_all(name).iter().count() > 1;
    decisive.into_iter().find(is_twice)
}

/// Lets a request through, and says in the answer what a browser may do with it.
pub(super) async fn middleware(
    State(service): State<Arc<Service>>,
    mut request: Request,
    next: Next,
) -> Response {
    let refused = service
        .middleware
        .refuse(request.method(), request.uri(), request.headers());
    let peer = request.extensions().get::<Peer>().cloned();
    if let Some(peer) = peer {
        peer.seat.speak();
        let visitor = service.visitors.who(request.headers(), peer.address);
        request.extensions_mut().insert(visitor);
    }
    let is_page = request.uri().path() == "/";
    let is_known = matches!(request.extensions().get(), Some(Visitor::Cookie(_)));
    let mut response = match refused {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    if is_page
        && !is_known
        && let Some(cookie) = service.visitors.cookie()
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn status(middleware: &Guard, method: Method, headers: &[(&'static str, &'static str)]) -> u16 {
        status_at(middleware, method, "/api/answer", headers)
    }

    fn status_at(
        middleware: &Guard,
        method: Method,
        uri: &'static str,
        headers: &[(&'static str, &'static str)],
    ) -> u16 {
        let headers = headers
            .iter()
            .fold(HeaderMap::new(), |mut map, &(name, value)| {
                map.append(name, HeaderValue::from_static(value));
                map
            });
        let refused = middleware.refuse(&method, &Uri::from_static(uri), &headers);
        refused.map_or(200, |response| response.status().as_u16())
    }

    #[test]
    fn only_its_own_page_may_ask() {
        let middleware = Guard::new(Some("puzzles.home".into()));
        let json = ("content-type", "application/json");
        let post = |headers: &[_]| status(&middleware, Method::POST, headers);
        for host in [
            "127.0.0.1:7373",
            "localhost:1",
            "LOCALHOST",
            "[::1]:7373",
            "puzzles.home:80",
        ] {
            assert_eq!(post(&[("host", host), json]), 200, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example:7373",
            "localhost.evil",
            "",
            "[::1",
        ] {
            assert_eq!(post(&[("host", host), json]), 421, "{host}");
        }
        assert_eq!(post(&[json]), 421);
        let here = ("host", "127.0.0.1:7373");
        let of = |name, value| post(&[here, json, (name, value)]);
        assert_eq!(of("origin", "http://127.0.0.1:7373"), 200);
        for origin in [
            "null",
            "http://evil.example",
            "http://127.0.0.1:80",
            "https://127.0.0.1:7373",
        ] {
            assert_eq!(of("origin", origin), 403, "{origin}");
        }
        assert_eq!(of("sec-fetch-site", "same-origin"), 200);
        assert_eq!(of("sec-fetch-site", "cross-site"), 403);
        assert_eq!(of("sec-fetch-site", "same-site"), 403);
        assert_eq!(post(&[here]), 415);
        assert_eq!(post(&[here, ("content-type", "text/plain")]), 415);
        assert_eq!(status(&middleware, Method::GET, &[here]), 200);
    }

    #[test]
    fn what_is_said_twice_or_is_meant_for_others_is_refused() {
        let middleware = Guard::new(None);
        let json = ("content-type", "application/json");
        let here = ("host", "127.0.0.1:7373");
        let post = |uri, more: &[_]| {
            status_at(
                &middleware,
                Method::POST,
                uri,
                &[&[here, json], more].concat(),
            )
        };
        for twice in [
            &[("host", "evil.example")][..],
            &[here],
            &[("origin", "http://127.0.0.1:7373"), ("origin", "null")],
            &[("sec-fetch-site", "none"), ("sec-fetch-site", "cross-site")],
            &[("content-type", "text/plain")],
        ] {
            assert_eq!(post("/api/answer", twice), 400, "{twice:?}");
        }
        assert_eq!(post("http://127.0.0.1:7373/api/answer", &[]), 200);
        for other in [
            "http://evil.example/api/answer",
            "https://127.0.0.1:7373/api/answer",
            "http://user@127.0.0.1:7373/api/answer",
            "http://127.0.0.1:80/api/answer",
            "ftp://evil.example/",
        ] {
            assert_eq!(post(other, &[]), 421, "{other}");
        }
    }

    #[test]
    fn tokens_come_back_with_time() {
        let start = Instant::now();
        let mut bucket = Bucket {
            tokens: 1.0,
            filled: start,
        };
        assert!(bucket.take(start));
        assert!(!bucket.take(start));
        let later = start + Duration::from_secs(1);
        assert!((0..RATE as usize).all(|_| bucket.take(later)));
        assert!(!bucket.take(later));
        let much_later = later + Duration::from_secs(3600);
        assert_eq!(
            (0..10_000).filter(|_| bucket.take(much_later)).count(),
            BURST as usize
        );
    }
}
