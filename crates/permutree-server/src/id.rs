//! Identifiers of searches and experiments, and how a path names one.

use crate::State;
use crate::error::{Answer, Refusal};
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::num::ParseIntError;
use std::str::FromStr;
use std::sync::Arc;

/// The identifier of a search or an experiment: 64 random bits, shown as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(u64);

impl Id {
    /// An identifier that cannot be guessed and does not occur twice.
    pub(crate) fn fresh() -> Self {
        Self(RandomState::new().build_hasher().finish())
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Id {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        u64::from_str_radix(text, 16).map(Self)
    }
}

/// What the server keeps under an [`Id`].
pub(crate) trait Kept: Sized {
    /// The one with this identifier, or a refusal.
    fn find(state: &State, id: &str) -> Answer<Arc<Self>>;
}

/// The search or the experiment whose identifier is in the path.
pub(crate) struct Named<T>(pub(crate) Arc<T>);

impl<T: Kept> FromRequestParts<State> for Named<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Answer<Self> {
        let Path(id) = Path::<String>::from_request_parts(parts, state).await?;
        T::find(state, &id).map(Self)
    }
}
