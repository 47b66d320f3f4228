use crate::kit::golden;
use permutree_games::TicTacToe;

#[test]
fn kit() {
    // 0.585 is the exact first-player win rate of random play, 0.127 the exact share of draws.
    let summary = golden::<TicTacToe>(&[], 5_000, "tic-tac-toe");
    assert!((summary.rewards[0] - (0.585 + 0.127 / 2.0)).abs() < 0.02, "{summary:?}");
}
