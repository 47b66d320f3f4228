//! The human-readable results of two agents in a two-player game.

use super::match_::elo_text;
use crate::show::Table;
use permutree_arena::statistics::{Sprt, SprtVerdict};
use permutree_arena::{Duel, SprtResult};
use std::io::{self, Write};

/// The state of a duel's SPRT; empty without one.
pub(super) fn progress(duel: &Duel) -> String {
    duel.sprt().as_ref().map_or_else(String::new, |test| format!("  {}", llr(test)))
}

fn llr(test: &SprtResult) -> String {
    format!("LLR {:.2} ({:.2}..{:.2})", test.llr, test.lower, test.upper)
}

/// The pairs, and the verdict of the test.
pub(super) fn write(duel: &Duel, first: &str, second: &str, out: &mut dyn Write) -> io::Result<()> {
    let pairs = duel.pairs();
    let mut table = Table::default();
    let points = ["0", "1/2", "1", "3/2", "2"];
    let head = [&["by pairs of games"], &points[..], &["Elo", "normalized Elo", "superiority %"]];
    table.row(head.concat());
    let numbers = pairs.counts.map(|count| count.to_string()).into_iter().chain([
        elo_text(&pairs.elo),
        elo_text(&pairs.normalized_elo),
        format!("{:.1}", 100.0 * pairs.superiority),
    ]);
    table.row(std::iter::once(first.to_string()).chain(numbers));
    writeln!(out)?;
    table.write(out)?;
    if let Some(test) = duel.sprt() {
        let SprtResult { elo0, elo1, .. } = test;
        let verdict = match test.verdict {
            SprtVerdict::Elo0 => format!("H0: {first} is {elo0} Elo above {second} rather than {elo1}"),
            SprtVerdict::Elo1 => format!("H1: {first} is {elo1} Elo above {second} rather than {elo0}"),
            SprtVerdict::Undecided => "undecided".to_string(),
        };
        writeln!(out, "\nSPRT {elo0},{elo1}: {}, {verdict}.", llr(&test))?;
    }
    Ok(())
}

/// Parses an SPRT such as `0,10`.
pub(super) fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    numbers.and_then(|(elo0, elo1)| Sprt::new(elo0, elo1)).ok_or_else(|| {
        let most = Sprt::MAX_ELO;
        format!("must be two Elo differences, the smaller first, such as 0,10, from -{most} to {most}")
    })
}
