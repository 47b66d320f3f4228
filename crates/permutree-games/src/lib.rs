//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod atarigo;
pub mod bits;
pub mod breakthrough;
pub mod candidates;
pub mod connect4;
mod draws;
pub mod gomoku;
pub mod groups;
pub mod hex;
pub mod hexagon;
pub mod knightthrough;
pub mod lines;
pub mod nogo;
pub mod pig;
pub mod placing;
pub mod racing;
pub mod tic_tac_toe;
pub mod tree;
pub mod triad;
pub mod wargame;
pub mod yavalade;
pub mod yavalath;

pub use atarigo::Atarigo;
pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use gomoku::Gomoku;
pub use hex::Hex;
pub use knightthrough::Knightthrough;
pub use nogo::Nogo;
pub use pig::Pig;
pub use tic_tac_toe::TicTacToe;
pub use tree::Tree;
pub use triad::Triad;
pub use wargame::Wargame;
pub use yavalade::Yavalade;
pub use yavalath::Yavalath;
