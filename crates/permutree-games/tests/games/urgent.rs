//! What line games say of wins and blocks, against trying every move.

use crate::kit::with;
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{Connect4, Gomoku};

/// In random games: the urgent moves are those that win, or else those with which the other player would win if any other
/// move were made.
struct Urgent;

impl Visitor for Urgent {
    /// How many wins and blocks there were.
    type Output = [usize; 2];

    fn visit<G: Game>(self, game: G) -> [usize; 2] {
        let mut rng = Rng::new(1);
        let mut found = [0; 2];
        let after = |position: &G::Position, mv| {
            let mut position = position.clone();
            game.play(&mut position, mv);
            position
        };
        let wins = |position: &G::Position, mv| {
            let Turn::Player(player) = game.turn(position) else { return false };
            let next = after(position, mv);
            game.turn(&next) == Turn::Over && game.rewards(&next).of(player) == 1.0
        };
        for _ in 0..300 {
            let mut position = game.start();
            while let Some(mv) = game.random_move(&position, &mut rng, &mut Vec::new()) {
                let (mut moves, mut urgent) = (Vec::new(), Vec::new());
                game.moves(&position, &mut moves);
                assert!(game.urgent_moves(&position, &mut urgent));
                let mut expected: Vec<G::Move> =
                    moves.iter().copied().filter(|&mv| wins(&position, mv)).collect();
                let none = expected.is_empty();
                if none && let [first, second, ..] = moves[..] {
                    let (one, other) = (after(&position, first), after(&position, second));
                    let blocks = |&mv: &G::Move| wins(if mv == first { &other } else { &one }, mv);
                    expected = moves.iter().copied().filter(blocks).collect();
                }
                if moves.len() > 1 {
                    assert_eq!(urgent, expected, "{}", game.board(&position, None));
                    found[usize::from(none)] += urgent.len();
                }
                game.play(&mut position, mv);
            }
            let mut none = Vec::new();
            assert!(game.urgent_moves(&position, &mut none) && none.is_empty());
        }
        found
    }
}

#[test]
fn wins_and_blocks_are_found() {
    for [wins, blocks] in [
        with::<Connect4, _>(&[], Urgent),
        with::<Connect4, _>(&[("columns", "11"), ("rows", "9"), ("connect", "3")], Urgent),
        with::<Connect4, _>(&[("columns", "6"), ("rows", "6"), ("connect", "5")], Urgent),
        with::<Gomoku, _>(&[("size", "7")], Urgent),
        with::<Gomoku, _>(&[("size", "7"), ("exact", "true")], Urgent),
        with::<Gomoku, _>(&[("size", "12")], Urgent),
    ] {
        assert!(wins > 50 && blocks > 50, "{wins} wins and {blocks} blocks");
    }
}
