use crate::report::{FinalMove, Report};
use crate::treeless::Treeless;
use crate::treeless::incumbent::Incumbent;
use crate::treeless::root::Root;
use permutree_game::{Game, Rng, Turn};

mod softmax;
pub(crate) use softmax::{Numbers, Plies, Softmax};

/// Nested Rollout Policy Adaptation (Rosin 2011).
///
/// A policy has a weight w for every code, and playouts draw moves in proportion to exp w. A search of level 0 is such a
/// playout. A search of level l starts with the policy of the search above it and makes n searches of level l - 1; after each
/// it adapts its policy to the best sequence found so far. While the budget lasts, the search of the highest level is
/// repeated with a new policy of zeros.
///
/// With one player and without chance, the best sequence of all is played and remembered from move to move. Otherwise the best
/// sequence is the best for the player to move at the root, and the root's move with the best mean is played.
///
/// The state of every level is explicit, so that a search can stop after any playout and continue from there.
pub struct Nrpa<G: Game> {
    root: Root<G>,
    coding: usize,
    learning: Learning,
    rng: Rng,
    numbers: Numbers,
    /// The active searches, level 1 first.
    levels: Vec<Level>,
    /// The last playout: its moves, and the choices to learn from.
    moves: Vec<G::Move>,
    plies: Plies,
    /// The best sequence of the search.
    best: Incumbent<G::Move>,
    /// Whether chance has occurred: then sequences cannot be followed.
    chance: bool,
    position: G::Position,
    legal: Vec<G::Move>,
}

/// The parameters of [`Nrpa`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// The number of levels above the playouts, at least 1.
    pub level: usize,
    /// The number of searches of the level below, at least 1.
    pub n: u32,
    /// The learning rate.
    pub alpha: f64,
    /// How the policy is adapted.
    pub form: Form,
}

/// How a policy is adapted to a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Aalabou and Delar, "Monte Carlo Search algorithms for Order & Chaos", equation 7: each move of the sequence gains
    /// alpha times the sequence's reward for the player who makes it.
    Report,
    /// Rosin's: each move of the sequence gains alpha, and every legal move in its position loses alpha times its probability.
    /// With several players only the moves of the player to move at the root are adapted.
    Standard,
}

/// The state of a search of one level.
#[derive(Default)]
struct Level {
    policy: Softmax,
    best: Option<f64>,
    plies: Plies,
    done: u32,
}

impl<G: Game> Nrpa<G> {
    /// A search from `root` with policies over the codes of `coding`.
    pub fn new(game: G, root: G::Position, coding: usize, learning: Learning, rng: Rng) -> Self {
        Self {
            numbers: Numbers::new(game.codes(coding)),
            levels: (0..learning.level.max(1)).map(|_| Level::default()).collect(),
            position: root.clone(),
            root: Root::new(game, root),
            coding,
            learning,
            rng,
            moves: Vec::new(),
            plies: Plies::default(),
            best: Incumbent::default(),
            chance: false,
            legal: Vec::new(),
        }
    }

    /// Whether a sequence can be played as found: there is one player and no chance.
    fn alone(&self) -> bool {
        self.root.game.players() == 1 && !self.chance
    }

    /// Makes a search of level 0 and updates the levels above.
    fn search(&mut self) {
        self.play_out();
        self.root.playouts += 1;
        let rewards = self.root.game.rewards(&self.position);
        let first = self.moves.first().and_then(|first| self.root.moves.iter().position(|mv| mv == first));
        self.root.count(first.unwrap_or(0), &rewards);
        let reward = if let Turn::Player(player) = self.root.turn { rewards.of(player) } else { 0.0 };
        if self.best.is_below(reward) {
            self.best.replace(reward, &self.moves);
        }
        self.plies.finish(&rewards, self.root.turn, self.learning);
        count(&mut self.levels, reward, &mut self.plies, self.learning.n);
    }

    /// Plays a game from the root by the policy of level 1.
    fn play_out(&mut self) {
        let (game, policy) = (&self.root.game, &self.levels[0].policy);
        self.position.clone_from(&self.root.position);
        self.moves.clear();
        self.plies.clear();
        loop {
            self.legal.clear();
            game.moves(&self.position, &mut self.legal);
            let mv = match game.turn(&self.position) {
                Turn::Over => return,
                Turn::Chance => {
                    self.chance = true;
                    game.random_move(&self.position, &mut self.rng, &mut self.legal)
                }
                Turn::Player(player) => {
                    let codes = self.legal.iter().map(|&mv| game.code(&self.position, mv, self.coding));
                    let index = self.plies.draw(player, codes, &mut self.numbers, policy, &mut self.rng);
                    self.legal.get(index).copied()
                }
            };
            let Some(mv) = mv else { return };
            self.moves.push(mv);
            game.play(&mut self.position, mv);
        }
    }
}

/// Counts a playout at level 1, and the best sequence of every level that it completes at the level above. Completed levels
/// start again.
fn count(levels: &mut [Level], reward: f64, plies: &mut Plies, n: u32) {
    if levels[0].best.is_none_or(|best| reward >= best) {
        levels[0].best = Some(reward);
        std::mem::swap(&mut levels[0].plies, plies);
    }
    let mut open = 0;
    loop {
        let level = &mut levels[open];
        level.policy.adapt(&level.plies);
        level.done += 1;
        if level.done < n {
            break;
        }
        let (below, above) = levels.split_at_mut(open + 1);
        let Some(above) = above.first_mut() else {
            levels.iter_mut().for_each(Level::clear);
            return;
        };
        let level = &mut below[open];
        if above.best.is_none_or(|best| level.best.is_some_and(|new| new >= best)) {
            above.best = level.best;
            std::mem::swap(&mut above.plies, &mut level.plies);
        }
        open += 1;
    }
    let (below, above) = levels.split_at_mut(open);
    for level in below {
        level.clear();
        level.policy.clone_from(&above[0].policy);
    }
}

impl Level {
    fn clear(&mut self) {
        self.policy.clear();
        self.best = None;
        self.done = 0;
    }
}

impl<G: Game> Treeless for Nrpa<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        self.search();
    }

    fn report(&mut self) -> Report<G::Move> {
        let line = if self.alone() { self.best.line.clone() } else { Vec::new() };
        let policies = self.levels.iter().map(|level| level.policy.memory()).sum::<usize>();
        self.root.report(FinalMove::Mean, line, policies + self.numbers.memory())
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.rng = rng;
        self.numbers.clear();
        self.levels.iter_mut().for_each(Level::clear);
        self.best.clear();
        self.chance = false;
    }

    fn incumbent(&mut self) -> Option<&mut Incumbent<G::Move>> {
        self.alone().then_some(&mut self.best)
    }
}
