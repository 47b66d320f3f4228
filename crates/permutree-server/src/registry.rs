//! What there is: games, agents and limits.

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

/// The agents that visitors may use, the best first. Parameters that reach beyond a search are of no use to them.
#[utoipa::path(get, path = "/api/agents", responses((status = OK, body = Vec<AgentFacts>)))]
pub(crate) async fn agents() -> Json<Vec<AgentFacts>> {
    // What needs a program of the machine cannot be had by its name alone.
    Json(AGENTS.iter().filter(|facts| agent(facts.name).is_ok()).copied().collect())
}

/// What visitors may use.
#[utoipa::path(get, path = "/api/limits", responses((status = OK, body = LimitsBody)))]
pub(crate) async fn limits(extract::State(state): extract::State<State>) -> Json<LimitsBody> {
    Json(LimitsBody::from(&*state.limits))
}
