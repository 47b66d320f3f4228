//! Virtual and standard global search, and Gobble, against their definitions.

use crate::kit::{after, show};
use permutree_game::{Game, Player, Rng, Turn};
use permutree_games::{Hex, Tree};
use permutree_search::playouts::Uniform;
use permutree_search::treeless::{Global, Gobble, Noise, Scope, Vgs};
use permutree_search::{Budget, Clock, Report, Searcher};
use std::time::Duration;

fn virtually<G: Game>(game: &G, root: &G::Position, scope: Scope, playouts: u64) -> Report<G::Move> {
    let policy = Box::new(Uniform::default());
    let mut search = Vgs::new(game.clone(), root.clone(), policy, 0, scope, Rng::new(1));
    search.advance(&Budget::playouts(playouts));
    search.report()
}

fn really<G: Game>(game: &G, root: &G::Position, scope: Scope, games: u32) -> Report<G::Move> {
    let policy = Box::new(Uniform::default());
    let mut search = Global::new(game.clone(), root.clone(), policy, 0, scope, games, Rng::new(1));
    search.advance(&Budget::playouts(1_000_000));
    search.report()
}

/// The rewards by max^n.
fn max_n(tree: &Tree, position: u32) -> Vec<f64> {
    let Turn::Player(player) = tree.turn(&position) else {
        return tree.rewards(&position).as_slice().to_vec();
    };
    let mut moves = Vec::new();
    tree.moves(&position, &mut moves);
    let values = moves.into_iter().map(|mv| max_n(tree, mv));
    values.reduce(|a, b| if b[player.index()] > a[player.index()] { b } else { a }).unwrap()
}

/// A tree of this depth with three moves at every node and rewards of this many players.
fn random_tree(players: usize, depth: usize, rng: &mut Rng) -> String {
    if depth == 0 {
        let rewards: Vec<String> = (0..players).map(|_| format!("{:.4}", rng.unit())).collect();
        return format!("[{}]", rewards.join(" "));
    }
    let children: Vec<String> = (0..3).map(|_| random_tree(players, depth - 1, rng)).collect();
    format!("({})", children.join(" "))
}

/// If every sequence is one game, both searches are max^n, whatever the sum of the rewards.
#[test]
fn one_game_for_each_sequence_is_max_n() {
    let mut rng = Rng::new(5);
    for (players, depth) in [(2, 1), (2, 2), (3, 3), (4, 4)] {
        for _ in 0..10 {
            let game = Tree::parse(&random_tree(players, depth, &mut rng)).unwrap();
            let value = max_n(&game, 0)[0];
            let scope = Scope { width: 3, depth, pre: 1_000 };
            let report = virtually(&game, &0, scope, 3_000);
            let found = report.moves[0].permutation.unwrap();
            assert!((found.mean - value).abs() < 1e-4, "{value}: {}", show(&game, &0, &report));
            let report = really(&game, &0, scope, 1);
            let end = *report.principal_variation.last().unwrap();
            assert_eq!(report.principal_variation.len(), depth);
            assert_eq!(game.rewards(&end).of(Player(0)), value, "{}", show(&game, &0, &report));
        }
    }
}

#[test]
fn explicit_trees() {
    let scope = Scope { width: 8, depth: 3, pre: 100 };
    for (tree, value) in [
        ("(0.2 0.8 0.5)", 0.8),
        ("((1 0) (0.5 0.75))", 0.5),
        // The game may be over after the first move.
        ("((0.9 0.1) 0.4)", 0.4),
        // The second player moves twice.
        ("(2(p:2(r:0.9 s:0.8) q:2(r:0.7 s:0.5)) 0.4)", 0.5),
        // One player; no move occurs twice in a sequence.
        ("1(x:1(y:[0.3] z:[0.9]) y:1(x:[0.2] z:[0.5]) z:1(y:[0.1] w:[0.4]))", 0.9),
        // The second of three gives the first 0.9 because it is better for the second.
        ("(([0.9 0.2 0] [0.6 0 1]) [0.5 0 0])", 0.9),
    ] {
        let game = Tree::parse(tree).unwrap();
        let report = virtually(&game, &0, scope, 2_000);
        let found = report.moves[0].permutation.unwrap();
        assert!((found.mean - value).abs() < 1e-4, "{tree}: {}", show(&game, &0, &report));
        let report = really(&game, &0, scope, 10);
        let end = *report.principal_variation.last().unwrap();
        assert_eq!(game.rewards(&end).of(Player(0)), value, "{tree}: {}", show(&game, &0, &report));
        assert!(report.playouts < 1_000, "the search is done before its budget");
    }
}

/// Both moves lead to a chance node, which is a leaf whose games draw outcomes.
#[test]
fn chance_is_averaged() {
    let game = Tree::parse("(?(3*(0.9 0.5) 0) ?(0.7 0.5))").unwrap();
    let scope = Scope { width: 8, depth: 1, pre: 100 };
    for report in [virtually(&game, &0, scope, 4_000), really(&game, &0, scope, 2_000)] {
        assert_eq!(report.moves[0].index, 1, "{}", show(&game, &0, &report));
        assert!((report.moves[0].mean - 0.6).abs() < 0.02, "{}", show(&game, &0, &report));
    }
}

/// In Hex moves permute, every move is legal until its cell is taken, and players alternate, so the values can be recounted from
/// the games themselves.
#[test]
fn virtual_values_are_those_of_a_recount() {
    let game = Hex::<1>::new(3, None, false);
    let root = after(&game, "b2");
    let (pre, playouts) = (20, 500);
    let report = virtually(&game, &root, Scope { width: 9, depth: 2, pre }, playouts);

    let (mut rng, mut scratch, mut games) = (Rng::new(1), Vec::new(), Vec::new());
    for _ in 0..playouts {
        let (mut position, mut record) = (root, Vec::<(Player, u32)>::new());
        let first = game.random_move(&position, &mut rng, &mut scratch).unwrap();
        record.push((Player(1), game.code(&position, first, 0)));
        game.play(&mut position, first);
        game.playout(&mut position, 0, &mut rng, &mut scratch, &mut record);
        games.push((record, game.rewards(&position).of(Player(1))));
    }
    let mean = |codes: &[u32]| {
        let games = games.iter().skip(pre as usize);
        let contains = |record: &[(Player, u32)]| {
            codes.iter().all(|code| record.iter().any(|(_, played)| played == code))
        };
        let results: Vec<f64> = games.filter(|game| contains(&game.0)).map(|game| game.1).collect();
        (!results.is_empty()).then(|| results.iter().sum::<f64>() / results.len() as f64)
    };
    let legal = |position: &<Hex<1> as Game>::Position| {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        moves
    };
    assert!(report.moves.iter().is_sorted_by_key(|found| -found.permutation.unwrap().mean));
    for found in &report.moves {
        let code = game.code(&root, found.mv, 0);
        let mut next = root;
        game.play(&mut next, found.mv);
        let replies = legal(&next).into_iter().map(|reply| {
            let pair = [code, game.code(&next, reply, 0)];
            mean(&pair).or_else(|| mean(&pair[..1])).unwrap()
        });
        let value = replies.fold(f64::INFINITY, f64::min);
        let permutation = found.permutation.unwrap();
        assert!((permutation.mean - value).abs() < 1e-9, "{value}: {}", show(&game, &root, &report));
    }
}

/// Before the moves are chosen, the move with the best AMAF mean is played.
#[test]
fn amaf_before_the_moves_are_chosen() {
    let game = Hex::<1>::new(5, None, false);
    let report = virtually(&game, &game.start(), Scope { width: 8, depth: 3, pre: 300 }, 300);
    assert!(report.moves.iter().all(|found| found.permutation.is_none()));
    assert!(report.moves.iter().is_sorted_by_key(|found| -found.amaf.unwrap().mean));
    // After that only w of them are searched.
    let report = virtually(&game, &game.start(), Scope { width: 8, depth: 3, pre: 299 }, 2_000);
    assert!(report.moves[..8].iter().all(|found| found.permutation.is_some()));
    assert!(report.moves[8..].iter().all(|found| found.permutation.is_none() && found.amaf.is_some()));
}

/// Every leaf gets exactly its games, and the search ends after the last leaf. With depth 1 there are w leaves.
#[test]
fn standard_search_counts_its_games() {
    let game = Hex::<1>::new(5, None, false);
    let report = really(&game, &game.start(), Scope { width: 4, depth: 1, pre: 100 }, 30);
    assert_eq!(report.playouts, 100 + 4 * 30);
    let games: u64 = report.moves.iter().map(|found| found.visits).sum();
    assert_eq!(games, report.playouts);
    // Four moves with four replies, or three if they share a cell. Pruning leaves each move at least one reply.
    let report = really(&game, &game.start(), Scope { width: 4, depth: 2, pre: 100 }, 30);
    assert!((100 + 6 * 30..=100 + 16 * 30).contains(&report.playouts), "{}", report.playouts);
}

#[test]
fn sequences_that_do_not_fit_are_shorter() {
    let game = Hex::<6>::new(19, None, false);
    let report = virtually(&game, &game.start(), Scope { width: 361, depth: 8, pre: 10 }, 100);
    assert!(report.memory < 361 * 361 * (2 * 8 + 4) + 400 * 1024, "{} bytes", report.memory);
}

/// With the most sequences a playout takes longest.
#[test]
fn time_is_kept_with_the_widest_search() {
    let game = Hex::<2>::new(9, None, false);
    let scope = Scope { width: 81, depth: 3, pre: 10 };
    assert!(scope.fits());
    let policy = Box::new(Uniform::default());
    let mut search = Vgs::new(game.clone(), game.start(), policy, 0, scope, Rng::new(1));
    search.advance(&Budget::time(Duration::from_millis(20), Clock::Thread));
    let report = search.report();
    assert!(report.playouts > 10 && report.moves[0].permutation.is_some());
    let milliseconds = report.time.as_secs_f64() * 1e3;
    assert!((20.0..30.0).contains(&milliseconds), "{milliseconds} ms");
}

#[test]
fn gobble_finds_the_best_move() {
    for (tree, best) in [
        ("(0.2 0.8 0.5)", "b"),
        ("((1 0) (0.5 0.75))", "b"),
        ("1(1([0.2] [0.3]) [0.1] 1([0.5] [0.9]))", "c"),
        ("(([0.9 0.2 0] [0.6 0 1]) [0.5 0 0])", "a"),
        ("(?(0.9 0.1) 0.4)", "a"),
    ] {
        let game = Tree::parse(tree).unwrap();
        let noise = Noise { swap: 0.5, cool: 100.0 };
        let mut search = Gobble::new(game.clone(), 0, 0, noise, Rng::new(1));
        search.advance(&Budget::playouts(1_000));
        let report = search.report();
        let shown = show(&game, &0, &report);
        assert_eq!(game.move_text(&0, report.best().unwrap()), best, "{tree}: {shown}");
        assert!(report.moves.iter().all(|found| found.amaf.is_some()), "{shown}");
    }
}
