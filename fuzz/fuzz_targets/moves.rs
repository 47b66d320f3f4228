//! Moves as text, in a position of every game.
//!
//! The first byte chooses the game, the second an opening of random moves; the rest are the moves. The text of a move
//! that was found must find the same move, and the texts of all moves played must replay to the same position.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_zoo::{AnyPosition, GAMES, Rng, game};

/// Variants whose moves are written or parsed differently from those of the default game.
const VARIANTS: [&str; 8] = [
    "hex:19,swap=true",
    "nogo:9,players=3",
    "wargame:10,players=3",
    "investment:3,players=3",
    "breakthrough:12",
    "yavalath:5,swap=true",
    "same-game:20,rows=15",
    "tree:(x:(1 0) y:?(a:3*1 b:2(0.5 c:0)))",
];

/// Long enough for a few moves in every game, short enough to be fast.
const MOST_MOVES: usize = 40;

fuzz_target!(|data: &[u8]| {
    let [choice, seed, text @ ..] = data else { return };
    let Ok(text) = std::str::from_utf8(text) else { return };
    let start = opening(usize::from(*choice), u64::from(*seed));
    let mut position = start.boxed_clone();
    let mut played = Vec::new();
    for word in text.split([' ', ',', '\n']).take(MOST_MOVES) {
        let Ok(index) = position.find(word) else { continue };
        let mv = position.moves().swap_remove(index);
        assert_eq!(position.find(&mv), Ok(index), "{mv}");
        position.play(index);
        played.push(mv);
    }
    let mut again = start;
    assert_eq!(again.play_all(&played.join(" ")).as_ref(), Ok(&played));
    assert_eq!(again.hash(), position.hash());
    assert_eq!(again.board(), position.board());
    assert_eq!(again.picture(), position.picture());
    // Refusals list the legal moves, whatever the text.
    assert!(position.find("no such move").is_err());
    let _ = again.play_all(text);
});

/// A position some random moves into a game.
fn opening(choice: usize, seed: u64) -> Box<dyn AnyPosition> {
    let choice = choice % (GAMES.len() + VARIANTS.len());
    let spec = GAMES.get(choice).map_or_else(|| VARIANTS[choice - GAMES.len()], |entry| entry.facts.name);
    let mut position = game(spec).unwrap_or_else(|error| panic!("{error}")).start();
    let mut rng = Rng::new(seed);
    for _ in 0..seed % 16 {
        if let Some(index) = position.random(&mut rng) {
            position.play(index);
        }
    }
    position
}
