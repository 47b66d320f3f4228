//! Games and agents by name.
//!
//! This is the only crate where games meet searches. [`GAMES`] and [`AGENTS`] list what there is; [`game`] and
//! [`agent`] make one from a spec string such as `hex:7,opening=b2` or `mcps:ref=100`. Types are erased here, once per
//! move: inside, a search is compiled for its game. [`erase`] gives any other [`permutree_game::Game`] the same face.
//!
//! ```
//! use permutree_zoo::{Budget, agent, game};
//!
//! let hex = game("hex:5").unwrap();
//! let mut search = hex.start().session(&agent("mcps").unwrap(), 1).unwrap();
//! search.advance(&Budget::playouts(500));
//! println!("{}", search.report().moves[0].mv);
//! ```

mod agents;
mod erased;
mod error;
mod games;
mod learned;
mod playouts;
mod sessions;
mod spec;
mod units;

pub use agents::{AGENTS, Agent, AgentFacts, BEST, External, agent};
pub use erased::{AnyGame, AnyPosition, Session, erase};
pub use error::{Error, nearest};
pub use games::{GAMES, GameEntry, Outside, game, game_args, game_with, register};
pub use learned::Learned;
pub use permutree_game::{
    Args, Code, Facts, Hasher, Kind, Param, ParamError, Player, Presence, Rewards, Rng, Turn, Value,
};
pub use permutree_search::{Budget, Clock, MoveReport, Report, Source, Stopwatch, Values};
pub use units::{parse_bytes, parse_duration, parse_playouts};
