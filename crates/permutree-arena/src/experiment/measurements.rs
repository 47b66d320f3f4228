use super::store::{Store, VERSION};
use crate::ArenaError;
use permutree_zoo::Presence;
use rusqlite::params;
use std::ops::Range;

/// A number that was measured: playouts per second (`bench`), how often codes occur (`codes`) or the cost of a search
/// (`search`).
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The command that measured.
    pub command: String,
    /// The game's canonical spec; empty for all games.
    pub game: String,
    /// The agent's canonical spec; empty without one.
    pub agent: String,
    /// What was measured, as the command's JSON names it.
    pub quantity: String,
    /// The number of playouts.
    pub playouts: u64,
    /// The seed.
    pub seed: u64,
    /// The value.
    pub value: f64,
    /// Further information: for `bench`, the signature of the search.
    pub note: String,
}

/// One quantity over versions and runs of the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trend {
    /// Every measurement of it, oldest first; there is at least one.
    pub runs: Vec<PastMeasurement>,
}

/// A stored measurement, with its version and time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PastMeasurement {
    /// What was measured.
    pub measurement: Measurement,
    /// The version of the program.
    pub version: String,
    /// The time in UTC, such as `2026-01-31T12:00:00Z`.
    pub time: String,
}

impl Measurement {
    /// Identifies what is measured.
    fn subject(&self) -> (&str, &str, &str, &str, u64, u64) {
        (&self.command, &self.game, &self.agent, &self.quantity, self.playouts, self.seed)
    }

    /// The measurements of `codes` for a game.
    #[must_use]
    pub fn of_presence(game: &str, playouts: u64, seed: u64, presence: &Presence) -> Vec<Self> {
        let plain = [("moves", presence.moves as f64), ("plies", presence.plies)];
        let each = plain.into_iter().chain(presence.codings.iter().copied());
        let measured = |(quantity, value): (&str, f64)| Self {
            command: "codes".to_string(),
            game: game.to_string(),
            agent: String::new(),
            quantity: quantity.to_string(),
            playouts,
            seed,
            value,
            note: String::new(),
        };
        each.map(measured).collect()
    }
}

impl Store {
    /// Stores measurements, all of them or none. Results of `codes` depend only on the seed, so each is stored once per
    /// version; speeds are stored every time.
    pub fn measure(&mut self, measurements: &[Measurement]) -> Result<(), ArenaError> {
        let add = |db: &mut rusqlite::Connection| {
            let writing = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            for m in measurements {
                writing
                    .prepare_cached(
                        "INSERT INTO measurements (command, game, agent, quantity, playouts, seed, value, note, version, time)
                        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
                        WHERE ?1 <> 'codes' OR NOT EXISTS (SELECT * FROM measurements
                            WHERE (command, game, agent, quantity, playouts, seed, value, note, version)
                                = (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9))",
                    )?
                    .execute(params![
                        m.command,
                        m.game,
                        m.agent,
                        m.quantity,
                        m.playouts as i64,
                        m.seed as i64,
                        m.value,
                        m.note,
                        VERSION,
                    ])?;
            }
            writing.commit()
        };
        let added = add(&mut self.db);
        added.map_err(|error| self.failed(&error))
    }

    /// The last results of `codes` for a game, by quantity; empty without any.
    pub(super) fn presence(
        &self,
        game: &str,
        playouts: u64,
        seed: u64,
    ) -> Result<Vec<(String, f64)>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<(String, f64)>> {
            let sql = "SELECT quantity, value, max(id) AS last FROM measurements
                WHERE command = 'codes' AND game = ? AND agent = '' AND playouts = ? AND seed = ?
                GROUP BY quantity ORDER BY last";
            let mut query = self.db.prepare_cached(sql)?;
            query
                .query_map(params![game, playouts as i64, seed as i64], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        };
        read().map_err(|e| self.failed(&e))
    }

    /// The last measurement of each of an agent's searches for the first move, in the order of their seeds.
    pub(super) fn searched(
        &self,
        game: &str,
        agent: &str,
        quantity: &str,
        seeds: Range<u64>,
    ) -> Result<Vec<f64>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<f64>> {
            let sql = "SELECT value, max(id) FROM measurements
                WHERE command = 'search' AND game = ? AND agent = ? AND quantity = ? AND seed >= ? AND seed < ?
                GROUP BY seed ORDER BY seed";
            let mut query = self.db.prepare_cached(sql)?;
            let key = params![game, agent, quantity, seeds.start as i64, seeds.end as i64];
            query.query_map(key, |row| row.get(0))?.collect()
        };
        read().map_err(|e| self.failed(&e))
    }

    /// Every quantity that was measured, in order, with all its values.
    pub fn history(&self) -> Result<Vec<Trend>, ArenaError> {
        let read = || -> rusqlite::Result<Vec<Trend>> {
            let mut query = self.db.prepare(
                "SELECT command, game, agent, quantity, playouts, seed, value, note, version, time FROM measurements
                ORDER BY command, game, agent, quantity, playouts, seed, time, id",
            )?;
            let mut trends: Vec<Trend> = Vec::new();
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let measurement = Measurement {
                    command: row.get(0)?,
                    game: row.get(1)?,
                    agent: row.get(2)?,
                    quantity: row.get(3)?,
                    playouts: row.get::<_, i64>(4)? as u64,
                    seed: row.get::<_, i64>(5)? as u64,
                    value: row.get(6)?,
                    note: row.get(7)?,
                };
                let run = PastMeasurement { measurement, version: row.get(8)?, time: row.get(9)? };
                let same =
                    |trend: &&mut Trend| trend.runs[0].measurement.subject() == run.measurement.subject();
                match trends.last_mut().filter(same) {
                    Some(trend) => trend.runs.push(run),
                    None => trends.push(Trend { runs: vec![run] }),
                }
            }
            Ok(trends)
        };
        read().map_err(|e| self.failed(&e))
    }
}
