//! Statistics of game results. All functions take plain numbers: rewards in [0, 1], counts of results, sums of scores.
//!
//! - Confidence intervals of mean rewards: [`interval`], [`reward_interval`], [`mean_interval`].
//! - Strength: [`Elo`], [`elo`], [`expected_score`]; [`Share`] and [`share_elo`] for more than two players.
//! - Counts of results, of games ([`Trinomial`]) or of pairs of games with seats swapped ([`Pentanomial`], [`Pairs`]):
//!   [`Counts`] has their Elo, normalized Elo and likelihood of superiority.
//! - Tests: [`Sprt`] ends a match once it is decided; [`superiority`], [`two_sided`], and [`holm`] for many comparisons.
//! - Ratings of any number of agents: [`ladder()`].
//!
//! ```
//! use permutree_arena::statistics::{Sprt, SprtVerdict, Trinomial};
//!
//! let results = Trinomial::from([30, 10, 60]); // losses, draws, wins
//! assert_eq!(results.mean(), 0.65);
//! assert_eq!(results.elo().difference.round(), 108.0);
//! assert!(results.superiority() > 0.99);
//!
//! let test = Sprt::new(0.0, 100.0).unwrap();
//! assert_eq!(test.verdict(test.llr(&results)), SprtVerdict::Elo1);
//! ```

mod comparisons;
mod counts;
mod elo;
mod intervals;
mod ladder;
mod shares;
mod sprt;

pub use comparisons::{holm, superiority, two_sided};
pub use counts::{Counts, Pairs, Pentanomial, Trinomial};
pub use elo::{Elo, elo, expected_score};
pub use intervals::{interval, mean_interval, reward_interval};
pub use ladder::{Encounter, Rating, ladder};
pub use shares::{Share, share_elo};
pub use sprt::{Sprt, SprtVerdict};

/// The 97.5 % quantile of the normal distribution: 95 % lies between -Z and Z.
const Z: f64 = 1.959_963_984_540_054;
