//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod bits;
pub mod hex;
pub mod tic_tac_toe;

pub use hex::Hex;
pub use tic_tac_toe::TicTacToe;
