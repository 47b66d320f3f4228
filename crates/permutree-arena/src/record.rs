use permutree_zoo::Rewards;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// One finished game.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct GameRecord {
    /// The number of the game in its match, from 0. In a one-player game each agent has a game with every number.
    pub number: u64,
    /// The agent of each seat.
    pub seating: Vec<usize>,
    /// The reward of each seat.
    pub rewards: Rewards,
    /// The moves and chance outcomes.
    pub moves: Vec<String>,
    /// Whether the game was stopped at [`MAX_PLIES`](crate::MAX_PLIES) and scored as a draw.
    pub unfinished: bool,
    /// The forfeit, if an external engine forfeited the game.
    pub forfeit: Option<Forfeit>,
    /// The playouts of each agent.
    pub playouts: Vec<u64>,
    /// The search time of each agent by the clock of the budget, for external engines by the wall clock; serialised in
    /// seconds.
    #[serde(rename = "time_s", serialize_with = "all_seconds")]
    pub time: Vec<Duration>,
}

/// An external engine lost its game because it crashed, timed out, made an illegal move or resigned. Its seats get 0,
/// and the other seats share the win.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Forfeit {
    /// The number of the agent, from 0.
    pub agent: usize,
    /// What happened.
    pub why: String,
}

fn all_seconds<S: Serializer>(times: &[Duration], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(times.iter().map(Duration::as_secs_f64))
}

impl GameRecord {
    /// The number of moves and chance outcomes.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Ends the game with a forfeit of `agent`.
    pub(crate) fn forfeited(mut self, agent: usize, why: String) -> Self {
        let others = self.seating.iter().enumerate().filter(|(_, held)| **held != agent);
        let winners = others.fold(0, |winners, (seat, _)| winners | 1 << seat);
        self.rewards = Rewards::share(self.seating.len(), winners);
        self.unfinished = false;
        self.forfeit = Some(Forfeit { agent, why });
        self
    }
}
