use crate::budget::Budget;
use crate::report::{FinalMove, MoveReport, Report, sort};
use crate::tally::{fixed, mean};
use permutree_game::{Game, Rewards, Turn};
use std::time::Duration;

/// The position that a search without a tree starts from, and what it knows of each move there.
pub(crate) struct Root<G: Game> {
    pub(crate) game: G,
    pub(crate) position: G::Position,
    pub(crate) turn: Turn,
    pub(crate) moves: Vec<G::Move>,
    /// How often each move was tried, and the sum of the rewards of the player to move, in units of 1 / 65536.
    visits: Vec<u32>,
    rewards: Vec<u64>,
    pub(crate) playouts: u64,
    time: Duration,
    deterministic: bool,
}

impl<G: Game> Root<G> {
    pub(crate) fn new(game: G, position: G::Position) -> Self {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        Self {
            turn: game.turn(&position),
            visits: vec![0; moves.len()],
            rewards: vec![0; moves.len()],
            game,
            position,
            moves,
            playouts: 0,
            time: Duration::ZERO,
            deterministic: true,
        }
    }

    /// Forgets everything and starts over from another position.
    pub(crate) fn restart(&mut self, position: G::Position) {
        *self = Self::new(self.game.clone(), position);
    }

    /// Counts a result of the move at `index`.
    pub(crate) fn count(&mut self, index: usize, rewards: &Rewards) {
        self.visits[index] += 1;
        if let Turn::Player(player) = self.turn {
            self.rewards[index] += u64::from(fixed(rewards.of(player)));
        }
    }

    /// Takes this move without a search: it has the only visit.
    pub(crate) fn take(&mut self, mv: Option<G::Move>) {
        if let Some(index) = self.moves.iter().position(|&legal| Some(legal) == mv) {
            self.visits.fill(0);
            self.visits[index] = 1;
        }
    }

    /// The mean reward of the move at `index` for the player to move.
    pub(crate) fn mean(&self, index: usize) -> f64 {
        mean(self.visits[index], self.rewards[index])
    }

    /// Enters what a search used.
    pub(crate) fn spend(&mut self, budget: &Budget, time: Duration) {
        self.time += time;
        self.deterministic &= budget.is_deterministic();
    }

    /// The report of a search that holds this much memory. The first move of `line` is the one to play; if the line is
    /// empty, the best by `final_move` is.
    pub(crate) fn report(&self, final_move: FinalMove, line: Vec<G::Move>, memory: usize) -> Report<G::Move> {
        let mut moves: Vec<MoveReport<G::Move>> = (0..self.moves.len())
            .map(|index| MoveReport {
                mv: self.moves[index],
                index,
                visits: u64::from(self.visits[index]),
                mean: self.mean(index),
                amaf: None,
                permutation: None,
                weights: [1.0, 0.0, 0.0],
                proven: None,
            })
            .collect();
        sort(&mut moves, final_move);
        let chosen = line.first().and_then(|&first| moves.iter().position(|found| found.mv == first));
        if let Some(chosen) = chosen {
            moves[..=chosen].rotate_right(1);
        }
        let best = moves.first().filter(|found| found.visits > 0).map(|found| found.mv);
        Report {
            turn: self.turn,
            playouts: self.playouts,
            time: self.time,
            deterministic: self.deterministic,
            nodes: 0,
            memory,
            full: false,
            moves,
            principal_variation: if line.is_empty() { best.into_iter().collect() } else { line },
        }
    }
}
