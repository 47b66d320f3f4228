use super::cells::{Cell, CellKey};
use super::file::Experiment;
use super::measurements::Measurement;
use super::probe::Probe;
use super::store::{Store, StoredGame};
use crate::lineup::Crew;
use crate::side_by_side::{side_by_side, threads};
use crate::statistics::Sprt;
use crate::{ArenaError, Duel};
use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Plays the games of an experiment that a store lacks.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// The part of it that this run plays.
    pub shard: Shard,
    /// How many games run in parallel; 0 for one per core.
    pub threads: usize,
    /// Once this test is decided in a cell of two agents in a two-player game, no more of its games are started. It
    /// needs the games in order, so it decides nothing for a shard, which does not have all of them.
    pub sprt: Option<Sprt>,
    /// Once it is true, running games are finished and stored, and no more are started.
    pub stop: &'a AtomicBool,
}

/// One of several parts of an experiment, which have no games in common and together are the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Games and probes requested.
    pub total: u64,
    /// Those that were stored before the run.
    pub found: u64,
    /// Those that it added.
    pub added: u64,
    /// Those that a decided test made unnecessary.
    pub spared: u64,
    /// The log-likelihood ratio of the test that was updated last.
    pub llr: Option<f64>,
}

impl Progress {
    /// Games and probes that are stored or unnecessary.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.found + self.added + self.spared
    }
}

/// A running game.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Glimpse<'a> {
    /// Its cell.
    pub cell: &'a CellKey,
    /// Its number in the cell.
    pub number: u64,
    /// The agent of each seat.
    pub seating: &'a [usize],
    /// The moves and chance outcomes so far.
    pub moves: &'a [String],
}

impl Shard {
    /// The whole experiment.
    pub const WHOLE: Self = Self { part: 0, of: 1 };

    /// Whether an item with this number belongs to the part.
    fn has(self, number: u64) -> bool {
        number % self.of == self.part
    }

    /// How many of `games` games the part has, if it gets whole rounds of `round` games.
    fn count(self, games: u64, round: u64) -> u64 {
        let cycle = round.saturating_mul(self.of);
        games / cycle * round + (games % cycle).saturating_sub(self.part.saturating_mul(round)).min(round)
    }
}

impl FromStr for Shard {
    type Err = String;

    /// Reads `2/5`, the second of five parts.
    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some((part.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part: part - 1, of }),
            _ => Err("must be a part such as 2/5, the second of five".to_string()),
        }
    }
}

/// A job: a game of a cell, or a probe.
enum Job {
    Game { cell: usize, number: u64 },
    Probe(usize),
}

/// The result of a job.
enum Done {
    Game(Box<StoredGame>),
    Probe(Vec<Measurement>),
}

/// The most games that are committed together. A game waits for others only while the store is busy.
const BATCH: usize = 64;

impl Run<'_> {
    /// Plays and stores everything that is missing, cell by cell. `watch` sees the progress from time to time.
    ///
    /// A game depends only on its cell and its number, so runs may be interrupted, repeated and spread over threads,
    /// processes and machines, and the games stay the same.
    pub fn play(&self, store: &mut Store, watch: &mut dyn FnMut(&Progress)) -> Result<Progress, ArenaError> {
        self.play_seen(store, &|_| {}, watch)
    }

    /// The same; `seen` sees every running game after each of its moves, on the thread that plays it.
    pub fn play_seen(
        &self,
        store: &mut Store,
        seen: &(dyn Fn(&Glimpse<'_>) + Sync),
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Progress, ArenaError> {
        let (cells, probes) = self.distinct();
        let ids = cells.iter().map(|cell| store.make_cell(&cell.key)).collect::<Result<Vec<i64>, _>>()?;
        let (jobs, mut progress) = self.jobs(store, &cells, &ids, &probes)?;
        let mut duels = Vec::new();
        for cell in &cells {
            duels.push(self.sprt.map_or(Ok(None), |test| Duel::over(test, cell, store))?);
        }
        let is_decided = |duel: &Option<Duel>| AtomicBool::new(duel.as_ref().is_some_and(Duel::is_decided));
        let decided: Vec<AtomicBool> = duels.iter().map(is_decided).collect();
        let spared = AtomicU64::new(0);
        progress.llr = duels.iter().flatten().last().map(Duel::llr);
        watch(&progress);

        let jobs = Mutex::new(jobs);
        let is_needed = |job: &Job| match job {
            Job::Game { cell, .. } if decided[*cell].load(Ordering::Relaxed) => {
                spared.fetch_add(1, Ordering::Relaxed);
                false
            }
            _ => true,
        };
        let job = || match self.stop.load(Ordering::Relaxed) {
            true => None,
            false => jobs.lock().ok()?.find(is_needed),
        };
        // Each thread has a crew for its current cell.
        type Table = Option<(usize, Crew)>;
        let work = |table: &mut Table, job: Job| -> Result<Done, ArenaError> {
            match job {
                Job::Probe(index) => probes[index].measure().map(Done::Probe),
                Job::Game { cell, number } => {
                    let lineup = &cells[cell].lineup;
                    table.take_if(|(at, _)| *at != cell);
                    let (_, crew) = match table {
                        Some(there) => there,
                        None => table.insert((cell, lineup.crew()?)),
                    };
                    let seed = cells[cell].key.seed + number / lineup.alike();
                    let key = &cells[cell].key;
                    let look = |seating: &[usize], moves: &[String]| {
                        seen(&Glimpse { cell: key, number, seating, moves });
                    };
                    let record = lineup.play(number, seed, 0, crew, &look)?;
                    Ok(Done::Game(Box::new(StoredGame { cell: ids[cell], number, seed, record })))
                }
            }
        };
        let tables: Vec<Table> =
            (0..threads(self.threads, progress.total - progress.found)).map(|_| None).collect();
        side_by_side(tables, job, work, |finished| {
            while let Ok(first) = finished.recv() {
                let (mut games, mut failed) = (Vec::new(), None);
                for done in std::iter::once(first).chain(finished.try_iter().take(BATCH - 1)) {
                    match done {
                        Ok(Done::Game(game)) => games.push(*game),
                        Ok(Done::Probe(measured)) => {
                            store.measure(&measured)?;
                            progress.added += 1;
                        }
                        Err(error) => failed = Some(error),
                    }
                }
                // Finished games are stored even if another job failed.
                store.add(&games)?;
                progress.added += games.len() as u64;
                for (index, duel) in duels.iter_mut().enumerate() {
                    if let Some(duel) = duel.as_mut().filter(|duel| !duel.is_decided())
                        && games.iter().any(|game| game.cell == ids[index])
                    {
                        duel.look(cells[index], store)?;
                        progress.llr = Some(duel.llr());
                        decided[index].store(duel.is_decided(), Ordering::Relaxed);
                    }
                }
                progress.spared = spared.load(Ordering::Relaxed);
                watch(&progress);
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            progress.spared = spared.load(Ordering::Relaxed);
            Ok(progress)
        })
    }

    /// The distinct cells and probes; of cells with the same games, the one with most.
    fn distinct(&self) -> (Vec<&Cell>, Vec<&Probe>) {
        let mut cells: Vec<&Cell> = Vec::new();
        let mut places: HashMap<_, usize> = HashMap::new();
        for cell in self.experiment.cells() {
            match places.get(&cell.key) {
                Some(&place) if cells[place].games < cell.games => cells[place] = cell,
                Some(_) => {}
                None => {
                    places.insert(&cell.key, cells.len());
                    cells.push(cell);
                }
            }
        }
        let mut probes: Vec<&Probe> = self.experiment.probes().collect();
        probes.sort_by_key(|probe| probe.key());
        probes.dedup_by_key(|probe| probe.key());
        (cells, probes)
    }

    /// The jobs that the store lacks, and the progress so far. Shards get whole rounds of seatings, so that seats are
    /// balanced in every shard.
    fn jobs(
        &self,
        store: &Store,
        cells: &[&Cell],
        ids: &[i64],
        probes: &[&Probe],
    ) -> Result<(impl Iterator<Item = Job> + use<>, Progress), ArenaError> {
        let (shard, mut total, mut found) = (self.shard, 0, 0);
        let mut missing = Vec::new();
        for (index, probe) in probes.iter().enumerate().filter(|(index, _)| shard.has(*index as u64)) {
            total += 1;
            match probe.found(store)?.is_empty() {
                true => missing.push(Job::Probe(index)),
                false => found += 1,
            }
        }
        let mut games = Vec::new();
        for (index, (cell, id)) in cells.iter().zip(ids).enumerate() {
            let (wanted, round) = (cell.total(), cell.lineup.rounds());
            let mut played = store.played(*id, wanted)?;
            played.retain(|number| shard.has(number / round));
            total += shard.count(wanted, round);
            found += played.len() as u64;
            // An iterator, since there may be very many.
            let is_missing =
                move |number: &u64| shard.has(number / round) && played.binary_search(number).is_err();
            games.push((0..wanted).filter(is_missing).map(move |number| Job::Game { cell: index, number }));
        }
        Ok((
            missing.into_iter().chain(games.into_iter().flatten()),
            Progress { total, found, ..Progress::default() },
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// When nothing more can be written, stored games are kept, and a later run continues.
    #[test]
    fn a_full_disk() {
        let text = "game = 'tic-tac-toe'\nagents = 'random'\ngames = 3000";
        let experiment = Experiment::parse(Path::new("x.toml"), text).unwrap();
        let path = std::env::temp_dir().join(format!("permutree-full-{}.db", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let stop = AtomicBool::new(false);
        let run = Run { experiment: &experiment, shard: Shard::WHOLE, threads: 2, sprt: None, stop: &stop };
        let mut store = Store::create(&path).unwrap();
        store.db.pragma_update(None, "max_page_count", 40).unwrap();
        let error = run.play(&mut store, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("the disk is full; stored results are safe"), "{error}");
        drop(store);
        let mut store = Store::create(&path).unwrap();
        let done = run.play(&mut store, &mut |_| {}).unwrap();
        assert!(done.found > 0 && done.added > 0, "{done:?}");
        assert_eq!(done.found + done.added, 3000);
        drop(store);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn shards() {
        let read = |text: &str| text.parse::<Shard>();
        assert_eq!(read("1/1"), Ok(Shard::WHOLE));
        assert!((0..6).all(|number| read("2/3").unwrap().has(number) == (number % 3 == 1)));
        for (games, round) in [(0, 1), (1, 2), (7, 2), (12, 2), (100, 6), (5, 6), (23, 1)] {
            for shard in ["1/1", "1/2", "2/2", "3/4", "4/4", "1/30"].map(|text| read(text).unwrap()) {
                let counted = (0..games).filter(|number| shard.has(number / round)).count() as u64;
                assert_eq!(shard.count(games, round), counted, "{shard:?} {games} {round}");
            }
        }
        for wrong in ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
