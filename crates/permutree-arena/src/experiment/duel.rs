use super::cells::Cell;
use super::store::Store;
use crate::ArenaError;
use crate::statistics::{Pairs, Sprt, SprtVerdict};

/// A test over the games of a cell, in the order of their numbers, so that its verdict does not depend on which were
/// finished first.
#[derive(Clone, Debug)]
pub struct Duel {
    test: Sprt,
    pairs: Pairs,
    /// The games that were looked at: all below this number.
    games: u64,
    llr: f64,
    verdict: SprtVerdict,
}

/// Games that are read at a time.
const CHUNK: usize = 1000;

impl Duel {
    /// The test over what a store holds of a cell; none if the cell is not one of two agents in a game for two.
    pub fn new(test: Sprt, cell: &Cell, store: &Store) -> Result<Option<Self>, ArenaError> {
        if cell.players() != 2 || cell.key.agents.len() != 2 {
            return Ok(None);
        }
        let (pairs, verdict) = (Pairs::default(), SprtVerdict::Undecided);
        let mut duel = Self { test, pairs, games: 0, llr: 0.0, verdict };
        duel.look(cell, store)?;
        Ok(Some(duel))
    }

    /// Adds the games that have come since, as far as none is missing between them and the test is not decided.
    pub fn look(&mut self, cell: &Cell, store: &Store) -> Result<(), ArenaError> {
        loop {
            let games = store.games(cell, self.games, CHUNK)?;
            let read = games.len();
            for game in games {
                if game.number != self.games || self.is_decided() {
                    return Ok(());
                }
                self.games += 1;
                let mut seats = game.seating.iter().zip(&game.rewards);
                let first = seats.find(|(agent, _)| **agent == 0).map_or(0.5, |(_, reward)| *reward);
                if self.pairs.add(game.number, first) {
                    self.llr = self.test.llr(self.pairs.counts());
                    self.verdict = self.test.verdict(self.llr);
                }
            }
            if read < CHUNK {
                return Ok(());
            }
        }
    }

    /// The games that the test has seen.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The log-likelihood ratio.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// What the test says.
    #[must_use]
    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }

    /// Whether it says something.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.verdict != SprtVerdict::Undecided
    }
}
