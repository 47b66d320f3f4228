//! Experiments over HTTP.

use crate::State;
use crate::error::{Answer, Asked, Body, Refusal, RefusalBody};
use crate::experiments::{Board, Trial, TrialRequest, TrialState};
use crate::off_the_loop;
use axum::Json;
use axum::extract::{self, Path};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream::{self, Stream};
use permutree_arena::SprtResult;
use permutree_arena::experiment::{Format, Report, TableReport, export};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::{IntoParams, ToSchema};

/// An experiment with its results.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExperimentBody {
    /// Its name in `/api/experiments/{id}`.
    id: String,
    title: String,
    source: String,
    note: String,
    /// The text that it was made from.
    toml: String,
    state: TrialState,
    /// Why it failed.
    error: Option<String>,
    /// Games and counts that it asks for.
    wanted: u64,
    /// Those that are there.
    played: u64,
    /// Games finished in a second, in the last run.
    games_per_second: Option<f64>,
    sprt: Option<SprtResult>,
    tables: Vec<TableReport>,
    /// Games under way.
    boards: Vec<Board>,
}

/// An experiment in the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExperimentLine {
    id: String,
    title: String,
    state: TrialState,
    wanted: u64,
    played: u64,
}

/// A finished game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameRecordBody {
    number: u64,
    seed: u64,
    /// The game's spec.
    game: String,
    /// The agent of each seat.
    seats: Vec<String>,
    rewards: Vec<f64>,
    moves: Vec<String>,
}

/// Which games are wanted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// The match, counted over all tables from 0.
    #[serde(default)]
    cell: usize,
    /// The first game.
    #[serde(default)]
    from: u64,
    /// How many at most.
    most: Option<usize>,
}

/// How games are to be written.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// `html` or `markdown` (the report), `csv`, `jsonl` or `records`.
    format: String,
}

const MOST_GAMES: usize = 200;

fn body(trial: &Trial) -> Answer<ExperimentBody> {
    let standing = trial.standing();
    let report = trial.store()?.map(|store| Report::of(&trial.experiment, &store)).transpose()?;
    let tables = report.map_or_else(Vec::new, |report| report.tables);
    let measured = tables.iter().flat_map(|table| &table.probes).filter(|probe| !probe.found.is_empty());
    let played: u64 = tables.iter().flat_map(|table| &table.cells).map(|cell| cell.found.result.games).sum();
    let played = played + measured.count() as u64;
    let sprt = trial.sprt.map(|test| test.result(standing.progress.llr.unwrap_or(0.0)));
    Ok(ExperimentBody {
        id: format!("{:016x}", trial.id),
        title: title(trial),
        source: trial.experiment.source.clone(),
        note: trial.experiment.note.clone(),
        toml: trial.request.toml.clone(),
        state: standing.state,
        error: standing.error.clone(),
        wanted: standing.progress.total,
        played,
        games_per_second: standing.games_per_second(),
        sprt,
        tables,
        boards: trial.boards(),
    })
}

/// The title of the file, or what its first match is.
fn title(trial: &Trial) -> String {
    let experiment = &trial.experiment;
    let first = || {
        let cell = experiment.cells().next()?;
        Some(format!("{} in {}", cell.names.join(" against "), cell.key.game))
    };
    match experiment.title.as_str() {
        "" => first().unwrap_or_else(|| "codes".to_string()),
        title => title.to_string(),
    }
}

/// The experiments, the newest first.
#[utoipa::path(get, operation_id = "experiments", path = "/api/experiments", responses((status = OK, body = Vec<ExperimentLine>)))]
pub(crate) async fn list(extract::State(state): extract::State<State>) -> Answer<Json<Vec<ExperimentLine>>> {
    let line = |trial: &Arc<Trial>| {
        let standing = trial.standing();
        ExperimentLine {
            id: format!("{:016x}", trial.id),
            title: title(trial),
            state: standing.state,
            wanted: standing.progress.total,
            played: standing.progress.found + standing.progress.added,
        }
    };
    Ok(Json(state.experiments.all().iter().map(line).collect()))
}

/// Begins an experiment.
#[utoipa::path(
    post,
    operation_id = "start_experiment",
    path = "/api/experiments",
    request_body = TrialRequest,
    responses((status = CREATED, body = ExperimentBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn start(
    extract::State(state): extract::State<State>,
    Body(request): Body<TrialRequest>,
) -> Answer<(StatusCode, Json<ExperimentBody>)> {
    let body = off_the_loop(move || body(&*state.experiments.add(request)?)).await?;
    Ok((StatusCode::CREATED, Json(body)))
}

/// An experiment with what there is of its results.
#[utoipa::path(
    get,
    operation_id = "experiment",
    path = "/api/experiments/{id}",
    params(("id" = String, Path)),
    responses((status = OK, body = ExperimentBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn show(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<Json<ExperimentBody>> {
    let trial = state.experiments.get(&id)?;
    off_the_loop(move || body(&trial)).await.map(Json)
}

/// The experiment again and again while it is under way, as events `experiment`, and an event `end`.
#[utoipa::path(
    get,
    operation_id = "experiment_events",
    path = "/api/experiments/{id}/events",
    params(("id" = String, Path)),
    responses(
        (status = OK, body = ExperimentBody, content_type = "text/event-stream"),
        (status = "4XX", body = RefusalBody)
    )
)]
pub(crate) async fn events(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let trial = state.experiments.get(&id)?;
    let first = (trial, Duration::ZERO, false);
    let events = stream::unfold(Some(first), |story| async {
        let (trial, pause, over) = story?;
        if over {
            return Some((Ok(Event::default().event("end").data("")), None));
        }
        tokio::time::sleep(pause).await;
        // Asked first: what ends meanwhile is shown once more.
        let over = !trial.standing().is_under_way();
        let started = Instant::now();
        let shown = trial.clone();
        let body = off_the_loop(move || body(&shown)).await.ok()?;
        let event = Event::default().event("experiment").data(serde_json::to_string(&body).ok()?);
        // Adding up very many games takes its time; most of it is left to those who play.
        let pause = Duration::from_millis(250).max(started.elapsed() * 8);
        Some((Ok(event), Some((trial, pause, over))))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Finishes the games under way and begins no more.
#[utoipa::path(
    post,
    operation_id = "stop_experiment",
    path = "/api/experiments/{id}/stop",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn stop(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    state.experiments.get(&id)?.stop();
    Ok(StatusCode::NO_CONTENT)
}

/// Goes on with what is missing.
#[utoipa::path(
    post,
    operation_id = "resume_experiment",
    path = "/api/experiments/{id}/resume",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn resume(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    state.experiments.resume(&state.experiments.get(&id)?)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Drops an experiment and its games.
#[utoipa::path(
    delete,
    operation_id = "drop_experiment",
    path = "/api/experiments/{id}",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn remove(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
) -> Answer<StatusCode> {
    off_the_loop(move || state.experiments.remove(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Finished games of a match, in order.
#[utoipa::path(
    get,
    operation_id = "finished_games",
    path = "/api/experiments/{id}/games",
    params(("id" = String, Path), GamesQuery),
    responses((status = OK, body = Vec<GameRecordBody>), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn games(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
    Asked(query): Asked<GamesQuery>,
) -> Answer<Json<Vec<GameRecordBody>>> {
    let trial = state.experiments.get(&id)?;
    off_the_loop(move || {
        let cell = trial.experiment.cells().nth(query.cell).ok_or_else(|| {
            Refusal::missing(format!("the experiment has {} matches", trial.experiment.cells().count()))
        })?;
        let most = query.most.unwrap_or(MOST_GAMES).min(MOST_GAMES);
        let games = match trial.store()? {
            Some(store) => store.games(cell, query.from, most)?,
            None => Vec::new(),
        };
        let spec = |agent: &usize| cell.key.agents.get(*agent).cloned().unwrap_or_default();
        let record = |game: permutree_arena::experiment::PastGame| GameRecordBody {
            number: game.number,
            seed: game.seed,
            game: cell.key.game.clone(),
            seats: game.seating.iter().map(spec).collect(),
            rewards: game.rewards,
            moves: game.moves,
        };
        Ok(Json(games.into_iter().map(record).collect()))
    })
    .await
}

/// The report or the games as a text to save.
#[utoipa::path(
    get,
    operation_id = "export",
    path = "/api/experiments/{id}/export",
    params(("id" = String, Path), ExportQuery),
    responses((status = OK, body = String, content_type = "text/plain"), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn save(
    extract::State(state): extract::State<State>,
    Path(id): Path<String>,
    Asked(query): Asked<ExportQuery>,
) -> Answer<Response> {
    let trial = state.experiments.get(&id)?;
    off_the_loop(move || {
        let store = || trial.store()?.ok_or_else(|| Refusal::missing("no games are played yet"));
        let report = || Ok::<_, Refusal>(Report::of(&trial.experiment, &store()?)?);
        let games = |format: Format| {
            let mut text = Vec::new();
            export(&trial.experiment, &store()?, format, &mut text)?.map_err(|_| Refusal::fault())?;
            Ok::<_, Refusal>(text)
        };
        let (text, ending) = match query.format.as_str() {
            // To be looked at, not to be saved.
            "html" => return Ok(Html(report()?.html()).into_response()),
            "markdown" => (report()?.markdown().into_bytes(), "md"),
            "csv" => (games(Format::Csv)?, "csv"),
            "jsonl" => (games(Format::JsonLines)?, "jsonl"),
            "records" => (games(Format::Records)?, "txt"),
            _ => return Err(Refusal::input("format must be html, markdown, csv, jsonl or records")),
        };
        let name = format!("attachment; filename=\"experiment.{ending}\"");
        let kind = "text/plain; charset=utf-8".to_string();
        Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], text).into_response())
    })
    .await
}
