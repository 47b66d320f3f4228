//! Permutree and other Monte Carlo searches side by side: playouts per second of CPU time, one thread each.
//!
//! A round measures Permutree and then every peer, so that a machine that slows down slows all of them; the table
//! holds the medians of several rounds.

mod arbor;
mod board;
mod mcts;
mod minimax;
mod monte_carlo_tree_search;
mod page;
mod run;
mod table;

use board::Measured;
use run::Sample;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Who plays the random games of a crate's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// The crate's own playout, or single moves through its game trait.
    Theirs,
    /// Permutree's playout, through whatever door the crate has for that.
    Ours,
}

/// A crate with its version and its search from the start with so many playouts.
type Search = (&'static str, fn(u32, Playout) -> Measured);

const CRATES: [Search; 4] = [
    ("arbor 0.2", arbor::search),
    ("monte-carlo-tree-search 0.3", monte_carlo_tree_search::search),
    ("mcts 0.3", mcts::search),
    ("minimax 0.6", minimax::search),
];

const USAGE: &str = "usage: peers [--rounds N] [--playouts N] [--json] [--page FILE] [--no-open-spiel] \
                     [--no-crates] [--permutree PATH] [--python PATH]";

/// What the user asks for.
struct Options {
    rounds: usize,
    /// Of each crate's search; as many as Permutree makes, if not given.
    playouts: Option<u32>,
    json: bool,
    /// Where to write the Markdown page, with what a playout costs.
    page: Option<PathBuf>,
    open_spiel: bool,
    crates: bool,
    permutree: PathBuf,
    python: PathBuf,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = |variable: &str, default: &str| {
            std::env::var_os(variable).map_or_else(|| here.join(default), PathBuf::from)
        };
        let mut options = Self {
            rounds: 5,
            playouts: None,
            json: false,
            page: None,
            open_spiel: true,
            crates: true,
            permutree: path("PERMUTREE", "../../target/release/permutree"),
            python: path("PEERS_PYTHON", ".venv/bin/python"),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value; {USAGE}"));
            match word.as_str() {
                "--rounds" => options.rounds = count(&value()?)? as usize,
                "--playouts" => options.playouts = Some(count(&value()?)?),
                "--json" => options.json = true,
                "--page" => options.page = Some(value()?.into()),
                "--no-open-spiel" => options.open_spiel = false,
                "--no-crates" => options.crates = false,
                "--permutree" => options.permutree = value()?.into(),
                "--python" => options.python = value()?.into(),
                _ => return Err(format!("unknown argument {word}; {USAGE}")),
            }
        }
        Ok(options)
    }
}

fn count(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n) if (1..=100_000_000).contains(&n) => Ok(n),
        _ => Err(format!("{text} is not a number from 1 to 100000000")),
    }
}

/// All samples of all rounds.
fn measure(options: &Options) -> Result<Vec<Sample>, String> {
    let mut samples = Vec::new();
    for round in 1..=options.rounds {
        let ours = run::permutree(&options.permutree)?;
        // A tree that outgrows the cache is slower, so the crates' trees are as large as ours.
        let playouts = options.playouts.unwrap_or_else(|| playouts_on_connect4(&ours));
        samples.extend(ours);
        if options.open_spiel {
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("open_spiel.py");
            samples.extend(run::open_spiel(&options.python, &script, round)?);
        }
        for (name, _) in CRATES.iter().filter(|_| options.crates) {
            for playout in [Playout::Theirs, Playout::Ours] {
                let suffix = if playout == Playout::Ours { ", our playout" } else { "" };
                samples.push(Sample {
                    game: "connect4".to_string(),
                    peer: format!("{name}{suffix}"),
                    playouts: u64::from(playouts),
                    playouts_per_s: run::child(name, playout, playouts)?,
                    plies: None,
                });
            }
        }
        eprintln!("round {round} of {}", options.rounds);
    }
    Ok(samples)
}

fn playouts_on_connect4(samples: &[Sample]) -> u32 {
    let playouts = samples.iter().find(|s| s.game == "connect4").map_or(0, |s| s.playouts);
    playouts.clamp(1_000, 1_000_000) as u32
}

/// Measures one crate, as [`run::child`] asks.
fn measure_one(words: &[String]) -> Result<(), String> {
    let [name, playout, playouts] = words else { return Err(USAGE.to_string()) };
    let (_, search) = CRATES.iter().find(|(n, _)| n == name).ok_or_else(|| format!("no peer {name}"))?;
    let playout = if playout == "ours" { Playout::Ours } else { Playout::Theirs };
    let Measured { playouts_per_s, best } = search(count(playouts)?, playout);
    best.ok_or_else(|| format!("{name} found no move"))?;
    println!("{playouts_per_s}");
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.split_first() {
        Some((first, rest)) if first == run::CHILD => measure_one(rest),
        _ => measure_all(words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn measure_all(words: Vec<String>) -> Result<(), String> {
    let options = Options::read(words.into_iter())?;
    let rows = table::rows(&measure(&options)?);
    if let Some(path) = &options.page {
        let costs = page::costs(&options.permutree, options.rounds)?;
        let text = page::page(&rows, options.rounds, &costs);
        std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    print!("{}", if options.json { table::json(&rows) } else { table::text(&rows) });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The centre is the only opening that wins, so a search that opens elsewhere does not play by the rules.
    #[test]
    fn all_open_in_the_centre() {
        for (name, search) in CRATES {
            for playout in [Playout::Theirs, Playout::Ours] {
                assert_eq!(search(100_000, playout).best, Some(3), "{name}, {playout:?}");
            }
        }
    }
}
