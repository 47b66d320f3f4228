//! Proofs are correct, and the search uses them.

use crate::kit::{POLICIES, Policy, after, after_random, show, with};
use crate::solved::values;
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{Connect4, Hex, Nogo, TicTacChess, TicTacToe, Tree};
use permutree_search::{Budget, Options, Report, Searcher};
use std::collections::HashMap;

fn report<G: Game>(policy: Policy, game: &G, root: &G::Position, playouts: u64) -> Report<G::Move> {
    let options = Options { solver: true, ..Options::default() };
    let mut search = policy.search(game, root, options, 1);
    search.advance(&Budget::playouts(playouts));
    search.report()
}

/// In positions after some random moves, proofs agree with exhaustive search, and a proven win or loss ends the search before its
/// budget. A proven draw does not: the search may visit it again and again.
struct Proves(usize);

impl Visitor for Proves {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (mut known, mut rng) = (HashMap::new(), Rng::new(1));
        for _ in 0..10 {
            let root = after_random(&game, self.0, &mut rng);
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

/// Three players: the second gives the first 0.9 because it is better for the second. Two moves that are equal for the player
/// who chooses but not for the others leave the node unproven.
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
    // Equal outcomes of chance are a proof, different ones are not.
    assert_eq!(proven("(?(0.5 0.5) 0.25)"), [Some(0.5), Some(0.25)]);
    assert_eq!(proven("(?(0.75 0.5) 0.25)"), [None, Some(0.25)]);
    // A proven win ends the search.
    assert_eq!(proven("((1 1) 0.5)")[0], Some(1.0));
}

/// A reward rounded as in the tree, to units of 1 / 65536.
fn near(reward: Option<f64>) -> Option<f64> {
    reward.map(|reward| (reward * 65536.0).round() / 65536.0)
}

/// After `moves` the solver proves a win with this many playouts, and plain search with as many plays a move after which the
/// opponent has a proven reward.
struct Misses<'a> {
    policy: Policy,
    playouts: u64,
    moves: &'a str,
}

impl Visitor for Misses<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = after(&game, self.moves);
        let found = report(self.policy, &game, &root, self.playouts);
        let shown = show(&game, &root, &found);
        assert_eq!(found.moves[0].proven, Some(1.0), "{}: {shown}", self.moves);
        let plain = self.policy.report(&game, &root, self.playouts, 1);
        let mut after = root.clone();
        game.play(&mut after, plain.best().unwrap());
        let reply = report(Policy::Uct, &game, &after, 100_000);
        let shown = show(&game, &root, &plain);
        assert!(reply.moves[0].proven.is_some_and(|reward| reward > 0.0), "{}: {shown}", self.moves);
    }
}

#[test]
fn wins_that_plain_search_misses() {
    let connect4 = |policy, playouts, moves| with::<Connect4, _>(&[], Misses { policy, playouts, moves });
    for moves in [
        "g b a d c e f a e f e g d e f f a a e g",
        "b c a a g f f b d f c b a e b f a b c e",
        "f d d e b g c c c c a e g a f g g d c g",
        "d a g b g g b c a a d c c d g f f a d d",
    ] {
        connect4(Policy::Grave, 150, moves);
    }
    for moves in [
        "f d b a g c b c a b c e f d g d d d b c d c a f",
        "b c e c c a c f e e c d f c a a a f a a b d d e",
        "f d c c f e c b b e g e f g e f a d b c g c f b",
        "c f a a e d g a g e c c f c f f b f a e e e e b",
    ] {
        connect4(Policy::Mcps, 2_000, moves);
    }
    for moves in ["b5 a3 c4 c1 b1 d5 c2 e4", "d5 a2 c4 e1 b5 e5 d2 d3", "e5 c1 d5 e4 d1 a5 c4 d4"] {
        with::<Hex, _>(&[("size", "5")], Misses { policy: Policy::Grave, playouts: 1_000, moves });
    }
    for moves in ["c4 d4 b4 b2", "b4 a4 c4 b2", "d2 b2 b4 c4", "c3 c4 b1 a3"] {
        with::<Hex, _>(&[("size", "4")], Misses { policy: Policy::Mcps, playouts: 500, moves });
    }
    for moves in ["Qc2 Ra2 Rb2 Ka3 Kb3 Qc1", "Rb2 Kc3 Kc1 Rc2 Qb1 Qa1"] {
        with::<TicTacChess, _>(&[], Misses { policy: Policy::Mcps, playouts: 500, moves });
    }
}

/// A proven loss is never played if there is another move, however many visits it has.
#[test]
fn proven_losses_come_last() {
    // The reply that refutes a is one of six, so a looks good at first.
    let game = Tree::parse("((1 1 1 1 1 0) (0.4 0.5))").unwrap();
    for policy in POLICIES {
        for playouts in 1..100 {
            let report = report(policy, &game, &0, playouts);
            let lost = report.moves.iter().position(|found| found.proven == Some(0.0));
            assert!(
                lost.is_none_or(|place| place == 1),
                "{policy:?}, {playouts}: {}",
                show(&game, &0, &report)
            );
        }
        assert_eq!(report(policy, &game, &0, 100).moves[1].proven, Some(0.0), "{policy:?}");
    }
}
