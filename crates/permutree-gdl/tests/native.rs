//! Described games beside those written by hand: the same number of move sequences.

use permutree_game::{Game, Rng, conformance};
use permutree_games as native;
use permutree_gdl::{Described, Options};
use std::path::Path;

fn text(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("games").join(name).with_extension("kif");
    std::fs::read_to_string(file).expect("a description")
}

fn described(name: &str) -> Described {
    let game = Described::read(&text(name), Options::default()).expect(name);
    assert_eq!(game.warnings(), [] as [&str; 0], "{name}");
    game
}

/// The number of sequences of choices of each length up to `depth`. Positions with one move are no choice: described games play
/// it by themselves.
fn choices<G: Game>(game: &G, position: &G::Position, depth: usize) -> Vec<u64> {
    let mut counts = vec![0; depth];
    count(game, position.clone(), &mut counts);
    counts
}

fn count<G: Game>(game: &G, mut position: G::Position, counts: &mut [u64]) {
    let Some((first, rest)) = counts.split_first_mut() else { return };
    let mut moves = Vec::new();
    loop {
        moves.clear();
        game.moves(&position, &mut moves);
        let [only] = moves[..] else { break };
        game.play(&mut position, only);
    }
    *first += moves.len() as u64;
    if rest.is_empty() {
        return;
    }
    for &mv in &moves {
        let mut next = position.clone();
        game.play(&mut next, mv);
        count(game, next, rest);
    }
}

/// Compares the number of sequences from the start.
fn same<G: Game>(name: &str, native: &G, depth: usize) {
    let game = described(name);
    let counts = choices(&game, &game.start(), depth);
    assert_eq!(counts, choices(native, &native.start(), depth), "{name}");
    assert!(*counts.last().unwrap() > 0, "{name}: {counts:?}");
}

#[test]
fn move_sequences_are_those_of_the_native_games() {
    same("tic-tac-toe", &native::TicTacToe, 8);
    same("connect4", &native::Connect4::<u64>::new(7, 6, 4), 8);
    same("breakthrough", &<native::Breakthrough>::new(8, 8), 4);
    same("knightthrough", &<native::Knightthrough>::new(8, 8), 4);
    same("hex", &native::Hex::<1>::new(7, None, false), 3);
    same("reversi", &native::Reversi::<1>::new(8, false), 7);
    same("gomoku", &native::Gomoku::<2>::new(9, false), 3);
    same("nogo", &native::Nogo::<32, 1>::new(5, 2), 4);
    same("domineering", &native::Domineering::<1>::new(8, 8), 4);
    same("nim", &native::Nim::new(&[3, 4, 5], false), 8);
    same("tic-tac-mo", &native::TicTacMo, 5);
    same("order-and-chaos", &native::OrderAndChaos::<1>::new(6), 3);
    same("pig", &native::Pig::new(20), 7);
}

/// The numbers in the text of a move; single letters are columns, and an x between them is a capture.
fn numbers(text: &str) -> Vec<u32> {
    let text = text.replace('x', "-");
    let split = |c: char| !c.is_ascii_alphanumeric();
    let parts =
        text.split(split).filter(|part| part.len() < 3 || part.chars().skip(1).any(|c| c.is_ascii_digit()));
    let mut found = Vec::new();
    for part in parts {
        let mut number = None;
        for c in part.chars() {
            if let Some(digit) = c.to_digit(10) {
                number = Some(number.unwrap_or(0) * 10 + digit);
                continue;
            }
            found.extend(number.take());
            found.push(u32::from(c.to_ascii_lowercase()) - u32::from('a') + 1);
        }
        found.extend(number);
    }
    found
}

/// Plays random games with both and compares moves and rewards at every ply.
fn lockstep<G: Game>(name: &str, native: &G, games: u64) {
    let game = described(name);
    for number in 0..games {
        let mut rng = Rng::stream(3, number);
        let (mut position, mut other) = (game.start(), native.start());
        loop {
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            native.moves(&other, &mut others);
            if let [only] = others[..] {
                native.play(&mut other, only);
                continue;
            }
            game.moves(&position, &mut moves);
            let mut moves: Vec<_> =
                moves.into_iter().map(|mv| (numbers(&game.move_text(&position, mv)), mv)).collect();
            let mut others: Vec<_> =
                others.into_iter().map(|mv| (numbers(&native.move_text(&other, mv)), mv)).collect();
            moves.sort_by(|a, b| a.0.cmp(&b.0));
            others.sort_by(|a, b| a.0.cmp(&b.0));
            let left: Vec<_> = moves.iter().map(|mv| &mv.0).collect();
            let right: Vec<_> = others.iter().map(|mv| &mv.0).collect();
            assert_eq!(left, right, "{name}, game {number}:\n{}", game.board(&position, None));
            assert_eq!(game.turn(&position), native.turn(&other), "{name}");
            if moves.is_empty() {
                let (rewards, expected) = (game.rewards(&position), native.rewards(&other));
                for (reward, expected) in rewards.as_slice().iter().zip(expected.as_slice()) {
                    // A third is 33 of 100.
                    assert!((reward - expected).abs() < 0.01, "{name}: {rewards:?}");
                }
                break;
            }
            let chosen = rng.below(moves.len());
            game.play(&mut position, moves[chosen].1);
            native.play(&mut other, others[chosen].1);
        }
    }
}

#[test]
fn random_games_are_those_of_the_native_games() {
    lockstep("tic-tac-toe", &native::TicTacToe, 300);
    lockstep("connect4", &native::Connect4::<u64>::new(7, 6, 4), 200);
    lockstep("breakthrough", &<native::Breakthrough>::new(8, 8), 50);
    lockstep("knightthrough", &<native::Knightthrough>::new(8, 8), 50);
    lockstep("hex", &native::Hex::<1>::new(7, None, false), 50);
    lockstep("reversi", &native::Reversi::<1>::new(8, false), 50);
    lockstep("gomoku", &native::Gomoku::<2>::new(9, false), 50);
    lockstep("nogo", &native::Nogo::<32, 1>::new(5, 2), 200);
    lockstep("domineering", &native::Domineering::<1>::new(8, 8), 100);
    lockstep("tic-tac-mo", &native::TicTacMo, 200);
}

#[test]
fn all_games_conform() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 15);
    for name in names {
        conformance::check(&described(&name), 20, 1).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    }
}
