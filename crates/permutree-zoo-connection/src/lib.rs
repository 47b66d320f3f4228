//! A part of `permutree-zoo`: connection and territory without captures, with every search compiled for them.
//!
//! Use `permutree-zoo`, which has all games. It is split into crates so that a change of one game recompiles only the searches
//! of its part.

use permutree_agents::{GameEntry, entry};
use permutree_games::{Domineering, Hex, Reversi};

/// The games, by name.
pub static GAMES: &[GameEntry] = &[entry::<Domineering>(), entry::<Hex>(), entry::<Reversi>()];
