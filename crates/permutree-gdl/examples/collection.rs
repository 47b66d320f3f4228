//! Loads descriptions and plays random games: what each takes, in CPU seconds, how many games a second are played one by one and at once, and what is wrong with those that fail.
//!
//! `cargo run --release -p permutree-gdl --example collection -- 1000 games/*.kif`

use permutree_game::{Game, Ignore, Rng};
use permutree_gdl::{AT_ONCE, Described, Options, Playouts};
use std::time::Duration;

fn main() {
    let mut args = std::env::args().skip(1);
    let Some(games) = args.next().and_then(|games| games.parse::<u32>().ok()) else {
        eprintln!("collection GAMES FILE...");
        std::process::exit(2);
    };
    for path in args {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let began = cpu();
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let game = Described::read(&text, Options::default());
        let loaded = cpu();
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                println!("{name}: {:.2} s, {error}", (loaded - began).as_secs_f64());
                continue;
            }
        };
        let (start, mut rng, mut scratch) = (game.start(), Rng::new(1), Vec::new());
        let (mut sums, mut played) = (vec![0.0; game.players()], 0);
        while played < games {
            let mut position = start.clone();
            game.playout(&mut position, 0, &mut rng, &mut scratch, &mut Ignore);
            let rewards = game.rewards(&position);
            sums.iter_mut().zip(rewards.as_slice()).for_each(|(sum, reward)| *sum += reward);
            played += 1;
        }
        let took = (cpu() - loaded).as_secs_f64();
        // Games at once are played so much faster that more are needed to measure them.
        let (sliced, mut room, mut batches) = (cpu(), Playouts::default(), 0);
        while batches * AT_ONCE < 50 * games as usize {
            std::hint::black_box(game.playouts(&start, &mut rng, &mut room));
            batches += 1;
        }
        let at_once = (batches * AT_ONCE) as f64 / (cpu() - sliced).as_secs_f64();
        let means: Vec<String> = sums.iter().map(|sum| format!("{:.3}", sum / f64::from(played))).collect();
        let [fluents, moves, gates] = game.size();
        println!(
            "{name}: {:.2} s, {fluents} fluents, {moves} moves, {gates} gates, {played} games at {:.0}/s and {at_once:.0}/s, rewards {}, {} warnings",
            (loaded - began).as_secs_f64(),
            f64::from(played) / took,
            means.join(" "),
            game.warnings().len()
        );
    }
}

/// The CPU time of this process, where the system tells, and else no time at all.
fn cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split_whitespace().next().and_then(|text| text.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
