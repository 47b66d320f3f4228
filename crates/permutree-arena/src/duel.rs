use crate::statistics::{Elo, Pairs, Pentanomial, Sprt, SprtVerdict};
use serde::Serialize;

/// Two agents in a two-player game, counted by pairs of games with seats swapped, and the SPRT that may end their
/// match.
#[derive(Clone, Debug)]
pub struct Duel {
    test: Option<Sprt>,
    pairs: Pairs,
    games: u64,
    llr: f64,
    verdict: SprtVerdict,
}

/// The results of pairs of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PairsResult {
    /// The pairs in which the first agent scored 0, 1/2, 1, 3/2 and 2 points. Whole numbers, unless some rewards lie
    /// between those of wins, draws and losses.
    pub counts: [f64; 5],
    /// The Elo difference.
    pub elo: Elo,
    /// The normalized Elo difference.
    pub normalized_elo: Elo,
    /// The likelihood of superiority.
    pub superiority: f64,
}

/// The state of an SPRT.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SprtResult {
    /// The Elo difference under H0.
    pub elo0: f64,
    /// The Elo difference under H1, which is larger.
    pub elo1: f64,
    /// The log-likelihood ratio so far.
    pub llr: f64,
    /// At this ratio or below, the test accepts H0.
    pub lower: f64,
    /// At this ratio or above, the test accepts H1.
    pub upper: f64,
    /// The verdict.
    pub verdict: SprtVerdict,
}

impl Duel {
    /// A duel without games yet. Without a test it is never decided.
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

    /// The results of the pairs.
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

    /// The state of the test, if there is one.
    #[must_use]
    pub fn sprt(&self) -> Option<SprtResult> {
        self.test.map(|test| test.result(self.llr))
    }

    /// The log-likelihood ratio; 0 without a test.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The verdict of the test.
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
    /// The state of the test at this log-likelihood ratio.
    #[must_use]
    pub fn result(&self, llr: f64) -> SprtResult {
        let (lower, upper) = self.bounds();
        SprtResult { elo0: self.elo0(), elo1: self.elo1(), llr, lower, upper, verdict: self.verdict(llr) }
    }
}
