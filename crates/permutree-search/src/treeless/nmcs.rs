use crate::playouts::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::tree::{Record, Step};
use crate::treeless::Treeless;
use crate::treeless::arms::Arms;
use crate::treeless::incumbent::Incumbent;
use crate::treeless::lnmcs::Lazy;
use crate::treeless::root::{Root, pass_chance};
use permutree_game::{Game, Rewards, Rng, Turn};

/// Nested Monte Carlo Search (Cazenave 2009).
///
/// A search of level 0 is a playout. A search of level n plays a game: at each position it makes a search of level n - 1
/// after every move, and plays the next move of the best sequence found so far, which it remembers from position to position.
/// Its result is the end of that game.
///
/// With several players the player to move prefers the sequence with the best reward for that player, and follows the
/// remembered one unless a move gives more (Aalabou and Delar, "Monte Carlo Search algorithms for Order & Chaos", alternate
/// in the same way).
///
/// With one player and without chance, the search is repeated from the root while the budget lasts, and the best sequence of
/// all is played and remembered from move to move. Otherwise a sequence depends on the other players and on chance: then
/// only the first position of the search at the root is repeated, and the best mean is played, so that level 1 is flat Monte
/// Carlo.
///
/// The active games are on an explicit stack, so that a search can stop after any playout and continue from there.
pub struct Nmcs<G: Game> {
    root: Root<G>,
    playouts: Box<dyn PlayoutPolicy<G>>,
    coding: usize,
    lazy: Option<Lazy>,
    rng: Rng,
    /// The stack of games, from the highest level, at the root, to level 1. Those from `open` on are free for reuse.
    nests: Vec<Nest<G>>,
    open: usize,
    /// The moves from the root to the current position, if the playouts use codes.
    path: Vec<Step>,
    /// The best sequence of the search.
    best: Incumbent<G::Move>,
    /// Whether chance has occurred: then sequences cannot be followed and none are remembered.
    chance: bool,
    position: G::Position,
    record: Record,
    scratch: Vec<G::Move>,
}

/// A game that is played by searches of the level below.
struct Nest<G: Game> {
    /// The current position, and the moves to try there.
    position: G::Position,
    turn: Turn,
    moves: Vec<G::Move>,
    /// The playouts from each move before it is searched, in a lazy search.
    tries: Arms,
    trying: bool,
    next: usize,
    /// The moves played, followed by the rest of the best sequence if there is one.
    line: Vec<G::Move>,
    played: usize,
    best: Option<Rewards>,
    /// The length of the path to the position.
    steps: usize,
}

impl<G: Game> Nmcs<G> {
    /// A search of `level`, at least 1, from `root`. Sequences are read from the codes of playouts and end where a code of
    /// `coding` stands for several legal moves. `lazy` makes it LNMCS.
    pub fn new(
        game: G,
        root: G::Position,
        playouts: Box<dyn PlayoutPolicy<G>>,
        coding: usize,
        level: usize,
        lazy: Option<Lazy>,
        rng: Rng,
    ) -> Self {
        let nest = || Nest {
            position: root.clone(),
            turn: Turn::Over,
            moves: Vec::new(),
            tries: Arms::default(),
            trying: false,
            next: 0,
            line: Vec::new(),
            played: 0,
            best: None,
            steps: 0,
        };
        Self {
            nests: (0..level.max(1)).map(|_| nest()).collect(),
            open: 0,
            position: root.clone(),
            root: Root::new(game, root),
            playouts,
            coding,
            lazy,
            rng,
            path: Vec::new(),
            best: Incumbent::default(),
            chance: false,
            record: Record::default(),
            scratch: Vec::new(),
        }
    }

    /// Whether a sequence can be played as found: there is one player and no chance.
    fn alone(&self) -> bool {
        self.root.game.players() == 1 && !self.chance
    }

    /// Opens games down to level 1, makes a playout there, and advances all games that wait for it.
    fn search(&mut self) {
        self.root.playouts += 1;
        if self.open == 0 {
            self.position.clone_from(&self.root.position);
            self.path.clear();
            self.begin();
        }
        while !self.choose() {
            self.begin();
        }
        let rewards = self.play_out();
        self.learn(&rewards, false);
        while let Some(rewards) = self.move_on() {
            self.learn(&rewards, true);
        }
    }

    /// Opens a game of the next lower level from the scratch position.
    fn begin(&mut self) {
        let nest = &mut self.nests[self.open];
        nest.position.clone_from(&self.position);
        nest.line.clear();
        nest.played = 0;
        nest.best = None;
        nest.steps = self.path.len();
        self.open += 1;
        self.list();
    }

    /// Lists the moves of the innermost game.
    fn list(&mut self) {
        let lowest = self.open == self.nests.len();
        let nest = &mut self.nests[self.open - 1];
        nest.turn = self.root.game.turn(&nest.position);
        nest.moves.clear();
        self.root.game.moves(&nest.position, &mut nest.moves);
        nest.next = 0;
        // Only at the root can it be chance's turn; elsewhere its outcomes are played at once.
        self.chance |= nest.turn == Turn::Chance;
        nest.trying = self.lazy.is_some() && !lowest && nest.turn != Turn::Chance && nest.moves.len() > 1;
        nest.tries.reset(nest.moves.len());
    }

    /// Plays the innermost game's next move in the scratch position. Returns whether a playout follows, and not a game of the
    /// next lower level: at level 1, for tries of a lazy search, and if the game is over.
    fn choose(&mut self) -> bool {
        let game = &self.root.game;
        let nest = &mut self.nests[self.open - 1];
        if nest.turn == Turn::Chance {
            let outcome = game.random_move(&nest.position, &mut self.rng, &mut self.scratch);
            nest.next = nest.moves.iter().position(|&mv| Some(mv) == outcome).unwrap_or(0);
        }
        let mv = nest.moves[nest.next];
        self.path.truncate(nest.steps);
        self.path.extend(step(game, &nest.position, mv, self.coding, &*self.playouts));
        self.position.clone_from(&nest.position);
        game.play(&mut self.position, mv);
        if nest.trying || self.open == self.nests.len() {
            return true;
        }
        self.chance |= pass_chance(game, &mut self.position, &mut self.rng, &mut self.scratch);
        game.turn(&self.position) == Turn::Over
    }

    /// Makes a playout from the scratch position.
    fn play_out(&mut self) -> Rewards {
        let (game, record) = (&self.root.game, &mut self.record);
        record.clear();
        record.steps.extend_from_slice(&self.path);
        self.playouts.playout(game, &mut self.position, self.coding, &mut self.rng, Some(record));
        let rewards = game.rewards(&self.position);
        record.finish(&rewards);
        self.playouts.learn(record);
        rewards
    }

    /// Counts the rewards of the innermost game's next move, from a playout or from the game that was just closed.
    fn learn(&mut self, rewards: &Rewards, nested: bool) {
        let (games, closed) = self.nests.split_at_mut(self.open);
        let Some(nest) = games.last_mut() else { return };
        let mv = nest.moves[nest.next];
        if self.open == 1 {
            let first = if nest.played == 0 { mv } else { nest.line[0] };
            let index = self.root.moves.iter().position(|&mv| mv == first);
            self.root.count(index.unwrap_or(0), rewards);
        }
        let Turn::Player(player) = nest.turn else { return };
        if nest.trying {
            nest.tries.count(nest.next, rewards.of(player));
        }
        if nest.best.is_some_and(|best| best.of(player) >= rewards.of(player)) {
            return;
        }
        nest.best = Some(*rewards);
        nest.line.truncate(nest.played);
        nest.line.push(mv);
        if self.chance {
            return;
        }
        if nested {
            nest.line.extend_from_slice(&closed[0].line);
            return;
        }
        self.remember(mv);
        if self.alone() && self.best.is_below(rewards.of(player)) {
            self.best.replace(rewards.of(player), &[]);
            for nest in &self.nests[..self.open - 1] {
                self.best.line.extend_from_slice(&nest.line[..nest.played]);
                self.best.line.push(nest.moves[nest.next]);
            }
            self.best.line.extend_from_slice(&self.nests[self.open - 1].line);
        }
    }

    /// Appends the moves of the last playout, which began with `mv`, to the line of the innermost game.
    fn remember(&mut self, mv: G::Move) {
        let game = &self.root.game;
        let nest = &mut self.nests[self.open - 1];
        let position = &mut self.position;
        position.clone_from(&nest.position);
        game.play(position, mv);
        let steps = &self.record.steps[self.path.len()..];
        for step in steps {
            if game.turn(position) == Turn::Chance {
                break;
            }
            self.scratch.clear();
            game.moves(position, &mut self.scratch);
            let mut same =
                self.scratch.iter().filter(|&&mv| game.code(position, mv, self.coding) == step.code);
            let (Some(&mv), None) = (same.next(), same.next()) else { return };
            nest.line.push(mv);
            game.play(position, mv);
        }
        self.chance |= game.turn(position) == Turn::Chance;
    }

    /// Advances the innermost game to its next move or, after the last one, plays a move. If that ends the game, closes it and
    /// returns its rewards for the game above, if there is one.
    fn move_on(&mut self) -> Option<Rewards> {
        let game = &self.root.game;
        let nest = self.nests[..self.open].last_mut()?;
        nest.next += 1;
        if let Some(lazy) = self.lazy
            && nest.trying
        {
            nest.next %= nest.moves.len();
            nest.trying = (nest.tries.total() as usize) < lazy.tries as usize * nest.moves.len();
            if !nest.trying {
                lazy.prune(&nest.tries, &mut nest.moves);
            }
            return None;
        }
        if nest.turn != Turn::Chance && nest.next < nest.moves.len() {
            return None;
        }
        if self.open == 1 && (self.chance || game.players() > 1) {
            self.open = 0;
            return None;
        }
        let mv = nest.line[nest.played];
        self.path.truncate(nest.steps);
        self.path.extend(step(game, &nest.position, mv, self.coding, &*self.playouts));
        nest.steps = self.path.len();
        game.play(&mut nest.position, mv);
        nest.played += 1;
        self.chance |= pass_chance(game, &mut nest.position, &mut self.rng, &mut self.scratch);
        if self.chance {
            nest.line.truncate(nest.played);
        }
        if nest.played == nest.line.len() {
            nest.best = None;
        }
        if game.turn(&nest.position) != Turn::Over {
            self.list();
            return None;
        }
        self.open -= 1;
        (self.open > 0).then(|| game.rewards(&self.nests[self.open].position))
    }
}

/// The step of a move, if the playout policy uses codes.
fn step<G: Game>(
    game: &G,
    position: &G::Position,
    mv: G::Move,
    coding: usize,
    policy: &dyn PlayoutPolicy<G>,
) -> Option<Step> {
    match game.turn(position) {
        Turn::Player(player) if policy.coded() => {
            Some(Step { player, code: game.code(position, mv, coding) })
        }
        _ => None,
    }
}

impl<G: Game> Treeless for Nmcs<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        self.search();
    }

    fn report(&mut self) -> Report<G::Move> {
        let memory = self.playouts.memory();
        if self.alone() {
            return self.root.report(FinalMove::Mean, self.best.line.clone(), memory);
        }
        let mut root = self.root.clone();
        // An unfinished search counts with its best sequence so far.
        if let [nest, below @ ..] = &self.nests[..self.open]
            && let Some(rewards) = below.iter().find_map(|nest| nest.best)
            && let Some(index) = root.moves.iter().position(|&mv| mv == nest.moves[nest.next])
        {
            root.count(index, &rewards);
        }
        root.report(FinalMove::Mean, Vec::new(), memory)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.playouts.restart();
        self.rng = rng;
        self.open = 0;
        self.best.clear();
        self.chance = false;
    }

    fn incumbent(&mut self) -> Option<&mut Incumbent<G::Move>> {
        self.alone().then_some(&mut self.best)
    }
}
