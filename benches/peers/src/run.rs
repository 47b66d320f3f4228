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
    /// The mean length of a random game by the rules of whoever was measured, where it was asked for.
    pub plies: Option<f64>,
}

/// The name of Permutree among the samples.
pub const OURS: &str = "permutree";

/// The games, by the names that Permutree and `open_spiel.py` know.
pub const GAMES: [&str; 7] =
    ["hex:7", "breakthrough:8", "connect4", "gomoku:9", "reversi", "ultimate-tic-tac-toe", "go:9"];

/// `permutree bench` with plain UCT, whose constant is OpenSpiel's.
pub fn permutree(binary: &Path) -> Result<Vec<Sample>, String> {
    let mut samples = bench(binary, &GAMES, &["uct:c=1.4"], 10_000)?;
    for sample in &mut samples {
        sample.peer = OURS.to_string();
        sample.plies = Some(plies(binary, &sample.game)?);
    }
    Ok(samples)
}

/// The mean length of a random game, by `permutree codes`.
fn plies(binary: &Path, game: &str) -> Result<f64, String> {
    let mut command = Command::new(binary);
    command.args(["codes", game, "--playouts", "10000", "--json"]);
    let answer: Option<Value> = serde_json::from_str(&output(command, BUILD)?).ok();
    let plies = answer.and_then(|answer| answer["plies"].as_f64());
    plies.ok_or_else(|| format!("permutree codes {game} printed no plies"))
}

/// What to do when Permutree cannot be started.
const BUILD: &str = "build it with: cargo build --release";

/// The agent that stands for bare random playouts, which `permutree bench` always measures before the others.
pub const BARE: &str = "random";

/// `permutree bench`: every agent in every game, one game after the other.
pub fn bench(binary: &Path, games: &[&str], agents: &[&str], playouts: u64) -> Result<Vec<Sample>, String> {
    let mut command = Command::new(binary);
    command.arg("bench").args(games).arg("--agents").args(agents.iter().filter(|agent| **agent != BARE));
    command.args(["--playouts", &playouts.to_string(), "--json"]);
    read_bench(&output(command, BUILD)?, games, agents)
}

/// The rows come in the order of what was asked for, whatever form of the names the program prefers.
fn read_bench(text: &str, games: &[&str], agents: &[&str]) -> Result<Vec<Sample>, String> {
    let wrong = || format!("permutree bench printed no row for each of {}", games.join(" "));
    let answer: Value = serde_json::from_str(text).map_err(|_| wrong())?;
    let wanted = |row: &&Value| row["agent"] != BARE || agents.contains(&BARE);
    let rows = answer["rows"].as_array().ok_or_else(wrong)?.iter().filter(wanted);
    let rows: Vec<&Value> = rows.collect();
    if rows.len() != games.len() * agents.len() {
        return Err(wrong());
    }
    let asked = games.iter().flat_map(|game| agents.iter().map(move |agent| (game, agent)));
    let sample = |((game, agent), row): ((&&str, &&str), &Value)| {
        let family = |name: &str| name.split(':').next().unwrap_or_default().to_string();
        let same = row["game"].as_str().is_some_and(|name| family(name) == family(game));
        let playouts = row["playouts"].as_u64().filter(|_| same).ok_or_else(wrong)?;
        let playouts_per_s = row["playouts_per_s"].as_f64().ok_or_else(wrong)?;
        let [game, peer] = [game, agent].map(|name| (*name).to_string());
        Ok(Sample { game, peer, playouts, playouts_per_s, plies: None })
    };
    asked.zip(rows).map(sample).collect()
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
            plies: Some(row["plies"].as_f64()?),
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
        let read = |text: &str| {
            read_bench(text, &["hex:7", "breakthrough:8", "connect4", "gomoku:9"], &["uct:c=1.4"])
        };
        let samples = read(&text("connect4")).unwrap();
        assert_eq!((samples[0].game.as_str(), samples[2].playouts_per_s), ("hex:7", 3.0));
        assert!(read(&text("go")).is_err());
        assert!(read("{}").is_err());
        let with_bare = read_bench(&text("connect4"), &["hex:7", "breakthrough:8"], &[BARE, "uct:c=1.4"]);
        assert!(with_bare.is_err(), "two games are too many");
        let all = ["hex:7", "breakthrough:8", "connect4", "gomoku:9"];
        let with_bare = read_bench(&text("connect4"), &all, &[BARE, "uct:c=1.4"]).unwrap();
        assert_eq!((with_bare[2].peer.as_str(), with_bare[2].playouts_per_s), (BARE, 99.0));
        let pairs = read_bench(&text("connect4"), &["hex:7", "connect4"], &["grave", "mcps"]);
        assert!(pairs.is_err(), "the second row is of another game");
    }
}
