//! Whole reports of every policy at a fixed seed, compared with files.

use crate::kit::{POLICIES, Policy, after, show, with};
use permutree_game::{Game, Visitor};
use permutree_games::{Hex, Nogo, Pig};
use std::path::PathBuf;

/// Compares the report of every policy after `moves` with `tests/golden/NAME.txt`. `BLESS=1` regenerates the file.
struct Golden<'a> {
    name: &'a str,
    moves: &'a str,
}

impl Visitor for Golden<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = after(&game, self.moves);
        let report = |policy: Policy| {
            format!("{policy:?}: {}\n", show(&game, &root, &policy.report(&game, &root, 500, 1)))
        };
        let now = POLICIES.map(report).concat();
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{}.txt", self.name));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &now).unwrap();
        }
        let then = std::fs::read_to_string(&path).unwrap_or_default();
        let difference = now.lines().zip(then.lines()).find(|(a, b)| a != b);
        assert!(now == then, "{} is not as before, first in {difference:?}; BLESS=1 accepts it", self.name);
    }
}

#[test]
fn reports() {
    with::<Hex, _>(&[("size", "5")], Golden { name: "hex-5", moves: "c3" });
    with::<Nogo, _>(&[("size", "4"), ("players", "3")], Golden { name: "nogo-4-players-3", moves: "" });
    with::<Pig, _>(&[("goal", "30")], Golden { name: "pig-30", moves: "roll 6 roll 5" });
}
