//! The games, the agents and the limits of the server.

use crate::State;
use crate::limits::LimitsBody;
use axum::Json;
use axum::extract;
use permutree_zoo::{AGENTS, AgentFacts, GameListing, agent, listing};

/// The games, by name.
#[utoipa::path(get, path = "/api/games", responses((status = OK, body = Vec<GameListing>)))]
pub(crate) async fn games() -> Json<Vec<GameListing>> {
    Json(listing())
}

/// The agents, the recommended ones first. Only parameters whose `reach` is `anywhere` affect a search on this server.
#[utoipa::path(get, path = "/api/agents", responses((status = OK, body = Vec<AgentFacts>)))]
pub(crate) async fn agents() -> Json<Vec<AgentFacts>> {
    // An agent that needs a command of this machine cannot be made of its name alone.
    Json(AGENTS.iter().filter(|facts| agent(facts.name).is_ok()).copied().collect())
}

/// The limits of this server.
#[utoipa::path(get, path = "/api/limits", responses((status = OK, body = LimitsBody)))]
pub(crate) async fn limits(extract::State(state): extract::State<State>) -> Json<LimitsBody> {
    Json(LimitsBody::from(&*state.limits))
}
