use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// What visitors may use of the machine.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Searches that run at the same moment; others wait for their turn.
    pub threads: usize,
    /// Searches that are kept, running, waiting or finished.
    pub sessions: usize,
    /// How long a session is kept that nobody asks about.
    pub session_timeout: Duration,
    /// Playouts of a search, and of a move in an experiment.
    pub playouts: u64,
    /// Time of a search, and of a move in an experiment.
    pub time: Duration,
    /// Bytes that all trees together may use. A search may have a quarter of it.
    pub memory: usize,
    /// Bytes in the body of a request.
    pub body: usize,
    /// Experiments that are kept. One runs at a time.
    pub experiments: usize,
    /// Games in an experiment.
    pub games: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            sessions: 256,
            session_timeout: Duration::from_secs(30 * 60),
            playouts: 1_000_000,
            time: Duration::from_secs(60),
            memory: 192 << 20,
            body: 64 << 10,
            experiments: 100,
            games: 100_000,
        }
    }
}

/// Moves in a game that a visitor sends. No game of the zoo is as long.
pub(crate) const MOST_MOVES: usize = 10_000;

/// Letters in a spec.
pub(crate) const LONGEST_SPEC: usize = 4096;

/// The limits as visitors see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct LimitsBody {
    /// The version of the program.
    version: &'static str,
    /// Searches that run at the same moment.
    threads: usize,
    /// Searches that are kept.
    sessions: usize,
    /// Seconds for which a session is kept that nobody asks about.
    session_timeout_s: f64,
    /// Playouts of a search.
    playouts: u64,
    /// Seconds of a search.
    time_s: f64,
    /// Bytes that a search may use.
    memory: usize,
    /// Bytes in the body of a request.
    body: usize,
    /// Experiments that are kept.
    experiments: usize,
    /// Games in an experiment.
    games: u64,
}

impl From<&Limits> for LimitsBody {
    fn from(limits: &Limits) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            threads: limits.threads,
            sessions: limits.sessions,
            session_timeout_s: limits.session_timeout.as_secs_f64(),
            playouts: limits.playouts,
            time_s: limits.time.as_secs_f64(),
            memory: limits.search_memory(),
            body: limits.body,
            experiments: limits.experiments,
            games: limits.games,
        }
    }
}

impl Limits {
    /// Bytes that one search may use.
    pub(crate) fn search_memory(&self) -> usize {
        (self.memory / 4).max(1 << 20)
    }
}
