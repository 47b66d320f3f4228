//! The SPRT over the stored games of a cell, in the order of their numbers, so that its verdict does not depend on
//! which finished first.

use super::cells::Cell;
use super::store::Store;
use crate::statistics::Sprt;
use crate::{ArenaError, Duel};

/// The number of games read at a time.
const CHUNK: usize = 1000;

impl Duel {
    /// The test over a cell's games; `None` unless two agents play a two-player game.
    pub fn over(test: Sprt, cell: &Cell, store: &Store) -> Result<Option<Self>, ArenaError> {
        if cell.players() != 2 || cell.key.agents.len() != 2 {
            return Ok(None);
        }
        let mut duel = Self::new(Some(test));
        duel.look(cell, store)?;
        Ok(Some(duel))
    }

    /// Adds new games, up to the first that is missing or until the test is decided.
    pub fn look(&mut self, cell: &Cell, store: &Store) -> Result<(), ArenaError> {
        loop {
            let games = store.games(cell, self.games(), CHUNK)?;
            let read = games.len();
            for game in games {
                if game.number != self.games() || self.is_decided() {
                    return Ok(());
                }
                self.add(game.number, &game.seating, &game.rewards);
            }
            if read < CHUNK {
                return Ok(());
            }
        }
    }
}
