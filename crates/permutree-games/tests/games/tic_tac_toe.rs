use crate::kit::{after, drawn, golden};
use permutree_game::{Game, Player};
use permutree_games::TicTacToe;

#[test]
fn kit() {
    // 0.585 is the exact first-player win rate of random play, 0.127 the exact share of draws.
    let summary = golden::<TicTacToe>(&[], 5_000, "tic-tac-toe");
    assert!((summary.rewards[0] - (0.585 + 0.127 / 2.0)).abs() < 0.02, "{summary:?}");
}

#[test]
fn the_longer_open_line_is_ahead() {
    let first = |moves| TicTacToe.evaluate(&after(&TicTacToe, moves)).unwrap().of(Player(0));
    assert!(first("a1 c2 b1") > 0.6);
    assert!(first("c2 a1 a3 b1") < 0.4);
    // Closed by the other's stone, the same two count as one.
    assert!((first("a1 c1 b1 b3") - 0.5).abs() < 1e-9);
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<TicTacToe>(&[], "a1 b2 c3", &[2, 1]);
}
