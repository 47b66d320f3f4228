use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use permutree_arena::ArenaError;
use serde::Serialize;
use std::fmt::Display;
use utoipa::ToSchema;

/// Why a request was refused: a status and a line that says what was wrong and what is possible.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    line: String,
}

/// What the client gets.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusalBody {
    /// What was wrong and what is possible, in one line.
    error: String,
}

pub(crate) type Answer<T> = Result<T, Refusal>;

impl Refusal {
    pub(crate) fn new(status: StatusCode, line: impl Display) -> Self {
        Self { status, line: line.to_string() }
    }

    /// The request makes sense, but there is no such game, agent or move, or it asks for too much.
    pub(crate) fn input(line: impl Display) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, line)
    }

    /// There is no such thing, or there is no more.
    pub(crate) fn missing(line: impl Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, line)
    }

    /// The machine has no room for more.
    pub(crate) fn busy(line: impl Display) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, line)
    }

    /// It cannot be done as things are.
    pub(crate) fn conflict(line: impl Display) -> Self {
        Self::new(StatusCode::CONFLICT, line)
    }

    /// Something is wrong here and not with the request. What it is stays here.
    pub(crate) fn fault() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the server could not do this; it goes on with the rest")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        // What the user sent stands in the line, and may have line ends and other control characters in it.
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

/// A body in JSON, or a refusal in JSON.
#[derive(FromRequest)]
#[from_request(via(Json), rejection(Refusal))]
pub(crate) struct Body<T>(pub(crate) T);

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}

/// What stands behind the question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Refusal))]
pub(crate) struct Asked<T>(pub(crate) T);

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Self {
        Self::new(rejection.status(), rejection.body_text())
    }
}
