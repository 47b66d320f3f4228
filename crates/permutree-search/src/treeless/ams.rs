use crate::playouts::PlayoutPolicy;
use crate::report::{FinalMove, Report};
use crate::statistics::tally::{self, fixed};
use crate::tree::{Record, Step};
use crate::treeless::Treeless;
use crate::treeless::arms::Arms;
use crate::treeless::memo::Memo;
use crate::treeless::root::{Root, pass_chance};
use permutree_game::{Game, MAX_PLAYERS, Player, Rewards, Rng, Turn};

/// Adaptive Multi-stage Sampling (Chang, Fu, Hu and Marcus 2005) in the version for games of Debets, Gade, Negura and Tello,
/// "Who Invented MCTS?", algorithm 2.
///
/// AMS(s, d) is the value of a leaf if d = 0 or the game is over. Otherwise it samples every move of s once and then a number
/// of moves by UCB1; each sample is a call of AMS(s', d - 1). The value of s is the mean of all samples. Values are vectors,
/// and each player maximises their own reward. Chance draws a new outcome for every sample. The best mean at the root is
/// played.
///
/// The active calls are on an explicit stack, so that a search can stop after any leaf and continue from there.
pub struct Ams<G: Game> {
    root: Root<G>,
    leaf: Leaf<G>,
    plan: Plan,
    rng: Rng,
    /// The stack of active calls, the outermost first. Those from `open` on are free for reuse.
    calls: Vec<Call<G>>,
    open: usize,
    /// The index of the root's move that is being sampled, and its step.
    sampled: (usize, Option<Step>),
    position: G::Position,
    scratch: Vec<G::Move>,
}

/// The depth of samples, and their number at each position below the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Moves from the root to a leaf, at least 1. The paper has 2.
    pub depth: usize,
    /// Samples of a position below the root.
    pub samples: Samples,
}

/// The number of samples that a position below the root gets beyond one for every move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Samples {
    /// As many as it has moves, which makes two samples per move.
    Moves,
    /// This many. AMS-Priority has 50.
    Fixed(u32),
    /// The rest of the budget, as in the paper's program without priority: the root's first move gets the whole budget, and the
    /// others are valued at an even share, which is 0 on that program's scale from -1 to 1.
    All,
}

/// How a leaf that is not over is valued.
enum Leaf<G: Game> {
    /// By [`Game::evaluate`], cached by the hash of the position (section II-F).
    Evaluation(Memo),
    /// By the rewards of a playout. A policy that uses codes learns from its record.
    Playout { policy: Box<dyn PlayoutPolicy<G>>, coding: usize, record: Record },
}

/// A call of AMS(s, d).
struct Call<G: Game> {
    position: G::Position,
    player: Player,
    moves: Vec<G::Move>,
    arms: Arms,
    /// The sums of all players' rewards, in units of 1 / 65536.
    rewards: [u64; MAX_PLAYERS],
    /// The index of the move that is being sampled, and its step.
    sampled: (usize, Option<Step>),
}

impl<G: Game> Ams<G> {
    /// A search from `root` that values leaves by the game's evaluation, or by an even share if there is none. Values are cached
    /// in about `memory` bytes.
    pub fn evaluating(game: G, root: G::Position, memory: usize, plan: Plan, rng: Rng) -> Self {
        let memo = Memo::new(game.players(), memory);
        Self::new(game, root, Leaf::Evaluation(memo), plan, rng)
    }

    /// A search from `root` that values leaves by a playout of `policy`, which may learn by the codes of `coding`.
    pub fn playing(
        game: G,
        root: G::Position,
        policy: Box<dyn PlayoutPolicy<G>>,
        coding: usize,
        plan: Plan,
        rng: Rng,
    ) -> Self {
        let record = Record::default();
        Self::new(game, root, Leaf::Playout { policy, coding, record }, plan, rng)
    }

    fn new(game: G, root: G::Position, leaf: Leaf<G>, plan: Plan, rng: Rng) -> Self {
        Self {
            position: root.clone(),
            root: Root::new(game, root),
            leaf,
            plan,
            rng,
            calls: Vec::new(),
            open: 0,
            sampled: (0, None),
            scratch: Vec::new(),
        }
    }

    /// Makes calls down to a leaf, values it, and returns from all calls that this sample completes.
    fn sample(&mut self) {
        self.root.playouts += 1;
        while let Some(player) = self.choose()
            && self.open + 1 < self.plan.depth
        {
            self.call(player);
        }
        let mut value = self.leaf_value();
        while let Some(call) = self.calls[..self.open].last_mut() {
            call.count(&value);
            if !call.is_finished(self.plan.samples) {
                return;
            }
            value = call.value(self.root.game.players(), None).unwrap_or(value);
            self.open -= 1;
        }
        self.root.count(self.sampled.0, &value);
    }

    /// Plays the next move of the innermost call in the scratch position, then any outcomes of chance. Returns the player to
    /// move next.
    fn choose(&mut self) -> Option<Player> {
        let Root { game, position, turn, moves, arms, .. } = &self.root;
        let (position, turn, moves, arms, sampled) = match self.calls[..self.open].last_mut() {
            Some(call) => {
                (&call.position, Turn::Player(call.player), &call.moves, &call.arms, &mut call.sampled)
            }
            None => (position, *turn, moves, arms, &mut self.sampled),
        };
        *sampled = match turn {
            Turn::Player(player) => {
                let index = arms.ucb1();
                let code = |coding| game.code(position, moves[index], coding);
                (index, self.leaf.coding().map(|coding| Step { player, code: code(coding) }))
            }
            _ => {
                let outcome = game.random_move(position, &mut self.rng, &mut self.scratch);
                (moves.iter().position(|&mv| Some(mv) == outcome).unwrap_or(0), None)
            }
        };
        self.position.clone_from(position);
        game.play(&mut self.position, moves[sampled.0]);
        pass_chance(game, &mut self.position, &mut self.rng, &mut self.scratch);
        match game.turn(&self.position) {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    /// Opens a call for the scratch position.
    fn call(&mut self, player: Player) {
        if self.open == self.calls.len() {
            self.calls.push(Call {
                position: self.position.clone(),
                player,
                moves: Vec::new(),
                arms: Arms::default(),
                rewards: [0; MAX_PLAYERS],
                sampled: (0, None),
            });
        }
        let call = &mut self.calls[self.open];
        self.open += 1;
        call.position.clone_from(&self.position);
        call.player = player;
        call.moves.clear();
        self.root.game.moves(&self.position, &mut call.moves);
        call.arms.reset(call.moves.len());
        call.rewards = [0; MAX_PLAYERS];
    }

    /// The value of the scratch position.
    fn leaf_value(&mut self) -> Rewards {
        let (game, position) = (&self.root.game, &mut self.position);
        match &mut self.leaf {
            Leaf::Evaluation(_) if game.turn(position) == Turn::Over => game.rewards(position),
            Leaf::Evaluation(memo) => {
                let even = || Rewards::draw(game.players());
                memo.value(game.hash(position), || game.evaluate(position).unwrap_or_else(even))
            }
            Leaf::Playout { policy, coding, record } => {
                let coded = policy.coded();
                if coded {
                    record.clear();
                    record.steps.extend(self.sampled.1);
                    record.steps.extend(self.calls[..self.open].iter().filter_map(|call| call.sampled.1));
                }
                policy.playout(game, position, *coding, &mut self.rng, coded.then_some(&mut *record));
                let rewards = game.rewards(position);
                if coded {
                    record.finish(&rewards);
                    policy.learn(record);
                }
                rewards
            }
        }
    }

    /// The value of the root's current move if all calls returned now.
    fn under_way(&self) -> Option<Rewards> {
        let players = self.root.game.players();
        let open = self.calls[..self.open].iter().rev();
        open.fold(None, |value, call| call.value(players, value.as_ref()))
    }
}

impl<G: Game> Call<G> {
    fn count(&mut self, value: &Rewards) {
        self.arms.count(self.sampled.0, value.of(self.player));
        add(&mut self.rewards, value);
    }

    fn is_finished(&self, samples: Samples) -> bool {
        let (done, moves) = (self.arms.total() as usize, self.moves.len());
        match samples {
            Samples::Moves => done >= 2 * moves,
            Samples::Fixed(samples) => done >= moves + samples as usize,
            Samples::All => false,
        }
    }

    /// The mean of all samples, including `more` if given; `None` without samples.
    fn value(&self, players: usize, more: Option<&Rewards>) -> Option<Rewards> {
        let (mut rewards, samples) = (self.rewards, self.arms.total() + u32::from(more.is_some()));
        more.into_iter().for_each(|more| add(&mut rewards, more));
        let mean = rewards.map(|sum| tally::mean(samples, sum));
        (samples > 0).then(|| Rewards::from_slice(&mean[..players]))
    }
}

fn add(sums: &mut [u64; MAX_PLAYERS], value: &Rewards) {
    sums.iter_mut().zip(value.as_slice()).for_each(|(sum, &reward)| *sum += u64::from(fixed(reward)));
}

impl<G: Game> Treeless for Ams<G> {
    type Game = G;

    fn root(&mut self) -> &mut Root<G> {
        &mut self.root
    }

    fn playout(&mut self) {
        self.sample();
    }

    fn report(&mut self) -> Report<G::Move> {
        let mut root = self.root.clone();
        if let Some(value) = self.under_way() {
            root.count(self.sampled.0, &value);
        }
        if self.plan.samples == Samples::All && root.playouts > 0 {
            let even = Rewards::draw(root.game.players());
            let left: Vec<usize> = (0..root.moves.len()).filter(|&i| root.arms.visits(i) == 0).collect();
            left.into_iter().for_each(|index| root.count(index, &even));
        }
        root.report(FinalMove::Mean, Vec::new(), self.leaf.memory())
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.root.restart(root);
        self.rng = rng;
        self.open = 0;
        match &mut self.leaf {
            Leaf::Evaluation(memo) => memo.clear(),
            Leaf::Playout { policy, .. } => policy.restart(),
        }
    }
}

impl<G: Game> Leaf<G> {
    /// The coding, if codes are used.
    fn coding(&self) -> Option<usize> {
        match self {
            Self::Playout { policy, coding, .. } if policy.coded() => Some(*coding),
            _ => None,
        }
    }

    fn memory(&self) -> usize {
        match self {
            Self::Evaluation(memo) => memo.memory(),
            Self::Playout { policy, .. } => policy.memory(),
        }
    }
}
