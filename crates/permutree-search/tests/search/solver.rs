//! What is proven is true, and proofs are used.

use crate::kit::{POLICIES, Policy, after, show, with};
use crate::solved::values;
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{Connect4, Hex, Nogo, TicTacChess, TicTacToe, Tree};
use permutree_search::{Budget, Options, Report, Searcher};
use std::collections::HashMap;

const SOLVER: Options = Options {
    coding: 0,
    transpositions: true,
    final_move: permutree_search::FinalMove::Visits,
    solver: true,
    reuse: false,
    memory: 1 << 30,
};

fn report<G: Game>(policy: Policy, game: &G, root: &G::Position, playouts: u64) -> Report<G::Move> {
    let mut search = policy.search(game, root, SOLVER, 1);
    search.advance(&Budget::playouts(playouts));
    search.report()
}

/// From positions after so many random moves: whatever is proven is what looking at everything gives, and what is won or
/// lost ends the search before its budget. A proven draw does not: the search may come back to it for ever.
struct Proves(usize);

impl Visitor for Proves {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (mut known, mut rng, mut scratch) = (HashMap::new(), Rng::new(1), Vec::new());
        for _ in 0..10 {
            let mut root = game.start();
            for _ in 0..self.0 {
                if let Some(mv) = game.random_move(&root, &mut rng, &mut scratch) {
                    game.play(&mut root, mv);
                }
            }
            let Turn::Player(player) = game.turn(&root) else { continue };
            let values = values(&game, &root, &mut known);
            let values: Vec<f64> = values.iter().map(|value| value[player.index()]).collect();
            let max = values.iter().copied().fold(0.0, f64::max);
            if values.len() < 2 {
                continue;
            }
            for policy in POLICIES {
                let report = report(policy, &game, &root, 50_000);
                let shown = show(&game, &root, &report);
                if max == 0.0 || max == 1.0 {
                    assert!(report.playouts < 50_000, "{policy:?}: {shown}");
                    assert_eq!(report.moves[0].proven, Some(max), "{policy:?}: {shown}");
                }
                assert_eq!(values[report.moves[0].index], max, "{policy:?}: {shown}");
                for found in &report.moves {
                    let proven = found.proven.unwrap_or(values[found.index]);
                    assert_eq!(proven, values[found.index], "{policy:?}: {shown}");
                }
            }
        }
    }
}

#[test]
fn small_games() {
    with::<TicTacToe, _>(&[], Proves(2));
    with::<Hex, _>(&[("size", "3")], Proves(0));
    with::<Hex, _>(&[("size", "4")], Proves(6));
    with::<Connect4, _>(&[("columns", "4"), ("rows", "4"), ("connect", "3")], Proves(3));
    with::<Nogo, _>(&[("size", "3")], Proves(2));
}

/// Three players: the second gives the first 0.9 because it is better for the second. Two moves that are equally good for
/// who chooses but not for the others prove nothing above.
#[test]
fn every_player_for_himself() {
    let proven = |tree: &str| -> Vec<Option<f64>> {
        let game = Tree::parse(tree).unwrap();
        let mut moves = report(Policy::Uct, &game, &0, 5_000).moves;
        moves.sort_by_key(|found| found.index);
        moves.iter().map(|found| found.proven).collect()
    };
    assert_eq!(proven("(([0.9 0.2 0] [0.6 0 1]) [0.5 0 0])"), [Some(0.9), Some(0.5)].map(near));
    assert_eq!(proven("(([0.9 0.2 0] [0.6 0.2 1]) [0.5 0 0])"), [None, Some(0.5)]);
    assert_eq!(proven("(([0.6 0.2 0] [0.6 0.2 0]) [0.5 0 0])"), [Some(0.6), Some(0.5)].map(near));
    // A sure outcome is proven, an unsure one is not.
    assert_eq!(proven("(?(0.5 0.5) 0.25)"), [Some(0.5), Some(0.25)]);
    assert_eq!(proven("(?(0.75 0.5) 0.25)"), [None, Some(0.25)]);
    // What wins ends the search.
    assert_eq!(proven("((1 1) 0.5)")[0], Some(1.0));
}

/// A reward as the tree keeps it, in units of 1 / 65536.
fn near(reward: Option<f64>) -> Option<f64> {
    reward.map(|reward| (reward * 65536.0).round() / 65536.0)
}

/// Positions after so many random moves in which the solver proves a win with few playouts: how many there are, and in
/// how many of them plain search with as many playouts plays a move that is proven not to win.
struct Misses {
    plies: usize,
    positions: usize,
    policy: Policy,
    playouts: u64,
}

impl Visitor for Misses {
    type Output = (usize, usize);

    fn visit<G: Game>(self, game: G) -> (usize, usize) {
        let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
        let (mut won, mut missed) = (0, 0);
        for _ in 0..self.positions {
            let mut root = game.start();
            for _ in 0..self.plies {
                if let Some(mv) = game.random_move(&root, &mut rng, &mut scratch) {
                    game.play(&mut root, mv);
                }
            }
            let found = report(self.policy, &game, &root, self.playouts);
            if found.moves.first().is_none_or(|best| best.proven != Some(1.0)) {
                continue;
            }
            won += 1;
            let plain = self.policy.report(&game, &root, self.playouts, 1).best().unwrap();
            let mut after = root.clone();
            game.play(&mut after, plain);
            if game.turn(&after) != Turn::Over {
                let reply = report(Policy::Uct, &game, &after, 20_000);
                missed += usize::from(reply.moves[0].proven.is_some_and(|reward| reward > 0.0));
            }
        }
        (won, missed)
    }
}

#[test]
fn wins_that_plain_search_misses() {
    for policy in [Policy::Uct, Policy::Grave, Policy::Mcps] {
        for playouts in [200, 1000, 5000] {
            let connect4 = with::<Connect4, _>(&[], Misses { plies: 18, positions: 150, policy, playouts });
            let hex = with::<Hex, _>(&[("size", "5")], Misses { plies: 8, positions: 150, policy, playouts });
            let tic_tac_chess =
                with::<TicTacChess, _>(&[], Misses { plies: 8, positions: 150, policy, playouts });
            println!("{policy:?} {playouts} {connect4:?} {hex:?} {tic_tac_chess:?}");
        }
    }
}
