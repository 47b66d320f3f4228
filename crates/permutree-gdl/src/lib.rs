//! Games written in the Game Description Language, for Permutree, a Monte Carlo search engine for games.
//!
//! GDL (Genesereth, Love and Pell 2005) describes a game by logical rules in prefix notation: who plays, what is true at the start,
//! what is legal, what is true next, when the game ends and what it is worth. [`Described`] reads such a text and is a
//! [`Game`](permutree_game::Game) like any other: every search plays it.
//!
//! A description is checked, and every error is one line with its place. Then its rules are grounded, which means written out for
//! all values that can occur, and become a network of conjunctions. A position knows the value of each gate, and a move changes
//! only what depends on it. [`Limits`] bound the work for descriptions that are too large.
//!
//! Games may have up to eight players, simultaneous moves, chance (the role `random`) and any number of goals from 0 to 100.
//! The folder `games` of this crate has seventeen.
//!
//! # Example
//!
//! ```
//! use permutree_game::{Game, Player, Turn};
//! use permutree_gdl::{Described, Options};
//!
//! // Two heaps of one: who takes the last one wins.
//! let game = Described::read(
//!     "(role first) (role second)
//!      (init (control first)) (init (heap a)) (init (heap b))
//!      (<= (legal ?p (take ?h)) (true (control ?p)) (true (heap ?h)))
//!      (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
//!      (<= (next (control first)) (true (control second)))
//!      (<= (next (control second)) (true (control first)))
//!      (<= (next (heap ?h)) (true (heap ?h)) (not (taken ?h)))
//!      (<= (taken ?h) (does ?p (take ?h)))
//!      (<= left (true (heap ?h)))
//!      (<= terminal (not left))
//!      (<= (goal ?p 0) (true (control ?p)))
//!      (<= (goal ?p 100) (role ?p) (not (true (control ?p))))",
//!     Options::default(),
//! )
//! .unwrap();
//!
//! let mut position = game.start();
//! let take = game.parse_move(&position, "(take a)").unwrap();
//! assert_eq!(game.move_text(&position, take), "take.a");
//! game.play(&mut position, take);
//! // The last move is forced, so the game plays it by itself.
//! assert_eq!(game.turn(&position), Turn::Over);
//! assert_eq!(game.rewards(&position).of(Player(1)), 1.0);
//!
//! let fault = Described::read("(role first)\n(init (heap a)", Options::default()).unwrap_err();
//! assert_eq!(fault.to_string(), "2:1: this '(' is never closed");
//! ```

mod error;
mod game;
mod graph;
mod ground;
mod machine;
#[cfg(test)]
mod naive;
mod net;
mod picture;
mod rules;
mod sliced;
mod slices;
mod split;
mod syntax;
mod tables;
mod text;

pub use error::{Error, Place};
pub use game::{Described, Move, Options, Position};
pub use sliced::{AT_ONCE, Playouts};
pub use syntax::LONGEST;

use std::time::Duration;

/// How much grounding may take.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Instances of rules, and facts.
    pub instances: usize,
    /// Time.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { instances: 12_000_000, time: Duration::from_secs(60) }
    }
}
