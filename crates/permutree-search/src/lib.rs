//! Monte Carlo tree search for any game that implements [`Game`](permutree_game::Game).
//!
//! A [`Search`] grows one tree. Each iteration descends from the root, plays a random game (a *playout*) from the leaf,
//! backs up the rewards and lets the policies learn. UCT, RAVE, GRAVE and MCPS are policies on this tree. It supports any
//! number of players, chance, transpositions, a solver, tree reuse between moves and a memory limit.
//!
//! - [`policies`]: tree policies, which select moves inside the tree. UCT, GRAVE, MCPS, Sarsa-UCT, or your own.
//! - [`playouts`]: playout policies, which select moves below the leaf. Uniform, MAST, NST, heuristics, patterns, or your
//!   own.
//! - [`tree`]: the search, its tree, and the record of a playout from which policies learn.
//! - [`statistics`]: what policies count.
//! - [`treeless`]: searches without a tree. Flat Monte Carlo, AMS, NMCS, NRPA, Virtual Global Search, Gobble.
//! - [`parallel`]: several searches of the same position, one per thread.
//! - [`lanes`]: 512 games at once, a bit for each, for games that are networks of conjunctions.
//!
//! Every search is a [`Searcher`]: it takes a [`Budget`] and returns a [`Report`]. The same seed and number of playouts give
//! the same report on every machine.
//!
//! # Example
//!
//! ```
//! use permutree_game::{Game, Rng};
//! use permutree_games::TicTacToe;
//! use permutree_search::playouts::Uniform;
//! use permutree_search::policies::Mcps;
//! use permutree_search::{Budget, Options, Search, Searcher};
//!
//! // x has a1 and b1, o has b2 and a3: c1 wins for x.
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
//!
//! # A tree policy of your own
//!
//! ```
//! use permutree_game::{Game, Rng};
//! use permutree_games::TicTacToe;
//! use permutree_search::playouts::Uniform;
//! use permutree_search::policies::scoring::{Scores, own_means, pick};
//! use permutree_search::policies::{Evidence, TreePolicy};
//! use permutree_search::tree::{NodeId, Tree};
//! use permutree_search::{Budget, Options, Search, Searcher};
//!
//! /// Selects the edge with the greatest mean. Untried edges come first.
//! #[derive(Default)]
//! struct Greedy {
//!     scores: Scores,
//! }
//!
//! impl TreePolicy for Greedy {
//!     fn coded(&self) -> bool {
//!         false
//!     }
//!     fn restart(&mut self) {}
//!     fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
//!         let edges = tree.edges(node);
//!         let scores = self.scores.room(edges.len());
//!         for (score, edge) in scores.iter_mut().zip(edges) {
//!             *score = if tree.edge_visits(edge) == 0 { f64::INFINITY } else { tree.edge_mean(edge) };
//!         }
//!         pick(tree, node, scores, rng)
//!     }
//!     fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence> {
//!         own_means(tree, path)
//!     }
//!     fn memory(&self) -> usize {
//!         0
//!     }
//! }
//!
//! let (game, playouts) = (TicTacToe, Box::new(Uniform::default()));
//! let policy = Box::new(Greedy::default());
//! let mut search = Search::new(game, game.start(), policy, playouts, Options::default(), Rng::new(1));
//! search.advance(&Budget::playouts(1000));
//! assert_eq!(search.report().playouts, 1000);
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

pub use kernels::lanes;

pub use budget::{Budget, Clock, Meter, Stopwatch};
pub use report::{FinalMove, MoveReport, Report, Source};
pub use searcher::Searcher;
pub use tree::{Options, Search};
