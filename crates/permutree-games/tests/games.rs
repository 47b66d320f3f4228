//! What every game must pass: the conformance kit and its golden playthrough.

use permutree_game::{Args, Configure, Game, conformance, playthrough};
use permutree_games::*;
use std::path::PathBuf;

/// The game with its defaults, changed by `settings` such as `size=5`.
fn make<G: Configure>(settings: &[(&str, &str)]) -> G {
    let mut args = Args::defaults(G::FACTS.params);
    for (key, text) in settings {
        let param = G::FACTS.params.iter().find(|p| p.key == *key).unwrap();
        args.set(param, text).unwrap();
    }
    G::configure(&args).unwrap()
}

/// Runs the kit; `games` random games, fewer where they are long.
fn conforms<G: Game>(game: &G, games: u32) -> conformance::Summary {
    conformance::check(game, games, 1).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Compares a whole random game with `tests/playthroughs/NAME.txt`; `BLESS=1` writes the file anew.
fn golden<G: Game>(game: &G, name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{name}.txt"));
    let now = playthrough(game, 1);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    let at = now.lines().zip(then.lines()).position(|(a, b)| a != b);
    assert!(now == then, "{name} differs from its playthrough, first at line {at:?}; BLESS=1 accepts it");
}

#[test]
fn tic_tac_toe() {
    let game: TicTacToe = make(&[]);
    // 0.585 is the exact first-player win rate of random play, 0.127 the exact share of draws.
    let summary = conforms(&game, 20_000);
    assert!((summary.rewards[0] - (0.585 + 0.127 / 2.0)).abs() < 0.01, "{summary:?}");
    golden(&game, "tic-tac-toe");
}
