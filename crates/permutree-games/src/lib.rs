//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`].

pub mod atarigo;
pub mod bits;
pub mod breakthrough;
pub mod candidates;
pub mod circle;
pub mod connect4;
mod draws;
pub mod go;
pub mod gomoku;
pub mod groups;
pub mod hex;
pub mod investment;
pub mod knightthrough;
pub mod lines;
pub mod nim;
pub mod nine;
pub mod nogo;
pub mod order_and_chaos;
pub mod pig;
pub mod racing;
pub mod reversi;
pub mod same_game;
pub mod skirmish_arena;
pub mod tic_tac_chess;
pub mod tic_tac_mo;
pub mod tic_tac_toe;
pub mod tree;
pub mod tsp;
pub mod ultimate_tic_tac_toe;
pub mod wargame;

pub use atarigo::Atarigo;
pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use go::Go;
pub use gomoku::Gomoku;
pub use hex::Hex;
pub use investment::Investment;
pub use knightthrough::Knightthrough;
pub use nim::Nim;
pub use nogo::Nogo;
pub use order_and_chaos::OrderAndChaos;
pub use pig::Pig;
pub use reversi::Reversi;
pub use same_game::SameGame;
pub use skirmish_arena::SkirmishArena;
pub use tic_tac_chess::TicTacChess;
pub use tic_tac_mo::TicTacMo;
pub use tic_tac_toe::TicTacToe;
pub use tree::Tree;
pub use tsp::Tsp;
pub use ultimate_tic_tac_toe::UltimateTicTacToe;
pub use wargame::Wargame;
