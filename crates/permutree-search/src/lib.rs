//! Monte Carlo tree search: one tree, and what differs from algorithm to algorithm as policies on it.
//!
//! [`Search`] owns the tree and the iteration: descend, play out, back up, learn. A [`TreePolicy`] chooses moves in the
//! tree by whatever statistics it keeps ([`Uct`], [`Grave`], [`Mcps`], [`Sarsa`]); a [`PlayoutPolicy`] plays to the end
//! ([`Uniform`], [`Greedy`] by what [`Mast`] or [`Nst`] learned, [`Heuristic`], [`Pattern`]). Every search ends in the same [`Report`].
//!
//! ```
//! use permutree_game::{Game, Rng};
//! use permutree_games::TicTacToe;
//! use permutree_search::{Budget, Mcps, Options, Search, Searcher, Uniform, Weights};
//!
//! // x has a1 and b1, o has b2: c1 wins for x.
//! let game = TicTacToe;
//! let mut position = game.start();
//! for text in ["a1", "b2", "b1", "a3"] {
//!     let mv = game.parse_move(&position, text).unwrap();
//!     game.play(&mut position, mv);
//! }
//! let policy = Box::new(Mcps::new(game.codes(0), game.players(), 50, Weights::Paper));
//! let playouts = Box::new(Uniform::default());
//! let mut search = Search::new(game, position, policy, playouts, Options::default(), Rng::new(1));
//! search.advance(&Budget::playouts(1000));
//! let report = search.report();
//! assert_eq!(game.move_text(&position, report.best().unwrap()), "c1");
//! ```

mod amaf;
mod ams;
mod arms;
mod budget;
mod flat;
mod global;
mod gobble;
mod grave;
mod greedy;
mod heuristic;
mod incumbent;
mod kernel;
mod lnmcs;
mod log;
mod mast;
mod mcps;
mod means;
mod memo;
mod nmcs;
mod nrpa;
mod nst;
mod parallel;
mod pattern;
mod permutations;
mod policy;
mod record;
mod reflex;
mod report;
mod root;
mod sarsa;
mod search;
mod searcher;
mod sequences;
mod shortlist;
mod solver;
mod storage;
mod table;
mod tally;
mod tree;
mod uct;
mod values;
mod vgs;

pub use ams::{Ams, Plan, Samples};
pub use budget::{Budget, Clock, Stopwatch};
pub use flat::Flat;
pub use global::Global;
pub use gobble::{Gobble, Noise};
pub use grave::Grave;
pub use greedy::{ByCode, Greedy, Merits};
pub use heuristic::Heuristic;
pub use lnmcs::Lazy;
pub use mast::Mast;
pub use mcps::{Mcps, Weights};
pub use nmcs::Nmcs;
pub use nrpa::{Form, Learning, Nrpa};
pub use nst::{GramMeans, Nst};
pub use parallel::{RootParallel, TreeParallel, generators};
pub use pattern::Pattern;
pub use policy::{Evidence, PlayoutPolicy, Source, TreePolicy, Uniform};
pub use record::{Record, Step, Visit};
pub use reflex::Reflex;
pub use report::{FinalMove, MoveReport, Report};
pub use sarsa::{Sarsa, SarsaRule};
pub use search::{Options, Search};
pub use searcher::Searcher;
pub use shortlist::Scope;
pub use storage::Storage;
pub use tree::{NodeId, ROOT, Tree};
pub use uct::Uct;
pub use values::Values;
pub use vgs::Vgs;
