//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod bits;
pub mod breakthrough;
pub mod knightthrough;
pub mod pig;
pub mod racing;
pub mod tic_tac_toe;
pub mod tree;
pub mod wargame;

pub use breakthrough::Breakthrough;
pub use knightthrough::Knightthrough;
pub use pig::Pig;
pub use tic_tac_toe::TicTacToe;
pub use tree::Tree;
pub use wargame::Wargame;
