//! What a game is for Permutree, a Monte Carlo search engine for games.
//!
//! A game implements the trait [`Game`]; search, matches and the command line work from that trait alone. This crate has
//! no dependencies and contains no search. Besides the trait it has
//!
//! - what games are made of: [`Player`], [`Turn`], [`Rewards`], [`Hasher`], the generator [`Rng`];
//! - parameters that users type: [`Facts`], [`Param`], [`Args`], and [`Configure`], which makes a game of them;
//! - boards as text and as SVG: [`draw`];
//! - tests: [`perft()`], golden files by [`playthrough()`], and the conformance kit [`conformance::check`].
//!
//! # Example
//!
//! A complete game, tested by counting move sequences and by the conformance kit:
//!
//! ```
//! use permutree_game::{Code, Game, Hasher, Player, Rewards, Turn, conformance, perft};
//!
//! /// Nim with one heap: players take turns taking one to three, and taking the last one wins.
//! #[derive(Clone)]
//! struct Heap(u8);
//!
//! /// What is left, and the player to move.
//! type Position = (u8, Player);
//!
//! impl Game for Heap {
//!     type Position = Position;
//!     /// How many to take.
//!     type Move = u8;
//!
//!     fn players(&self) -> usize {
//!         2
//!     }
//!     fn start(&self) -> Position {
//!         (self.0, Player(0))
//!     }
//!     fn turn(&self, &(left, player): &Position) -> Turn {
//!         if left == 0 { Turn::Over } else { Turn::Player(player) }
//!     }
//!     fn moves(&self, &(left, _): &Position, out: &mut Vec<u8>) {
//!         out.extend(1..=left.min(3));
//!     }
//!     fn play(&self, (left, player): &mut Position, take: u8) {
//!         *left -= take;
//!         *player = player.other();
//!     }
//!     fn rewards(&self, &(_, player): &Position) -> Rewards {
//!         Rewards::win(2, player.other())
//!     }
//!     fn hash(&self, &(left, player): &Position) -> u64 {
//!         Hasher::new().bytes(&[left, player.0]).finish()
//!     }
//!     fn codes(&self, _coding: usize) -> usize {
//!         6
//!     }
//!     fn code(&self, &(_, player): &Position, take: u8, _coding: usize) -> Code {
//!         Code::from(player.0 * 3 + take - 1)
//!     }
//!     fn move_text(&self, _: &Position, take: u8) -> String {
//!         take.to_string()
//!     }
//!     fn board(&self, &(left, player): &Position, _last: Option<u8>) -> String {
//!         format!("{left} left, {player} to move\n")
//!     }
//! }
//!
//! let game = Heap(5);
//! // The number of sequences of one, two and three moves.
//! assert_eq!(perft(&game, &game.start(), 3), [3, 8, 10]);
//! // A hundred random games: every rule that the trait states is checked at every ply.
//! let summary = conformance::check(&game, 100, 1).unwrap();
//! assert_eq!(summary.games, 100);
//! ```

pub mod conformance;
pub mod draw;
mod game;
mod hash;
mod param;
mod perft;
mod player;
mod playthrough;
mod presence;
mod rng;

pub use game::{Code, Configure, Game, Ignore, Recorder, Visitor, play_while};
pub use hash::Hasher;
pub use param::{Args, Facts, Kind, Param, ParamError, Reach, Value};
pub use perft::perft;
pub use player::{MAX_PLAYERS, Player, Rewards, Turn};
pub use playthrough::playthrough;
pub use presence::{Presence, presence};
pub use rng::Rng;
