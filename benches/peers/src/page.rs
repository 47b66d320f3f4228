//! The page that shows the results, in Markdown.

use crate::run::{self, Sample};
use crate::table::Row;
use std::fmt::Write;
use std::path::Path;

/// The games of the MCPS paper.
const PAPER: [&str; 7] = [
    "hex:7,opening=b2",
    "gomoku:9",
    "nogo:5",
    "atarigo:6",
    "breakthrough:8",
    "knightthrough:8",
    "wargame:10",
];

/// The numbers of playouts for which costs are given.
const PLAYOUTS: [u64; 2] = [5_000, 100_000];

/// GRAVE and MCPS in the games of the paper, game by game, for each number of playouts: of several rounds, the one in which
/// their ratio is the median.
pub fn costs(permutree: &Path, rounds: usize) -> Result<[Vec<Sample>; 2], String> {
    let measure = |playouts| {
        let bench = |_| run::bench(permutree, &PAPER, &["grave", "mcps"], playouts);
        (0..rounds).map(bench).collect::<Result<Vec<_>, _>>().map(|rounds| median_pairs(&rounds))
    };
    let [few, many] = PLAYOUTS.map(measure);
    Ok([few?, many?])
}

/// Rounds have pairs of samples, in the same order. Takes each pair from the round in which its ratio is the median.
fn median_pairs(rounds: &[Vec<Sample>]) -> Vec<Sample> {
    let pairs = rounds.first().map_or(0, |round| round.len() / 2);
    let ratio = |pair: &&[Sample]| pair[0].playouts_per_s / pair[1].playouts_per_s;
    let median = |pair: usize| {
        let mut found: Vec<&[Sample]> = rounds.iter().map(|round| &round[2 * pair..][..2]).collect();
        found.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        found[found.len() / 2]
    };
    (0..pairs).flat_map(median).cloned().collect()
}

const HEAD: &str = "\
# Speed beside peers

Playouts per second of a tree search from the start position, one thread, CPU time, medians of ROUNDS rounds in one run of
`make peers`, which wrote this page (see [benches/peers](../../benches/peers/README.md)). Permutree is `uct:c=1.4`, built by
plain `cargo build --release`, PLAYOUTS playouts a search.

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
## What MCPS costs

Microseconds of thread CPU time per playout of GRAVE and MCPS, which take turns, in the round in which their ratio is the median
(`permutree bench hex:7,opening=b2 gomoku:9 .. --agents grave mcps --playouts N`):

| game | GRAVE 5,000 | MCPS 5,000 | ratio | GRAVE 100,000 | MCPS 100,000 | ratio |
|---|---|---|---|---|---|---|
";

/// The whole page.
pub fn page(rows: &[Row], rounds: usize, costs: &[Vec<Sample>; 2]) -> String {
    let playouts = rows.first().map_or(0, |row| row.our_playouts);
    let mut out = HEAD.replace("ROUNDS", &rounds.to_string()).replace("PLAYOUTS", &grouped(playouts as f64));
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
    let [few, many] = costs.each_ref().map(|samples| samples.chunks_exact(2));
    for (few, many) in few.zip(many) {
        let _ = write!(out, "| {} |", few[0].game);
        for [grave, mcps] in [few, many].map(|pair| [0, 1].map(|i| 1e6 / pair[i].playouts_per_s)) {
            let _ = write!(out, " {grave:.2} | {mcps:.2} | {:.2} |", mcps / grave);
        }
        out.push('\n');
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
        let sample = |peer: &str, playouts_per_s: f64| Sample {
            game: "nogo:5".to_string(),
            peer: peer.to_string(),
            playouts: 5_000,
            playouts_per_s,
            plies: None,
        };
        let costs = [
            vec![sample("grave", 1e6), sample("mcps", 5e5)],
            vec![sample("grave", 5e5), sample("mcps", 1e5)],
        ];
        let other = vec![sample("grave", 9e6), sample("mcps", 1e6)];
        let best = vec![sample("grave", 1e6), sample("mcps", 9e5)];
        assert_eq!(median_pairs(&[other, costs[0].clone(), best]), costs[0]);
        let page = page(&rows, 5, &costs);
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text} in {page}"));
        let lines = [
            "medians of 5 rounds",
            "10,000 playouts a search",
            "| go:9 | open_spiel 2 | 1,000 | 25,000 | 25.00 | 120.0 | 90.0 | 18.75 |\n\nWhere",
            "| connect4 | arbor | 1,000 | 25,000 | 25.00 |\n\n## What",
            "| nogo:5 | 1.00 | 2.00 | 2.00 | 2.00 | 10.00 | 5.00 |\n",
        ];
        assert!(lines.map(at).is_sorted());
    }
}
