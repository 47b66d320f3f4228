//! What there is: games, agents and limits.

use crate::State;
use crate::limits::LimitsBody;
use axum::Json;
use axum::extract;
use permutree_zoo::{AGENTS, GAMES, Kind, Param, game};
use serde::Serialize;
use utoipa::ToSchema;

/// A game of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameBody {
    /// What specs begin with.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// The rules in brief.
    rules: &'static str,
    /// Where it comes from.
    source: &'static str,
    /// Players with the default parameters.
    players: usize,
    /// The codings that statistics can be kept by.
    codings: &'static [&'static str],
    /// Its parameters.
    params: Vec<ParamBody>,
}

/// An agent of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentBody {
    /// What specs begin with.
    name: &'static str,
    /// What people call it.
    title: &'static str,
    /// What it does.
    about: &'static str,
    /// When to use it.
    advice: &'static str,
    /// The paper that it comes from.
    source: &'static str,
    /// Whether it searches, and so needs a budget.
    searches: bool,
    /// Its parameters.
    params: Vec<ParamBody>,
}

/// A parameter of a game or an agent.
#[derive(Serialize, ToSchema)]
pub(crate) struct ParamBody {
    key: &'static str,
    kind: ParamKind,
    /// What it is if it is not given.
    default: &'static str,
    help: &'static str,
    /// The least value of a number.
    min: Option<f64>,
    /// The greatest value of a number.
    max: Option<f64>,
    /// The words to choose from.
    choices: Option<&'static [&'static str]>,
}

/// What values a parameter has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ParamKind {
    Int,
    Real,
    Flag,
    Choice,
    Text,
}

impl From<&Param> for ParamBody {
    fn from(param: &Param) -> Self {
        let (kind, range, choices) = match param.kind {
            Kind::Int(min, max) => (ParamKind::Int, Some((min as f64, max as f64)), None),
            Kind::Real(min, max) => (ParamKind::Real, Some((min, max)), None),
            Kind::Flag => (ParamKind::Flag, None, None),
            Kind::Choice(words) => (ParamKind::Choice, None, Some(words)),
            Kind::Text => (ParamKind::Text, None, None),
        };
        let Param { key, default, help, .. } = *param;
        Self { key, kind, default, help, min: range.map(|r| r.0), max: range.map(|r| r.1), choices }
    }
}

/// The games, by name.
#[utoipa::path(get, path = "/api/games", responses((status = OK, body = Vec<GameBody>)))]
pub(crate) async fn games() -> Json<Vec<GameBody>> {
    let body = |facts: &permutree_zoo::Facts| {
        let game = game(facts.name).ok()?;
        Some(GameBody {
            name: facts.name,
            title: facts.title,
            rules: facts.rules,
            source: facts.source,
            players: game.players(),
            codings: game.codings(),
            params: facts.params.iter().map(ParamBody::from).collect(),
        })
    };
    Json(GAMES.iter().filter_map(|entry| body(&entry.facts)).collect())
}

/// Parameters that name files or programs of the machine, which visitors may not.
const CLOSED: [&str; 2] = ["values", "cmd"];

/// The agents that visitors may use, the best first.
#[utoipa::path(get, path = "/api/agents", responses((status = OK, body = Vec<AgentBody>)))]
pub(crate) async fn agents() -> Json<Vec<AgentBody>> {
    let open = AGENTS.iter().filter_map(|facts| Some((facts, permutree_zoo::agent(facts.name).ok()?)));
    let bodies = open.map(|(facts, agent)| AgentBody {
        name: facts.name,
        title: facts.title,
        about: facts.about,
        advice: facts.advice,
        source: facts.source,
        searches: agent.needs_budget(),
        params: facts
            .params
            .iter()
            .filter(|param| !CLOSED.contains(&param.key))
            .map(ParamBody::from)
            .collect(),
    });
    Json(bodies.collect())
}

/// What visitors may use.
#[utoipa::path(get, path = "/api/limits", responses((status = OK, body = LimitsBody)))]
pub(crate) async fn limits(extract::State(state): extract::State<State>) -> Json<LimitsBody> {
    Json(LimitsBody::from(&*state.limits))
}
