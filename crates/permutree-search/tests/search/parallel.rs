//! Root-parallel and tree-parallel searches.

use crate::kit::{PLAYOUTS, POLICIES, Playouts, Policy, after_random, show, with};
use permutree_game::{Game, Rng, Visitor};
use permutree_games::{Connect4, Hex, Nogo, Tree};
use permutree_search::parallel::{RootParallel, TreeParallel};
use permutree_search::{Budget, FinalMove, Options, Report, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const OPTIONS: Options = Options {
    coding: 0,
    transpositions: true,
    final_move: FinalMove::Visits,
    solver: false,
    reuse: false,
    memory: 1 << 30,
};

fn tree_parallel<G: Game>(
    (policy, playouts): (Policy, Playouts),
    game: &G,
    root: &G::Position,
    options: Options,
    threads: u64,
) -> TreeParallel<G> {
    let search = |seed| policy.search_with(playouts, game, root, options, seed);
    TreeParallel::new((0..threads).map(search).collect(), options.final_move)
}

fn root_parallel<G: Game>(policy: Policy, game: &G, root: &G::Position, threads: u64) -> RootParallel<G> {
    let search = |seed| Box::new(policy.search(game, root, OPTIONS, seed)) as Box<dyn Searcher<G>>;
    RootParallel::new((0..threads).map(search).collect(), FinalMove::Visits)
}

fn visits<M>(report: &Report<M>) -> u64 {
    report.moves.iter().map(|found| found.visits).sum()
}

/// With every policy, from a position in the middle of a game: every playout is counted once at the root, in one call of
/// `advance` or several. The sum of the means is that of the rewards, which are in [0, 1].
struct Counts(usize);

impl Visitor for Counts {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = after_random(&game, self.0, &mut Rng::new(1));
        let policies = POLICIES.map(|policy| (policy, Playouts::Uniform));
        for policy in policies.into_iter().chain(PLAYOUTS.map(|playouts| (Policy::Uct, playouts))) {
            for transpositions in [true, false] {
                let options = Options { transpositions, ..OPTIONS };
                let mut search = tree_parallel(policy, &game, &root, options, 3);
                search.advance(&Budget::playouts(2_000));
                search.advance(&Budget::playouts(1_001));
                let report = search.report();
                assert_eq!((report.playouts, visits(&report)), (3_001, 3_001), "{policy:?}");
                assert!(!report.deterministic);
                let shown = show(&game, &root, &report);
                assert!(report.moves.iter().all(|found| (0.0..=1.0).contains(&found.mean)), "{shown}");
                let amaf = report.moves.iter().filter_map(|found| found.amaf);
                assert!(amaf.map(|amaf| amaf.count).max().is_none_or(|most| most <= 3_001), "{shown}");
            }
        }
    }
}

#[test]
fn every_playout_is_counted_once() {
    with::<Hex, _>(&[("size", "5")], Counts(3));
    with::<Nogo, _>(&[("size", "4"), ("players", "3")], Counts(2));
    with::<Connect4, _>(&[], Counts(4));
    Counts(0).visit(Tree::parse("(?(0.75 0.5) ((0.2 0.8) ?(1 0 0.3)) 0.25)").unwrap());
}

/// Root-parallel searches give the same result on every run.
#[test]
fn root_parallel_repeats() {
    let game: Hex = Hex::new(5, None, false);
    let root = game.start();
    let run = || {
        let mut search = root_parallel(Policy::Mcps, &game, &root, 3);
        search.advance(&Budget::playouts(1_000));
        let report = search.report();
        assert_eq!((report.playouts, visits(&report), report.deterministic), (1_000, 1_000, true));
        show(&game, &root, &report)
    };
    assert_eq!(run(), run());
}

/// Every search receives almost all playouts of the others: AMAF counts at the root include all of them.
#[test]
fn playouts_are_heard() {
    let game: Hex = Hex::new(5, None, false);
    let root = game.start();
    let mut search = tree_parallel((Policy::Grave, Playouts::Uniform), &game, &root, OPTIONS, 2);
    search.advance(&Budget::playouts(4_000));
    let report = search.report();
    // A cell is played by each player in about half of all random games.
    for found in &report.moves {
        let amaf = found.amaf.expect("GRAVE has AMAF");
        assert!((1_200..=4_000).contains(&amaf.count), "{amaf:?}");
    }
}

/// The best move of a tree with two players, where most of the other moves look better at first.
#[test]
fn values_of_a_tree() {
    let game = Tree::parse("((0.9 0.9 0.9 0.1) (0.5 0.6 0.7) (0.3 0.8))").unwrap();
    for policy in [Policy::Uct, Policy::Tuned] {
        let mut search = tree_parallel((policy, Playouts::Uniform), &game, &0, OPTIONS, 2);
        search.advance(&Budget::playouts(20_000));
        let best = &search.report().moves[0];
        assert_eq!(best.index, 1, "{policy:?}");
        assert!((best.mean - 0.5).abs() < 0.02, "{policy:?}: {}", best.mean);
        let mut search = root_parallel(policy, &game, &0, 2);
        search.advance(&Budget::playouts(20_000));
        let report = search.report();
        assert_eq!(
            (report.moves[0].index, report.playouts, visits(&report)),
            (1, 20_000, 20_000),
            "{policy:?}"
        );
    }
}

/// A proof by any of the searches counts.
#[test]
fn wins_are_proven() {
    let game = Tree::parse("((0.2 0.3) (0.9 (0 1) (0 (1 0.95))) 0.5)").unwrap();
    let solver = Options { solver: true, ..OPTIONS };
    let mut search = tree_parallel((Policy::Uct, Playouts::Uniform), &game, &0, solver, 2);
    search.advance(&Budget::playouts(5_000));
    let report = search.report();
    assert_eq!(
        (report.moves[0].index, report.moves[0].proven),
        (1, Some(0.9f64).map(|value| (value * 65536.0).round() / 65536.0)),
        "{:?}",
        report.moves
    );
}

#[test]
fn a_flag_and_the_time_stop_all() {
    let game: Hex = Hex::new(7, None, false);
    let root = game.start();
    let mut search = tree_parallel((Policy::Mcps, Playouts::Uniform), &game, &root, OPTIONS, 2);
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let watch = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        flag.store(true, Ordering::Relaxed);
        Instant::now()
    });
    search.advance(&Budget { stop: Some(stop), ..Budget::default() });
    let late = watch.join().unwrap().elapsed();
    assert!(late < Duration::from_millis(500), "{late:?}");
    let report = search.report();
    assert!(report.playouts > 0 && visits(&report) == report.playouts && !report.deterministic);
}

/// The playouts through a move are kept after it, and a restart keeps none.
#[test]
fn follow_and_restart() {
    let game: Hex = Hex::new(5, None, false);
    let root = game.start();
    let uniform = (Policy::Mcps, Playouts::Uniform);
    let mut search = tree_parallel(uniform, &game, &root, Options { reuse: true, ..OPTIONS }, 2);
    search.advance(&Budget::playouts(1_000));
    let best = search.report().moves[0].mv;
    assert!(search.follow(&[best], Rng::new(2)));
    let kept = search.report();
    assert!(kept.playouts == 0 && (1..=1_000).contains(&visits(&kept)));
    search.restart(root, Rng::new(7));
    assert_eq!(visits(&search.report()), 0);
    search.advance(&Budget::playouts(500));
    assert_eq!(visits(&search.report()), 500);
}
