//! The test over what a store holds of a cell, in the order of the numbers of games: its verdict does not depend on which were
//! finished first.

use super::cells::Cell;
use super::store::Store;
use crate::statistics::Sprt;
use crate::{ArenaError, Duel};

/// Games that are read at a time.
const CHUNK: usize = 1000;

impl Duel {
    /// The test over a cell's games; `None` unless two agents play a game for two there.
    pub fn over(test: Sprt, cell: &Cell, store: &Store) -> Result<Option<Self>, ArenaError> {
        if cell.players() != 2 || cell.key.agents.len() != 2 {
            return Ok(None);
        }
        let mut duel = Self::new(Some(test));
        duel.look(cell, store)?;
        Ok(Some(duel))
    }

    /// Adds the games that have come since, as far as none is missing between them and the test is not decided.
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
