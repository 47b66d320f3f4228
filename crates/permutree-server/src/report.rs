//! What a search found, as visitors get it.

use crate::position::player;
use permutree_zoo::{MoveReport, Report, Source};
use serde::Serialize;
use utoipa::ToSchema;

/// What a search found so far.
#[derive(Serialize, ToSchema, Debug)]
pub(crate) struct ReportBody {
    /// The player to move, from 1.
    player: Option<usize>,
    /// Playouts so far.
    pub(crate) playouts: u64,
    /// Seconds of search so far.
    time_s: f64,
    /// Nodes in the tree.
    nodes: usize,
    /// Bytes in use.
    memory: usize,
    /// Whether the memory limit was reached, so that the tree stopped growing.
    full: bool,
    /// The legal moves, best first: the first is the one to play.
    moves: Vec<FoundBody>,
    /// The most visited line.
    line: Vec<String>,
}

/// What a search found about a move.
#[derive(Serialize, ToSchema, Debug)]
pub(crate) struct FoundBody {
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// How many playouts began with it.
    visits: u64,
    /// Their mean reward for the player to move.
    mean: f64,
    /// Playouts that contain the move anywhere, if the agent counts them.
    amaf: Option<SourceBody>,
    /// Playouts that contain it together with the moves of the path in any order, if the agent counts them.
    permutation: Option<SourceBody>,
    /// How much of the score comes from the mean, from AMAF and from permutations.
    weights: [f64; 3],
    /// The reward that is proven, if one is.
    proven: Option<f64>,
}

/// A source of statistics.
#[derive(Serialize, ToSchema, Debug)]
pub(crate) struct SourceBody {
    /// How many playouts.
    count: u64,
    /// Their mean reward for the player to move.
    mean: f64,
}

/// Five digits behind the point: more than anybody sees, and half the length.
fn short(x: f64) -> f64 {
    (x * 1e5).round() / 1e5
}

impl From<Source> for SourceBody {
    fn from(source: Source) -> Self {
        Self { count: source.count, mean: short(source.mean) }
    }
}

impl From<MoveReport<String>> for FoundBody {
    fn from(found: MoveReport<String>) -> Self {
        Self {
            mv: found.mv,
            visits: found.visits,
            mean: short(found.mean),
            amaf: found.amaf.map(SourceBody::from),
            permutation: found.permutation.map(SourceBody::from),
            weights: found.weights.map(short),
            proven: found.proven,
        }
    }
}

impl From<Report<String>> for ReportBody {
    fn from(report: Report<String>) -> Self {
        Self {
            player: player(report.turn),
            playouts: report.playouts,
            time_s: report.time.as_secs_f64(),
            nodes: report.nodes,
            memory: report.memory,
            full: report.full,
            moves: report.moves.into_iter().map(FoundBody::from).collect(),
            line: report.principal_variation,
        }
    }
}
