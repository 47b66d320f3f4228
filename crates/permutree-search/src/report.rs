use permutree_game::{Player, Turn};
use std::time::Duration;

/// What a search found. Every search returns this, and every face shows it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Report<M> {
    /// Whose turn it is at the root; serialised as the number of the player to move, from 1.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serialize::player"))]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<usize>))]
    pub turn: Turn,
    /// Playouts done, over all calls.
    pub playouts: u64,
    /// Time used, over all calls, by the clock of the budget; serialised in seconds.
    #[cfg_attr(feature = "serde", serde(rename = "time_s", serialize_with = "serialize::seconds"))]
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub time: Duration,
    /// Whether the same seed gives the same report: budgets in time and stop flags do not promise it.
    pub deterministic: bool,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes in use.
    pub memory: usize,
    /// Whether the memory limit was reached, so that the tree stopped growing.
    pub full: bool,
    /// The legal moves, best first: the first is the one to play.
    pub moves: Vec<MoveReport<M>>,
    /// The most visited line from the root.
    pub principal_variation: Vec<M>,
}

/// What a search found about one move at the root.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveReport<M> {
    /// The move.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: M,
    /// Its place in the game's own list of legal moves.
    pub index: usize,
    /// How many playouts started with it.
    pub visits: u64,
    /// Their mean reward for the player to move.
    pub mean: f64,
    /// All-moves-as-first statistics, if the search keeps them.
    pub amaf: Option<Source>,
    /// Permutation statistics, if the search keeps them.
    pub permutation: Option<Source>,
    /// How much of the score comes from the mean, from AMAF and from permutations.
    pub weights: [f64; 3],
    /// The reward that is proven, if one is.
    pub proven: Option<f64>,
}

/// One source of statistics.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Source {
    /// How many playouts.
    pub count: u64,
    /// Their mean reward for the player to move.
    pub mean: f64,
}

impl<M: Copy> Report<M> {
    /// The move to play; none when the game is over.
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

    /// The report with its moves as `text` shows them; `line` shows the moves of the principal variation.
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
    /// The same found about another move, or about the move in other words.
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
pub enum FinalMove {
    /// Most visits, then best mean.
    #[default]
    Visits,
    /// Best mean among the moves that were tried, then most visits.
    Mean,
}

/// Puts the move to play first and worse ones after it; the game's order decides what nothing else does. What is proven
/// to win comes first and what is proven to lose comes last; when all is proven, it alone decides.
pub(crate) fn sort<M: Copy>(moves: &mut Vec<MoveReport<M>>, final_move: FinalMove) {
    arrange(moves, &|moves| rank(moves, final_move));
}

/// Sorts by what was found, whatever the moves are: `sort` is compiled once, not once for every game.
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

/// What needs another form when it is serialised.
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
