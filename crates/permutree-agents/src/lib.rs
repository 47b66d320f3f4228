//! Agents by name, and the dynamic interface through which they play any game.
//!
//! - [`agent`] makes an [`Agent`] from a [spec] such as `mcps:ref=100`. [`AGENTS`] lists all agents with their
//!   parameters.
//! - [`erase`] turns any [`permutree_game::Game`] into an [`AnyGame`], with moves as text or indices.
//!   [`AnyPosition::session`] starts a search with an agent: a [`Session`].
//! - [`entry`] makes a [`GameEntry`], a family of games with parameters, for lists such as those of `permutree-zoo`.
//!
//! Types are erased once per move; inside, every search is compiled for its game. This is the only crate where games meet
//! searches.
//!
//! # Example
//!
//! ```
//! use permutree_agents::{Budget, agent, erase};
//! use permutree_games::TicTacToe;
//!
//! let game = erase(TicTacToe, "tic-tac-toe");
//! let mut position = game.start();
//! position.play_all("a1 b2 b1 a3").unwrap();
//! let mut search = position.session(&agent("mcps:playouts=500").unwrap(), 1).unwrap();
//! search.advance(&Budget::playouts(500));
//! assert_eq!(search.report().moves[0].mv, "c1");
//! ```

mod agent;
mod agents;
mod entry;
mod erased;
mod error;
mod learned;
mod params;
mod playouts;
mod sessions;
pub mod spec;
mod units;

pub use agent::{Agent, External, agent};
pub use agents::{AGENTS, AgentFacts, BEST, Params};
pub use entry::{GameEntry, entry};
pub use erased::{AnyGame, AnyPosition, Measure, Session, erase};
pub use error::{Error, nearest};
pub use learned::Learned;
pub use permutree_search::parallel::{surround_threads, surrounded};
pub use permutree_search::statistics::Values;
pub use permutree_search::{Budget, Clock, MoveReport, Report, Source, Stopwatch};
pub use units::{parse_bytes, parse_duration, parse_playouts};
