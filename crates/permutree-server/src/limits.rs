use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// The limits on what requests may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Concurrent searches, threads per search, and concurrent games of an experiment.
    pub threads: usize,
    /// Searches kept at a time: waiting, running and finished.
    pub sessions: usize,
    /// The idle timeout of a finished search.
    pub session_timeout: Duration,
    /// Playouts per search, and per move in an experiment.
    pub playouts: u64,
    /// Time per search, and per move in an experiment.
    pub time: Duration,
    /// Bytes for all trees together. A single search may use a quarter.
    pub memory: usize,
    /// Bytes per request body.
    pub body: usize,
    /// Experiments kept at a time. One of them runs, the others wait.
    pub experiments: usize,
    /// Games per experiment.
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

/// Moves in a request. No game of the zoo is as long.
pub(crate) const MOST_MOVES: usize = 10_000;

/// Bytes in a spec.
pub(crate) const LONGEST_SPEC: usize = 4096;

/// The limits of this server.
#[derive(Serialize, ToSchema)]
#[schema(as = Limits)]
pub(crate) struct LimitsBody {
    /// The version of Permutree.
    version: &'static str,
    /// Concurrent searches, threads per search, and concurrent games of an experiment.
    threads: usize,
    /// Searches kept at a time.
    sessions: usize,
    /// The idle timeout of a finished search, in seconds.
    session_timeout_s: f64,
    /// Playouts per search.
    playouts: u64,
    /// Time per search, in seconds.
    time_s: f64,
    /// Bytes per search.
    memory: usize,
    /// Bytes per request body.
    body: usize,
    /// Experiments kept at a time.
    experiments: usize,
    /// Games per experiment.
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
    /// The memory limit of one search, in bytes.
    pub(crate) fn search_memory(&self) -> usize {
        (self.memory / 4).max(1 << 20)
    }
}
