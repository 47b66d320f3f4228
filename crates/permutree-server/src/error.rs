use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use permutree_arena::ArenaError;
use serde::Serialize;
use std::fmt::Display;
use utoipa::ToSchema;

/// A refused request: the status, and a one-line explanation that lists the valid values where it can.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    line: String,
}

/// The body of a refused request.
#[derive(Serialize, ToSchema)]
#[schema(as = Refusal)]
pub(crate) struct RefusalBody {
    /// What is wrong with the request and what would be valid, in one line.
    error: String,
}

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, line: impl Display) -> Self {
        Self { status, line: line.to_string() }
    }

    /// A well-formed request with an unknown game, agent or move, or one that exceeds a limit.
    pub(crate) fn input(line: impl Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, line)
    }

    /// A request for something that does not exist or no longer exists.
    pub(crate) fn missing(line: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, line)
    }

    /// The server holds as many searches or experiments as it may.
    pub(crate) fn busy(line: impl Display) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, line)
    }

    /// The request does not fit the current state.
    pub(crate) fn conflict(line: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, line)
    }

    /// An internal error. Its details are not shown.
    pub(crate) fn fault() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error; other requests are not affected")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        // The line quotes the request, which may contain line ends and other control characters.
        let mut error = String::with_capacity(self.line.len());
        for c in self.line.chars().take(2000) {
            if c.is_control() { error.extend(c.escape_default()) } else { error.push(c) }
        }
        (self.status, Json(RefusalBody { error })).into_response()
    }
}

impl From<permutree_zoo::Error> for Refusal {
    fn from(error: permutree_zoo::Error) -> Self {
        Self::input(error)
    }
}

impl From<ArenaError> for Refusal {
    fn from(error: ArenaError) -> Self {
        Self::input(error)
    }
}

/// A JSON body. Invalid JSON gets a refusal in JSON.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refusal))]
pub(crate) struct Body<T>(pub(crate) T);

/// Query parameters. Invalid ones get a refusal in JSON.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refusal))]
pub(crate) struct QueryParams<T>(pub(crate) T);

/// What axum refuses, in the form of the other refusals.
macro_rules! refusals_of {
    ($($rejection:ty),*) => {$(
        impl From<$rejection> for Refusal {
            fn from(rejection: $rejection) -> Self {
                Self::new(rejection.status(), rejection.body_text())
            }
        }
    )*};
}
refusals_of!(JsonRejection, PathRejection, QueryRejection);
