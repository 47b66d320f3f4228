//! A part of `permutree-zoo`: games on hexagonal boards, with every search compiled for them.
//!
//! Use `permutree-zoo`, which has all games. It is split into crates so that a change of one game recompiles only the searches
//! of its part.

use permutree_agents::{GameEntry, entry};
use permutree_games::{Triad, Yavalade, Yavalath};

/// The games, by name.
pub static GAMES: &[GameEntry] = &[entry::<Triad>(), entry::<Yavalade>(), entry::<Yavalath>()];
