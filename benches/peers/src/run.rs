//! Measurements made by other programs: Permutree's own command line, and Python for OpenSpiel.

use crate::Playout;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub game: String,
    pub peer: String,
    /// How many playouts were timed.
    pub playouts: u64,
    pub playouts_per_s: f64,
}

/// The name of Permutree among the samples.
pub const OURS: &str = "permutree";

/// The games, by the names that Permutree and `open_spiel.py` know.
pub const GAMES: [&str; 4] = ["hex:7", "breakthrough:8", "connect4", "gomoku:9"];

/// `permutree bench` with plain UCT, whose constant is OpenSpiel's.
pub fn permutree(binary: &Path) -> Result<Vec<Sample>, String> {
    let mut command = Command::new(binary);
    command.arg("bench").args(GAMES).args(["--agents", "uct:c=1.4", "--json"]);
    read_bench(&output(command, "build it with: cargo build --release")?)
}

/// The rows come in the order of the games asked for, whatever form of their names the program prefers.
fn read_bench(text: &str) -> Result<Vec<Sample>, String> {
    let wrong = || format!("permutree bench printed no row for each of {}", GAMES.join(" "));
    let answer: Value = serde_json::from_str(text).map_err(|_| wrong())?;
    // Bare playouts, which a tree search is not compared with, have rows of their own.
    let rows = answer["rows"].as_array().ok_or_else(wrong)?.iter().filter(|row| row["agent"] != "random");
    let rows: Vec<&Value> = rows.collect();
    if rows.len() != GAMES.len() {
        return Err(wrong());
    }
    let sample = |(game, row): (&&str, &Value)| {
        let family = |name: &str| name.split(':').next().unwrap_or_default().to_string();
        let same = row["game"].as_str().is_some_and(|name| family(name) == family(game));
        let playouts = row["playouts"].as_u64().filter(|_| same).ok_or_else(wrong)?;
        let playouts_per_s = row["playouts_per_s"].as_f64().ok_or_else(wrong)?;
        Ok(Sample { game: (*game).to_string(), peer: OURS.to_string(), playouts, playouts_per_s })
    };
    GAMES.iter().zip(rows).map(sample).collect()
}

/// The script's JSON lines.
pub fn open_spiel(python: &Path, script: &Path, seed: usize) -> Result<Vec<Sample>, String> {
    let mut command = Command::new(python);
    command.arg(script).args(["--seed", &seed.to_string()]);
    let text = output(command, "make peers installs it; --no-open-spiel leaves it out")?;
    let read = |line: &str| {
        let row: Value = serde_json::from_str(line).ok()?;
        Some(Sample {
            game: row["game"].as_str()?.to_string(),
            peer: row["peer"].as_str()?.to_string(),
            playouts: row["playouts"].as_u64()?,
            playouts_per_s: row["playouts_per_s"].as_f64()?,
        })
    };
    let line = |text: &str| read(text).ok_or_else(|| format!("open_spiel.py printed {text}"));
    text.lines().map(line).collect()
}

/// The first argument of a process that measures one crate.
pub const CHILD: &str = "one";

/// A crate's playouts per second, measured in a process of its own: what an earlier tree leaves in the allocator slows
/// the next one by a quarter and more.
pub fn child(name: &str, playout: Playout, playouts: u32) -> Result<f64, String> {
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let playout = if playout == Playout::Ours { "ours" } else { "theirs" };
    let mut command = Command::new(program);
    command.args([CHILD, name, playout, &playouts.to_string()]);
    let text = output(command, "build it anew")?;
    text.trim().parse().map_err(|_| format!("{name} gave no rate: {text}"))
}

/// What a program prints. The error is one line, with `hint` if the program cannot be started.
fn output(mut command: Command, hint: &str) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name} ({error}); {hint}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().last().unwrap_or("no message");
        return Err(format!("{name} failed ({}): {last}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name} printed something that is not text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_rows_are_matched_by_order_and_checked_by_family() {
        let text = |third: &str| {
            let row = |game: &str, rate: u32| {
                let part = |agent: &str, rate: u32| {
                    format!(
                        "{{\"game\":\"{game}\",\"agent\":\"{agent}\",\"playouts\":9,\"playouts_per_s\":{rate}}}"
                    )
                };
                format!("{},{}", part("random", 99), part("uct:c=1.4", rate))
            };
            let names = ["hex:size=7", "breakthrough", third, "gomoku"];
            let rows: Vec<String> = names.iter().zip(1..).map(|(name, rate)| row(name, rate)).collect();
            format!("{{\"rows\":[{}]}}", rows.join(","))
        };
        let samples = read_bench(&text("connect4")).unwrap();
        assert_eq!((samples[0].game.as_str(), samples[2].playouts_per_s), ("hex:7", 3.0));
        assert!(read_bench(&text("go")).is_err());
        assert!(read_bench("{}").is_err());
    }
}
