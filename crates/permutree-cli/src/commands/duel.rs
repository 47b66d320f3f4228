use super::match_::{elo_json, elo_text};
use crate::show::Table;
use permutree_arena::GameRecord;
use permutree_arena::statistics::{Pairs, Sprt, SprtVerdict};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::ControlFlow;

/// What two agents in a game for two show by pairs of games, in which they swap seats, and the test that may end their
/// match.
pub(super) struct Duel {
    pairs: Pairs,
    sprt: Option<Sprt>,
    llr: f64,
}

impl Duel {
    pub(super) fn new(sprt: Option<Sprt>) -> Self {
        Self { pairs: Pairs::default(), sprt, llr: 0.0 }
    }

    /// Adds a game. Breaks when the test is decided.
    pub(super) fn add(&mut self, record: &GameRecord) -> ControlFlow<()> {
        let mut seats = record.seating.iter().zip(record.rewards.as_slice());
        let reward = seats.find(|(agent, _)| **agent == 0).map_or(0.5, |(_, reward)| *reward);
        if self.pairs.add(record.number, reward)
            && let Some(test) = self.sprt
        {
            self.llr = test.llr(self.pairs.counts());
            if test.verdict(self.llr) != SprtVerdict::Undecided {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// How the test stands.
    pub(super) fn progress(&self) -> Option<String> {
        self.sprt.map(|test| {
            let (lower, upper) = test.bounds();
            format!("LLR {:.2} ({lower:.2}..{upper:.2})", self.llr)
        })
    }

    /// The pairs, and the verdict of the test.
    pub(super) fn write(&self, first: &str, second: &str, out: &mut dyn Write) -> io::Result<()> {
        let counts = self.pairs.counts();
        let mut table = Table::default();
        let points = ["0", "1/2", "1", "3/2", "2"];
        let head = [&["by pairs of games"], &points[..], &["Elo", "normalized Elo", "superiority %"]];
        table.row(head.concat());
        let numbers = counts.0.map(|count| count.to_string()).into_iter().chain([
            elo_text(&counts.elo()),
            elo_text(&counts.normalized_elo()),
            format!("{:.1}", 100.0 * counts.superiority()),
        ]);
        table.row(std::iter::once(first.to_string()).chain(numbers));
        writeln!(out)?;
        table.write(out)?;
        if let (Some(test), Some(progress)) = (self.sprt, self.progress()) {
            let (elo0, elo1) = (test.elo0(), test.elo1());
            let verdict = match test.verdict(self.llr) {
                SprtVerdict::Elo0 => format!("H0: {first} is {elo0} Elo above {second} rather than {elo1}"),
                SprtVerdict::Elo1 => format!("H1: {first} is {elo1} Elo above {second} rather than {elo0}"),
                SprtVerdict::Undecided => "undecided".to_string(),
            };
            writeln!(out, "\nSPRT {elo0},{elo1}: {progress}, {verdict}.")?;
        }
        Ok(())
    }

    pub(super) fn pairs_json(&self) -> Value {
        let counts = self.pairs.counts();
        json!({
            "counts": counts.0.map(count_json),
            "elo": elo_json(&counts.elo()),
            "normalized_elo": elo_json(&counts.normalized_elo()),
            "superiority": counts.superiority(),
        })
    }

    /// Nothing without a test.
    pub(super) fn sprt_json(&self) -> Option<Value> {
        let test = self.sprt?;
        let (lower, upper) = test.bounds();
        let verdict = verdict_json(test.verdict(self.llr));
        Some(json!({
            "elo0": test.elo0(), "elo1": test.elo1(), "llr": self.llr, "lower": lower, "upper": upper,
            "verdict": verdict,
        }))
    }
}

pub(super) fn verdict_json(verdict: SprtVerdict) -> Value {
    json!(match verdict {
        SprtVerdict::Elo0 => "H0",
        SprtVerdict::Elo1 => "H1",
        SprtVerdict::Undecided => "undecided",
    })
}

/// Whole, unless rewards were between those of wins, draws and losses.
fn count_json(count: f64) -> Value {
    if count.fract() == 0.0 { json!(count as u64) } else { json!(count) }
}

/// A test as users type it: `0,10`.
pub(super) fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers =
        text.split_once(',').and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    numbers.and_then(|(elo0, elo1)| Sprt::new(elo0, elo1)).ok_or_else(|| {
        let most = Sprt::MAX_ELO;
        format!("must be two Elo differences, the smaller first, such as 0,10, from -{most} to {most}")
    })
}
