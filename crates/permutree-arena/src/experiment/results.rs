use super::cells::Cell;
use super::store::Store;
use crate::{ArenaError, Forfeit, MatchResult, Standing};
use rusqlite::params;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::time::Duration;

/// The stored results of a cell.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct CellResult {
    /// The games requested, of all agents together; `result.games` of them are stored.
    pub wanted: u64,
    /// The result, as that of a match.
    #[serde(flatten)]
    pub result: MatchResult,
    /// The mean length of a game, in moves and chance outcomes; 0 without games.
    pub plies: f64,
    /// The versions of the program that played, in order.
    pub versions: Vec<String>,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PastGame {
    /// Its number in its cell.
    pub number: u64,
    /// Its seed.
    pub seed: u64,
    /// The agent of each seat.
    pub seating: Vec<usize>,
    /// The reward of each seat.
    pub rewards: Vec<f64>,
    /// Whether it was stopped at [`MAX_PLIES`](crate::MAX_PLIES) and scored as a draw.
    pub unfinished: bool,
    /// The moves and chance outcomes.
    pub moves: Vec<String>,
}

impl Store {
    /// The results of a cell: of its first games, up to the number requested.
    pub fn result(&self, cell: &Cell) -> Result<CellResult, ArenaError> {
        self.results(&[cell])
    }

    /// The results of several cells with the same agents, pooled as if they were one.
    ///
    /// # Panics
    ///
    /// If there are no cells.
    pub fn results(&self, cells: &[&Cell]) -> Result<CellResult, ArenaError> {
        let wanted = cells.iter().map(|cell| cell.total()).sum();
        let mut standing = Standing::new(&cells[0].lineup, wanted, cells[0].key.seed);
        let agents = cells[0].key.agents.len();
        let mut found = Found { playouts: vec![0; agents], time: vec![0; agents], ..Found::default() };
        for cell in cells {
            if let Some(id) = self.find_cell(&cell.key)? {
                let whole = self.find(id, cell, &mut found).map_err(|e| self.failed(&e))?;
                if !whole {
                    return Err(self.damaged(cell));
                }
            }
        }
        for (count, outcome) in found.alike.values() {
            standing.add_alike(*count, &outcome.seating, &outcome.rewards);
        }
        let time: Vec<Duration> = found.time.iter().map(|&ns| Duration::from_nanos(ns)).collect();
        standing.add_effort(&found.playouts, &time);
        standing.add_irregular(found.unfinished, found.forfeits);
        let result = standing.result();
        let plies = if result.games == 0 { 0.0 } else { found.plies as f64 / result.games as f64 };
        Ok(CellResult { wanted, result, plies, versions: found.versions.into_iter().collect() })
    }

    /// The stored games of a cell from number `from` on, in order, at most `most`.
    pub fn games(&self, cell: &Cell, from: u64, most: usize) -> Result<Vec<PastGame>, ArenaError> {
        let Some(id) = self.find_cell(&cell.key)? else { return Ok(Vec::new()) };
        let read = || -> rusqlite::Result<Option<Vec<PastGame>>> {
            let mut query = self.db.prepare_cached(
                "SELECT number, seed, seats, rewards, unfinished, moves FROM games JOIN moves USING (cell, number)
                WHERE cell = ? AND number >= ? AND number < ? ORDER BY number LIMIT ?",
            )?;
            let bound = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
            let rows = query.query_map(
                params![id, bound(from), bound(cell.total()), bound(most as u64)],
                |row| {
                    let text = |column: usize| row.get::<_, String>(column);
                    let Some(outcome) = Outcome::read(cell, &text(2)?, &text(3)?) else { return Ok(None) };
                    Ok(Some(PastGame {
                        number: row.get::<_, i64>(0)? as u64,
                        seed: row.get::<_, i64>(1)? as u64,
                        seating: outcome.seating,
                        rewards: outcome.rewards,
                        unfinished: row.get(4)?,
                        moves: text(5)?.split_whitespace().map(String::from).collect(),
                    }))
                },
            )?;
            rows.collect()
        };
        read().map_err(|e| self.failed(&e))?.ok_or_else(|| self.damaged(cell))
    }

    /// Adds the games of a cell. Games with the same seats and rewards are counted together, which leaves few kinds in
    /// most cells. Returns false if one of them is not a valid game of the cell.
    fn find(&self, id: i64, cell: &Cell, found: &mut Found) -> rusqlite::Result<bool> {
        let mut query = self.db.prepare_cached(
            "SELECT seats, rewards, plies, playouts, time_ns, version, unfinished, forfeit, why, number
            FROM games WHERE cell = ? AND number < ?",
        )?;
        let mut kind = String::new();
        let mut rows = query.query(params![id, cell.total() as i64])?;
        while let Some(row) = rows.next()? {
            let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
            kind.clear();
            kind.extend([text(0)?, " ", text(1)?]);
            match found.alike.get_mut(&kind) {
                Some((count, _)) => *count += 1,
                None => {
                    let Some(outcome) = Outcome::read(cell, text(0)?, text(1)?) else { return Ok(false) };
                    found.alike.insert(kind.clone(), (1, outcome));
                }
            }
            found.plies = found.plies.saturating_add_signed(row.get(2)?);
            add_each(&mut found.playouts, text(3)?);
            add_each(&mut found.time, text(4)?);
            let version = text(5)?;
            if !found.versions.contains(version) {
                found.versions.insert(version.to_string());
            }
            found.unfinished += u64::from(row.get::<_, bool>(6)?);
            if let Some(agent) = row.get::<_, Option<i64>>(7)? {
                let agent = usize::try_from(agent).unwrap_or(usize::MAX);
                if agent >= cell.key.agents.len() {
                    return Ok(false);
                }
                let forfeit = Forfeit { agent, why: row.get::<_, Option<String>>(8)?.unwrap_or_default() };
                found.forfeits.push((row.get::<_, i64>(9)? as u64, forfeit));
            }
        }
        Ok(true)
    }
}

/// How a game ended.
struct Outcome {
    seating: Vec<usize>,
    rewards: Vec<f64>,
}

impl Outcome {
    /// Parses the lists of a stored game. `None` if they are not valid in the cell: stores may come from other
    /// machines.
    fn read(cell: &Cell, seats: &str, rewards: &str) -> Option<Self> {
        let (seating, rewards): (Vec<usize>, Vec<f64>) = (numbers(seats), numbers(rewards));
        let (players, agents) = (cell.players(), cell.key.agents.len());
        let fits = seating.len() == players
            && rewards.len() == players
            && seating.iter().all(|&agent| agent < agents)
            && rewards.iter().all(|reward| (0.0..=1.0).contains(reward));
        fits.then_some(Self { seating, rewards })
    }
}

/// Sums over games.
#[derive(Default)]
struct Found {
    /// How often each list of seats occurred with each list of rewards; the key has both, separated by a space.
    alike: BTreeMap<String, (u64, Outcome)>,
    plies: u64,
    playouts: Vec<u64>,
    time: Vec<u64>,
    unfinished: u64,
    forfeits: Vec<(u64, Forfeit)>,
    versions: BTreeSet<String>,
}

/// The numbers of a list, as the store writes it.
pub(super) fn numbers<T: FromStr, C: FromIterator<T>>(list: &str) -> C {
    each(list).collect()
}

fn each<T: FromStr>(list: &str) -> impl Iterator<Item = T> {
    let inside = list.trim_start_matches('[').trim_end_matches(']');
    inside.split(',').filter_map(|number| number.parse().ok())
}

fn add_each(sums: &mut [u64], list: &str) {
    for (sum, number) in sums.iter_mut().zip(each::<u64>(list)) {
        *sum = sum.saturating_add(number);
    }
}
