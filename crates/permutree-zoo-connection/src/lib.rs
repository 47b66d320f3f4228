//! A part of `permutree-zoo`: connection and territory without captures, with every search compiled for them.
//!
//! Use `permutree-zoo`, which has all games. The parts are crates so that a change of one game compiles the searches of its
//! part again and not those of all games.

use permutree_agents::{GameEntry, entry};
use permutree_games::{Domineering, Hex, Reversi};

/// The games, by name.
pub static GAMES: &[GameEntry] = &[entry::<Domineering>(), entry::<Hex>(), entry::<Reversi>()];
