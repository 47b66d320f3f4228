//! Searches over HTTP.

use crate::State;
use crate::error::{Answer, Body, Refusal, RefusalBody};
use crate::off_the_loop;
use crate::session::{Next, SearchPlan, SearchSession, SearchState};
use axum::Json;
use axum::extract::{self, Path};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use permutree_zoo::Report;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use utoipa::ToSchema;

/// A search that is asked for.
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
    /// Playouts to do.
    playouts: Option<u64>,
    /// Time to use, such as `500ms`; with playouts, whichever ends first.
    time: Option<String>,
    /// The same seed and number of playouts give the same result.
    #[serde(default = "one")]
    seed: u64,
}

/// An answer waits so long for the first report.
const FIRST_LOOK: Duration = Duration::from_millis(15);

fn one() -> u64 {
    1
}

/// A search.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchBody {
    /// Its name in `/api/searches/{id}`.
    id: String,
    /// The agent's canonical spec.
    agent: String,
    /// How far it is.
    state: SearchState,
    /// What was found so far, if anything.
    #[schema(value_type = Option<Report<String>>)]
    report: Option<Box<RawValue>>,
}

/// A position below the one that was searched.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookRequest {
    /// The moves that lead there.
    moves: Vec<String>,
}

fn body(session: &SearchSession) -> Answer<Json<SearchBody>> {
    let (state, report) = session.last();
    let report = report.map(RawValue::from_string).transpose().map_err(|_| Refusal::fault())?;
    Ok(Json(SearchBody {
        id: format!("{:016x}", session.id),
        agent: session.plan.spec.clone(),
        state,
        report,
    }))
}

/// Begins a search.
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
    // Most searches have found something by then, and who has just clicked sees it with the first answer.
    let mut changes = session.changes();
    if session.last().1.is_none() {
        let _ = tokio::time::timeout(FIRST_LOOK, changes.changed()).await;
    }
    Ok((StatusCode::CREATED, body(&session)?))
}

/// A search with what it has found so far.
#[utoipa::path(
    get,
    operation_id = "search",
    path = "/api/searches/{id}",
    params(("id" = String, Path)),
    responses((status = OK, body = SearchBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn show(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<Json<SearchBody>> {
    body(&*state.searches.get(&id)?)
}

/// What a search finds, as it finds it: events `mark` at growing numbers of playouts, all of them from the beginning, events
/// `live` between them, each with a report, and an event `end` with the state in which it ended.
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
pub(crate) async fn events(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let session = state.searches.get(&id)?;
    // Who comes back says which mark was the last to arrive.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let marks = last.map_or(0, |last| last.saturating_add(1));
    Ok(Sse::new(story(session, marks)).keep_alive(KeepAlive::default()))
}

fn story(session: Arc<SearchSession>, marks: usize) -> impl Stream<Item = Result<Event, Infallible>> {
    let changes = session.changes();
    stream::unfold(Some((session, changes, marks, 0)), |story| async {
        let (session, mut changes, mut marks, mut lives) = story?;
        loop {
            // What is seen is looked at after this, so that no change is missed.
            changes.borrow_and_update();
            let event = match session.next(marks, lives) {
                Next::Mark(number, report) => {
                    marks = number + 1;
                    Event::default().event("mark").id(number.to_string()).data(report)
                }
                Next::Live(number, report) => {
                    lives = number;
                    Event::default().event("live").data(report)
                }
                Next::End(state) => {
                    let state = serde_json::to_string(&state).unwrap_or_default();
                    return Some((Ok(Event::default().event("end").data(state)), None));
                }
                Next::Wait => {
                    if changes.changed().await.is_err() {
                        return None;
                    }
                    continue;
                }
            };
            return Some((Ok(event), Some((session, changes, marks, lives))));
        }
    })
}

/// What the search found of a position below: the tree, node by node.
#[utoipa::path(
    post,
    operation_id = "look",
    path = "/api/searches/{id}/look",
    params(("id" = String, Path)),
    request_body = LookRequest,
    responses((status = OK, body = Report<String>), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn look(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
    Body(request): Body<LookRequest>,
) -> Answer<Json<Report<String>>> {
    let session = state.searches.get(&id)?;
    off_the_loop(move || session.look(&request.moves)).await.map(Json)
}

/// Ends a search; what it found stays.
#[utoipa::path(
    post,
    operation_id = "stop_search",
    path = "/api/searches/{id}/stop",
    params(("id" = String, Path)),
    responses((status = OK, body = SearchBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn stop(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<Json<SearchBody>> {
    let session = state.searches.get(&id)?;
    session.stop();
    body(&session)
}

/// Ends a search and drops it.
#[utoipa::path(
    delete,
    operation_id = "drop_search",
    path = "/api/searches/{id}",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn remove(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    state.searches.remove(&id)?;
    Ok(StatusCode::NO_CONTENT)
}
