use permutree_zoo::Rewards;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// One finished game.
#[derive(Clone, Debug, Serialize)]
pub struct GameRecord {
    /// The number of the game in its match, from 0. In a game for one player each agent has a game of every number.
    pub number: u64,
    /// The agent of each seat.
    pub seating: Vec<usize>,
    /// What each seat got.
    pub rewards: Rewards,
    /// The moves and outcomes of chance.
    pub moves: Vec<String>,
    /// Whether the game was stopped at [`MAX_PLIES`](crate::MAX_PLIES) and shared by all.
    pub unfinished: bool,
    /// Who lost by other means than the rules, if somebody did.
    pub forfeit: Option<Forfeit>,
    /// Playouts that each agent did.
    pub playouts: Vec<u64>,
    /// Time that each agent searched, by the clock of the budget, for external engines by the clock on the wall; serialised in
    /// seconds.
    #[serde(rename = "time_s", serialize_with = "all_seconds")]
    pub time: Vec<Duration>,
}

/// An external engine that lost its game because it crashed, was late, made an illegal move or resigned. Its seats get
/// nothing, and the others share the win.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forfeit {
    /// The number of the agent.
    pub agent: usize,
    /// What happened.
    pub why: String,
}

fn all_seconds<S: Serializer>(times: &[Duration], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(times.iter().map(Duration::as_secs_f64))
}

impl GameRecord {
    /// How many moves and outcomes of chance there were.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The game ends here, and `agent` has lost it.
    pub(crate) fn forfeited(mut self, agent: usize, why: String) -> Self {
        let others = self.seating.iter().enumerate().filter(|(_, held)| **held != agent);
        let winners = others.fold(0, |winners, (seat, _)| winners | 1 << seat);
        self.rewards = Rewards::share(self.seating.len(), winners);
        self.unfinished = false;
        self.forfeit = Some(Forfeit { agent, why });
        self
    }
}
