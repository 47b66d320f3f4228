//! What tree policies share: a buffer for scores, the choice of the best edge, and logarithms.

use crate::kernels::{self, Best, Level};
use crate::policies::Evidence;
use crate::tree::{LANES, NodeId, Tree};
use permutree_game::Rng;

/// A buffer for the scores of a node's moves.
#[derive(Debug, Default)]
pub struct Scores(Vec<f64>);

impl Scores {
    /// A slice for this many scores, with unspecified contents.
    #[inline]
    pub fn room(&mut self, lanes: usize) -> &mut [f64] {
        if self.0.len() < lanes {
            self.0.resize(lanes, 0.0);
        }
        &mut self.0[..lanes]
    }
}

/// The evidence of a policy without statistics beside visits and means.
pub fn own_means(tree: &Tree, path: &[usize]) -> Vec<Evidence> {
    tree.edges(tree.end(path)).map(|_| Evidence { weights: [1.0, 0.0, 0.0], ..Evidence::default() }).collect()
}

/// The edge with the greatest score, excluding proven losses. Ties are broken at random, because breaking them by order costs
/// strength with many codes. `scores` has one score per edge of the node, in order.
pub fn pick(tree: &Tree, node: NodeId, scores: &mut [f64], rng: &mut Rng) -> usize {
    tree.edges(node).start + any_of(best_open(tree, node, scores), scores, rng)
}

/// [`pick`] after a kernel has found the best scores.
#[inline]
pub(crate) fn pick_best(tree: &Tree, node: NodeId, best: Best, scores: &mut [f64], rng: &mut Rng) -> usize {
    let best = if tree.has_closed(node) { best_open(tree, node, scores) } else { best };
    tree.edges(node).start + any_of(best, scores, rng)
}

/// The best moves that are not closed.
#[cold]
fn best_open(tree: &Tree, node: NodeId, scores: &mut [f64]) -> Best {
    let mut best = Best { first: 0, count: 0 };
    for (i, edge) in tree.edges(node).enumerate() {
        if tree.is_closed(edge) {
            scores[i] = f64::NEG_INFINITY;
        }
        if scores[i] > scores[best.first] || best.count == 0 {
            best = Best { first: i, count: 1 };
        } else if scores[i] == scores[best.first] {
            best.count += 1;
        }
    }
    best
}

/// The index of a best score, at random if there are several.
#[inline]
fn any_of(best: Best, scores: &[f64], rng: &mut Rng) -> usize {
    if best.count == 1 { best.first } else { one_of(best, scores, rng) }
}

/// The index of one of several best scores.
fn one_of(best: Best, scores: &[f64], rng: &mut Rng) -> usize {
    let max = scores[best.first];
    let mut skip = rng.below(best.count);
    for (i, &score) in scores.iter().enumerate().skip(best.first) {
        if score == max {
            if skip == 0 {
                return i;
            }
            skip -= 1;
        }
    }
    best.first
}

/// A table of natural logarithms of whole numbers, by an implementation that gives the same result on every machine.
#[derive(Debug, Default)]
pub struct Logs(Vec<f64>);

impl Logs {
    /// The size of the table. A larger one would cost more in memory than it saves in time.
    const MOST: u32 = 1 << 16;

    /// ln n; 0 for n = 0.
    #[inline]
    pub fn ln(&mut self, n: u32) -> f64 {
        match self.0.get(n as usize) {
            Some(&ln) => ln,
            None => self.new_ln(n),
        }
    }

    #[cold]
    fn new_ln(&mut self, n: u32) -> f64 {
        if n >= Self::MOST {
            return libm::log(f64::from(n));
        }
        // ln 0 is never used, since a node that selects has visits; 0 avoids the infinity.
        self.0.extend((self.0.len() as u32..=n).map(|n| libm::log(f64::from(n.max(1)))));
        self.0[n as usize]
    }
}

/// The index of the greatest score, at random if there are several, or `None` without scores. Scores are finite or
/// `INFINITY`. Pads `scores` to full lanes.
pub(crate) fn greatest(level: Level, scores: &mut Vec<f64>, rng: &mut Rng) -> Option<usize> {
    if scores.is_empty() {
        return None;
    }
    scores.resize(scores.len().next_multiple_of(LANES), f64::NEG_INFINITY);
    let best = kernels::best(level, scores);
    Some(any_of(best, scores, rng))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_picked_evenly() {
        let scores = [1.0, 3.0, 2.0, 3.0, 3.0, 0.0, 0.0, 0.0];
        let best = kernels::best(Level::Portable, &scores);
        let mut rng = Rng::new(1);
        let mut counts = [0; 8];
        for _ in 0..3000 {
            counts[one_of(best, &scores, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!([1, 3, 4].iter().all(|&i| (900..1100).contains(&counts[i])), "{counts:?}");
    }

    #[test]
    fn logs_are_logs() {
        let mut logs = Logs::default();
        for n in [1u32, 2, 10, 1000, 70_000] {
            assert!((logs.ln(n) - f64::from(n).ln()).abs() < 1e-12);
        }
    }
}
