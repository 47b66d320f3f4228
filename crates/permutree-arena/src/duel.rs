use crate::statistics::{Elo, Pairs, Pentanomial, Sprt, SprtVerdict};
use serde::Serialize;

/// Two agents in a game for two, by pairs of games in which they swap seats, and the test that may end their match.
#[derive(Clone, Debug)]
pub struct Duel {
    test: Option<Sprt>,
    pairs: Pairs,
    games: u64,
    llr: f64,
    verdict: SprtVerdict,
}

/// What pairs of games show.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PairsResult {
    /// Pairs that brought the first agent 0, 1/2, 1, 3/2 and 2 points. Whole, unless rewards were between those of wins, draws and
    /// losses.
    pub counts: [f64; 5],
    /// The difference in Elo.
    pub elo: Elo,
    /// The difference in normalized Elo.
    pub normalized_elo: Elo,
    /// The likelihood of superiority.
    pub superiority: f64,
}

/// How a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SprtResult {
    /// The smaller difference in Elo.
    pub elo0: f64,
    /// The larger difference in Elo.
    pub elo1: f64,
    /// The log-likelihood ratio so far.
    pub llr: f64,
    /// The test ends below this, for `elo0`.
    pub lower: f64,
    /// The test ends above this, for `elo1`.
    pub upper: f64,
    /// What it says.
    pub verdict: SprtVerdict,
}

impl Duel {
    /// No games yet. Without a test nothing is ever decided.
    #[must_use]
    pub fn new(test: Option<Sprt>) -> Self {
        Self { test, pairs: Pairs::default(), games: 0, llr: 0.0, verdict: SprtVerdict::Undecided }
    }

    /// Adds a game: its number, the agent of each seat, and the rewards.
    pub fn add(&mut self, number: u64, seating: &[usize], rewards: &[f64]) {
        self.games += 1;
        let mut seats = seating.iter().zip(rewards);
        let first = seats.find(|(agent, _)| **agent == 0).map_or(0.5, |(_, reward)| *reward);
        if self.pairs.add(number, first)
            && let Some(test) = self.test
        {
            self.llr = test.llr(self.pairs.counts());
            self.verdict = test.verdict(self.llr);
        }
    }

    /// The games so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The pairs so far.
    #[must_use]
    pub fn counts(&self) -> &Pentanomial {
        self.pairs.counts()
    }

    /// What the pairs show.
    #[must_use]
    pub fn pairs(&self) -> PairsResult {
        let counts = self.counts();
        PairsResult {
            counts: counts.0,
            elo: counts.elo(),
            normalized_elo: counts.normalized_elo(),
            superiority: counts.superiority(),
        }
    }

    /// How the test stands, if there is one.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtResult> {
        self.test.map(|test| test.result(self.llr))
    }

    /// The log-likelihood ratio; 0 without a test.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// What the test says.
    #[must_use]
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }

    /// Whether the test is decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != SprtVerdict::Undecided
    }
}

impl Sprt {
    /// The test at this log-likelihood ratio.
    #[must_use]
    pub fn result(&self, llr: f64) -> SprtResult {
        let (lower, upper) = self.bounds();
        SprtResult { elo0: self.elo0(), elo1: self.elo1(), llr, lower, upper, verdict: self.verdict(llr) }
    }
}
