use crate::playouts::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::statistics::CodeMeans;
use crate::statistics::tally::{ONE, mean};
use crate::tree::{Record, Step};
use crate::treeless::Treeless;
use crate::treeless::root::Root;
use crate::treeless::shortlist::{Scope, Shortlist};
use permutree_game::{Code, Game, MAX_PLAYERS, Player, Rewards, Rng, Turn};

/// Standard global search, the baseline of Virtual Global Search in the slides (Cazenave and Helmstetter 2005 for the choice
/// of moves): the same w moves of each player, but played, to depth d, with g random games from every leaf.
///
/// In each position it tries those of the player's w moves that are legal, the best by AMAF first. Each player maximises their
/// own reward, with the pruning of [`Vgs`](super::Vgs). A leaf is a position at depth d, one without legal moves from the list,
/// one where chance moves next, or the end of the game, which needs only one game.
///
/// The search ends when all leaves have their games, even if budget is left.
pub struct Global<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    coding: usize,
    scope: Scope,
    games: u32,
    means: CodeMeans,
    list: Shortlist,
    stage: Stage,
    /// The positions from the root to the leaf. Those from `open` on are free for reuse.
    levels: Vec<Level<G>>,
    open: usize,
    leaf: G::Position,
    leaf_games: u32,
    /// The sums of the leaf's rewards, in units of 1 / 65536.
    leaf_sums: [u64; MAX_PLAYERS],
    /// The best line so far.
    line: Vec<G::Move>,
    /// The greatest sum of rewards in a game.
    whole: f64,
    record: Record,
    rng: Rng,
    scratch: Vec<G::Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Games that choose the moves.
    Choosing,
    Searching,
    Finished,
}

/// A position on the path to the leaf.
struct Level<G: Game> {
    position: G::Position,
    player: Player,
    /// The moves to try, with their codes.
    moves: Vec<(G::Move, Code)>,
    next: usize,
    best: Option<Rewards>,
    /// The moves from here that lead to `best`.
    line: Vec<G::Move>,
}

impl<G: Game> Global<G> {
    /// A search from `root` with this many games from each leaf, at least 1.
    pub fn new(
        game: G,
        root: G::Position,
        playouts: Box<dyn PlayoutPolicy<G>>,
        coding: usize,
        scope: Scope,
        games: u32,
        rng: Rng,
    ) -> Self {
        Self {
            means: CodeMeans::new(game.codes(coding)),
            leaf: root.clone(),
            root: Root::new(game, root),
            playouts,
            coding,
            scope,
            games,
            list: Shortlist::default(),
            stage: Stage::Choosing,
            levels: Vec::new(),
            open: 0,
            leaf_games: 0,
            leaf_sums: [0; MAX_PLAYERS],
            line: Vec::new(),
            whole: 0.0,
            record: Record::default(),
            rng,
            scratch: Vec::new(),
        }
    }

    /// Plays a game of those that choose the moves. If chance is to move at the root, the search stays in this stage.
    fn choose(&mut self) {
        let index = self.root.draw(&mut self.rng, &mut self.scratch);
        let record = Some(&mut self.record);
        self.root.play_out(index, &mut *self.playouts, self.coding, &mut self.rng, record);
        self.means.learn(&self.record);
        self.note_whole();
        if self.root.playouts >= self.scope.pre && self.root.turn != Turn::Chance {
            let Self { root, means, coding, scope, rng, .. } = self;
            self.list = Shortlist::choose(root, means, *coding, *scope, rng);
            self.leaf.clone_from(&self.root.position);
            self.stage = if self.enter() { Stage::Searching } else { Stage::Finished };
            if self.stage == Stage::Searching {
                self.descend();
            }
        }
    }

    fn note_whole(&mut self) {
        let sum: u64 = self.record.rewards[..self.root.game.players()].iter().map(|&x| u64::from(x)).sum();
        self.whole = self.whole.max(sum as f64 / f64::from(ONE));
    }

    /// Plays a game from the leaf. After its last game the search moves on to the next leaf.
    fn sample(&mut self) {
        let game = &self.root.game;
        let over = game.turn(&self.leaf) == Turn::Over;
        let mut position = self.leaf.clone();
        self.record.clear();
        for level in &self.levels[..self.open] {
            let (_, code) = level.moves[level.next];
            self.record.steps.push(Step { player: level.player, code });
        }
        let record = Some(&mut self.record);
        self.playouts.playout(game, &mut position, self.coding, &mut self.rng, record);
        let rewards = game.rewards(&position);
        self.record.finish(&rewards);
        if self.playouts.coded() {
            self.playouts.learn(&self.record);
        }
        self.note_whole();
        let first = self.levels[0].moves[self.levels[0].next].0;
        if let Some(index) = self.root.moves.iter().position(|&mv| mv == first) {
            self.root.count(index, &rewards);
        }
        self.root.playouts += 1;
        self.leaf_games += 1;
        self.leaf_sums.iter_mut().zip(self.record.rewards).for_each(|(sum, x)| *sum += u64::from(x));
        if over || self.leaf_games == self.games {
            let means = self.leaf_sums.map(|sum| mean(self.leaf_games, sum));
            self.back_up(Rewards::from_slice(&means[..self.root.game.players()]));
        }
    }

    /// Backs up the value of the leaf to a position with moves left to try, and descends to the next leaf.
    fn back_up(&mut self, mut value: Rewards) {
        let mut line = Vec::new();
        while let Some((level, above)) = self.levels[..self.open].split_last_mut() {
            if level.best.is_none_or(|best| value.of(level.player) > best.of(level.player)) {
                level.best = Some(value);
                level.line.clear();
                level.line.push(level.moves[level.next].0);
                level.line.append(&mut line);
            }
            let best = level.best.unwrap_or(value);
            let pruned = above.last().is_some_and(|above| {
                above.player != level.player
                    && above
                        .best
                        .is_some_and(|bound| self.whole - best.of(level.player) <= bound.of(above.player))
            });
            level.next += 1;
            if above.is_empty() {
                self.line.clone_from(&level.line);
            }
            if level.next < level.moves.len() && !pruned {
                self.descend();
                return;
            }
            value = best;
            line.clone_from(&level.line);
            self.open -= 1;
        }
        self.stage = Stage::Finished;
    }

    /// Plays the next move of the innermost position, then the first move of every position, down to a leaf.
    fn descend(&mut self) {
        loop {
            let level = &self.levels[self.open - 1];
            self.leaf.clone_from(&level.position);
            self.root.game.play(&mut self.leaf, level.moves[level.next].0);
            if self.open == self.scope.depth || !self.enter() {
                break;
            }
        }
        self.leaf_games = 0;
        self.leaf_sums = [0; MAX_PLAYERS];
    }

    /// Makes the leaf the innermost position, if a listed move is legal there. Returns whether it did.
    fn enter(&mut self) -> bool {
        let game = &self.root.game;
        let Turn::Player(player) = game.turn(&self.leaf) else { return false };
        if self.open == self.levels.len() {
            self.levels.push(Level {
                position: self.leaf.clone(),
                player,
                moves: Vec::new(),
                next: 0,
                best: None,
                line: Vec::new(),
            });
        }
        let level = &mut self.levels[self.open];
        level.position.clone_from(&self.leaf);
        level.player = player;
        (level.next, level.best) = (0, None);
        level.line.clear();
        self.scratch.clear();
        game.moves(&self.leaf, &mut self.scratch);
        let codes = &self.list.codes[player.index()];
        let rank = |&mv: &G::Move| {
            let code = game.code(&self.leaf, mv, self.coding);
            codes.iter().position(|&listed| listed == code)
        };
        let ranks = self.scratch.iter().map(rank).enumerate();
        let mut listed: Vec<_> = ranks.filter_map(|(place, rank)| Some((rank?, place))).collect();
        listed.sort_unstable();
        listed.truncate(self.scope.width);
        level.moves.clear();
        level.moves.extend(listed.iter().map(|&(rank, place)| (self.scratch[place], codes[rank])));
        let any = !level.moves.is_empty();
        self.open += usize::from(any);
        any
    }
}

impl<G: Game> Treeless for Global<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        match self.stage {
            Stage::Choosing => self.choose(),
            _ => self.sample(),
        }
    }

    fn is_finished(&self) -> bool {
        self.stage == Stage::Finished
    }

    fn report(&mut self) -> Report<G::Move> {
        let memory = self.playouts.memory() + self.means.memory();
        let first = self.levels[..self.open].first().map(|level| level.moves[0].0);
        let line = if self.line.is_empty() { first.into_iter().collect() } else { self.line.clone() };
        self.root.report(FinalMove::Mean, line, memory)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.playouts.restart();
        self.means.decay(0.0);
        self.stage = Stage::Choosing;
        self.open = 0;
        self.line.clear();
        self.whole = 0.0;
        self.rng = rng;
    }
}
