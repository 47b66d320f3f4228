//! Matches between agents, and what they show.
//!
//! A [`Match`] plays games side by side on threads; the same seed gives the same games however many threads there are.
//! While it runs, [`Standing`] says how things stand; at the end [`MatchResult`] has each agent's score with its
//! interval. [`statistics`] says how intervals and Elo differences are computed. [`GtpEngine`] lets an agent play by the
//! Go Text Protocol. [`Training`] lets an agent learn over games, and [`agent`] reads what was learned. A
//! [`Tournament`] pairs any number of agents. [`experiment`] plays tables of many matches and keeps their games.
//!
//! ```
//! use permutree_arena::Match;
//! use permutree_zoo::{Budget, agent, game};
//!
//! let agents = vec![agent("mcps").unwrap(), agent("random").unwrap()];
//! let game = game("tic-tac-toe").unwrap();
//! let contest = Match { game, agents, games: 10, seed: 1, threads: 2, budget: Budget::playouts(50) };
//! let result = contest.play(&mut |record, standing| {
//!     println!("{}: {}; {} of {}", record.number, record.moves.join(" "), standing.games(), standing.total());
//! });
//! assert!(result.unwrap().agents[0].score > 0.5);
//! ```

mod clock;
mod duel;
mod error;
pub mod experiment;
mod external;
mod files;
mod gtp;
mod lineup;
mod matches;
mod record;
mod seating;
mod side_by_side;
mod standing;
pub mod statistics;
mod tournament;
mod training;

pub use duel::{Duel, PairsResult, SprtResult};
pub use error::ArenaError;
pub use files::{Output, agent, closed_agent};
pub use gtp::GtpEngine;
pub use matches::{MAX_PLIES, Match};
pub use record::{Forfeit, GameRecord};
pub use standing::{AgentResult, ForfeitedGame, MatchResult, SeatResult, Standing};
pub use statistics::Elo;
pub use tournament::{Comparison, Meeting, Round, System, Tournament, gauntlet, round_robin, swiss};
pub use training::Training;
