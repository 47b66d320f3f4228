//! Experiments over HTTP.

use crate::State;
use crate::error::{Answer, Body, QueryParams, Refusal, RefusalBody};
use crate::events::event_stream;
use crate::experiments::{Board, Trial, TrialRequest, TrialState};
use crate::id::{Kept, Named};
use crate::off_the_loop;
use axum::Json;
use axum::extract;
use axum::http::{StatusCode, header};
use axum::response::sse::Event;
use axum::response::{Html, IntoResponse, Response};
use permutree_arena::SprtResult;
use permutree_arena::experiment::{Format, Report, TableReport, export};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::{IntoParams, ToSchema};

/// An experiment with its results.
#[derive(Serialize, ToSchema)]
#[schema(as = Experiment)]
pub(crate) struct ExperimentBody {
    /// The identifier in `/api/experiments/{id}`.
    id: String,
    /// The title of the file, or a description of its first match.
    title: String,
    /// The paper and the table that it reproduces, if any.
    source: String,
    /// A note of the file to its readers.
    note: String,
    /// The text of the experiment file.
    toml: String,
    /// The state of the experiment.
    state: TrialState,
    /// The error, if it failed.
    error: Option<String>,
    /// Games and probes requested.
    wanted: u64,
    /// Games and probes finished.
    played: u64,
    /// Games per second in the current or last run.
    games_per_second: Option<f64>,
    /// The sequential test, if one was requested.
    sprt: Option<SprtResult>,
    /// The results.
    tables: Vec<TableReport>,
    /// The games in progress.
    boards: Vec<Board>,
}

/// An entry in the list of experiments.
#[derive(Serialize, ToSchema)]
#[schema(as = ExperimentEntry)]
pub(crate) struct ExperimentLine {
    /// The identifier in `/api/experiments/{id}`.
    id: String,
    /// The title of the file, or a description of its first match.
    title: String,
    /// The state of the experiment.
    state: TrialState,
    /// Games and probes requested.
    wanted: u64,
    /// Games and probes finished.
    played: u64,
}

/// A finished game.
#[derive(Serialize, ToSchema)]
#[schema(as = GameRecord)]
pub(crate) struct GameRecordBody {
    /// The number of the game in its match, from 0.
    number: u64,
    /// The seed of the game.
    seed: u64,
    /// The game's spec.
    game: String,
    /// The agent of each seat.
    seats: Vec<String>,
    /// The reward of each seat.
    rewards: Vec<f64>,
    /// The moves and chance outcomes.
    moves: Vec<String>,
}

/// Selects finished games of a match.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct GamesQuery {
    /// The number of the match, counted over all tables from 0.
    #[serde(default)]
    cell: usize,
    /// The number of the first game, from 0.
    #[serde(default)]
    from: u64,
    /// The maximum number of games; at most 200.
    most: Option<usize>,
}

/// The format of an export.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportQuery {
    /// `html` or `markdown` (the report), `csv`, `jsonl` or `records`.
    format: String,
}

const MOST_GAMES: usize = 200;

impl Kept for Trial {
    fn find(state: &State, id: &str) -> Answer<Arc<Self>> {
        state.experiments.get(id)
    }
}

fn body(trial: &Trial) -> Answer<ExperimentBody> {
    let standing = trial.standing();
    let report = trial.store()?.map(|store| Report::of(&trial.experiment, &store)).transpose()?;
    let tables = report.map_or_else(Vec::new, |report| report.tables);
    let measured = tables.iter().flat_map(|table| &table.probes).filter(|probe| !probe.found.is_empty());
    let played: u64 = tables.iter().flat_map(|table| &table.cells).map(|cell| cell.found.result.games).sum();
    let played = played + measured.count() as u64;
    let sprt = trial.sprt.map(|test| test.result(standing.progress.llr.unwrap_or(0.0)));
    Ok(ExperimentBody {
        id: trial.id.to_string(),
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

/// The title of the file, or a description of its first match.
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
            id: trial.id.to_string(),
            title: title(trial),
            state: standing.state,
            wanted: standing.progress.total,
            played: standing.progress.found + standing.progress.added,
        }
    };
    Ok(Json(state.experiments.all().iter().map(line).collect()))
}

/// Starts an experiment.
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

/// An experiment with its results so far.
#[utoipa::path(
    get,
    operation_id = "experiment",
    path = "/api/experiments/{id}",
    params(("id" = String, Path)),
    responses((status = OK, body = ExperimentBody), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn show(Named(trial): Named<Trial>) -> Answer<Json<ExperimentBody>> {
    off_the_loop(move || body(&trial)).await.map(Json)
}

/// The progress of an experiment as server-sent events: `experiment` whenever there are new results, then `end`.
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
pub(crate) async fn events(Named(trial): Named<Trial>) -> impl IntoResponse {
    let first = (trial, Duration::ZERO, false);
    event_stream(first, |(trial, pause, over)| async move {
        if over {
            return Some((Event::default().event("end").data(""), None));
        }
        tokio::time::sleep(pause).await;
        // Read before the results, so that the last event has all of them.
        let over = !trial.standing().is_under_way();
        let started = Instant::now();
        let shown = trial.clone();
        let body = off_the_loop(move || body(&shown)).await.ok()?;
        let event = Event::default().event("experiment").data(serde_json::to_string(&body).ok()?);
        // Adding up many games takes a while; most of the time is left to the players.
        let pause = Duration::from_millis(250).max(started.elapsed() * 8);
        Some((event, Some((trial, pause, over))))
    })
}

/// Stops an experiment after the games in progress.
#[utoipa::path(
    post,
    operation_id = "stop_experiment",
    path = "/api/experiments/{id}/stop",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn stop(Named(trial): Named<Trial>) -> StatusCode {
    trial.stop();
    StatusCode::NO_CONTENT
}

/// Resumes an experiment: plays the missing games.
#[utoipa::path(
    post,
    operation_id = "resume_experiment",
    path = "/api/experiments/{id}/resume",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn resume(
    extract::State(state): extract::State<State>,
    Named(trial): Named<Trial>,
) -> Answer<StatusCode> {
    state.experiments.resume(&trial)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes an experiment and its games.
#[utoipa::path(
    delete,
    operation_id = "drop_experiment",
    path = "/api/experiments/{id}",
    params(("id" = String, Path)),
    responses((status = NO_CONTENT), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn remove(
    extract::State(state): extract::State<State>,
    Named(trial): Named<Trial>,
) -> Answer<StatusCode> {
    off_the_loop(move || state.experiments.remove(&trial)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The finished games of a match, in order.
#[utoipa::path(
    get,
    operation_id = "finished_games",
    path = "/api/experiments/{id}/games",
    params(("id" = String, Path), GamesQuery),
    responses((status = OK, body = Vec<GameRecordBody>), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn games(
    Named(trial): Named<Trial>,
    QueryParams(query): QueryParams<GamesQuery>,
) -> Answer<Json<Vec<GameRecordBody>>> {
    off_the_loop(move || {
        let cell = trial.experiment.cells().nth(query.cell).ok_or_else(|| {
            let count = trial.experiment.cells().count();
            Refusal::missing(format!("no such match: the experiment has {count}, counted from 0"))
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

/// The report or the games as a file.
#[utoipa::path(
    get,
    operation_id = "export",
    path = "/api/experiments/{id}/export",
    params(("id" = String, Path), ExportQuery),
    responses((status = OK, body = String, content_type = "text/plain"), (status = "4XX", body = RefusalBody))
)]
pub(crate) async fn save(
    Named(trial): Named<Trial>,
    QueryParams(query): QueryParams<ExportQuery>,
) -> Answer<Response> {
    off_the_loop(move || {
        let store = || trial.store()?.ok_or_else(|| Refusal::missing("no games have been played yet"));
        let report = || Ok::<_, Refusal>(Report::of(&trial.experiment, &store()?)?);
        let games = |format: Format| {
            let mut text = Vec::new();
            export(&trial.experiment, &store()?, format, &mut text)?.map_err(|_| Refusal::fault())?;
            Ok::<_, Refusal>(text)
        };
        let (text, ending) = match query.format.as_str() {
            // Shown by the browser instead of saved.
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
