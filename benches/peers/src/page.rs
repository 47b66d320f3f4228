//! The page that shows the results, in Markdown.

use crate::run::{self, Sample};
use crate::table::{Row, median};
use std::fmt::Write;
use std::path::Path;

/// The games of the MCPS paper, and Connect Four.
const GAMES: [&str; 8] = [
    "hex:7,opening=b2",
    "gomoku:9",
    "nogo:5",
    "atarigo:6",
    "breakthrough:8",
    "knightthrough:8",
    "wargame:10",
    "connect4",
];

/// What is compared in each game.
const AGENTS: [&str; 4] = [run::BARE, "uct", "grave", "mcps"];

/// The numbers of playouts for which costs are given.
const PLAYOUTS: [u64; 2] = [5_000, 100_000];

/// What a playout costs in a game: microseconds for each of `AGENTS`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    game: String,
    us: [f64; AGENTS.len()],
}

/// The costs for each number of playouts: medians of several rounds.
pub fn costs(permutree: &Path, rounds: usize) -> Result<[Vec<Cost>; 2], String> {
    let measure = |playouts| {
        let bench = |_| run::bench(permutree, &GAMES, &AGENTS, playouts);
        (0..rounds).map(bench).collect::<Result<Vec<_>, _>>().map(|rounds| medians(&rounds))
    };
    let [few, many] = PLAYOUTS.map(measure);
    Ok([few?, many?])
}

/// Rounds have samples of the same games and agents in the same order.
fn medians(rounds: &[Vec<Sample>]) -> Vec<Cost> {
    let cost = |first: usize| {
        let us = |agent: usize| {
            median(rounds.iter().map(|round| 1e6 / round[first + agent].playouts_per_s).collect())
        };
        Cost { game: rounds[0][first].game.clone(), us: std::array::from_fn(us) }
    };
    let samples = rounds.first().map_or(0, Vec::len);
    (0..samples).step_by(AGENTS.len()).map(cost).collect()
}

/// The name of the processor and, on x86-64, the widest instructions that our kernels use.
fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_string())
    };
    let name = field("model name").unwrap_or_else(|| format!("an unknown {}", std::env::consts::ARCH));
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|f| f == flag);
    match (has("avx512_bitalg"), has("avx2")) {
        (true, _) => format!("{name} with AVX-512"),
        (false, true) => format!("{name} with AVX2"),
        _ => name,
    }
}

const HEAD: &str = "\
# Speed beside peers

Playouts per second of a tree search from the start position, one thread, CPU time, medians of ROUNDS rounds in one run of
`make peers`, which wrote this page (see [benches/peers](../../benches/peers/README.md)), on PROCESSOR. Permutree is `uct:c=1.4`,
built by plain `cargo build --release`, PLAYOUTS playouts a search.

## OpenSpiel

OpenSpiel's C++ `MCTSBot` with one random rollout per simulation. A playout is a whole game on both sides. Plies are the mean
length of a random game from the start, counted in moves of a player, by OpenSpiel's rules and by ours; the last column is
the ratio in plies per second.

| game | peer | peer's playouts/s | Permutree's | ratio | peer's plies | ours | ratio in plies/s |
|---|---|---|---|---|---|---|---|
";

const RULES: &str = "
Where the rules differ:

- `reversi` is OpenSpiel's `othello`: the same rules and start.
- `ultimate-tic-tac-toe`: the same rules. Where a player may choose the board, OpenSpiel has him choose the board and then
  the cell, two steps of the tree and of a playout that count as one ply here. So its random player draws boards evenly and
  ours draws cells evenly.
- `go:9` is `go(board_size=9,komi=7.5)`, area scoring on both sides. OpenSpiel's playouts draw evenly among all legal moves,
  so they fill eyes and pass at any time; ours fill no eyes and pass only when nothing else is left. OpenSpiel
  forbids the simple ko, calls a game that repeats an older board a draw, and ends every game at 162 plies; ours forbids
  every repetition and ends at 243 plies.

## Crates

The crates play Connect Four by Permutree's rules, with their own playouts and again with Permutree's whole-game playout
put into their trees.

| game | peer | peer's playouts/s | Permutree's | ratio |
|---|---|---|---|---|
";

const COSTS: &str = "
## What a playout costs

Microseconds of thread CPU time per playout of searches from the start position, and of the bare random playout, which plays the same
random game without a search (`permutree bench hex:7,opening=b2 gomoku:9 .. --agents uct grave mcps --playouts N`).
";

/// The whole page.
pub fn page(rows: &[Row], rounds: usize, costs: &[Vec<Cost>; 2]) -> String {
    let playouts = rows.first().map_or(0, |row| row.our_playouts);
    let mut out = HEAD.replace("ROUNDS", &rounds.to_string()).replace("PLAYOUTS", &grouped(playouts as f64));
    out = out.replace("PROCESSOR", &processor());
    let start = |row: &Row| {
        let (theirs, ours) = (grouped(row.theirs), grouped(row.ours));
        format!("| {} | {} | {theirs} | {ours} | {:.2} |", row.game, row.peer, row.ratio())
    };
    for row in rows {
        if let Some(((theirs, ours), ratio)) = row.plies.zip(row.plies_ratio()) {
            let _ = writeln!(out, "{} {theirs:.1} | {ours:.1} | {ratio:.2} |", start(row));
        }
    }
    out.push_str(RULES);
    for row in rows.iter().filter(|row| row.plies.is_none()) {
        out.push_str(&start(row));
        out.push('\n');
    }
    out.push_str(COSTS);
    for (playouts, costs) in PLAYOUTS.iter().zip(costs) {
        let _ = write!(
            out,
            "\nWith {} playouts:\n\n\
             | game | bare | UCT | GRAVE | MCPS | UCT / bare | GRAVE / bare | MCPS / bare | GRAVE / UCT | MCPS / UCT | MCPS / GRAVE |\n\
             |---|---|---|---|---|---|---|---|---|---|---|\n",
            grouped(*playouts as f64)
        );
        for Cost { game, us: [bare, uct, grave, mcps] } in costs {
            let _ = write!(out, "| {game} | {bare:.3} | {uct:.3} | {grave:.3} | {mcps:.3} |");
            let ratios = [uct / bare, grave / bare, mcps / bare, grave / uct, mcps / uct, mcps / grave];
            for ratio in ratios {
                let _ = write!(out, " {ratio:.2} |");
            }
            out.push('\n');
        }
    }
    out
}

/// `1234567.8` as `1,234,568`.
fn grouped(x: f64) -> String {
    let digits = format!("{x:.0}");
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_its_table() {
        let row = |game: &str, peer: &str, plies| Row {
            game: game.to_string(),
            peer: peer.to_string(),
            their_playouts: 10_000,
            our_playouts: 10_000,
            theirs: 1_000.0,
            ours: 25_000.4,
            plies,
        };
        let rows = [row("go:9", "open_spiel 2", Some((120.0, 90.0))), row("connect4", "arbor", None)];
        let round = |us: [f64; 4]| {
            let sample = |(peer, us): (&str, f64)| Sample {
                game: "nogo:5".to_string(),
                peer: peer.to_string(),
                playouts: 5_000,
                playouts_per_s: 1e6 / us,
                plies: None,
            };
            AGENTS.into_iter().zip(us).map(sample).collect::<Vec<_>>()
        };
        let few =
            medians(&[round([0.5, 4.0, 4.0, 9.0]), round([1.0, 2.0, 2.0, 5.0]), round([9.0, 1.0, 4.0, 8.0])]);
        let costs = [few, medians(&[round([1.0, 2.0, 4.0, 10.0])])];
        let page = page(&rows, 5, &costs);
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
        let lines = [
            "medians of 5 rounds",
            "10,000 playouts a search",
            "| go:9 | open_spiel 2 | 1,000 | 25,000 | 25.00 | 120.0 | 90.0 | 18.75 |\n\nWhere",
            "| connect4 | arbor | 1,000 | 25,000 | 25.00 |\n\n## What",
            "With 5,000 playouts",
            "| nogo:5 | 1.000 | 2.000 | 4.000 | 8.000 | 2.00 | 4.00 | 8.00 | 2.00 | 4.00 | 2.00 |\n",
            "With 100,000 playouts",
            "| nogo:5 | 1.000 | 2.000 | 4.000 | 10.000 | 2.00 | 4.00 | 10.00 | 2.00 | 5.00 | 2.50 |\n",
        ];
        assert!(lines.map(at).is_sorted());
    }
}
