use crate::kernels::{self, Best, Level};
use crate::policies::scoring::{Logs, Scores, own_means, pick_best};
use crate::policies::{Evidence, TreePolicy};
use crate::statistics::tally::ONE;
use crate::tree::{LANES, NodeId, Own, Record, Tree};
use permutree_game::{Rng, Turn};

/// UCT (Kocsis and Szepesvári 2006): selects the greatest mean + c sqrt(ln N / n), untried moves first.
#[derive(Debug)]
pub struct Uct {
    c: f64,
    /// For UCB1-Tuned: the sum of squared rewards of each edge, in units of 1 / 65536.
    squares: Option<Vec<u64>>,
    logs: Logs,
    scores: Scores,
    level: Level,
}

/// c = 0.4.
impl Default for Uct {
    fn default() -> Self {
        Self::new(0.4)
    }
}

impl Uct {
    /// UCB1 with exploration constant `c`. The default, 0.4 for rewards in [0, 1], comes from trials of our own.
    #[must_use]
    pub fn new(c: f64) -> Self {
        Self {
            c,
            squares: None,
            logs: Logs::default(),
            scores: Scores::default(),
            level: Level::detect_for_short_loops(),
        }
    }

    /// UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002): replaces c² by an upper bound of the variance of the move's rewards,
    /// at most 1/4: sqrt(ln N / n · min(1/4, V)), V = variance + sqrt(2 ln N / n).
    #[must_use]
    pub fn tuned() -> Self {
        Self { squares: Some(Vec::new()), ..Self::new(0.0) }
    }
}

impl TreePolicy for Uct {
    fn coded(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        if let Some(squares) = &mut self.squares {
            squares.clear();
        }
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        let (edges, own) = (tree.edges(node), tree.own(node));
        let scores = self.scores.room(tree.lanes(node).len());
        let ln = self.logs.ln(tree.visits(node));
        let best = match &mut self.squares {
            None => {
                let explore = f64::from(ONE) * self.c * ln.sqrt();
                let best = kernels::uct(self.level, own, explore, scores);
                if tree.edge_visits(edges.start + best.first) == 0 {
                    return edges.start + untried(own, best, rng);
                }
                best
            }
            Some(squares) => {
                squares.resize(squares.len().max(edges.end), 0);
                let played = edges.clone().map(|edge| (tree.edge_visits(edge), tree.edge_mean(edge)));
                tuned_scores(played, &squares[edges.clone()], ln, scores);
                kernels::best(self.level, scores)
            }
        };
        pick_best(tree, node, best, scores, rng)
    }

    fn untried_alike(&self) -> bool {
        true
    }

    fn count(&mut self, tree: &Tree, record: &Record) {
        let Some(squares) = &mut self.squares else { return };
        for visit in &record.path {
            if let Turn::Player(player) = tree.turn(visit.node) {
                squares.resize(squares.len().max(visit.edge + 1), 0);
                let reward = u64::from(record.rewards[player.index()]);
                squares[visit.edge] += reward * reward / u64::from(ONE);
            }
        }
    }

    fn tell(&self, tree: &Tree, node: NodeId, words: &mut Vec<u64>) {
        if let Some(squares) = &self.squares {
            words.extend(tree.edges(node).map(|edge| squares.get(edge).copied().unwrap_or(0)));
        }
    }

    fn hear(&mut self, tree: &Tree, node: NodeId, words: &[u64]) -> bool {
        let Some(squares) = &mut self.squares else { return false };
        let edges = tree.edges(node);
        squares.resize(squares.len().max(edges.end), 0);
        squares[edges].iter_mut().zip(words).for_each(|(square, word)| *square += word);
        true
    }

    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence> {
        own_means(tree, path)
    }

    fn memory(&self) -> usize {
        self.squares.as_ref().map_or(0, |squares| squares.len() * 8)
    }
}

fn tuned_scores(played: impl Iterator<Item = (u32, f64)>, squares: &[u64], ln: f64, scores: &mut [f64]) {
    scores.fill(f64::NEG_INFINITY);
    for (((n, mean), &square), score) in played.zip(squares).zip(scores) {
        let n = f64::from(n);
        let variance = square as f64 / f64::from(ONE) / n - mean * mean;
        let bound = variance + (2.0 * ln / n).sqrt();
        *score = if n == 0.0 { f64::INFINITY } else { mean + (ln / n * bound.min(0.25)).sqrt() };
    }
}

/// The index of one of the untried edges.
fn untried(own: Own<'_>, untried: Best, rng: &mut Rng) -> usize {
    if untried.count == 1 {
        return untried.first;
    }
    let mut skip = rng.below(untried.count);
    for (place, group) in own.iter().enumerate().skip(untried.first / LANES) {
        let zeros = group.visits.iter().filter(|n| **n == 0).count();
        if skip < zeros {
            let mut zeros = (0..LANES).filter(|&lane| group.visits[lane] == 0);
            return place * LANES + zeros.nth(skip).unwrap_or(0);
        }
        skip -= zeros;
    }
    untried.first
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n = 4, w = 3: mean 0.75, variance 3/16; ln N = 2: bound 3/16 + 1 > 1/4.
    #[test]
    fn tuned_formula() {
        let mut scores = [0.0; 2];
        tuned_scores([(4, 0.75), (0, 0.0)].into_iter(), &[3 * u64::from(ONE), 0], 2.0, &mut scores);
        assert!((scores[0] - (0.75 + (0.5f64 * 0.25).sqrt())).abs() < 1e-12);
        assert_eq!(scores[1], f64::INFINITY);
    }
}
