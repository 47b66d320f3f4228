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

/// Plays what a store lacks of an experiment.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What is to be played.
    pub experiment: &'a Experiment,
    /// The part of it that this run plays.
    pub shard: Shard,
    /// How many games run side by side; 0 for as many as the machine has cores.
    pub threads: usize,
    /// No more games are begun in a cell of two agents in a game for two when this test is decided there. It looks at games in
    /// their order, so it decides nothing for a shard, which has not all of them.
    pub sprt: Option<Sprt>,
    /// When it becomes true the games under way are finished and stored, and no more are begun.
    pub stop: &'a AtomicBool,
}

/// One of several parts of an experiment, which have no game in common and together are the whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Games and probes that the run is to leave in the store.
    pub total: u64,
    /// Those that were there when it began.
    pub found: u64,
    /// Those that it added.
    pub added: u64,
    /// Those that a test made needless.
    pub spared: u64,
    /// The log-likelihood ratio of the test that was looked at last.
    pub llr: Option<f64>,
}

impl Progress {
    /// What is there or not needed.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.found + self.added + self.spared
    }
}

/// A game under way.
#[derive(Clone, Copy, Debug)]
pub struct Glimpse<'a> {
    /// Its cell.
    pub cell: &'a CellKey,
    /// Its number in the cell.
    pub number: u64,
    /// The agent of each seat.
    pub seating: &'a [usize],
    /// The moves and outcomes of chance so far.
    pub moves: &'a [String],
}

impl Shard {
    /// Everything.
    pub const WHOLE: Self = Self { part: 0, of: 1 };

    /// Whether something of this number belongs to the part.
    fn has(self, number: u64) -> bool {
        number % self.of == self.part
    }

    /// How many of so many games the part has, if it has whole rounds of this many.
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

/// Something to do: a game of a cell, or a probe.
enum Job {
    Game { cell: usize, number: u64 },
    Probe(usize),
}

/// What came of it.
enum Done {
    Game(Box<StoredGame>),
    Probe(Vec<Measurement>),
}

/// Games that are committed together at most. A game waits for others only while the store is busy.
const BATCH: usize = 64;

impl Run<'_> {
    /// Plays and stores all that is missing, cell by cell. `watch` sees how far it is from time to time.
    ///
    /// A game depends on its cell and its number and on nothing else, so that runs may be interrupted, repeated and spread
    /// over threads, processes and machines: the games are the same.
    pub fn play(&self, store: &mut Store, watch: &mut dyn FnMut(&Progress)) -> Result<Progress, ArenaError> {
        self.play_seen(store, &|_| {}, watch)
    }

    /// The same; `seen` sees every game under way after each of its moves, on the thread that plays it.
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
        // Each thread has somebody to play for the agents of the cell that it is at.
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
                // What was finished is kept whatever happened beside it.
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

    /// The cells, each once: where several ask for the same games, the one that asks for most.
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

    /// What is missing in the store, and how much there is to have. Games are dealt to shards by whole rounds of seatings,
    /// so that seats are even in every shard.
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
            // Not a list: there may be very many.
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

    /// When nothing more can be written, what was stored stays, and a later run goes on.
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
        assert!(error.contains("the disk is full; what was stored before is safe"), "{error}");
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
