//! Tree reuse between moves.

use crate::kit::{POLICIES, Policy, after};
use permutree_game::{Game, Rng};
use permutree_games::{Hex, TicTacToe};
use permutree_search::{Budget, Options, Searcher};

fn reusing() -> Options {
    Options { transpositions: false, reuse: true, ..Options::default() }
}

/// The playouts through a move are those of the root after it, except the first one, which had its leaf there.
#[test]
fn what_went_through_a_move_is_kept() {
    let game = Hex::<1>::new(4, None, false);
    for policy in POLICIES {
        let mut search = policy.search(&game, &game.start(), reusing(), 1);
        search.advance(&Budget::playouts(2_000));
        let played = search.report().moves[1].clone();
        assert!(search.follow(&[played.mv], Rng::new(2)));
        let report = search.report();
        let visits: u64 = report.moves.iter().map(|found| found.visits).sum();
        assert_eq!((visits, report.playouts), (played.visits - 1, 0), "{policy:?}");
        // The rewards add up to 1; the first playout is not in the means.
        let theirs: f64 = report.moves.iter().map(|found| found.mean * found.visits as f64).sum();
        let ours = played.mean * played.visits as f64;
        assert!(
            (theirs + ours - played.visits as f64).abs() <= 1.0 + 1e-6,
            "{policy:?}: {theirs} and {ours}"
        );
        search.advance(&Budget::playouts(100));
        let report = search.report();
        assert_eq!(report.moves.iter().map(|found| found.visits).sum::<u64>(), visits + 100);
        assert_eq!(report.playouts, 100);
    }
}

/// Nothing is kept after an untried move and a reply to it, or at the end of the game.
#[test]
fn nothing_to_keep() {
    let game = TicTacToe;
    for policy in POLICIES {
        let mut search = policy.search(&game, &game.start(), reusing(), 1);
        search.advance(&Budget::playouts(3));
        let untried = search.report().moves[8].mv;
        let mut position = game.start();
        game.play(&mut position, untried);
        let mut replies = Vec::new();
        game.moves(&position, &mut replies);
        game.play(&mut position, replies[0]);
        assert!(search.follow(&[untried, replies[0]], Rng::new(2)));
        assert!(search.report().moves.iter().all(|found| found.visits == 0));
        search.advance(&Budget::playouts(50));
        let mut new = policy.search(&game, &position, reusing(), 2);
        new.advance(&Budget::playouts(50));
        let visits = |moves: &[permutree_search::MoveReport<_>]| -> Vec<(usize, u64)> {
            moves.iter().map(|found| (found.index, found.visits)).collect()
        };
        assert_eq!(visits(&search.report().moves), visits(&new.report().moves));
    }
    let end = after(&game, "a1 a2 b1 b2");
    let mut search = Policy::Mcps.search(&game, &end, reusing(), 1);
    search.advance(&Budget::playouts(100));
    let win = game.parse_move(&end, "c1").unwrap();
    assert!(search.follow(&[win], Rng::new(1)));
    search.advance(&Budget::playouts(100));
    assert_eq!(search.report().best(), None);
}

/// Without a log `follow` returns false.
#[test]
fn reuse_is_asked_for() {
    let game = TicTacToe;
    let mut search = Policy::Uct.search(&game, &game.start(), Options::default(), 1);
    search.advance(&Budget::playouts(10));
    let best = search.report().best().unwrap();
    assert!(!search.follow(&[best], Rng::new(1)));
}
