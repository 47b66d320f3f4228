//! Human-readable numbers, tables and outcomes.

use permutree_zoo::{Player, Rewards};
use serde::Serialize;
use std::io::{self, Write};
use std::time::Duration;

/// Prints a value as JSON in one line.
pub(crate) fn print_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", serde_json::to_string(value)?)
}

/// A table in plain text. The first column is aligned to the left, the others to the right.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row; the first is the header.
    pub(crate) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Writes the table, with columns two spaces apart and a line under the header.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| self.rows.iter().filter_map(|row| row.get(c)).map(|s| s.chars().count()).max();
        let widths: Vec<usize> = (0..columns).map(|c| width(c).unwrap_or(0)).collect();
        for (i, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate().map(|(c, (cell, &width))| match c {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
            if i == 0 {
                let line = widths.iter().map(|&width| "-".repeat(width));
                writeln!(out, "{}", line.collect::<Vec<_>>().join("  "))?;
            }
        }
        Ok(())
    }
}

/// `1234567` as `1,234,567`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A rate or another large number without its fraction.
pub(crate) fn rounded(x: f64) -> String {
    count(x.round() as u64)
}

/// The rate per second; `None` if no time was measured.
pub(crate) fn per_second(n: u64, time: Duration) -> Option<f64> {
    (!time.is_zero()).then(|| n as f64 / time.as_secs_f64())
}

/// Three digits and a unit that fits.
pub(crate) fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (value, unit) = match seconds {
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}

/// Bytes in a unit that fits.
pub(crate) fn bytes(n: usize) -> String {
    let n = n as f64;
    match n {
        n if n < 1024.0 * 1024.0 => format!("{:.1} KB", n / 1024.0),
        n if n < 1024.0 * 1024.0 * 1024.0 => format!("{:.1} MB", n / (1024.0 * 1024.0)),
        n => format!("{:.2} GB", n / (1024.0 * 1024.0 * 1024.0)),
    }
}

/// The words of `text` in lines of at most `width` characters, each after `indent` spaces.
pub(crate) fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let pad = " ".repeat(indent);
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > width {
            out.push('\n');
            length = 0;
        }
        out.push_str(if length == 0 { &pad } else { " " });
        out.push_str(word);
        length += letters + if length == 0 { indent } else { 1 };
    }
    out
}

/// A list with commas and an `and`.
pub(crate) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Who won, in words. `name` gives the player's name and the verb form that goes with it: `("you", true)` wins as "you
/// win", `("player 2", false)` as "player 2 wins".
pub(crate) fn outcome(rewards: &Rewards, name: impl Fn(Player) -> (String, bool)) -> String {
    let rewards = rewards.as_slice();
    let best = rewards.iter().copied().fold(0.0, f64::max);
    let players = || (0..rewards.len()).map(|player| Player(player as u8));
    let winners: Vec<Player> = players().filter(|player| rewards[player.index()] == best).collect();
    // The winners share everything, and the others get nothing.
    let plain = rewards.len() > 1
        && (best * winners.len() as f64 - 1.0).abs() < 1e-9
        && rewards.iter().all(|&reward| reward == best || reward == 0.0);
    match winners.as_slice() {
        [winner] if plain => {
            let (name, second_person) = name(*winner);
            format!("{name} {}", if second_person { "win" } else { "wins" })
        }
        all if plain && all.len() == rewards.len() => "a draw".to_string(),
        some if plain => {
            let names: Vec<String> = some.iter().map(|&player| name(player).0).collect();
            format!("{} share the win", listed(&names))
        }
        _ => {
            let scores = players().map(|player| {
                let (name, second_person) = name(player);
                let reward = reward(rewards[player.index()]);
                format!("{name} {} {reward}", if second_person { "get" } else { "gets" })
            });
            listed(&scores.collect::<Vec<_>>())
        }
    }
}

/// A reward with at most three decimals.
pub(crate) fn reward(reward: f64) -> String {
    ((1000.0 * reward).round() / 1000.0).to_string()
}

/// The text with its first letter capitalised.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(
            (count(0).as_str(), count(999).as_str(), count(1_234_567).as_str()),
            ("0", "999", "1,234,567")
        );
        assert_eq!(duration(Duration::from_micros(1234)), "1.23 ms");
        assert_eq!(duration(Duration::from_secs(75)), "75.0 s");
        assert_eq!(bytes(3 << 20), "3.0 MB");
    }

    #[test]
    fn lines() {
        assert_eq!(wrapped("one two three", 2, 9), "  one two\n  three");
        assert_eq!(wrapped("", 2, 9), "");
    }

    #[test]
    fn outcomes() {
        let say = |rewards: &[f64]| {
            outcome(&Rewards::from_slice(rewards), |player| match player.0 {
                0 => ("you".to_string(), true),
                _ => (player.to_string(), false),
            })
        };
        assert_eq!(say(&[1.0, 0.0]), "you win");
        assert_eq!(say(&[0.0, 1.0, 0.0]), "player 2 wins");
        assert_eq!(say(&[0.5, 0.5]), "a draw");
        assert_eq!(say(&[0.5, 0.0, 0.5]), "you and player 3 share the win");
        assert_eq!(say(&[0.75, 0.25]), "you get 0.75 and player 2 gets 0.25");
        assert_eq!(say(&[1.0]), "you get 1");
        assert_eq!(say(&[0.7371428571428571]), "you get 0.737");
        assert_eq!(say(&[0.0, 0.0]), "you get 0 and player 2 gets 0");
    }
}
