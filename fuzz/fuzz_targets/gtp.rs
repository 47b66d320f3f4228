//! The Go Text Protocol: lines of commands to an engine.
//!
//! The first byte chooses the game. Every answer has the form that the protocol demands. Whatever the commands did, the
//! engine then accepts the moves that it lists, and takes each of them back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_arena::GtpEngine;
use permutree_zoo::{Budget, agent, game};

/// Small boards, since the work is in the commands: with and without squares, komi, dice and a third player.
const GAMES: [&str; 8] = [
    "go:3",
    "hex:3,swap=true",
    "connect4:4,rows=4",
    "pig:10",
    "tic-tac-mo",
    "domineering:3",
    "nim:1-2",
    "gomoku:5",
];

/// The budget in playouts keeps the engine from thinking by its clock.
const PLAYOUTS: u64 = 4;
const MOST_LINES: usize = 30;

fuzz_target!(|data: &[u8]| {
    let [choice, lines @ ..] = data else { return };
    let game = game(GAMES[usize::from(*choice) % GAMES.len()]).unwrap_or_else(|error| panic!("{error}"));
    let agent = agent("mcps").unwrap_or_else(|error| panic!("{error}"));
    let engine = GtpEngine::new(game, agent, Some(Budget::playouts(PLAYOUTS)), 1);
    let mut engine = engine.unwrap_or_else(|error| panic!("{error}"));
    for line in lines.split(|&byte| byte == b'\n').take(MOST_LINES) {
        serve(&mut engine, line);
    }
    let side = ask(&mut engine, "gogui-rules_side_to_move");
    let before = ask(&mut engine, "showboard");
    for mv in ask(&mut engine, "gogui-rules_legal_moves").split_whitespace().take(4) {
        ask(&mut engine, &format!("play {side} {mv}"));
        ask(&mut engine, "undo");
        assert_eq!(ask(&mut engine, "showboard"), before, "after {mv}");
    }
});

/// What the engine answers to a line: nothing to one without a command.
fn serve(engine: &mut GtpEngine, line: &[u8]) -> String {
    let mut answer = Vec::new();
    engine.serve(&mut &line[..], &mut answer).unwrap_or_else(|error| panic!("{error}"));
    let answer = String::from_utf8(answer).unwrap_or_else(|error| panic!("{error}"));
    if let Some(body) = answer.strip_suffix("\n\n") {
        assert!(body.starts_with(['=', '?']), "{answer:?}");
        assert!(!body.contains("\n\n") && !body.contains('\r'), "{answer:?}");
    } else {
        assert_eq!(answer, "");
    }
    answer
}

/// The answer to a command that must succeed.
fn ask(engine: &mut GtpEngine, command: &str) -> String {
    let answer = serve(engine, command.as_bytes());
    let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
    text.trim().to_string()
}
