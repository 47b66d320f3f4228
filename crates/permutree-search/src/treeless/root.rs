use crate::budget::Budget;
use crate::playouts::PlayoutPolicy;
use crate::policies::Evidence;
use crate::report::{FinalMove, MoveReport, Report, arrange, sort};
use crate::tree::{Record, Step};
use crate::treeless::arms::Arms;
use permutree_game::{Code, Game, Rewards, Rng, Turn};
use std::time::Duration;

/// The position that a search without a tree starts from, and the statistics of its moves.
#[derive(Clone)]
pub struct Root<G: Game> {
    /// The game.
    pub game: G,
    /// The position.
    pub position: G::Position,
    /// Whose turn it is.
    pub turn: Turn,
    /// The legal moves, or the outcomes of chance.
    pub moves: Vec<G::Move>,
    pub(crate) arms: Arms,
    /// Playouts so far.
    pub playouts: u64,
    time: Duration,
    deterministic: bool,
}

impl<G: Game> Root<G> {
    /// This position, without statistics yet.
    pub fn new(game: G, position: G::Position) -> Self {
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

    /// Starts over from another position.
    pub fn restart(&mut self, position: G::Position) {
        *self = Self::new(self.game.clone(), position);
    }

    /// The position after these moves.
    pub fn after(&self, moves: &[G::Move]) -> G::Position {
        let mut position = self.position.clone();
        moves.iter().for_each(|&mv| self.game.play(&mut position, mv));
        position
    }

    /// Counts these rewards at the move at `index`.
    pub fn count(&mut self, index: usize, rewards: &Rewards) {
        let reward = if let Turn::Player(player) = self.turn { rewards.of(player) } else { 0.0 };
        self.arms.count(index, reward);
    }

    /// The index of a random move, or of a random outcome of chance.
    pub fn draw(&self, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> usize {
        let drawn = self.game.random_move(&self.position, rng, scratch);
        self.moves.iter().position(|&mv| Some(mv) == drawn).unwrap_or(0)
    }

    /// Makes and counts a playout: the move at `index`, then moves by `policy`. Records it in `record`, which a policy that uses
    /// codes needs and learns from.
    pub fn play_out(
        &mut self,
        index: usize,
        policy: &mut dyn PlayoutPolicy<G>,
        coding: usize,
        rng: &mut Rng,
        mut record: Option<&mut Record>,
    ) {
        let mut position = self.position.clone();
        if let Some(record) = &mut record {
            record.clear();
            record.steps.extend(self.step(index, coding));
        }
        self.game.play(&mut position, self.moves[index]);
        policy.playout(&self.game, &mut position, coding, rng, record.as_deref_mut());
        let rewards = self.game.rewards(&position);
        if let Some(record) = record {
            record.finish(&rewards);
            if policy.coded() {
                policy.learn(record);
            }
        }
        self.count(index, &rewards);
        self.playouts += 1;
    }

    /// The player and the code of the move at `index`; `None` for an outcome of chance.
    pub fn step(&self, index: usize, coding: usize) -> Option<Step> {
        let Turn::Player(player) = self.turn else { return None };
        Some(Step { player, code: self.game.code(&self.position, self.moves[index], coding) })
    }

    /// The codes of all moves; `None` for outcomes of chance.
    pub fn codes(&self, coding: usize) -> Vec<Option<Code>> {
        (0..self.moves.len()).map(|index| self.step(index, coding).map(|step| step.code)).collect()
    }

    /// Chooses this move without a search: it gets the only visit.
    pub fn take(&mut self, mv: Option<G::Move>) {
        if let Some(index) = self.moves.iter().position(|&legal| Some(legal) == mv) {
            self.arms.reset(self.moves.len());
            self.arms.count(index, 0.0);
        }
    }

    /// Adds the time that a call with this budget took.
    pub fn spend(&mut self, budget: &Budget, time: Duration) {
        self.time += time;
        self.deterministic &= budget.is_deterministic();
    }

    /// The report of a search that uses this many bytes of memory. The move to play is the first of `line` or, if that is empty,
    /// the best by `final_move`.
    pub fn report(&self, final_move: FinalMove, line: Vec<G::Move>, memory: usize) -> Report<G::Move> {
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

    /// The report of a search that scores moves by statistics other than their own means. `evidence` has one item per move, in
    /// order. Moves with permutation statistics come first, then those with AMAF, each sorted by mean.
    pub fn report_by(&self, evidence: &[Evidence], memory: usize) -> Report<G::Move> {
        let mut report = self.report(FinalMove::Mean, Vec::new(), memory);
        for found in &mut report.moves {
            Evidence { amaf: found.amaf, permutation: found.permutation, weights: found.weights } =
                evidence[found.index];
        }
        arrange(&mut report.moves, &by_means);
        if self.playouts > 0 {
            report.principal_variation = report.best().into_iter().collect();
        }
        report
    }
}

fn by_means(moves: &mut [MoveReport<usize>]) {
    let rank = |found: &MoveReport<usize>| {
        let sources = [found.permutation, found.amaf];
        sources.map(|source| source.map_or(-1.0, |source| source.mean))
    };
    moves.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1]))
    });
}

/// Plays outcomes of chance until a player is to move or the game is over. Returns whether there were any.
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
