//! What a game is.
//!
//! A game implements [`Game`]; everything else in Permutree (search, matches, the command line) works from that trait
//! alone. This crate has no dependencies and knows nothing of search. Besides the trait it holds what every game needs:
//! [`Player`], [`Rewards`], the generator [`Rng`], parameters ([`Param`], [`Args`]), drawing aids ([`draw`]), and what
//! every game is tested with: [`perft()`], [`playthrough()`] and the conformance kit [`conformance::check`].

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
pub use param::{Args, Facts, Kind, Param, ParamError, Value};
pub use perft::perft;
pub use player::{MAX_PLAYERS, Player, Rewards, Turn};
pub use playthrough::playthrough;
pub use presence::{Presence, presence};
pub use rng::Rng;
