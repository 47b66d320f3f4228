//! AMS on trees with known values, and against a plain version of its recursion.

use permutree_game::{Game, Player, Rewards, Rng, Turn};
use permutree_games::{TicTacToe, Tree};
use permutree_search::playouts::{PlayoutPolicy, Uniform};
use permutree_search::tree::Record;
use permutree_search::treeless::{Ams, Plan, Samples};
use permutree_search::{Budget, Report, Searcher};
use std::sync::{Arc, Mutex};

fn report(tree: &str, depth: usize, samples: Samples, playouts: u64) -> Report<u32> {
    let game = Tree::parse(tree).unwrap();
    let plan = Plan { depth, samples };
    let mut search = Ams::evaluating(game, 0, 1 << 20, plan, Rng::new(1));
    search.advance(&Budget::playouts(playouts));
    search.report()
}

/// Visits and mean of each move in the order of the game.
fn found(report: &Report<u32>) -> Vec<(u64, f64)> {
    let mut moves: Vec<_> =
        report.moves.iter().map(|found| (found.index, found.visits, found.mean)).collect();
    moves.sort_by_key(|found| found.0);
    moves.into_iter().map(|(_, visits, mean)| (visits, mean)).collect()
}

#[test]
fn values_by_hand() {
    let tree = "((1 0) (0.5 0.75))";
    // One sample of every move: the means of the leaves.
    assert_eq!(found(&report(tree, 2, Samples::Fixed(0), 4)), [(1, 0.5), (1, 0.625)]);
    // Below a the loop takes 0 twice: for the second player 1 + sqrt(2 ln 3 / 2) is more than sqrt(2 ln 3). Below b it takes
    // 0.5 and then 0.75, as 0.25 + sqrt(2 ln 3) is more than 0.5 + sqrt(2 ln 3 / 2).
    assert_eq!(found(&report(tree, 2, Samples::Moves, 8)), [(1, 0.25), (1, 0.625)]);
    assert_eq!(found(&report(tree, 2, Samples::Fixed(2), 8)), [(1, 0.25), (1, 0.625)]);
    // An unfinished sample counts with its value so far: 1, 0 and 0 below a, nothing below b.
    assert_eq!(found(&report(tree, 2, Samples::Moves, 3)), [(1, 1.0 - 43_691.0 / 65_536.0), (0, 0.0)]);
    // A leaf that is not over and has no evaluation has an even share as its value.
    assert_eq!(
        found(&report("(0.7 ((1 1) (1 1)))", 2, Samples::Fixed(0), 3)),
        [(1, 45_875.0 / 65_536.0), (1, 0.5)]
    );
    // With many samples the mean approaches the value of the move.
    let long = found(&report(tree, 2, Samples::Fixed(2_000), 30_000));
    assert!(long[0].1 < 0.03 && (long[1].1 - 0.5).abs() < 0.03, "{long:?}");
}

/// AMS(s, d) as in the paper, with sums of rewards in fixed point as in the library.
fn naive(game: &Tree, position: u32, samples: Samples, leaves: &mut u64) -> Vec<f64> {
    if game.turn(&position) == Turn::Over {
        *leaves += 1;
        return game.rewards(&position).as_slice().to_vec();
    }
    let moves = {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        moves
    };
    let limit = match samples {
        Samples::Moves => 2 * moves.len(),
        Samples::Fixed(samples) => moves.len() + samples as usize,
        _ => unreachable!(),
    };
    let mut visits = vec![0; moves.len()];
    let mut sums = vec![vec![0.0; game.players()]; moves.len()];
    for n in 0..limit {
        let index = choose(game.turn(&position), &visits, &sums, n);
        let value = naive(game, moves[index], samples, leaves);
        visits[index] += 1;
        sums[index]
            .iter_mut()
            .zip(&value)
            .for_each(|(sum, x)| *sum += (x * 65_536.0 + 0.5).floor() / 65_536.0);
    }
    let mean = |player: usize| sums.iter().map(|sums| sums[player]).sum::<f64>() / limit as f64;
    (0..game.players()).map(mean).collect()
}

fn choose(turn: Turn, visits: &[u32], sums: &[Vec<f64>], n: usize) -> usize {
    let Turn::Player(Player(player)) = turn else { unreachable!() };
    if n < visits.len() {
        return n;
    }
    let score = |i: usize| {
        let visits = f64::from(visits[i]);
        sums[i][usize::from(player)] / visits + (2.0 * libm::log(n as f64) / visits).sqrt()
    };
    (0..visits.len()).fold(0, |best, i| if score(i) > score(best) { i } else { best })
}

#[test]
fn the_recursion_is_the_papers() {
    for tree in [
        "(0.2 0.8 0.5)",
        "((1 0) (0.5 0.75))",
        "([0.2] 1([0.5] [0.9]) 1([0.4]))",
        "(((p:0.9 q:0.8) (r:0.7 s:1)) ((t:0 u:1) (v:0.6 w:0)))",
        "(2(p:2(0.9 0.8) q:2(r:0.7 s:0.5)) 0.4 1(0.3 0.1 0.6))",
        "(3([0.7 1 0.1] [0.4 0 0.2]) ([0.3 0.5 0] [0.2 0.1 1]))",
    ] {
        let game = Tree::parse(tree).unwrap();
        let mut moves = Vec::new();
        game.moves(&0, &mut moves);
        for samples in [Samples::Moves, Samples::Fixed(0), Samples::Fixed(7)] {
            let (mut visits, mut leaves) = (vec![0; moves.len()], 0);
            let mut sums = vec![vec![0.0; game.players()]; moves.len()];
            for n in 0..20 {
                let index = choose(game.turn(&0), &visits, &sums, n);
                let value = naive(&game, moves[index], samples, &mut leaves);
                visits[index] += 1;
                sums[index]
                    .iter_mut()
                    .zip(&value)
                    .for_each(|(sum, x)| *sum += (x * 65_536.0 + 0.5).floor() / 65_536.0);
                let expected: Vec<(u64, f64)> = visits
                    .iter()
                    .zip(&sums)
                    .map(|(&n, sums)| (u64::from(n), if n == 0 { 0.0 } else { sums[0] / f64::from(n) }))
                    .collect();
                assert_eq!(found(&report(tree, 8, samples, leaves)), expected, "{tree} {samples:?} {leaves}");
            }
        }
    }
}

/// The first move gets the whole budget, and the others are valued at an even share, whatever their values.
#[test]
fn the_published_budget() {
    let report_of = |tree| report(tree, 2, Samples::All, 1_000);
    let poor = report_of("((1 0) (0.5 0.75) (1 1))");
    assert!(found(&poor)[0].1 < 0.1 && found(&poor)[1..] == [(1, 0.5), (1, 0.5)]);
    assert_eq!((poor.moves[0].index, poor.playouts), (1, 1_000));
    assert_eq!(report_of("((0.6 0.7) (1 1))").moves[0].index, 0);
    // With three players an even share is a third.
    let thirds = report_of("(([0.3 0.4 0.3] [0.3 0.3 0.4]) ([1 0 0] [1 0 0]))");
    assert_eq!((thirds.moves[0].index, thirds.moves[0].mean), (1, 21_845.0 / 65_536.0));
}

#[test]
fn chance_is_drawn_for_every_sample() {
    let long = found(&report("(x:?(u:2(0.9 0.4) v:2(1 0.6)) y:0.3)", 2, Samples::Fixed(1_000), 200_000));
    assert!((long[0].1 - 0.5).abs() < 0.02, "{long:?}");
    let root = report("?(3*(0.2 0.7) (0.9 0.1))", 2, Samples::Moves, 8_000);
    let long = found(&root);
    // 2000 samples; five standard deviations of 19.
    assert!(long[0].0.abs_diff(1_500) < 97 && long[0].1 == 0.0, "{long:?}");
}

/// Random play that keeps the records that it learns from.
struct Spy {
    uniform: Uniform<u8>,
    learned: Arc<Mutex<Vec<(usize, bool)>>>,
}

impl PlayoutPolicy<TicTacToe> for Spy {
    fn coded(&self) -> bool {
        true
    }

    fn playout(
        &mut self,
        game: &TicTacToe,
        position: &mut <TicTacToe as Game>::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        self.uniform.playout(game, position, coding, rng, record);
    }

    fn learn(&mut self, record: &Record) {
        let mut game = TicTacToe.start();
        for step in &record.steps {
            let mut moves = Vec::new();
            TicTacToe.moves(&game, &mut moves);
            let mv = moves.into_iter().find(|&mv| TicTacToe.code(&game, mv, 0) == step.code).unwrap();
            TicTacToe.play(&mut game, mv);
        }
        let over = TicTacToe.turn(&game) == Turn::Over;
        let rewards: Rewards = TicTacToe.rewards(&game);
        assert_eq!(f64::from(record.rewards[0]) / 65_536.0, rewards.as_slice()[0]);
        self.learned.lock().unwrap().push((record.steps.len(), over));
    }
}

/// A playout policy learns from whole games, from the root to the end of the game.
#[test]
fn playouts_are_learned_from_the_root_on() {
    let learned = Arc::new(Mutex::new(Vec::new()));
    let spy = Box::new(Spy { uniform: Uniform::default(), learned: learned.clone() });
    let plan = Plan { depth: 3, samples: Samples::Moves };
    let mut search = Ams::playing(TicTacToe, TicTacToe.start(), spy, 0, plan, Rng::new(1));
    search.advance(&Budget::playouts(500));
    let learned = learned.lock().unwrap();
    assert!(learned.len() == 500 && learned.iter().all(|&(steps, over)| over && (5..=9).contains(&steps)));
}
