//! Descriptions of games in GDL.
//!
//! A fault is one line. What is read must be a game: random games end, with rewards from 0 to 1, and every move finds itself by its
//! text and as the description writes it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_game::{Game, Ignore, Rng, Turn};
use permutree_gdl::{Described, Options};

/// A game may play by itself for so many steps.
const STEPS: u32 = 30;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut options = Options::default();
    options.limits.instances = 20_000;
    options.steps = STEPS;
    let game = match Described::read(text, options) {
        Ok(game) => game,
        Err(fault) => {
            assert!(!fault.to_string().contains('\n'), "{fault}");
            return;
        }
    };
    let start = game.start();
    let mut moves = Vec::new();
    game.moves(&start, &mut moves);
    for &mv in &moves {
        assert!(game.parse_move(&start, &game.move_text(&start, mv)).is_some());
        assert!(game.parse_move(&start, game.written(mv)).is_some());
    }
    let mut position = start;
    game.playout(&mut position, 0, &mut Rng::new(1), &mut Vec::new(), &mut Ignore);
    assert_eq!(game.turn(&position), Turn::Over);
    assert!(game.rewards(&position).as_slice().iter().all(|reward| (0.0..=1.0).contains(reward)));
    assert!(!game.board(&position, None).is_empty());
});
