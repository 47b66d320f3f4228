//! Playouts per second of two threads: one tree-parallel search against two independent searches.
//!
//!     cargo run --release -p permutree-zoo --example parallel -- 40000 [GAME..]
//!
//! The two alternate; the table has the quartiles of their ratio, by wall time.

use permutree_zoo::{Budget, Session, agent, game};
use std::time::{Duration, Instant};

const ROUNDS: u64 = 15;

fn main() -> Result<(), permutree_zoo::Error> {
    let mut args = std::env::args().skip(1);
    let playouts: u64 = args.next().and_then(|text| text.parse().ok()).unwrap_or(40_000);
    let mut games: Vec<String> = args.collect();
    if games.is_empty() {
        games = ["hex:7", "go:9"].map(String::from).to_vec();
    }
    println!("| game | agent | playouts | ratio | quartiles |\n|---|---|---|---|---|");
    for name in games {
        let start = game(&name)?.start();
        for method in ["uct", "grave", "mcps"] {
            let mut apart = [start.session(&agent(method)?, 1)?, start.session(&agent(method)?, 2)?];
            let mut together = [start.session(&agent(&format!("{method}:threads=2"))?, 3)?];
            let mut ratios = Vec::new();
            for seed in 0..ROUNDS {
                for session in apart.iter_mut().chain(&mut together) {
                    session.restart(&*start, seed)?;
                }
                let apart = time(&mut apart, playouts / 2);
                ratios.push(apart.as_secs_f64() / time(&mut together, playouts).as_secs_f64());
            }
            ratios.sort_by(f64::total_cmp);
            let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[ratios.len() * quarter / 4]);
            println!("| {name} | {method} | {playouts} | {middle:.2} | {low:.2}..{high:.2} |");
        }
    }
    Ok(())
}

/// The wall time of the sessions for this many playouts each, in parallel.
fn time(sessions: &mut [Box<dyn Session>], playouts: u64) -> Duration {
    let watch = Instant::now();
    std::thread::scope(|scope| {
        for session in sessions {
            scope.spawn(move || session.advance(&Budget::playouts(playouts)));
        }
    });
    watch.elapsed()
}
