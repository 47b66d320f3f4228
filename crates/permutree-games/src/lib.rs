//! The games of Permutree, one module each: rules, codes, notation, picture and facts.
//!
//! - Connection and territory: [`Atarigo`], [`Domineering`], [`Go`], [`Hex`], [`Nogo`], [`Reversi`].
//! - Lines: [`Connect4`], [`Gomoku`], [`OrderAndChaos`], [`TicTacMo`], [`TicTacToe`], [`UltimateTicTacToe`],
//!   [`Yavalade`], [`Yavalath`].
//! - Pieces that move: [`Breakthrough`], [`Hnefatafl`], [`Knightthrough`], [`Skirmish`], [`TicTacChess`], [`Triad`].
//! - Fights: [`Investment`], [`SkirmishArena`], [`Wargame`].
//! - One player: [`SameGame`], [`Tsp`].
//! - Teaching and testing: [`Nim`], [`Pig`], [`Tree`].
//!
//! A game knows nothing of search. To add one, start from [`tic_tac_toe`]. [`parts`] has what several games share.

pub mod atarigo;
pub mod breakthrough;
pub mod connect4;
pub mod domineering;
pub mod go;
pub mod gomoku;
pub mod hex;
pub mod hnefatafl;
pub mod investment;
pub mod knightthrough;
pub mod nim;
pub mod nogo;
pub mod order_and_chaos;
pub mod parts;
pub mod pig;
pub mod reversi;
pub mod same_game;
pub mod skirmish;
pub mod skirmish_arena;
pub mod tic_tac_chess;
pub mod tic_tac_mo;
pub mod tic_tac_toe;
pub mod tree;
pub mod triad;
pub mod tsp;
pub mod ultimate_tic_tac_toe;
pub mod wargame;
pub mod yavalade;
pub mod yavalath;

pub use atarigo::Atarigo;
pub use breakthrough::Breakthrough;
pub use connect4::Connect4;
pub use domineering::Domineering;
pub use go::Go;
pub use gomoku::Gomoku;
pub use hex::Hex;
pub use hnefatafl::Hnefatafl;
pub use investment::Investment;
pub use knightthrough::Knightthrough;
pub use nim::Nim;
pub use nogo::Nogo;
pub use order_and_chaos::OrderAndChaos;
pub use pig::Pig;
pub use reversi::Reversi;
pub use same_game::SameGame;
pub use skirmish::Skirmish;
pub use skirmish_arena::SkirmishArena;
pub use tic_tac_chess::TicTacChess;
pub use tic_tac_mo::TicTacMo;
pub use tic_tac_toe::TicTacToe;
pub use tree::Tree;
pub use triad::Triad;
pub use tsp::Tsp;
pub use ultimate_tic_tac_toe::UltimateTicTacToe;
pub use wargame::Wargame;
pub use yavalade::Yavalade;
pub use yavalath::Yavalath;
