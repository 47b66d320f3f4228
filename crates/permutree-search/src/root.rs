use crate::arms::Arms;
use crate::budget::Budget;
use crate::report::{FinalMove, MoveReport, Report, sort};
use permutree_game::{Game, Rewards, Rng, Turn};
use std::time::Duration;

/// The position that a search without a tree starts from, and what it knows of each move there.
#[derive(Clone)]
pub(crate) struct Root<G: Game> {
    pub(crate) game: G,
    pub(crate) position: G::Position,
    pub(crate) turn: Turn,
    pub(crate) moves: Vec<G::Move>,
    pub(crate) arms: Arms,
    pub(crate) playouts: u64,
    time: Duration,
    deterministic: bool,
}

impl<G: Game> Root<G> {
    pub(crate) fn new(game: G, position: G::Position) -> Self {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        let mut arms = Arms::default();
        arms.reset(moves.len());
        Self {
            turn: game.turn(&position),
            arms,
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
        let reward = if let Turn::Player(player) = self.turn { rewards.of(player) } else { 0.0 };
        self.arms.count(index, reward);
    }

    /// Takes this move without a search: it has the only visit.
    pub(crate) fn take(&mut self, mv: Option<G::Move>) {
        if let Some(index) = self.moves.iter().position(|&legal| Some(legal) == mv) {
            self.arms.reset(self.moves.len());
            self.arms.count(index, 0.0);
        }
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
                visits: u64::from(self.arms.visits(index)),
                mean: self.arms.mean(index),
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

/// Plays outcomes of chance until a player is to move or the game is over. Whether there were any.
pub(crate) fn pass_chance<G: Game>(
    game: &G,
    position: &mut G::Position,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> bool {
    let mut passed = false;
    while game.turn(position) == Turn::Chance
        && let Some(outcome) = game.random_move(position, rng, scratch)
    {
        game.play(position, outcome);
        passed = true;
    }
    passed
}
