//! Medians and ratios, as text and as JSON.

use crate::run::{OURS, Sample};
use serde_json::json;
use std::fmt::Write;

/// One peer on one game against Permutree on that game.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub game: String,
    pub peer: String,
    /// How many playouts were timed in a round.
    pub their_playouts: u64,
    pub our_playouts: u64,
    /// Medians of playouts per second.
    pub theirs: f64,
    pub ours: f64,
}

impl Row {
    /// How many times as fast Permutree is.
    pub fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }
}

/// One row for each game and peer, in the order in which they were measured first.
pub fn rows(samples: &[Sample]) -> Vec<Row> {
    let of = |game: &str, peer: &str| {
        let same: Vec<&Sample> = samples.iter().filter(|s| s.game == game && s.peer == peer).collect();
        (same.first().map_or(0, |s| s.playouts), median(same.iter().map(|s| s.playouts_per_s).collect()))
    };
    let mut rows: Vec<Row> = Vec::new();
    for Sample { game, peer, .. } in samples.iter().filter(|s| s.peer != OURS) {
        if !rows.iter().any(|row| row.game == *game && row.peer == *peer) {
            let ((their_playouts, theirs), (our_playouts, ours)) = (of(game, peer), of(game, OURS));
            let (game, peer) = (game.clone(), peer.clone());
            rows.push(Row { game, peer, their_playouts, our_playouts, theirs, ours });
        }
    }
    rows
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

pub fn text(rows: &[Row]) -> String {
    let mut out =
        format!("{:<16}{:<42}{:>14}{:>14}{:>9}\n", "game", "peer", "playouts/s", "permutree", "ratio");
    for row in rows {
        let _ = writeln!(
            out,
            "{:<16}{:<42}{:>14.0}{:>14.0}{:>9.2}",
            row.game,
            row.peer,
            row.theirs,
            row.ours,
            row.ratio()
        );
    }
    out
}

pub fn json(rows: &[Row]) -> String {
    let row = |row: &Row| {
        json!({
            "game": row.game,
            "peer": row.peer,
            "playouts": row.their_playouts,
            "playouts_per_s": row.theirs,
            "permutree_playouts": row.our_playouts,
            "permutree_playouts_per_s": row.ours,
            "ratio": row.ratio(),
        })
    };
    format!("{}\n", json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_medians() {
        let sample = |peer: &str, playouts_per_s: f64| Sample {
            game: "connect4".to_string(),
            peer: peer.to_string(),
            playouts: 9,
            playouts_per_s,
        };
        let samples = [("a", 1.0), (OURS, 8.0), ("a", 9.0), (OURS, 12.0), ("a", 2.0)];
        let rows = rows(&samples.map(|(peer, rate)| sample(peer, rate)));
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].theirs, rows[0].ours, rows[0].ratio()), (2.0, 10.0, 5.0));
    }
}
