//! A part of `permutree-zoo`: fights, dice, puzzles and teaching, with every search compiled for them.
//!
//! Use `permutree-zoo`, which has all games. It is split into crates so that a change of one game recompiles only the searches
//! of its part.

use permutree_agents::{GameEntry, entry};
use permutree_games::{Investment, Nim, Pig, SameGame, SkirmishArena, Tree, Tsp, Wargame};

/// The games, by name.
pub static GAMES: &[GameEntry] = &[
    entry::<Investment>(),
    entry::<Nim>(),
    entry::<Pig>(),
    entry::<SameGame>(),
    entry::<SkirmishArena>(),
    entry::<Tree>(),
    entry::<Tsp>(),
    entry::<Wargame>(),
];
