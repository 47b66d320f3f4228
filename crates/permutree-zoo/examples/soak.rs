//! Plays and checks many random games of every game, and prints a page of their statistics.
//!
//! `cargo run --release -p permutree-zoo --example soak -- 100000`

use permutree_zoo::{GAMES, game};
use std::sync::Mutex;
use std::thread;

/// Variants with other types inside, more players or other rules.
const VARIANTS: &[&str] = &[
    "breakthrough:5",
    "connect4:9,rows=7,connect=5",
    "go:5",
    "gomoku:15",
    "gomoku:9,exact=true",
    "hex:11,swap=true",
    "investment:10,players=3",
    "nogo:5,players=3",
    "nogo:9",
    "order-and-chaos:9",
    "reversi:6",
    "reversi:10,start=free",
    "skirmish-arena:8",
    "wargame:10,players=3",
    "yavalade:5,strict=true",
    "yavalath:5,swap=true",
];

fn main() {
    let games: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1000);
    let specs: Vec<&str> =
        GAMES.iter().map(|entry| entry.facts.name).chain(VARIANTS.iter().copied()).collect();
    let rows: Mutex<Vec<(usize, Result<String, String>)>> = Mutex::default();
    let next = Mutex::new(0..specs.len());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(i) = { next.lock().unwrap().next() } {
                    let row = soak(specs[i], games);
                    rows.lock().unwrap().push((i, row));
                }
            });
        }
    });
    let mut rows = rows.into_inner().unwrap();
    rows.sort_by_key(|(i, _)| *i);
    println!("# {games} random games of every game\n");
    println!(
        "`make soak`: every move that random play makes is legal, every code and every reward is in range,"
    );
    println!("every game ends, and so do as many playouts.\n");
    println!("| game | plies | moves | rewards |\n|---|---|---|---|");
    let mut faults = 0;
    for (i, row) in rows {
        match row {
            Ok(row) => println!("| {} | {row} |", specs[i]),
            Err(fault) => {
                faults += 1;
                eprintln!("{}: {fault}", specs[i]);
            }
        }
    }
    std::process::exit(i32::from(faults > 0));
}

fn soak(spec: &str, games: u32) -> Result<String, String> {
    let game = game(spec).map_err(|error| error.to_string())?;
    let seen = game.soak(games, 1)?;
    let rewards = seen.rewards[..game.players()].iter().map(|reward| format!("{reward:.4}"));
    Ok(format!("{:.3} | {:.3} | {}", seen.plies, seen.branching, rewards.collect::<Vec<_>>().join(" ")))
}
