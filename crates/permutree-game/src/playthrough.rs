use crate::{Game, Rng, Turn};
use std::fmt::Write;

/// A random game as text, with everything that can be observed at each ply, for golden files.
///
/// Any change of rules, codes, notation, hash or board shows as a difference.
pub fn playthrough<G: Game>(game: &G, seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut position = game.start();
    let mut last = None;
    let mut out = String::new();
    let mut moves = Vec::new();
    for ply in 0.. {
        let turn = game.turn(&position);
        let _ = writeln!(out, "ply {ply}: {turn:?}, hash {:016x}", game.hash(&position));
        out.push_str(&game.board(&position, last));
        moves.clear();
        game.moves(&position, &mut moves);
        let Some(mv) = rng.choose(&moves) else { break };
        let text = |mv| game.move_text(&position, mv);
        let list: Vec<String> = moves.iter().map(|&mv| text(mv)).collect();
        let _ = writeln!(out, "moves ({}): {}", list.len(), list.join(" "));
        if let Turn::Player(_) = turn {
            for (coding, name) in game.codings().iter().enumerate() {
                let codes: Vec<String> =
                    moves.iter().map(|&mv| game.code(&position, mv, coding).to_string()).collect();
                let _ = writeln!(out, "codes ({name}): {}", codes.join(" "));
            }
        }
        let _ = writeln!(out, "plays {}\n", text(mv));
        game.play(&mut position, mv);
        last = Some(mv);
    }
    let _ = writeln!(out, "rewards {:?}", game.rewards(&position).as_slice());
    out
}
