//! The page and the HTTP API of Permutree, from one program.
//!
//! [`Server`] listens; [`Limits`] is what visitors may use of the machine. Positions are a game's spec and moves, so that
//! nothing is kept of games that are played on the page. Searches and experiments are kept, in tables with limits. The API
//! describes itself at `/openapi.json`, and the types of the page are made from that.

mod error;
mod experiment_api;
mod experiments;
mod guard;
mod limits;
mod page;
mod position;
mod registry;
mod search_api;
mod searches;
mod server;
mod session;

pub use limits::Limits;
pub use server::{Server, ServerError, openapi};

use error::{Answer, Refusal};
use std::sync::Arc;

/// What all requests share.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) limits: Arc<Limits>,
    pub(crate) token: Option<Arc<str>>,
    pub(crate) searches: Arc<searches::Searches>,
    pub(crate) experiments: Arc<experiments::Experiments>,
}

/// Does something that takes longer than a request may hold up others. What panics there is refused here.
pub(crate) async fn off_the_loop<T: Send + 'static>(
    work: impl FnOnce() -> Answer<T> + Send + 'static,
) -> Answer<T> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::fault()))
}
