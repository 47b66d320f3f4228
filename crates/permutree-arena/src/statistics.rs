//! What a number of games says about strength. Everything here is about plain numbers: rewards in [0, 1], counts of
//! results, sums of scores.
//!
//! - [`interval`], [`reward_interval`], [`mean_interval`]: where the true mean of rewards is.
//! - [`Elo`], [`elo`], [`expected_score`]: scores as differences in strength. [`Share`]: games for more than two.
//! - [`Counts`]: results of games ([`Trinomial`]) or of pairs of games with seats swapped ([`Pentanomial`]), with their
//!   Elo, normalized Elo and likelihood of superiority.
//! - [`Sprt`]: the test that ends a match as soon as it is decided.
//! - [`holm`]: many comparisons at once.
//! - [`ladder()`]: ratings of any number of agents.

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

/// The 97.5 % point of the normal distribution: between minus and plus this lie 95 %.
const Z: f64 = 1.959_963_984_540_054;
