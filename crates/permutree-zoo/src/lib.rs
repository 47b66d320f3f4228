//! Permutree's games and agents by name.
//!
//! # Specs
//!
//! A spec names a game or an agent with its parameters: `name`, `name:value` or `name:key=value,key=value`. A bare value sets
//! the first parameter, as in `hex:7,opening=b2` or `mcps:100`. [`game`] and [`agent`] parse it; an invalid spec is an
//! [`Error`], one line that lists the valid names, parameters or values. [`AnyGame::spec`] and [`Agent::spec`] return the
//! canonical form, which has only the parameters that differ from their defaults and identifies stored results.
//!
//! A game may also be a file in the Game Description Language: `gdl:games/hex.kif` ([`gdl`]).
//!
//! # Lists
//!
//! [`GAMES`] and [`AGENTS`] have every game and every agent, with rules, sources, advice and parameters. [`listing`] adds what
//! depends on the default parameters: players and codings.
//!
//! # Games of your own
//!
//! [`erase`] turns any [`permutree_game::Game`] into the type that [`game`] returns. [`register`] adds a family of games by
//! name, so that specs in commands and files can use them.
//!
//! # Example
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

/// Games written in the Game Description Language.
pub use permutree_zoo_gdl as gdl;

pub use games::{GAMES, GameListing, Outside, game, game_args, game_with, listing, register};
pub use permutree_agents::{
    AGENTS, Agent, AgentFacts, AnyGame, AnyPosition, BEST, Budget, Clock, Error, External, GameEntry,
    Learned, Measure, MoveReport, Params, Report, Session, Source, Stopwatch, Values, agent, erase, nearest,
    parse_bytes, parse_duration, parse_playouts, surround_threads, surrounded,
};
pub use permutree_game::{
    Args, Code, Facts, Hasher, Kind, Param, ParamError, Player, Presence, Reach, Rewards, Rng, Turn, Value,
};
