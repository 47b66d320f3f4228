//! The list of experiments, and the thread that plays them one after the other.

use crate::error::{Answer, Refusal};
use crate::id::Id;
use crate::limits::Limits;
use crate::searches::lock;
use crate::session::{check_budget, check_threads};
use permutree_arena::experiment::{Cell, Experiment, Glimpse, ProbeKind, Progress, Run, Shard, Store};
use permutree_arena::statistics::Sprt;
use permutree_arena::{ArenaError, closed_agent};
use permutree_zoo::Budget;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// All experiments, the newest last.
pub(crate) struct Experiments {
    limits: Arc<Limits>,
    folder: PathBuf,
    list: Mutex<Vec<Arc<Trial>>>,
    queue: Mutex<Sender<Arc<Trial>>>,
}

/// A request for an experiment.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ExperimentRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct TrialRequest {
    /// The text of an experiment file.
    pub(crate) toml: String,
    /// Play only the number of games that the file sets as `quick`.
    #[serde(default)]
    pub(crate) quick: bool,
    /// For a single match of two agents: stop once an SPRT of these two Elo differences, the smaller one first, is decided.
    pub(crate) sprt: Option<[f64; 2]>,
}

/// An experiment with its games.
pub(crate) struct Trial {
    pub(crate) id: Id,
    pub(crate) request: TrialRequest,
    pub(crate) experiment: Experiment,
    pub(crate) sprt: Option<Sprt>,
    store: PathBuf,
    stop: AtomicBool,
    state: Mutex<Standing>,
    /// The latest game of each thread.
    boards: Mutex<HashMap<ThreadId, (Instant, Board)>>,
}

/// The progress of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) state: TrialState,
    pub(crate) error: Option<String>,
    pub(crate) progress: Progress,
    /// When the current run began.
    started: Option<Instant>,
    /// The length of the last run.
    took: Duration,
}

/// The state of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ExperimentState)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TrialState {
    /// Queued behind another experiment.
    Waiting,
    Running,
    /// Finishing the games in progress; no more are started.
    Stopping,
    /// Stopped by request or by the server; it can be resumed.
    Stopped,
    Done,
    Failed,
}

/// A game in progress.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = GameInProgress)]
pub(crate) struct Board {
    /// The spec of the game.
    game: String,
    /// The agent of each seat.
    seats: Vec<String>,
    /// The number of the game in its match, from 0.
    number: u64,
    /// The moves so far.
    moves: Vec<String>,
}

impl Experiments {
    /// Reads the experiments of a folder and starts the thread that plays.
    pub(crate) fn start(limits: Arc<Limits>, folder: PathBuf) -> Arc<Self> {
        let (sender, receiver) = channel();
        let experiments =
            Arc::new(Self { limits, folder, list: Mutex::default(), queue: Mutex::new(sender) });
        experiments.restore();
        let threads = experiments.limits.threads;
        std::thread::spawn(move || play_all(&receiver, threads));
        experiments
    }

    /// Reads the experiments of an earlier server from the folder. They are stopped until they are resumed.
    fn restore(&self) {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut found: Vec<_> = files
            .filter_map(|file| {
                let (path, time) = (file.path(), file.metadata().ok()?.modified().ok()?);
                let id = path.file_name()?.to_str()?.strip_suffix(".json")?.parse().ok()?;
                let request = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
                Some((time, self.trial(id, request).ok()?))
            })
            .collect();
        found.sort_by_key(|(time, _)| *time);
        lock(&self.list).extend(found.into_iter().map(|(_, trial)| Arc::new(trial)));
    }

    fn trial(&self, id: Id, request: TrialRequest) -> Answer<Trial> {
        let mut experiment = Experiment::parse_closed(Path::new("experiment"), &request.toml)?;
        if request.quick {
            experiment = experiment.quickly();
        }
        check(&self.limits, &experiment)?;
        let sprt = request.sprt.map(|[elo0, elo1]| sprt(&experiment, elo0, elo1)).transpose()?;
        let total = experiment.cells().map(Cell::total).sum::<u64>() + experiment.probes().count() as u64;
        let progress = Progress { total, ..Progress::default() };
        let state = Standing {
            state: TrialState::Stopped,
            error: None,
            progress,
            started: None,
            took: Duration::ZERO,
        };
        Ok(Trial {
            id,
            experiment,
            sprt,
            store: self.folder.join(format!("{id}.db")),
            request,
            stop: AtomicBool::new(false),
            state: Mutex::new(state),
            boards: Mutex::default(),
        })
    }

    /// Adds an experiment to the list and the queue.
    pub(crate) fn add(&self, request: TrialRequest) -> Answer<Arc<Trial>> {
        let trial = Arc::new(self.trial(Id::fresh(), request)?);
        {
            let mut list = lock(&self.list);
            if list.len() >= self.limits.experiments {
                let most = self.limits.experiments;
                return Err(Refusal::busy(format!("the limit of {most} experiments is reached; delete one")));
            }
            let text = serde_json::to_vec(&trial.request).map_err(|_| Refusal::fault())?;
            std::fs::write(self.description(trial.id), text).map_err(|_| Refusal::fault())?;
            list.push(trial.clone());
        }
        self.resume(&trial)?;
        Ok(trial)
    }

    /// The file that keeps the request of an experiment.
    fn description(&self, id: Id) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    /// Queues an experiment that is neither queued nor running.
    pub(crate) fn resume(&self, trial: &Arc<Trial>) -> Answer<()> {
        let mut standing = lock(&trial.state);
        if matches!(standing.state, TrialState::Waiting | TrialState::Running | TrialState::Stopping) {
            return Err(Refusal::conflict("the experiment is already queued or running"));
        }
        trial.stop.store(false, Ordering::Relaxed);
        (standing.state, standing.error) = (TrialState::Waiting, None);
        lock(&self.queue).send(trial.clone()).map_err(|_| Refusal::fault())
    }

    /// The experiments, the newest first.
    pub(crate) fn all(&self) -> Vec<Arc<Trial>> {
        lock(&self.list).iter().rev().cloned().collect()
    }

    /// The experiment with this identifier.
    pub(crate) fn get(&self, name: &str) -> Answer<Arc<Trial>> {
        let list = lock(&self.list);
        let trial = name.parse().ok().and_then(|id: Id| list.iter().find(|trial| trial.id == id).cloned());
        trial.ok_or_else(|| Refusal::missing("no such experiment"))
    }

    /// Deletes an experiment and its games, unless it is running.
    pub(crate) fn remove(&self, trial: &Trial) -> Answer<()> {
        if matches!(trial.standing().state, TrialState::Running | TrialState::Stopping) {
            return Err(Refusal::conflict("stop the experiment first"));
        }
        trial.stop();
        lock(&self.list).retain(|other| other.id != trial.id);
        let _ = std::fs::remove_file(self.description(trial.id));
        for ending in ["db", "db-wal", "db-shm", "db-lock"] {
            let _ = std::fs::remove_file(trial.store.with_extension(ending));
        }
        Ok(())
    }

    /// Stops everything.
    pub(crate) fn close(&self) {
        lock(&self.list).iter().for_each(|trial| trial.stop());
    }
}

/// Refuses experiments over the limits.
fn check(limits: &Limits, experiment: &Experiment) -> Answer<()> {
    let games = experiment.cells().fold(0u64, |all, cell| all.saturating_add(cell.total()));
    if games > limits.games {
        return Err(Refusal::input(format!("{games} games: the limit is {} per experiment", limits.games)));
    }
    for cell in experiment.cells() {
        let budget = Budget { playouts: cell.key.playouts, time: cell.key.time, ..Budget::default() };
        for spec in &cell.key.agents {
            let agent = closed_agent(spec)?;
            check_threads(limits, &agent)?;
            check_budget(limits, &agent, &agent.budget(&budget))?;
        }
    }
    for probe in experiment.probes() {
        match probe.kind {
            ProbeKind::Codes(games) if games > limits.playouts => {
                return Err(Refusal::input(format!("codes: the limit is {} random games", limits.playouts)));
            }
            ProbeKind::Codes(_) => {}
            ProbeKind::Searches { .. } => {
                return Err(Refusal::input(
                    "the server does not run `searches`; use `permutree experiment run`",
                ));
            }
        }
    }
    Ok(())
}

/// The SPRT of an experiment, which must be a single match of two agents.
fn sprt(experiment: &Experiment, elo0: f64, elo1: f64) -> Answer<Sprt> {
    let mut cells = experiment.cells();
    let duel = cells.next().filter(|cell| cell.players() == 2 && cell.key.agents.len() == 2);
    if duel.is_none() || cells.next().is_some() || experiment.probes().next().is_some() {
        return Err(Refusal::input("sprt needs a single match, of two agents in a two-player game"));
    }
    let most = Sprt::MAX_ELO;
    Sprt::new(elo0, elo1).ok_or_else(|| {
        Refusal::input(format!("sprt must be two Elo differences, the smaller first, from -{most} to {most}"))
    })
}

fn play_all(queue: &Receiver<Arc<Trial>>, threads: usize) {
    for trial in queue {
        if trial.stop.load(Ordering::Relaxed) {
            lock(&trial.state).state = TrialState::Stopped;
            continue;
        }
        {
            let mut standing = lock(&trial.state);
            (standing.state, standing.started) = (TrialState::Running, Some(Instant::now()));
        }
        let played = catch_unwind(AssertUnwindSafe(|| trial.play(threads)));
        let mut standing = lock(&trial.state);
        standing.took = standing.started.take().map_or(Duration::ZERO, |started| started.elapsed());
        (standing.state, standing.error) = match played {
            Ok(Ok(progress)) if progress.done() >= progress.total => (TrialState::Done, None),
            Ok(Ok(_)) => (TrialState::Stopped, None),
            Ok(Err(error)) => (TrialState::Failed, Some(error.to_string())),
            Err(_) => (TrialState::Failed, Some("internal error in a game".to_string())),
        };
        drop(standing);
        lock(&trial.boards).clear();
    }
}

/// The shortest interval at which a board in progress is updated.
const GLANCE: Duration = Duration::from_millis(120);

impl Trial {
    /// Plays the missing games.
    fn play(&self, threads: usize) -> Result<Progress, ArenaError> {
        let mut store = Store::create(&self.store)?;
        let Self { experiment, sprt, stop, .. } = self;
        let run = Run { experiment, shard: Shard::WHOLE, threads, sprt: *sprt, stop };
        run.play_seen(&mut store, &|glimpse| self.glance(glimpse), &mut |progress| {
            lock(&self.state).progress = *progress;
        })
    }

    /// Stores a game in progress for [`Trial::boards`].
    fn glance(&self, glimpse: &Glimpse<'_>) {
        let mut boards = lock(&self.boards);
        let now = Instant::now();
        if let Some((seen, board)) = boards.get(&std::thread::current().id())
            && board.number == glimpse.number
            && now.saturating_duration_since(*seen) < GLANCE
        {
            return;
        }
        let spec = |agent: &usize| glimpse.cell.agents.get(*agent).cloned().unwrap_or_default();
        let board = Board {
            game: glimpse.cell.game.clone(),
            seats: glimpse.seating.iter().map(spec).collect(),
            number: glimpse.number,
            moves: glimpse.moves.to_vec(),
        };
        boards.insert(std::thread::current().id(), (now, board));
    }

    /// The games in progress.
    pub(crate) fn boards(&self) -> Vec<Board> {
        let mut boards: Vec<Board> = lock(&self.boards).values().map(|(_, board)| board.clone()).collect();
        boards.sort_by_key(|board| board.number);
        boards
    }

    pub(crate) fn standing(&self) -> Standing {
        lock(&self.state).clone()
    }

    /// Lets the games in progress finish and starts no more.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let mut standing = lock(&self.state);
        match standing.state {
            TrialState::Running => standing.state = TrialState::Stopping,
            TrialState::Waiting => standing.state = TrialState::Stopped,
            _ => {}
        }
    }

    /// The store of the games, if there is one yet.
    pub(crate) fn store(&self) -> Answer<Option<Store>> {
        let empty = || {
            let Progress { found, added, .. } = self.standing().progress;
            found + added == 0
        };
        if !self.store.exists() {
            return Ok(None);
        }
        match Store::open(&self.store) {
            Ok(store) => Ok(Some(store)),
            // It is being created.
            Err(_) if empty() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl Standing {
    /// Games per second in the current or last run, if it has finished any.
    pub(crate) fn games_per_second(&self) -> Option<f64> {
        let time = self.started.map_or(self.took, |started| started.elapsed()).as_secs_f64();
        (time > 0.0 && self.progress.added > 0).then(|| self.progress.added as f64 / time)
    }

    /// Whether it is queued or running.
    pub(crate) fn is_under_way(&self) -> bool {
        matches!(self.state, TrialState::Waiting | TrialState::Running | TrialState::Stopping)
    }
}
