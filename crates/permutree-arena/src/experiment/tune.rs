use super::cells::Cell;
use super::file::{Experiment, ExperimentTable};
use super::run::{Progress, Run, Shard};
use super::store::Store;
use crate::ArenaError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Finds the best of an experiment's first agents within a number of games, by successive halving (Jamieson and
/// Talwalkar 2016): all play the same number of games, the better half continues, and so on until one is left. Every
/// round costs about the same, so better agents get more games.
///
/// The winner was chosen by its score, which is therefore too high. It then plays as many games again with new seeds,
/// whose score is unbiased.
#[derive(Clone, Copy, Debug)]
pub struct Tuning<'a> {
    /// The experiment. Every distinct group of agents is a candidate; its score is the mean over its cells.
    pub experiment: &'a Experiment,
    /// The total number of games. Slightly more may be played, since every seating is played equally often.
    pub games: u64,
    /// As in [`Run`].
    pub threads: usize,
    /// As in [`Run`].
    pub stop: &'a AtomicBool,
}

/// The result of tuning.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Tuned {
    /// The candidates of each round, best first.
    pub rounds: Vec<Vec<Candidate>>,
    /// The winner in new games; `None` if tuning was stopped before.
    pub check: Option<Candidate>,
}

/// A group of agents and the score of its first agent.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Candidate {
    /// The agents as the file names them.
    pub names: Vec<String>,
    /// Games so far, in all cells.
    pub games: u64,
    /// The mean over its cells of the first agent's score.
    pub score: f64,
    /// Its 95 % confidence interval, from those of the cells.
    pub ci95: (f64, f64),
    /// The score in each cell, in the order of the file.
    pub cells: Vec<(Cell, f64)>,
}

/// The offset from the first seeds to those of the new games.
const NEW_SEEDS: u64 = 1 << 32;

impl Tuning<'_> {
    /// Plays and stores the games. `watch` sees the round, from 1, and its progress. If it was stopped, the same call
    /// continues.
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

    /// Plays this many games of each cell, and scores the candidates.
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
        // The cells are independent, so the squares of their errors add up.
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
