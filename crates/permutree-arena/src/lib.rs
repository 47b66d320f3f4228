//! Matches, tournaments and experiments between the agents of Permutree, and the statistics of their results.
//!
//! ```
//! use permutree_arena::Match;
//! use permutree_zoo::{Budget, agent, game};
//!
//! let agents = vec![agent("mcps")?, agent("random")?];
//! let game = game("tic-tac-toe")?;
//! let contest = Match { game, agents, games: 10, seed: 1, threads: 2, budget: Budget::playouts(50) };
//! let result = contest.play(&mut |record, standing| {
//!     println!("{}: {}; {} of {}", record.number, record.moves.join(" "), standing.games(), standing.total());
//! })?;
//! assert!(result.agents[0].score > 0.5);
//! println!("{:?} {:?}", result.agents[0].ci95, result.agents[0].elo);
//! # Ok::<(), permutree_arena::ArenaError>(())
//! ```
//!
//! Games run in parallel. The same seed and budget in playouts give the same games on any number of threads.
//!
//! - Matches: [`Match`] plays the games; [`Standing`] has the score so far and [`MatchResult`] that at the end, with
//!   confidence intervals and Elo; [`GameRecord`] is a game. [`Duel`] counts pairs of games and runs an SPRT.
//! - Tournaments: [`Tournament`] pairs any number of agents ([`round_robin`], [`gauntlet`], [`swiss`]) and rates them.
//! - [`experiment`]: tables of many matches from a file, played in parts and kept in a store.
//! - [`statistics`]: confidence intervals, Elo, SPRT, multiple comparisons, ratings.
//! - Learning: [`Training`] lets an agent learn position values; [`agent`] loads them, and [`Output`] writes files.
//! - The Go Text Protocol: [`GtpEngine`] plays as an engine. An agent `external:cmd=..` is another engine.
//!
//! Everything that can be refused is an [`ArenaError`].

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
