use permutree_game::{Player, Turn};
use std::time::Duration;

/// The result of a search. All searches return it, and all interfaces show it.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report<M> {
    /// Whose turn it is at the root; serialised as the number of the player to move, from 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize::player"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<usize>))]
    pub turn: Turn,
    /// The number of playouts, over all calls.
    pub playouts: u64,
    /// Time used, over all calls, by the clock of the budget; serialised in seconds.
    #[cfg_attr(feature = "serde", serde(rename = "time_s", serialize_with = "serialize::seconds"))]
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub time: Duration,
    /// Whether the same seed gives the same report. Not after a budget in time or with a stop flag.
    pub deterministic: bool,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes in use.
    pub memory: usize,
    /// Whether the memory limit was reached and the tree stopped growing.
    pub full: bool,
    /// The legal moves, best first. The first one is the move to play.
    pub moves: Vec<MoveReport<M>>,
    /// The most visited line from the root.
    pub principal_variation: Vec<M>,
}

/// The result of a search for one move at the root.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveReport<M> {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: M,
    /// Its index in the game's list of legal moves.
    pub index: usize,
    /// The number of playouts that started with it.
    pub visits: u64,
    /// Their mean reward for the player to move.
    pub mean: f64,
    /// All-moves-as-first statistics, if the search keeps them.
    pub amaf: Option<Source>,
    /// Permutation statistics, if the search keeps them.
    pub permutation: Option<Source>,
    /// The weights of the mean, of AMAF and of permutations in the score.
    pub weights: [f64; 3],
    /// The proven reward, if there is one.
    pub proven: Option<f64>,
}

/// One source of statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Source {
    /// The number of playouts.
    pub count: u64,
    /// Their mean reward for the player to move.
    pub mean: f64,
}

impl<M: Copy> Report<M> {
    /// The move to play; `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<M> {
        self.moves.first().map(|found| found.mv)
    }

    /// The player to move, if it is a player's turn.
    #[must_use]
    pub fn player(&self) -> Option<Player> {
        match self.turn {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    /// The report with each move converted by `text`, and the principal variation by `line`.
    pub fn map<T>(self, text: impl Fn(M) -> T, line: impl FnOnce(&[M]) -> Vec<T>) -> Report<T> {
        let moves = self.moves.iter().map(|found| found.with(text(found.mv)));
        Report {
            turn: self.turn,
            playouts: self.playouts,
            time: self.time,
            deterministic: self.deterministic,
            nodes: self.nodes,
            memory: self.memory,
            full: self.full,
            moves: moves.collect(),
            principal_variation: line(&self.principal_variation),
        }
    }
}

impl<M> MoveReport<M> {
    /// The same statistics with another move, or with the move in another form.
    fn with<T>(&self, mv: T) -> MoveReport<T> {
        MoveReport {
            mv,
            index: self.index,
            visits: self.visits,
            mean: self.mean,
            amaf: self.amaf,
            permutation: self.permutation,
            weights: self.weights,
            proven: self.proven,
        }
    }
}

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinalMove {
    /// Most visits, then best mean.
    #[default]
    Visits,
    /// Best mean among the moves that were tried, then most visits.
    Mean,
}

/// Sorts the move to play first. Proven wins come first and proven losses last; if all moves are proven, only the proofs
/// count. Remaining ties are in the game's order.
pub(crate) fn sort<M: Copy>(moves: &mut Vec<MoveReport<M>>, final_move: FinalMove) {
    arrange(moves, &|moves| rank(moves, final_move));
}

/// Sorts by statistics, independent of the type of moves, so that `sort` is compiled once and not once per game.
pub(crate) fn arrange<M: Copy>(moves: &mut Vec<MoveReport<M>>, sort: &dyn Fn(&mut [MoveReport<usize>])) {
    let mut order: Vec<_> = moves.iter().zip(0..).map(|(found, place)| found.with(place)).collect();
    sort(&mut order);
    *moves = order.iter().map(|found| moves[found.mv].clone()).collect();
}

fn rank(moves: &mut [MoveReport<usize>], final_move: FinalMove) {
    let all_proven = moves.iter().all(|found| found.proven.is_some());
    let proven = |found: &MoveReport<usize>| match found.proven {
        Some(reward) if all_proven || reward == 0.0 || reward == 1.0 => reward,
        _ => 0.5,
    };
    moves.sort_by(|a, b| {
        let visits = b.visits.cmp(&a.visits);
        let mean = b.mean.total_cmp(&a.mean);
        let found = match final_move {
            FinalMove::Visits => visits.then(mean),
            FinalMove::Mean => (b.visits > 0).cmp(&(a.visits > 0)).then(mean).then(visits),
        };
        proven(b).total_cmp(&proven(a)).then(found).then(a.index.cmp(&b.index))
    });
}

/// Fields that are serialised in another form.
#[cfg(feature = "serde")]
mod serialize {
    use permutree_game::Turn;
    use serde::{Serialize, Serializer};
    use std::time::Duration;

    pub(super) fn player<S: Serializer>(turn: &Turn, serializer: S) -> Result<S::Ok, S::Error> {
        let player = match turn {
            Turn::Player(player) => Some(player.index() + 1),
            _ => None,
        };
        player.serialize(serializer)
    }

    pub(super) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        time.as_secs_f64().serialize(serializer)
    }
}
