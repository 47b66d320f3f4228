//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod bits;
pub mod connect4;
mod draws;
pub mod gomoku;
pub mod tic_tac_toe;

pub use connect4::Connect4;
pub use gomoku::Gomoku;
pub use tic_tac_toe::TicTacToe;
