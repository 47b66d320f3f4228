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
    /// The mean lengths of the peer's random games and of ours, where the rules are not the same ones.
    pub plies: Option<(f64, f64)>,
}

impl Row {
    /// How many times as fast Permutree is.
    pub fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }

    /// How many times as many moves Permutree plays per second.
    pub fn plies_ratio(&self) -> Option<f64> {
        self.plies.map(|(theirs, ours)| self.ratio() * ours / theirs)
    }
}

/// One row for each game and peer, in the order in which they were measured first.
pub fn rows(samples: &[Sample]) -> Vec<Row> {
    let of = |game: &str, peer: &str| {
        let same: Vec<&Sample> = samples.iter().filter(|s| s.game == game && s.peer == peer).collect();
        let plies: Option<Vec<f64>> = same.iter().map(|s| s.plies).collect();
        let rate = median(same.iter().map(|s| s.playouts_per_s).collect());
        (same.first().map_or(0, |s| s.playouts), rate, plies.map(median))
    };
    let mut rows: Vec<Row> = Vec::new();
    for Sample { game, peer, .. } in samples.iter().filter(|s| s.peer != OURS) {
        if !rows.iter().any(|row| row.game == *game && row.peer == *peer) {
            let (their_playouts, theirs, their_plies) = of(game, peer);
            let (our_playouts, ours, our_plies) = of(game, OURS);
            let (game, peer, plies) = (game.clone(), peer.clone(), their_plies.zip(our_plies));
            rows.push(Row { game, peer, their_playouts, our_playouts, theirs, ours, plies });
        }
    }
    rows
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => values[n / 2],
        n => f64::midpoint(values[n / 2 - 1], values[n / 2]),
    }
}

pub fn text(rows: &[Row]) -> String {
    let mut out = format!(
        "{:<22}{:<42}{:>12}{:>12}{:>8}{:>9}{:>11}{:>9}\n",
        "game", "peer", "playouts/s", "permutree", "ratio", "plies", "permutree", "plies/s"
    );
    for row in rows {
        let _ = write!(
            out,
            "{:<22}{:<42}{:>12.0}{:>12.0}{:>8.2}",
            row.game,
            row.peer,
            row.theirs,
            row.ours,
            row.ratio()
        );
        if let Some(((theirs, ours), ratio)) = row.plies.zip(row.plies_ratio()) {
            let _ = write!(out, "{theirs:>9.1}{ours:>11.1}{ratio:>9.2}");
        }
        out.push('\n');
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
            "plies": row.plies.map(|(theirs, _)| theirs),
            "permutree_plies": row.plies.map(|(_, ours)| ours),
            "plies_ratio": row.plies_ratio(),
        })
    };
    format!("{}\n", json!({ "rows": rows.iter().map(row).collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_hold_medians() {
        let sample = |peer: &str, playouts_per_s: f64, plies: f64| Sample {
            game: "connect4".to_string(),
            peer: peer.to_string(),
            playouts: 9,
            playouts_per_s,
            plies: Some(plies),
        };
        let samples =
            [("a", 1.0, 20.0), (OURS, 8.0, 15.0), ("a", 9.0, 20.0), (OURS, 12.0, 15.0), ("a", 2.0, 20.0)];
        let rows = rows(&samples.map(|(peer, rate, plies)| sample(peer, rate, plies)));
        assert_eq!(rows.len(), 1);
        assert_eq!((rows[0].theirs, rows[0].ours, rows[0].ratio()), (2.0, 10.0, 5.0));
        assert_eq!((rows[0].plies, rows[0].plies_ratio()), (Some((20.0, 15.0)), Some(3.75)));
    }
}
