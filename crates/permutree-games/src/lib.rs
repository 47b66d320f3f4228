//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod atarigo;
pub mod bits;
pub mod candidates;
pub mod connect4;
mod draws;
pub mod gomoku;
pub mod groups;
pub mod hex;
pub mod nogo;
pub mod tic_tac_toe;

pub use atarigo::Atarigo;
pub use connect4::Connect4;
pub use gomoku::Gomoku;
pub use hex::Hex;
pub use nogo::Nogo;
pub use tic_tac_toe::TicTacToe;
