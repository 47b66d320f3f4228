//! A part of `permutree-zoo`: games of lines, with every search compiled for them.
//!
//! Use `permutree-zoo`, which has all games. It is split into crates so that a change of one game recompiles only the searches
//! of its part.

use permutree_agents::{GameEntry, entry};
use permutree_games::{Connect4, Gomoku, OrderAndChaos, TicTacChess, TicTacMo, TicTacToe, UltimateTicTacToe};

/// The games, by name.
pub static GAMES: &[GameEntry] = &[
    entry::<Connect4>(),
    entry::<Gomoku>(),
    entry::<OrderAndChaos>(),
    entry::<TicTacChess>(),
    entry::<TicTacMo>(),
    entry::<TicTacToe>(),
    entry::<UltimateTicTacToe>(),
];
