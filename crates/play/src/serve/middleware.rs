//! Rejects requests of other sites, and adds headers to every response.
//!
//! A page of another site that is open in the same browser can send requests to this server. They
//! are recognised by the headers `Origin`, `Sec-Fetch-Site`, `Content-Type` and `Host`. `Host` also
//! reveals DNS rebinding, in which a foreign name resolves to this machine.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;

use super::Service;
use super::refusal::error;
use crate::POLICY;

/// The header in which browsers state the relation between a request's origin and its target.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Returns an error response if the request is not for this server or not from its own page; `None`
/// if it is allowed.
fn refuse(
    own_name: Option<&str>,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
) -> Option<Response> {
    let refuse = |status, message: &str| Some(error(status, message));
    let text = |name: HeaderName| headers.get(name).map(HeaderValue::to_str);
    if let Some(name) = repeated(headers) {
        return refuse(StatusCode::BAD_REQUEST, &format!("expected one header {name}"));
    }
    let host = match text(header::HOST) {
        Some(Ok(host)) if is_own_host(host, own_name) => host,
        _ => {
            let message = "unknown host name: open this server by its address";
            return refuse(StatusCode::MISDIRECTED_REQUEST, message);
        }
    };
    // An absolute address must name the same server as `Host`.
    let is_here = uri.authority().is_none_or(|own| own.as_str() == host)
        && uri.scheme_str().is_none_or(|scheme| scheme == "http");
    if !is_here {
        let message = "this server is not a proxy: open it by its address";
        return refuse(StatusCode::MISDIRECTED_REQUEST, message);
    }
    let is_foreign_origin = text(header::ORIGIN).is_some_and(|origin| {
        !origin.is_ok_and(|origin| origin.strip_prefix("http://") == Some(host))
    });
    let is_of_page = matches!(text(SEC_FETCH_SITE), None | Some(Ok("same-origin" | "none")));
    if is_foreign_origin || (uri.path().starts_with("/api/") && !is_of_page) {
        return refuse(StatusCode::FORBIDDEN, "requests from other sites are refused");
    }
    let kind = text(header::CONTENT_TYPE).and_then(Result::ok);
    let kind = kind.and_then(|kind| kind.split(';').next());
    if *method == Method::POST && kind.map(str::trim) != Some("application/json") {
        let message = "expected Content-Type: application/json";
        return refuse(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    }
    None
}

/// Returns true if the header `Host` names this server: as `localhost`, `own_name`, or any IP
/// address, because DNS rebinding needs a name.
fn is_own_host(host: &str, own_name: Option<&str>) -> bool {
    let name = match host.rsplit_once(':') {
        // In an IPv6 address, not every colon precedes a port.
        Some((name, port)) if port.parse::<u16>().is_ok() && !host.ends_with(']') => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok()
        || own_name.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// A header relevant for security that occurs more than once, so that one value could be checked
/// and another used; `None` if there is none.
fn repeated(headers: &HeaderMap) -> Option<HeaderName> {
    let decisive = [header::HOST, header::ORIGIN, header::CONTENT_TYPE, SEC_FETCH_SITE];
    decisive.into_iter().find(|name| headers.get_all(name).iter().count() > 1)
}

/// Rejects requests of other sites, and adds headers that restrict what a browser does with a
/// response.
pub(super) async fn middleware(
    State(service): State<Arc<Service>>,
    request: Request,
    next: Next,
) -> Response {
    let own_name = service.name.as_deref();
    let mut response = match refuse(own_name, request.method(), request.uri(), request.headers()) {
        Some(refused) => refused,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status_at(
        own_name: Option<&str>,
        method: Method,
        uri: &'static str,
        headers: &[(&'static str, &'static str)],
    ) -> u16 {
        let headers = headers.iter().fold(HeaderMap::new(), |mut map, &(name, value)| {
            map.append(name, HeaderValue::from_static(value));
            map
        });
        let refused = refuse(own_name, &method, &Uri::from_static(uri), &headers);
        refused.map_or(200, |response| response.status().as_u16())
    }

    #[test]
    fn only_requests_of_its_own_page_are_served() {
        let status =
            |method, headers: &[_]| status_at(Some("puzzles.home"), method, "/api/answer", headers);
        let json = ("content-type", "application/json");
        let post = |headers: &[_]| status(Method::POST, headers);
        for host in ["127.0.0.1:7373", "localhost:1", "LOCALHOST", "[::1]:7373", "puzzles.home:80"]
        {
            assert_eq!(post(&[("host", host), json]), 200, "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:7373", "localhost.evil", "", "[::1"] {
            assert_eq!(post(&[("host", host), json]), 421, "{host}");
        }
        assert_eq!(post(&[json]), 421);
        let here = ("host", "127.0.0.1:7373");
        let of = |name, value| post(&[here, json, (name, value)]);
        assert_eq!(of("origin", "http://127.0.0.1:7373"), 200);
        for origin in
            ["null", "http://evil.example", "http://127.0.0.1:80", "https://127.0.0.1:7373"]
        {
            assert_eq!(of("origin", origin), 403, "{origin}");
        }
        assert_eq!(of("sec-fetch-site", "same-origin"), 200);
        assert_eq!(of("sec-fetch-site", "cross-site"), 403);
        assert_eq!(of("sec-fetch-site", "same-site"), 403);
        assert_eq!(post(&[here]), 415);
        assert_eq!(post(&[here, ("content-type", "text/plain")]), 415);
        assert_eq!(status(Method::GET, &[here]), 200);
    }

    #[test]
    fn repeated_headers_and_foreign_addresses_are_rejected() {
        let json = ("content-type", "application/json");
        let here = ("host", "127.0.0.1:7373");
        let post =
            |uri, more: &[_]| status_at(None, Method::POST, uri, &[&[here, json], more].concat());
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
}
