//! Explicit trees with known values.

use crate::games::Ball;
use crate::kit::{PLAYOUTS, POLICIES, Playouts, Policy, show};
use permutree_game::{Game, Turn};
use permutree_games::Tree;
use permutree_search::{Budget, Options, Report, Searcher};

/// Searches a tree with all playout policies, random ones with three seeds. The line must be the principal variation and
/// `value` the mean of its first move.
fn check(policies: &[Policy], tree: &str, line: &str, value: f64) {
    let game = Tree::parse(tree).unwrap();
    for &policy in policies {
        let others = PLAYOUTS.into_iter().map(|playouts| (playouts, 1));
        for (playouts, seed) in others.chain([2, 3].map(|seed| (Playouts::Uniform, seed))) {
            let mut search = policy.search_with(playouts, &game, &0, Options::default(), seed);
            search.advance(&Budget::playouts(10_000));
            let report = search.report();
            let shown = show(&game, &0, &report);
            let what = format!("{policy:?}, {playouts:?} in {tree}: {shown}");
            assert!(shown.ends_with(&format!("line {line}\n")), "{what}");
            let mean = report.moves[0].mean;
            assert!((mean - value).abs() < 0.02, "{value} expected: {what}");
        }
    }
}

/// Policies without an exploration term never return to a move whose first playout was worse than another move's value. In
/// these trees every playout of the best move is better than the values of the others, so all policies must find it.
#[test]
fn every_policy_finds_the_value() {
    check(&POLICIES, "(0.2 0.8 0.5)", "b", 0.8);
    // One player.
    check(&POLICIES, "([0.2] 1([0.5] [0.9]) 1([0.4]))", "b b", 0.9);
    // The second player chooses what is worst for the first.
    check(&POLICIES, "((1 0) (0.5 0.75))", "b a", 0.5);
    check(&POLICIES, "(((p:0.9 q:0.8) (r:0.7 s:1)) ((t:0 u:1) (v:0.6 w:0)))", "a a p", 0.9);
    // The first player moves twice; then the second does.
    check(&POLICIES, "(1(0.7 0.9) (0.5 0.6))", "a b", 0.9);
    check(&POLICIES, "(2(p:2(0.9 0.8) q:2(r:0.7 s:0.5)) 0.4)", "a q s", 0.5);
    // Three players: the second gives the first 0.9 because it is better for the second.
    check(&POLICIES, "(([0.9 0.2 0] [0.6 0 1]) [0.5 0 0])", "a a", 0.9);
    check(&POLICIES, "(3([0.7 1 0.1] [0.4 0 0.2]) ([0.3 0.5 0] [0.2 0.1 1]))", "a b", 0.4);
}

/// The mean of the outcomes is 0.5; a search that maximises or minimises at chance nodes finds 0.6 or 0.4.
#[test]
fn chance_is_averaged() {
    check(&POLICIES, "(0.5 ?(3*0.9 0.6))", "b a", 0.825);
    for policy in POLICIES {
        let game = Tree::parse("(x:?(u:2(0.9 0.4) v:2(1 0.6)) y:0.3)").unwrap();
        let report = policy.report(&game, &0, 10_000, 1);
        assert!((report.moves[0].mean - 0.5).abs() < 0.02, "{policy:?}: {}", show(&game, &0, &report));
    }
}

/// The best move starts badly: its reward comes in one playout of four, or only after a mistake.
#[test]
fn exploration_comes_back() {
    let exploring = [Policy::Uct, Policy::Tuned];
    check(&exploring, "(?(1 0) ?(3*1 0))", "b a", 0.75);
    check(&exploring, "(1(0 0 0 0.9) 0.5)", "a d", 0.9);
    check(&exploring, "(([0.8 0.2 0] [0 0 1]) [0.5 0 0])", "a a", 0.8);
}

/// At a chance root, outcomes are drawn by their weights and have no rewards.
#[test]
fn chance_at_the_root() {
    let game = Tree::parse("?(3*(0.2 0.7) (0.9 0.1))").unwrap();
    for policy in POLICIES {
        let report: Report<u32> = policy.report(&game, &0, 4_000, 1);
        assert_eq!((report.turn, report.player()), (Turn::Chance, None));
        let often = report.moves.iter().find(|found| found.index == 0).unwrap();
        // Five standard deviations of 27.
        assert!(often.visits.abs_diff(3_000) < 137, "{policy:?}: {} visits", often.visits);
        assert!(report.moves.iter().all(|found| found.mean == 0.0));
    }
}

/// The hash hides how long the ball has been passed, so a descent meets its own path.
#[test]
fn descents_leave_cycles() {
    for policy in POLICIES {
        let game = Ball::new(0.5);
        let report = policy.report(&game, &game.start(), 1_000, 1);
        assert_eq!(report.moves.iter().map(|found| found.visits).sum::<u64>(), 1_000);
        assert!(report.nodes <= 6, "three players may have the ball, and three may have kept it");
        assert_eq!(game.move_text(&game.start(), report.best().unwrap()), "keep");
        assert_eq!(report.moves[0].mean, 0.5);
        // Nobody keeps a ball that is worth nothing, and everybody gets a third, rounded to 1 / 65536.
        let game = Ball::new(0.0);
        let report = policy.report(&game, &game.start(), 1_000, 1);
        assert_eq!(game.move_text(&game.start(), report.best().unwrap()), "pass");
        assert!(report.moves[0].mean <= 1.0 / 3.0 + 1e-5 && report.moves[1].mean == 0.0);
    }
    let thirds = Tree::parse("([0.33333333 0.33333333 0.33333333] [0.333 0.5 0.167])").unwrap();
    for policy in POLICIES {
        let report = policy.report(&thirds, &0, 100, 1);
        assert_eq!((report.moves[0].index, report.moves[0].mean), (0, 21_845.0 / 65_536.0));
    }
}
