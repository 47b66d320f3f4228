//! Monte Carlo tree search: one tree, and what differs from algorithm to algorithm as policies on it.
//!
//! [`Search`] owns the tree and the iteration: descend, play out, back up, learn. The rest is in groups:
//!
//! - [`policies`] choose moves in the tree: UCT, GRAVE, MCPS, Sarsa-UCT, or your own [`policies::TreePolicy`];
//! - [`playouts`] play from a leaf to the end: at random, by MAST or NST, by wins and blocks, by patterns;
//! - [`tree`] is the tree itself and what policies see of it;
//! - [`statistics`] are what policies count;
//! - [`treeless`] searches grow no tree: flat Monte Carlo, AMS, NMCS, NRPA, Virtual Global Search, Gobble;
//! - [`parallel`] runs several searches of one position side by side.
//!
//! Every search is a [`Searcher`], takes a [`Budget`] and returns a [`Report`].
//!
//! ```
//! use permutree_game::{Game, Rng};
//! use permutree_games::TicTacToe;
//! use permutree_search::policies::Mcps;
//! use permutree_search::playouts::Uniform;
//! use permutree_search::{Budget, Options, Search, Searcher};
//!
//! // x has a1 and b1, o has b2: c1 wins for x.
//! let game = TicTacToe;
//! let mut position = game.start();
//! for text in ["a1", "b2", "b1", "a3"] {
//!     let mv = game.parse_move(&position, text).unwrap();
//!     game.play(&mut position, mv);
//! }
//! let (policy, playouts) = (Box::new(Mcps::default()), Box::new(Uniform::default()));
//! let mut search = Search::new(game, position, policy, playouts, Options::default(), Rng::new(1));
//! search.advance(&Budget::playouts(1000));
//! let report = search.report();
//! assert_eq!(game.move_text(&position, report.best().unwrap()), "c1");
//! ```

mod budget;
mod kernels;
pub mod parallel;
pub mod playouts;
pub mod policies;
mod report;
mod searcher;
pub mod statistics;
pub mod tree;
pub mod treeless;

pub use budget::{Budget, Clock, Meter, Stopwatch};
pub use report::{FinalMove, MoveReport, Report, Source};
pub use searcher::Searcher;
pub use tree::{Options, Search};
