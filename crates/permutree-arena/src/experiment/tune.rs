use super::cells::Cell;
use super::file::{Experiment, ExperimentTable};
use super::run::{Progress, Run, Shard};
use super::store::Store;
use crate::ArenaError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looks for the best of an experiment's first agents within a number of games, by successive halving (Jamieson and Talwalkar
/// 2016): all play the same number of games, the better half plays on, and so forth until one is left. Every round costs about
/// the same, so the better an agent does, the more games it gets.
///
/// The one that is left was chosen because it did well, so its score flatters it. It then plays as many games again, from other
/// seeds, and those are what it is worth.
#[derive(Clone, Copy, Debug)]
pub struct Tuning<'a> {
    /// Who plays what: agents are candidates if their groups differ. What a candidate is worth is the mean of its cells.
    pub experiment: &'a Experiment,
    /// All games together. A little more may be played, since every seating is played equally often.
    pub games: u64,
    /// As in [`Run`].
    pub threads: usize,
    /// As in [`Run`].
    pub stop: &'a AtomicBool,
}

/// What tuning found.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The candidates of each round, best first.
    pub rounds: Vec<Vec<Candidate>>,
    /// The one that is left, in new games; none if it was stopped before.
    pub check: Option<Candidate>,
}

/// Agents that are tried, and how the first of them does.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The agents as the file names them.
    pub names: Vec<String>,
    /// Games so far, in all cells.
    pub games: u64,
    /// The mean over its cells of the first agent's score.
    pub score: f64,
    /// Its 95 % interval, from those of the cells.
    pub ci95: (f64, f64),
    /// The score in each cell, in the order of the file.
    pub cells: Vec<(Cell, f64)>,
}

/// The seeds of the new games begin so far behind the others.
const NEW_SEEDS: u64 = 1 << 32;

impl Tuning<'_> {
    /// Plays and stores the games. `watch` sees the round, from 1, and how far it is. If it is stopped, the same again goes on
    /// where it was.
    pub fn run(
        &self,
        store: &mut Store,
        watch: &mut dyn FnMut(usize, &Progress),
    ) -> Result<Tuned, ArenaError> {
        let mut left: Vec<Vec<Cell>> = Vec::new();
        for cell in self.experiment.cells() {
            match left.iter_mut().find(|cells| cells[0].key.agents == cell.key.agents) {
                Some(cells) => cells.push(cell.clone()),
                None => left.push(vec![cell.clone()]),
            }
        }
        if left.len() < 2 {
            return Err(ArenaError::NothingToTune);
        }
        let halvings = u64::from(left.len().next_power_of_two().trailing_zeros());
        let mut tuned = Tuned { rounds: Vec::new(), check: None };
        let mut each = 0;
        while left.len() > 1 {
            let cells: u64 = left.iter().map(|cells| cells.len() as u64).sum();
            each += (self.games / (halvings + 1) / cells).max(1);
            let round = tuned.rounds.len() + 1;
            let mut candidates = self.play(store, &left, each, &mut |progress| watch(round, progress))?;
            candidates.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
            tuned.rounds.push(candidates.iter().map(|(_, candidate)| candidate.clone()).collect());
            if self.stop.load(Ordering::Relaxed) {
                return Ok(tuned);
            }
            candidates.truncate(left.len().div_ceil(2));
            left = candidates.into_iter().map(|(cells, _)| cells).collect();
        }
        for cell in left.iter_mut().flatten() {
            cell.key.seed = cell.key.seed.wrapping_add(NEW_SEEDS);
        }
        let round = tuned.rounds.len() + 1;
        let check = self.play(store, &left, each, &mut |progress| watch(round, progress))?;
        if !self.stop.load(Ordering::Relaxed) {
            tuned.check = check.into_iter().next().map(|(_, candidate)| candidate);
        }
        Ok(tuned)
    }

    /// Plays so many games of each cell, and says how the candidates do.
    fn play(
        &self,
        store: &mut Store,
        candidates: &[Vec<Cell>],
        games: u64,
        watch: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<(Vec<Cell>, Candidate)>, ArenaError> {
        let mut candidates = candidates.to_vec();
        for cell in candidates.iter_mut().flatten() {
            cell.games = games.next_multiple_of(cell.round());
        }
        let table = ExperimentTable {
            title: String::new(),
            by_seat: false,
            cells: candidates.concat(),
            probes: Vec::new(),
            totals: Vec::new(),
        };
        let experiment = Experiment { tables: vec![table], ..self.experiment.clone() };
        let run = Run {
            experiment: &experiment,
            shard: Shard::WHOLE,
            threads: self.threads,
            sprt: None,
            stop: self.stop,
        };
        run.play(store, watch)?;
        let judge = |cells: Vec<Cell>| Ok((cells.clone(), Candidate::of(cells, store)?));
        candidates.into_iter().map(judge).collect()
    }
}

impl Candidate {
    fn of(cells: Vec<Cell>, store: &Store) -> Result<Self, ArenaError> {
        let results = cells.iter().map(|cell| store.result(cell)).collect::<Result<Vec<_>, _>>()?;
        let count = cells.len() as f64;
        let first = || results.iter().map(|found| &found.result.agents[0]);
        let score = first().map(|agent| agent.score).sum::<f64>() / count;
        // The intervals of independent cells, added as their variances are.
        let error = |side: &dyn Fn((f64, f64), f64) -> f64| {
            first().map(|agent| side(agent.ci95, agent.score).powi(2)).sum::<f64>().sqrt() / count
        };
        let (below, above) = (error(&|ci95, score| score - ci95.0), error(&|ci95, score| ci95.1 - score));
        Ok(Self {
            names: cells[0].names.clone(),
            games: results.iter().map(|found| found.result.games).sum(),
            score,
            ci95: ((score - below).max(0.0), (score + above).min(1.0)),
            cells: cells.into_iter().zip(first().map(|agent| agent.score)).collect(),
        })
    }
}
