//! Sarsa-UCT(λ) against UCT, and the values that it learns over several searches.

use crate::kit::{Playouts, SARSA, after, new, with};
use permutree_game::{Game, Rng, Visitor};
use permutree_games::{Connect4, Hex, OrderAndChaos, Pig, TicTacMo, TicTacToe, Tree};
use permutree_search::policies::{Sarsa, SarsaRule, Uct};
use permutree_search::statistics::Values;
use permutree_search::{Budget, Options, Search, Searcher};
use std::sync::Arc;

const MONTE_CARLO: SarsaRule = SarsaRule { lambda: 1.0, normalise: false, ..SARSA };

/// The visits and means of the root's moves and the line, which must be equal in both searches.
fn same<G: Game>(game: &G, root: &G::Position, options: Options, playouts: Playouts, c: f64) {
    let found = |policy| {
        let playouts = playouts.policy(game, options.coding);
        let mut search = Search::new(game.clone(), root.clone(), policy, playouts, options, Rng::new(5));
        search.advance(&Budget::playouts(3_000));
        let report = search.report();
        let moves: Vec<_> =
            report.moves.iter().map(|found| (found.index, found.visits, found.mean)).collect();
        (moves, report.principal_variation.len(), report.nodes)
    };
    let sarsa = found(Box::new(Sarsa::new(SarsaRule { c, ..MONTE_CARLO })));
    assert_eq!(sarsa, found(Box::new(Uct::new(c))));
}

/// With λ = γ = 1 and no normalisation, visits are equal to those of UCT.
#[test]
fn monte_carlo_returns_make_it_uct() {
    let plain = Options { transpositions: false, ..Options::default() };
    let proving = Options { solver: true, ..plain };
    let uniform = Playouts::Uniform;
    same(&TicTacToe, &TicTacToe.start(), plain, uniform, std::f64::consts::SQRT_2);
    same(&TicTacToe, &TicTacToe.start(), proving, uniform, 0.4);
    let hex = Hex::<1>::new(4, None, false);
    same(&hex, &hex.start(), plain, uniform, 0.4);
    same(&hex, &hex.start(), plain, Playouts::Mast, 0.4);
    same(&hex, &after(&hex, "b2 c3 a4"), proving, uniform, 0.4);
    same(&TicTacMo, &TicTacMo.start(), plain, uniform, 0.4);
    for c in [0.2, 1.0] {
        with::<Connect4, _>(&[], Same { c });
        with::<OrderAndChaos, _>(&[], Same { c });
        with::<Pig, _>(&[], Same { c });
    }
    for tree in [
        "(2(p:2(0.9 0.8) q:2(r:0.7 s:0.5)) 0.4)",
        "(([0.9 0.2 0] [0.6 0 1]) 3([0.7 1 0.1] [0.4 0 0.2]) [0.5 0 0])",
        "(x:?(u:2(0.9 0.4) v:2(1 0.6)) y:0.3)",
        "([0.2] 1([0.5] [0.9]) 1([0.4]))",
    ] {
        let game = Tree::parse(tree).unwrap();
        same(&game, &0, plain, uniform, 0.7);
    }
}

struct Same {
    c: f64,
}

impl Visitor for Same {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let options = Options { transpositions: false, ..Options::default() };
        same(&game, &game.start(), options, Playouts::Uniform, self.c);
    }
}

/// With discounting, an early win has a higher value than a late one: with γ always, with λ until the values in between are
/// learned. For UCT both are equal.
#[test]
fn rewards_fade() {
    // Both moves win for certain; the first wins four moves later.
    let game = Tree::parse("(slow:1(1(1(1(1)))) quick:1(1) lost:0)").unwrap();
    let share = |rule| {
        let mut search = new(&game, &0, Sarsa::new(rule), Options::default(), 1);
        search.advance(&Budget::playouts(2_000));
        let report = search.report();
        let quick = report.moves.iter().find(|found| found.index == 1).unwrap();
        quick.visits
    };
    assert!(share(SARSA) > 1_050, "λ: {}", share(SARSA));
    let discounted = SarsaRule { gamma: 0.8, ..MONTE_CARLO };
    assert!(share(discounted) > 1_500, "γ: {}", share(discounted));
    assert!((980..1_020).contains(&share(MONTE_CARLO)), "{}", share(MONTE_CARLO));
}

/// Normalisation compensates for values that are close together: a tree with compressed rewards is searched the same way.
#[test]
fn normalisation_stretches_values() {
    let visits = |tree: &str, normalise| {
        let game = Tree::parse(tree).unwrap();
        let mut search =
            new(&game, &0, Sarsa::new(SarsaRule { normalise, ..MONTE_CARLO }), Options::default(), 1);
        search.advance(&Budget::playouts(1_000));
        search.report().moves[0].visits
    };
    let (wide, narrow) = ("(0 0.5 1)", "(0.5 0.5078125 0.515625)");
    assert_eq!(visits(wide, true), visits(narrow, true));
    assert_eq!(visits(wide, true), visits(wide, false));
    assert!(visits(narrow, false) < 450 && visits(wide, false) > 900);
}

/// Values from earlier searches are used from the first visit on, and updated.
#[test]
fn values_carry_over() {
    let game = Hex::<1>::new(4, None, false);
    let mut values = Values::new(2);
    let search = |values: &Values, playouts| {
        let policy = Sarsa::new(SARSA).with_values(Arc::new(values.clone()), 50);
        let mut search = new(&game, &game.start(), policy, Options::default(), 1);
        search.advance(&Budget::playouts(playouts));
        search
    };
    search(&values, 5_000).learned(&mut values);
    let mut first = game.start();
    let best = search(&Values::new(2), 5_000).report().best().unwrap();
    game.play(&mut first, best);
    let (visits, means) = values.get(game.hash(&first)).unwrap();
    assert!(
        visits > 500 && means[0] > 0.5 && (means[0] + means[1] - 1.0).abs() < 1e-3,
        "{visits}: {means:?}"
    );

    // Few playouts find the move that took many before.
    let share = |values: &Values| {
        let report = search(values, 100).report();
        report.moves.iter().find(|found| found.mv == best).unwrap().visits
    };
    assert!(
        share(&values) > 25 && share(&Values::new(2)) < 20,
        "{} {}",
        share(&values),
        share(&Values::new(2))
    );

    let known = values.len();
    search(&values.clone(), 5_000).learned(&mut values);
    let (more, _) = values.get(game.hash(&first)).unwrap();
    assert!(values.len() >= known && more > visits && more < visits + 5_000);
}
