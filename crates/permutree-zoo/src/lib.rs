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

mod games;

pub use games::{GAMES, GameListing, Outside, game, game_args, game_with, listing, register};
pub use permutree_agents::{
    AGENTS, Agent, AgentFacts, AnyGame, AnyPosition, BEST, Budget, Clock, Error, External, GameEntry,
    Learned, MoveReport, Params, Report, Session, Source, Stopwatch, Values, agent, erase, nearest,
    parse_bytes, parse_duration, parse_playouts,
};
pub use permutree_game::{
    Args, Code, Facts, Hasher, Kind, Param, ParamError, Player, Presence, Reach, Rewards, Rng, Turn, Value,
};
