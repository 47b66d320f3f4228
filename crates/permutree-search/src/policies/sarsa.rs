use crate::kernels::{self, Level};
use crate::policies::scoring::{Logs, Scores, own_means, pick_best};
use crate::policies::{Evidence, TreePolicy};
use crate::statistics::Values;
use crate::statistics::tally::ONE;
use crate::tree::{NodeId, Record, Tree};
use permutree_game::{MAX_PLAYERS, Rng, Turn};
use std::sync::Arc;

/// Sarsa-UCT(λ) (Vodopivec, Samothrakis and Šter 2017), figure 5 of the report "Monte Carlo Search algorithms for Order &
/// Chaos": UCT with values learned by temporal differences.
///
/// A playout is an episode of states s₁ .. s_T, the positions after each player's move; only the last has a reward R. From
/// the end to the root,
///
/// δ = R + γ V(sᵢ₊₁) - V(sᵢ),  Σ ← λ γ Σ + δ,  V(sᵢ) ← V(sᵢ) + Σ / n.
///
/// V(sᵢ) + Σ is the return Gᵢ = γ ((1 - λ) V(sᵢ₊₁) + λ Gᵢ₊₁), G_T = R. With the step 1 / n a value is the mean of its
/// returns, so we store their sum and count. A state below the tree has the value V_playout, and a new state has V_init until
/// its first return. Selection maximises V + c sqrt(ln N / n), where V is normalised to [0, 1] and c is √2 times the report's
/// C_p. With λ = γ = 1, no normalisation and no transpositions the numbers are those of [`Uct`](super::Uct). With
/// transpositions n and V belong to the state, while in UCT they belong to the move.
///
/// The report has two players and one value per state, which one player maximises and the other minimises. Here a state has a
/// value for every player, learned from that player's rewards, and each player maximises their own. For two players whose
/// rewards add up to 1 this is equivalent, and it works for any number of players and for several moves in a row. Outcomes of
/// chance are not steps: the state after a move is the position that the move itself leads to.
///
/// Values are normalised by the least and the greatest return of the node's moves to the player who chooses there. This
/// stretches their differences, which shrink with λ to the power of the playout's length. Stretching all values of a node is
/// equivalent to reducing c, which is how it is computed.
///
/// With [`Sarsa::with_values`], V_init is the learned value of the position.
#[derive(Debug)]
pub struct Sarsa {
    rule: SarsaRule,
    players: usize,
    /// V_init and V_playout, in units of 1 / 65536.
    init: f64,
    playout: f64,
    /// Values from earlier searches, and the most visits that one of them counts for.
    known: Option<(Arc<Values>, u32)>,
    /// The number of returns of each node, including those of V_init.
    visits: Vec<u32>,
    /// Their sums for each player, in units of 1 / 65536. With λ = γ = 1 they are whole numbers, so sums are exact.
    sums: Vec<f64>,
    /// The least and the greatest return of each node's moves.
    bounds: Vec<[f32; 2]>,
    /// The hash of each node, if there are values from earlier searches.
    hashes: Vec<u64>,
    logs: Logs,
    scores: Scores,
    level: Level,
}

/// The parameters of [`Sarsa`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SarsaRule {
    /// λ: the trace decay. 1 backs up the reward itself, 0 the value of the next state.
    pub lambda: f64,
    /// γ: the discount per move.
    pub gamma: f64,
    /// The exploration constant, √2 C_p.
    pub c: f64,
    /// Whether the values of a node's moves are normalised by its bounds.
    pub normalise: bool,
    /// V_init for all players; by default an even share.
    pub init: Option<f64>,
    /// V_playout for all players; by default an even share.
    pub playout: Option<f64>,
}

impl Sarsa {
    /// Sarsa-UCT(λ) with these parameters.
    #[must_use]
    pub fn new(rule: SarsaRule) -> Self {
        Self {
            rule,
            players: 0,
            init: 0.0,
            playout: 0.0,
            known: None,
            visits: Vec::new(),
            sums: Vec::new(),
            bounds: Vec::new(),
            hashes: Vec::new(),
            logs: Logs::default(),
            scores: Scores::default(),
            level: Level::detect(),
        }
    }

    /// The same with learned values as V_init, each counting for at most `trust` visits. What the search learns can be added
    /// to them with [`TreePolicy::learned`].
    #[must_use]
    pub fn with_values(self, values: Arc<Values>, trust: u32) -> Self {
        Self { known: Some((values, trust)), ..self }
    }

    /// Makes room for a node.
    fn make(&mut self, node: NodeId) {
        let nodes = node as usize + 1;
        if self.visits.len() < nodes {
            self.visits.resize(nodes, 0);
            self.sums.resize(nodes * self.players, 0.0);
            self.bounds.resize(nodes, [f32::INFINITY, f32::NEG_INFINITY]);
        }
    }

    /// Counts a return of the state of `node`. Returns the index of its sums and its visits before.
    fn visit(&mut self, node: NodeId) -> (usize, u32) {
        self.make(node);
        let visits = &mut self.visits[node as usize];
        *visits = visits.saturating_add(1);
        (node as usize * self.players, *visits - 1)
    }

    /// Widens the bounds of `node` by the return of a move to the player who chooses there.
    fn widen(&mut self, node: NodeId, own: f32) {
        self.make(node);
        let [low, high] = &mut self.bounds[node as usize];
        (*low, *high) = (low.min(own), high.max(own));
    }

    /// Gᵢ from V(sᵢ₊₁) and Gᵢ₊₁.
    #[inline]
    fn before(&self, value: f64, later: f64) -> f64 {
        let SarsaRule { lambda, gamma, .. } = self.rule;
        gamma * ((1.0 - lambda) * value + lambda * later)
    }

    /// The range of the values of a node's moves, 1 without normalisation.
    fn range(&self, node: NodeId) -> f64 {
        match self.bounds.get(node as usize).map(|[low, high]| f64::from(high - low)) {
            Some(range) if self.rule.normalise && range > 0.0 => range / f64::from(ONE),
            _ => 1.0,
        }
    }
}

impl TreePolicy for Sarsa {
    fn fit(&mut self, _codes: usize, players: usize) {
        // For one player, the middle of the range.
        let even = 1.0 / players.max(2) as f64;
        self.players = players;
        self.init = self.rule.init.unwrap_or(even) * f64::from(ONE);
        self.playout = self.rule.playout.unwrap_or(even) * f64::from(ONE);
    }

    /// Codes themselves are not used, but the number of moves in a playout is needed if returns are discounted.
    fn coded(&self) -> bool {
        self.rule.lambda < 1.0 || self.rule.gamma < 1.0
    }

    fn hashed(&self) -> bool {
        self.known.is_some()
    }

    fn restart(&mut self) {
        self.visits.clear();
        self.sums.clear();
        self.bounds.clear();
        self.hashes.clear();
    }

    fn meet(&mut self, node: NodeId, hash: u64) {
        self.make(node);
        self.hashes.resize(self.visits.len(), 0);
        self.hashes[node as usize] = hash;
        if let Some((visits, value)) = initial(self.known.as_ref(), hash) {
            self.visits[node as usize] = visits;
            for (sum, &value) in self.sums[node as usize * self.players..].iter_mut().zip(value) {
                *sum = f64::from(visits) * f64::from(value) * f64::from(ONE);
            }
        }
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        let edges = tree.edges(node);
        let player = if let Turn::Player(player) = tree.turn(node) { player.index() } else { 0 };
        let explore =
            f64::from(ONE) * self.rule.c * self.logs.ln(tree.visits(node)).sqrt() * self.range(node);
        let (visits, sums, players) = (&self.visits, &self.sums, self.players);
        let score = |edge: usize| {
            let tried = tree.edge_visits(edge);
            if tried == 0 {
                return f64::INFINITY;
            }
            let learned = |child: NodeId| {
                let n = visits.get(child as usize).copied().filter(|&n| n > 0)?;
                Some((f64::from(n), sums[child as usize * players + player]))
            };
            // A state without a node, because the tree is full, or without returns has the rewards of its edge.
            let (n, sum) = tree
                .child(edge)
                .and_then(learned)
                .unwrap_or_else(|| (f64::from(tried), tree.edge_rewards(edge) as f64));
            (sum + explore * n.sqrt()) / n
        };
        let scores = self.scores.room(tree.lanes(node).len());
        scores.fill(f64::NEG_INFINITY);
        scores.iter_mut().zip(edges).for_each(|(place, edge)| *place = score(edge));
        let best = kernels::best(self.level, scores);
        pick_best(tree, node, best, scores, rng)
    }

    fn untried_alike(&self) -> bool {
        true
    }

    fn count(&mut self, tree: &Tree, record: &Record) {
        let mut returns = record.rewards.map(f64::from);
        let of_player = |node: NodeId| matches!(tree.turn(node), Turn::Player(_));
        let in_tree = record.path.iter().filter(|visit| of_player(visit.node)).count();
        for _ in in_tree..record.steps.len() {
            for later in &mut returns[..self.players] {
                *later = self.before(self.playout, *later);
            }
        }
        let mut state = record.leaf;
        for visit in record.path.iter().rev() {
            if let Turn::Player(player) = tree.turn(visit.node) {
                self.widen(visit.node, returns[player.index()] as f32);
                let reached = state.map(|state| self.visit(state));
                for (player, later) in returns[..self.players].iter_mut().enumerate() {
                    let mut value = self.playout;
                    if let Some((first, visits)) = reached {
                        let sum = &mut self.sums[first + player];
                        value = if visits > 0 { *sum / f64::from(visits) } else { self.init };
                        *sum += *later;
                    }
                    *later = self.before(value, *later);
                }
            }
            state = Some(visit.node);
        }
    }

    fn learned(&self, into: &mut Values) {
        let nodes = self.hashes.iter().zip(&self.visits).zip(self.sums.chunks(self.players));
        for ((&hash, &visits), sums) in nodes {
            let (before, value) = initial(self.known.as_ref(), hash).unwrap_or((0, &NOTHING));
            let new = visits - before;
            if new >= LEAST_VISITS {
                let without = |(sum, &value): (&f64, &f32)| {
                    (sum / f64::from(ONE) - f64::from(before) * f64::from(value)) / f64::from(new)
                };
                into.add(hash, new, sums.iter().zip(value).map(without));
            }
        }
    }

    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence> {
        own_means(tree, path)
    }

    fn memory(&self) -> usize {
        size_of_val(&*self.visits)
            + size_of_val(&*self.sums)
            + size_of_val(&*self.bounds)
            + size_of_val(&*self.hashes)
    }
}

/// Values of fewer returns are not kept: most nodes have one or two.
const LEAST_VISITS: u32 = 8;

/// The values of an unknown position.
const NOTHING: [f32; MAX_PLAYERS] = [0.0; MAX_PLAYERS];

/// The visits that a learned V_init counts for, and V_init, if the position is known.
fn initial(known: Option<&(Arc<Values>, u32)>, hash: u64) -> Option<(u32, &[f32])> {
    let (values, trust) = known?;
    values.get(hash).map(|(visits, value)| (visits.min(*trust), value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::ROOT;
    use crate::tree::{Step, Visit};
    use permutree_game::Player;

    /// A tree of three players with an outcome of chance after the first move: root -> chance -> second -> third -> end.
    fn chain() -> (Tree, Vec<Visit>) {
        let mut tree = Tree::new(false);
        let turns = [Turn::Player(Player(0)), Turn::Chance, Turn::Player(Player(1)), Turn::Player(Player(2))];
        for turn in turns.into_iter().chain([Turn::Over]) {
            tree.node(|| 0, turn);
        }
        let visit = |node| Visit { node, edge: tree.expand(node, 2, &[]) - crate::tree::LANES, step: 0 };
        let path = (0..4).map(visit).collect();
        (tree, path)
    }

    /// Figure 5 as it is written, with temporal differences and the step 1 / n, over episodes of different depths.
    #[test]
    fn values_are_those_of_the_figure() {
        let rule = SarsaRule {
            lambda: 0.7,
            gamma: 0.95,
            c: 0.4,
            normalise: true,
            init: Some(0.3),
            playout: Some(0.6),
        };
        let (tree, path) = chain();
        let mut sarsa = Sarsa::new(rule);
        sarsa.fit(0, 3);
        let mut rng = Rng::new(1);
        // By state: after the first move, after the second, after the third.
        let nodes = [1, 3, 4];
        let (mut value, mut visits) = ([[0.3; 3]; 3], [0.0; 3]);
        for _ in 0..200 {
            let depth = 1 + rng.below(3);
            let more = if depth == 3 { 0 } else { 1 + rng.below(4) };
            let rewards = [rng.below(65_537) as u32, rng.below(65_537) as u32, rng.below(65_537) as u32];
            let mut record = Record { leaf: Some(nodes[depth - 1]), ..Record::default() };
            record.rewards[..3].copy_from_slice(&rewards);
            record.path.extend(path.iter().take_while(|visit| visit.node < nodes[depth - 1]));
            record.steps = vec![Step { player: Player(0), code: 0 }; depth + more];
            sarsa.count(&tree, &record);

            for player in 0..3 {
                let (mut sum, mut next) = (0.0, 0.0);
                for i in (0..depth + more).rev() {
                    let reward = f64::from(rewards[player]) / f64::from(ONE);
                    let reward = if i == depth + more - 1 { reward } else { 0.0 };
                    let current = if i < depth { value[i][player] } else { 0.6 };
                    let delta = reward + rule.gamma * next - current;
                    sum = rule.lambda * rule.gamma * sum + delta;
                    if i < depth {
                        value[i][player] += sum / (visits[i] + 1.0);
                    }
                    next = current;
                }
            }
            visits[..depth].iter_mut().for_each(|n| *n += 1.0);
        }
        for (i, &node) in nodes.iter().enumerate() {
            assert_eq!(f64::from(sarsa.visits[node as usize]), visits[i]);
            for (player, value) in value[i].iter().enumerate() {
                let mean = sarsa.sums[node as usize * 3 + player] / f64::from(ONE) / visits[i];
                assert!((mean - value).abs() < 1e-9, "{node} {player}: {mean} {value}");
            }
        }
        let range = sarsa.range(ROOT);
        assert!(range > 0.1 && range < 0.7, "{range}");
    }

    /// Learned values are used as V_init with their weight, and are not learned a second time.
    #[test]
    fn values_go_in_and_come_out() {
        let rule = SarsaRule { lambda: 1.0, gamma: 1.0, c: 0.4, normalise: false, init: None, playout: None };
        let (tree, path) = chain();
        let mut before = Values::new(3);
        before.add(40, 100, [0.25, 0.5, 1.0]);
        let mut sarsa = Sarsa::new(rule).with_values(Arc::new(before), 10);
        sarsa.fit(0, 3);
        for node in 0..5 {
            sarsa.meet(node, 10 * u64::from(node));
        }
        assert_eq!((sarsa.visits[4], sarsa.sums[12] / 65_536.0, sarsa.visits[3]), (10, 2.5, 0));
        let mut rewards = [0; MAX_PLAYERS];
        rewards[1] = ONE;
        let record = Record { path, leaf: Some(4), rewards, ..Record::default() };
        (0..LEAST_VISITS - 1).for_each(|_| sarsa.count(&tree, &record));
        let mut found = Values::new(3);
        sarsa.learned(&mut found);
        assert!(found.is_empty());
        sarsa.count(&tree, &record);
        sarsa.learned(&mut found);
        assert_eq!(found.len(), 3);
        assert_eq!(found.get(40), Some((LEAST_VISITS, &[0.0, 1.0, 0.0][..])));
        assert_eq!(found.get(20), None, "a position that chance leads to is not a state");
    }
}
