//! NRPA against a plain version of its recursion.

use permutree_game::{Game, Player, Rewards, Rng, Turn};
use permutree_games::Tree;
use permutree_search::treeless::{Form, Learning, Nrpa};
use permutree_search::{Budget, Report, Searcher};

fn report(game: &Tree, learning: Learning, playouts: u64) -> Report<u32> {
    let mut search = Nrpa::new(game.clone(), 0, 0, learning, Rng::new(1));
    search.advance(&Budget::playouts(playouts));
    search.report()
}

/// A sequence: the player, the legal moves and the chosen one at each ply.
type Sequence = Vec<(Player, Vec<u32>, u32)>;

struct Naive<'a> {
    game: &'a Tree,
    learning: Learning,
    rng: Rng,
    results: Vec<(u32, Rewards)>,
}

impl Naive<'_> {
    fn moves(&self, position: u32) -> Vec<u32> {
        let mut moves = Vec::new();
        self.game.moves(&position, &mut moves);
        moves
    }

    fn code(&self, mv: u32, position: u32) -> usize {
        self.game.code(&position, mv, 0) as usize
    }

    fn search(&mut self, level: usize, mut policy: Vec<f64>) -> (Rewards, Sequence) {
        if level == 0 {
            return self.playout(&policy);
        }
        let mut best: Option<(Rewards, Sequence)> = None;
        for _ in 0..self.learning.n {
            let (rewards, sequence) = self.search(level - 1, policy.clone());
            if best.as_ref().is_none_or(|(best, _)| rewards.of(Player(0)) >= best.of(Player(0))) {
                best = Some((rewards, sequence));
            }
            let (rewards, sequence) = best.as_ref().unwrap();
            policy = self.adapt(&policy, rewards, sequence);
        }
        best.unwrap()
    }

    fn playout(&mut self, policy: &[f64]) -> (Rewards, Sequence) {
        let (mut position, mut sequence) = (0, Vec::new());
        while let Turn::Player(player) = self.game.turn(&position) {
            let moves = self.moves(position);
            let factors: Vec<f64> =
                moves.iter().map(|&mv| libm::exp(policy[self.code(mv, position)])).collect();
            let mut left = self.rng.unit() * factors.iter().sum::<f64>();
            let index = factors.iter().position(|factor| {
                left -= factor;
                left < 0.0
            });
            let chosen = moves[index.unwrap_or(moves.len() - 1)];
            sequence.push((player, moves, chosen));
            position = chosen;
        }
        let rewards = self.game.rewards(&position);
        self.results.push((sequence[0].2, rewards));
        (rewards, sequence)
    }

    fn adapt(&self, policy: &[f64], rewards: &Rewards, sequence: &Sequence) -> Vec<f64> {
        let (mut adapted, alpha) = (policy.to_vec(), self.learning.alpha);
        let mut position = 0;
        for (player, moves, chosen) in sequence {
            let chosen_code = self.code(*chosen, position);
            if self.learning.form == Form::Report {
                adapted[chosen_code] += alpha * rewards.of(*player);
            } else if *player == Player(0) {
                let factor = |&mv: &u32| libm::exp(policy[self.code(mv, position)]);
                let sum: f64 = moves.iter().map(factor).sum();
                adapted[chosen_code] += alpha;
                for mv in moves {
                    adapted[self.code(*mv, position)] -= alpha * factor(mv) / sum;
                }
            }
            position = *chosen;
        }
        adapted
    }
}

/// Positions share labels, and so codes.
const TREES: [&str; 3] = [
    "1(1(1([0.1] [0.5] [0.3]) 1([0.7] [0.2])) 1([0.4] 1([0.6] [0.9] [0.8])) 1(1([0.1] [0.2]) [0.35]))",
    "1(2(1(0.1 0.5 0.3) 1(0.7 0.2)) 2(0.4 1(0.6 0.9 0.8)) 1(2(0.1 1) 0.35))",
    "1(2(3([0.1 0.5 0.3] [0.7 0.2 0]) [0.4 0.1 0.5]) 3([0.6 0 1] 2([0.9 0 0] [0.8 0.1 0.1])) [0.5 0 0])",
];

#[test]
fn the_recursion_is_the_papers() {
    for tree in TREES {
        let game = Tree::parse(tree).unwrap();
        for form in [Form::Report, Form::Standard] {
            for level in 1..=3 {
                let learning = Learning { level, n: 5, alpha: 0.7, form };
                let mut naive = Naive { game: &game, learning, rng: Rng::new(1), results: Vec::new() };
                // The second search starts with a policy of zeros.
                let zeros = vec![0.0; game.codes(0)];
                let first = naive.search(level, zeros.clone());
                let second = naive.search(level, zeros);
                let found = report(&game, learning, naive.results.len() as u64);
                assert_eq!(found.playouts, 2 * 5u64.pow(level as u32));
                for of_move in &found.moves {
                    let results = naive.results.iter().filter(|(mv, _)| *mv == of_move.mv);
                    let rewards: Vec<f64> = results.map(|(_, rewards)| rewards.of(Player(0))).collect();
                    assert_eq!(of_move.visits, rewards.len() as u64, "{tree}, {learning:?}");
                    let mean = rewards.iter().sum::<f64>() / rewards.len().max(1) as f64;
                    assert!((of_move.mean - mean).abs() < 1e-4, "{tree}, {learning:?}");
                }
                if game.players() == 1 {
                    let [first, second] = [first, second].map(|(rewards, _)| rewards.of(Player(0)));
                    let end = *found.principal_variation.last().unwrap();
                    assert_eq!(game.rewards(&end).of(Player(0)), first.max(second), "{learning:?}");
                }
            }
        }
    }
}

/// In twelve successive choices between left and right only one of 2^12 sequences has the full reward. A policy finds it
/// because every right choice counts a little.
#[test]
fn what_counts_little_by_little_is_learned() {
    fn tree(plies: usize, right: usize) -> String {
        if plies == 0 {
            return format!("[{}]", right as f64 / 12.0);
        }
        // Labels make the codes of each ply distinct.
        format!("1(l{plies}:{} r{plies}:{})", tree(plies - 1, right), tree(plies - 1, right + 1))
    }
    let game = Tree::parse(&tree(12, 0)).unwrap();
    for (form, alpha) in [(Form::Report, 0.2), (Form::Standard, 1.0)] {
        let found = report(&game, Learning { level: 2, n: 20, alpha, form }, 400);
        let end = *found.principal_variation.last().unwrap();
        assert_eq!(game.rewards(&end).of(Player(0)), 1.0, "{form:?}");
    }
}

#[test]
fn chance_is_averaged() {
    let alone = Tree::parse("(?([0.9] [0]) [0.5])").unwrap();
    for form in [Form::Report, Form::Standard] {
        let found = report(&alone, Learning { level: 2, n: 20, alpha: 0.1, form }, 5_000);
        assert_eq!(found.moves[0].index, 1, "{form:?}");
        assert!((found.moves[1].mean - 0.45).abs() < 0.05, "{form:?}: {}", found.moves[1].mean);
    }
}
