//! The page and the HTTP API of Permutree, from one program.
//!
//! [`Server`] listens; [`Limits`] bounds what requests may use. A position is a game spec and moves, so the server keeps no
//! state for games played on the page. It keeps searches and experiments, in tables with limits. `/openapi.json` describes
//! the API; the types of the page are generated from it.

mod document;
mod error;
mod events;
mod experiment_api;
mod experiments;
mod guard;
mod id;
mod limits;
mod page;
mod position;
mod registry;
mod search_api;
mod searches;
mod server;
mod session;

pub use document::openapi;
pub use limits::Limits;
pub use server::{Server, ServerError};

use error::{Answer, Refusal};
use std::sync::Arc;

/// The state that all requests share.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) limits: Arc<Limits>,
    pub(crate) token: Option<Arc<str>>,
    pub(crate) searches: Arc<searches::Searches>,
    pub(crate) experiments: Arc<experiments::Experiments>,
}

/// Runs work outside the event loop, so that it does not delay other requests. A panic becomes a refusal.
pub(crate) async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::fault()))
}
