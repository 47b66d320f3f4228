//! The games of Permutree: rules, codes, notation, pictures and facts.
//!
//! Each game is a module with a type that implements [`Game`](permutree_game::Game) and
//! [`Configure`](permutree_game::Configure):
//!
//! - Connection and territory: [`Atarigo`], [`Domineering`], [`Go`], [`Hex`], [`Nogo`], [`Reversi`].
//! - Lines: [`Connect4`], [`Gomoku`], [`OrderAndChaos`], [`TicTacMo`], [`TicTacToe`], [`UltimateTicTacToe`],
//!   [`Yavalade`], [`Yavalath`].
//! - Pieces that move: [`Breakthrough`], [`Hnefatafl`], [`Knightthrough`], [`Skirmish`], [`TicTacChess`], [`Triad`].
//! - Fights: [`Investment`], [`SkirmishArena`], [`Wargame`].
//! - One player: [`SameGame`], [`Tsp`].
//! - Teaching and testing: [`Nim`], [`Pig`], [`Tree`].
//!
//! Games know nothing of search. [`parts`] has what several of them share. To add a game, start from [`tic_tac_toe`].
//!
//! # Example
//!
//! ```
//! use permutree_game::{Game, Ignore, Player, Rng, Turn};
//! use permutree_games::Hex;
//!
//! // Hex on a board of size 7, which fits in one machine word.
//! let hex = Hex::<1>::new(7, None, false);
//! let mut position = hex.start();
//! let mut last = None;
//! for text in ["b2", "d4", "c3"] {
//!     let mv = hex.parse_move(&position, text).expect("a legal move");
//!     hex.play(&mut position, mv);
//!     last = Some(mv);
//! }
//! print!("{}", hex.board(&position, last));
//!
//! // Finish the game with random moves.
//! let mut rng = Rng::new(1);
//! hex.playout(&mut position, 0, &mut rng, &mut Vec::new(), &mut Ignore);
//! assert_eq!(hex.turn(&position), Turn::Over);
//! println!("player 1 gets {}", hex.rewards(&position).of(Player(0)));
//! ```
//!
//! # Sizes
//!
//! Boards are bitboards of a fixed number of words, so that the usual size is fast: `Hex<1>` holds sizes up to 7, `Hex<2>` up
//! to 10, and so on. Constructors panic if a board does not fit. [`Configure`](permutree_game::Configure) chooses the type
//! itself.

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
