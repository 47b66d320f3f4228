//! Who may ask.

use crate::State;
use crate::error::Refusal;
use axum::extract::{self, Request};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Lets a request for the API pass if it has the token. Without a token only this machine is served, and a request must
/// name it: a page from elsewhere whose name was made to point here names something else.
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
            "a token is needed: open the page with ?token=.. as the server printed it, or send Authorization: Bearer ..",
        )),
        None if !names_this_machine(request.headers()) => Some(Refusal::new(
            StatusCode::FORBIDDEN,
            "this server answers only requests to localhost or 127.0.0.1",
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
    // A stream of events is asked for without headers.
    let query = request.uri().query().unwrap_or_default();
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("token="));
    [bearer, asked].into_iter().flatten().any(|given| same(given, token))
}

/// Whether two texts are the same, in a time that does not tell where they differ.
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
