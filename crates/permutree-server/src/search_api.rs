//! Searches over HTTP.

use crate::State;
use crate::error::{Answer, Body, Refusal, RefusalBody};
use crate::events::event_stream;
use crate::id::{Kept, Named};
use crate::off_the_loop;
use crate::session::{Next, SearchPlan, SearchSession, SearchState};
use axum::Json;
use axum::extract;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::response::sse::Event;
use permutree_zoo::Report;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// A request for a search.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchRequest {
    /// The spec of the game.
    game: String,
    /// The moves from the start.
    #[serde(default)]
    moves: Vec<String>,
    /// The spec of the agent, such as `mcps:ref=100`.
    agent: String,
    /// The budget in playouts.
    playouts: Option<u64>,
    /// The budget in time, such as `500ms`. With both, the search ends at whichever comes first.
    time: Option<String>,
    /// The seed. The same seed and number of playouts give the same result, unless the search has several threads.
    #[serde(default = "one")]
    seed: u64,
}

/// The response to a new search waits this long for the first report.
const FIRST_LOOK: Duration = Duration::from_millis(15);

fn one() -> u64 {
    1
}

/// A search.
#[derive(Serialize, ToSchema)]
#[schema(as = Search)]
pub(crate) struct SearchBody {
    /// The identifier in `/api/searches/{id}`.
    id: String,
    /// The agent's canonical spec.
    agent: String,
    /// The state of the search.
    state: SearchState,
    /// The latest report, after the first playout.
    #[schema(value_type = Option<Report<String>>)]
    report: Option<Box<RawValue>>,
}

/// A request for a position below the root of a search.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    /// The moves from the root to the position.
    moves: Vec<String>,
}

impl Kept for SearchSession {
    fn find(state: &State, id: &str) -> Answer<Arc<Self>> {
        state.searches.get(id)
    }
}

fn body(session: &SearchSession) -> Answer<Json<SearchBody>> {
    let (state, report) = session.last();
    let report = report.map(RawValue::from_string).transpose().map_err(|_| Refusal::fault())?;
    Ok(Json(SearchBody { id: session.id.to_string(), agent: session.plan.spec.clone(), state, report }))
}

/// Starts a search.
#[utoipa::path(
    post,
    operation_id = "start_search",
    path = "/api/searches",
    request_body = SearchRequest,
    responses((status = CREATED, body = SearchBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn start(
    extract::State(state): extract::State<State>,
    Body(request): Body<SearchRequest>,
) -> Answer<(StatusCode, Json<SearchBody>)> {
    let session = off_the_loop(move || {
        let SearchRequest { game, moves, agent, playouts, time, seed } = request;
        let budget = (playouts, time.as_deref());
        let plan = SearchPlan::new(&state.limits, &game, &moves, &agent, budget, seed)?;
        state.searches.add(plan)
    })
    .await?;
    // Most searches have a report by then, so the page shows one without another request.
    let mut changes = session.changes();
    if session.last().1.is_none() {
        let _ = tokio::time::timeout(FIRST_LOOK, changes.changed()).await;
    }
    Ok((StatusCode::CREATED, body(&session)?))
}

/// A search with its latest report.
#[utoipa::path(
    get,
    operation_id = "search",
    path = "/api/searches/{id}",
    params(("id" = String, Path)),
    responses((status = OK, body = SearchBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn show(Named(session): Named<SearchSession>) -> Answer<Json<SearchBody>> {
    body(&session)
}

/// The reports of a search as server-sent events. `mark` events come at growing numbers of playouts, and a new client gets
/// all of them; `live` events are the reports in between; `end` carries the final state.
#[utoipa::path(
    get,
    operation_id = "search_events",
    path = "/api/searches/{id}/events",
    params(("id" = String, Path)),
    responses(
        (status = OK, body = Report<String>, content_type = "text/event-stream"),
        (status = "4XX", body = RefusalBody)
    )
)]
pub(crate) async fn events(Named(session): Named<SearchSession>, headers: HeaderMap) -> impl IntoResponse {
    // A client that reconnects sends the number of the last mark that it received.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let marks = last.map_or(0, |last| last.saturating_add(1));
    let changes = session.changes();
    event_stream((session, changes, marks, 0), |(session, mut changes, mut marks, mut lives)| async move {
        let event = loop {
            // Marked as seen before it is read, so that no change is missed.
            changes.borrow_and_update();
            match session.next(marks, lives) {
                Next::Mark(number, report) => {
                    marks = number + 1;
                    break Event::default().event("mark").id(number.to_string()).data(report);
                }
                Next::Live(number, report) => {
                    lives = number;
                    break Event::default().event("live").data(report);
                }
                Next::End(state) => {
                    let state = serde_json::to_string(&state).unwrap_or_default();
                    return Some((Event::default().event("end").data(state), None));
                }
                Next::Wait => changes.changed().await.ok()?,
            }
        };
        Some((event, Some((session, changes, marks, lives))))
    })
}

/// The report of a position below the root: the search tree, node by node.
#[utoipa::path(
    post,
    operation_id = "look",
    path = "/api/searches/{id}/look",
    params(("id" = String, Path)),
    request_body = LookRequest,
    responses((status = OK, body = Report<String>), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn look(
    Named(session): Named<SearchSession>,
    Body(request): Body<LookRequest>,
) -> Answer<Json<Report<String>>> {
    off_the_loop(move || session.look(&request.moves)).await.map(Json)
}

/// Stops a search and keeps its reports.
#[utoipa::path(
    post,
    operation_id = "stop_search",
    path = "/api/searches/{id}/stop",
    params(("id" = String, Path)),
    responses((status = OK, body = SearchBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn stop(Named(session): Named<SearchSession>) -> Answer<Json<SearchBody>> {
    session.stop();
    body(&session)
}

/// Stops a search and deletes it.
#[utoipa::path(
    delete,
    operation_id = "drop_search",
    path = "/api/searches/{id}",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn remove(
    extract::State(state): extract::State<State>,
    Named(session): Named<SearchSession>,
) -> StatusCode {
    state.searches.remove(&session);
    StatusCode::NO_CONTENT
}
