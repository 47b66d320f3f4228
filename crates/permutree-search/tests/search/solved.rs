//! Solved positions: by hand, and by exhaustive search.

use crate::kit::{POLICIES, after, after_random, show, with};
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{Connect4, Hex, Nogo, TicTacToe};
use std::collections::HashMap;

/// After `moves` every policy plays one of `best`.
struct Plays<'a> {
    moves: &'a str,
    best: &'a [&'a str],
    playouts: u64,
}

impl Visitor for Plays<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = after(&game, self.moves);
        for policy in POLICIES {
            let report = policy.report(&game, &root, self.playouts, 1);
            let best = game.move_text(&root, report.best().unwrap());
            assert!(
                self.best.contains(&&*best),
                "{policy:?} after {}: {}",
                self.moves,
                show(&game, &root, &report)
            );
        }
    }
}

#[test]
fn wins_and_blocks_by_hand() {
    let tic_tac_toe = |moves, best| {
        with::<TicTacToe, _>(&[], Plays { moves, best, playouts: 2_000 });
    };
    tic_tac_toe("a1 a3 b1 b3", &["c1"]);
    tic_tac_toe("a1 a3 b1 b3 c2", &["c3"]);
    tic_tac_toe("a1 b2 c1", &["b1"]);
    // Two opposite corners against the centre: only an edge cell draws.
    tic_tac_toe("a1 b2 c3", &["b1", "a2", "c2", "b3"]);

    let connect4 = |moves, best| with::<Connect4, _>(&[], Plays { moves, best, playouts: 4_000 });
    connect4("a b a b a c", &["a"]);
    connect4("a b a b a", &["a"]);
    connect4("a c b c g c", &["c"]);
    // Two in the middle of an empty row become an open three.
    connect4("c c d d", &["b", "e"]);
    connect4("c c d", &["b", "e"]);

    let hex = |moves, best| with::<Hex, _>(&[("size", "4")], Plays { moves, best, playouts: 4_000 });
    hex("b1 a1 b2 c1 b3 d1", &["a4", "b4"]);
    hex("b1 a1 b2 c1 b3", &["a4", "b4"]);
}

/// The rewards if every player plays the first of their best moves (max^n). With two players whose rewards add up to 1 this is
/// the value of the game.
fn value<G: Game>(game: &G, position: &G::Position, known: &mut HashMap<u64, Vec<f64>>) -> Vec<f64> {
    let Turn::Player(player) = game.turn(position) else {
        return game.rewards(position).as_slice().to_vec();
    };
    if let Some(value) = known.get(&game.hash(position)) {
        return value.clone();
    }
    let values = values(game, position, known);
    let best = values.into_iter().reduce(|a, b| if b[player.index()] > a[player.index()] { b } else { a });
    let best = best.unwrap();
    known.insert(game.hash(position), best.clone());
    best
}

/// The values of the moves of a position, in their order.
pub(crate) fn values<G: Game>(
    game: &G,
    position: &G::Position,
    known: &mut HashMap<u64, Vec<f64>>,
) -> Vec<Vec<f64>> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = |mv| {
        let mut next = position.clone();
        game.play(&mut next, mv);
        next
    };
    moves.into_iter().map(|mv| value(game, &after(mv), known)).collect()
}

/// Positions after some random moves in which not all moves are equally good. Every policy must choose a wrong move at most half
/// as often as random play. Some are wrong: two thousand playouts do not solve these games, and a policy without exploration
/// never returns to a move that started badly.
struct Solve(usize);

impl Visitor for Solve {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        const POSITIONS: usize = 40;
        let (mut known, mut rng) = (HashMap::new(), Rng::new(1));
        let (mut positions, mut worse, mut by_chance) = (0, [0; POLICIES.len()], 0.0);
        while positions < POSITIONS {
            let root = after_random(&game, self.0, &mut rng);
            let Turn::Player(player) = game.turn(&root) else { continue };
            let values = values(&game, &root, &mut known);
            let values: Vec<f64> = values.iter().map(|value| value[player.index()]).collect();
            let max = values.iter().copied().fold(0.0, f64::max);
            let bad = values.iter().filter(|&&value| value < max).count();
            if bad == 0 {
                continue;
            }
            positions += 1;
            by_chance += bad as f64 / values.len() as f64;
            for (policy, worse) in POLICIES.into_iter().zip(&mut worse) {
                let report = policy.report(&game, &root, 2_000, rng.bits());
                *worse += i32::from(values[report.moves[0].index] < max);
            }
        }
        for (policy, worse) in POLICIES.into_iter().zip(worse) {
            assert!(2.0 * f64::from(worse) <= by_chance, "{policy:?}: {worse} wrong, {by_chance} by chance");
        }
    }
}

#[test]
fn best_moves_of_small_games() {
    with::<TicTacToe, _>(&[], Solve(3));
    with::<Hex, _>(&[("size", "3")], Solve(1));
    with::<Hex, _>(&[("size", "4")], Solve(6));
    with::<Connect4, _>(&[("columns", "4"), ("rows", "4"), ("connect", "3")], Solve(3));
    with::<Nogo, _>(&[("size", "3")], Solve(2));
}
