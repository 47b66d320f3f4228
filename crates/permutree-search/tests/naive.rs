//! The fast statistics against a recount of everything at every move.

use permutree_game::{Game, Rng};
use permutree_games::{Hex, TicTacToe};
use permutree_search::{
    Budget, Evidence, Grave, Mcps, NodeId, Options, ROOT, Record, Search, Step, Tree, TreePolicy, Uniform,
    Weights,
};

/// GRAVE and MCPS as the paper defines them, with nothing kept but the playouts.
struct Naive {
    reference_visits: u32,
    rule: Rule,
    past: Vec<Past>,
    reference: NodeId,
    path: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Rule {
    Grave { bias: f64 },
    Mcps(Weights),
}

struct Past {
    /// The nodes that the playout went through, each with the number of steps before it.
    nodes: Vec<(NodeId, usize)>,
    steps: Vec<Step>,
    rewards: [u32; 8],
}

impl Naive {
    fn new(reference_visits: u32, rule: Rule) -> Self {
        Self { reference_visits, rule, past: Vec::new(), reference: ROOT, path: Vec::new() }
    }

    /// Playouts below the reference that contain `code` from there on, and their rewards for `player`.
    fn amaf(&self, code: u32, player: usize) -> (f64, f64) {
        let below = |past: &&Past| {
            let from = past.nodes.iter().find(|(node, _)| *node == self.reference);
            from.is_some_and(|&(_, step)| past.steps[step..].iter().any(|s| s.code == code))
        };
        total(self.past.iter().filter(below), player)
    }

    /// Playouts that contain the path and `code` in any order, and their rewards for `player`.
    fn permutation(&self, code: u32, player: usize) -> (f64, f64) {
        let contains = |past: &Past, code: u32| past.steps.iter().any(|s| s.code == code);
        let all = |past: &&Past| contains(past, code) && self.path.iter().all(|c| contains(past, *c));
        total(self.past.iter().filter(all), player)
    }
}

fn total<'a>(playouts: impl Iterator<Item = &'a Past>, player: usize) -> (f64, f64) {
    playouts.fold((0.0, 0.0), |(n, w), past| (n + 1.0, w + f64::from(past.rewards[player])))
}

impl TreePolicy for Naive {
    const CODED: bool = true;

    fn restart(&mut self) {
        self.past.clear();
    }

    fn begin(&mut self) {
        self.reference = ROOT;
        self.path.clear();
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        if tree.visits(node) > self.reference_visits {
            self.reference = node;
        }
        let permutree_game::Turn::Player(player) = tree.turn(node) else { panic!("a player selects") };
        let value = |edge: usize| {
            let code = tree.codes(edge..edge + 1)[0];
            let n = f64::from(tree.edge_visits(edge..edge + 1)[0]);
            let w = tree.edge_rewards(edge..edge + 1)[0] as f64;
            let amaf = self.amaf(code, player.index());
            match self.rule {
                Rule::Mcps(weights) => weights.value((n, w), amaf, self.permutation(code, player.index())),
                Rule::Grave { .. } if n + amaf.0 == 0.0 => f64::INFINITY,
                Rule::Grave { bias } => {
                    (w * (1.0 + bias * amaf.0) + amaf.1) / (n + amaf.0 + bias * amaf.0 * n)
                }
            }
        };
        let values: Vec<f64> = tree.edges(node).map(value).collect();
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<usize> = (0..values.len()).filter(|&i| values[i] == max).collect();
        let i = if ties.len() == 1 { ties[0] } else { ties[rng.below(ties.len())] };
        let edge = tree.edges(node).start + i;
        self.path.push(tree.codes(edge..edge + 1)[0]);
        edge
    }

    fn learn(&mut self, tree: &Tree, record: &Record) {
        let path = record.path.iter().map(|visit| (visit.node, visit.step));
        let moved =
            |v: &permutree_search::Visit| usize::from(tree.turn(v.node) != permutree_game::Turn::Chance);
        let leaf_step = record.path.last().map_or(0, |last| last.step + moved(last));
        let leaf = record.leaf.map(|leaf| (leaf, leaf_step));
        let past =
            Past { nodes: path.chain(leaf).collect(), steps: record.steps.clone(), rewards: record.rewards };
        self.past.push(past);
    }

    fn evidence(&mut self, tree: &Tree) -> Vec<Evidence> {
        tree.edges(ROOT).map(|_| Evidence::default()).collect()
    }

    fn memory(&self) -> usize {
        0
    }
}

/// The visits and means of the root's moves after `playouts`, by move.
fn visits<G: Game, T: TreePolicy>(
    game: &G,
    policy: T,
    coding: usize,
    playouts: u64,
    seed: u64,
) -> Vec<(u64, f64)> {
    let options = Options { coding, ..Options::default() };
    let mut search =
        Search::new(game.clone(), game.start(), policy, Uniform::default(), options, Rng::new(seed));
    search.advance(&Budget::playouts(playouts));
    let mut moves = search.report().moves;
    moves.sort_by_key(|found| found.index);
    moves.iter().map(|found| (found.visits, found.mean)).collect()
}

/// Fast and naive searches with the same seed must agree move by move.
fn agree<G: Game>(game: &G, coding: usize, playouts: u64) {
    let (codes, players) = (game.codes(coding), game.players());
    for (seed, reference) in [(1, 50), (2, 5), (3, 0)] {
        for weights in [Weights::Paper, Weights::Optimal] {
            let fast = visits(game, Mcps::new(codes, players, reference, weights), coding, playouts, seed);
            let slow = visits(game, Naive::new(reference, Rule::Mcps(weights)), coding, playouts, seed);
            assert_eq!(fast, slow, "mcps, reference {reference}, {weights:?}");
        }
        let fast = visits(game, Grave::new(codes, players, reference, 1e-5), coding, playouts, seed);
        let slow = visits(game, Naive::new(reference, Rule::Grave { bias: 1e-5 }), coding, playouts, seed);
        assert_eq!(fast, slow, "grave, reference {reference}");
    }
}

#[test]
fn tic_tac_toe() {
    agree(&TicTacToe, 0, 600);
}

#[test]
fn hex() {
    agree(&Hex::<1>::new(5, Some((1, 1)), false), 0, 400);
}
