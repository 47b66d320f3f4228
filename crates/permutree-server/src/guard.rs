//! Access control.

use crate::State;
use crate::error::Refusal;
use axum::extract::{self, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Checks the token of requests to the API. Without a token, the server only accepts requests addressed to this machine:
/// after DNS rebinding, a foreign page sends its own host name.
pub(crate) async fn guard(
    extract::State(state): extract::State<State>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let api = path.starts_with("/api/") || path == "/openapi.json";
    let refusal = match &state.token {
        Some(token) if api && !has_token(&request, token) => Some(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "a token is required: open the address with ?token=.. that the server printed, or send the header Authorization: Bearer ..",
        )),
        None if !names_this_machine(request.headers()) => Some(Refusal::new(
            StatusCode::FORBIDDEN,
            "this server only accepts requests addressed to localhost or 127.0.0.1",
        )),
        _ => None,
    };
    match refusal {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    }
}

fn has_token(request: &Request, token: &str) -> bool {
    let bearer = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    // Browsers request event streams without this header.
    let query = request.uri().query().unwrap_or_default();
    let in_query = query.split('&').find_map(|pair| pair.strip_prefix("token="));
    [bearer, in_query].into_iter().flatten().any(|given| same(given, token))
}

/// Whether two texts are equal, in a time that does not depend on where they differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |different, (a, b)| different | (a ^ b)) == 0
}

fn names_this_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) else { return false };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
