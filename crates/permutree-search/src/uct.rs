use crate::kernel::{self, Best, Level};
use crate::policy::{Evidence, TreePolicy};
use crate::record::Record;
use crate::tally::ONE;
use crate::tree::{NodeId, Tree};
use permutree_game::{Rng, Turn};

/// UCT (Kocsis and Szepesvári 2006): the move with the greatest mean + c sqrt(ln N / n), moves never tried first.
#[derive(Debug)]
pub struct Uct {
    c: f64,
    /// For UCB1-Tuned the sum of squared rewards of each edge, in units of 1 / 65536.
    squares: Option<Vec<u64>>,
    logs: Logs,
    scores: Scores,
    level: Level,
}

impl Uct {
    /// UCB1 with exploration constant `c`. The default 0.4 on rewards in [0, 1] is that of the design's trials.
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

    /// UCB1-Tuned (Auer, Cesa-Bianchi and Fischer 2002): c² is replaced by the variance of the move's rewards, bounded
    /// above, at most 1/4: sqrt(ln N / n · min(1/4, V)), V = variance + sqrt(2 ln N / n).
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
        let scores = self.scores.room(own.0.len());
        let ln = self.logs.ln(tree.visits(node));
        let best = match &mut self.squares {
            None => {
                let explore = f64::from(ONE) * self.c * ln.sqrt();
                let best = kernel::uct(self.level, own, explore, scores);
                if tree.edge_visits(edges.start + best.first) == 0 {
                    return edges.start + untried(own.0, best, rng);
                }
                best
            }
            Some(squares) => {
                squares.resize(squares.len().max(edges.end), 0);
                let played = edges.clone().map(|edge| (tree.edge_visits(edge), tree.edge_mean(edge)));
                tuned_scores(played, &squares[edges.clone()], ln, scores);
                kernel::best(self.level, scores)
            }
        };
        pick(tree, node, best, scores, rng)
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

/// Room for the scores of a node's moves.
#[derive(Debug, Default)]
pub(crate) struct Scores(Vec<f64>);

impl Scores {
    #[inline]
    pub(crate) fn room(&mut self, lanes: usize) -> &mut [f64] {
        if self.0.len() < lanes {
            self.0.resize(lanes, 0.0);
        }
        &mut self.0[..lanes]
    }
}

/// The place of one of the edges that were never tried.
fn untried(visits: &[u32], untried: Best, rng: &mut Rng) -> usize {
    if untried.count == 1 {
        return untried.first;
    }
    let mut zeros = visits.iter().enumerate().skip(untried.first).filter(|&(_, &n)| n == 0);
    zeros.nth(rng.below(untried.count)).map_or(untried.first, |(place, _)| place)
}

/// The evidence of a policy that knows nothing of the root's moves but their own playouts.
pub(crate) fn own_means(tree: &Tree, path: &[usize]) -> Vec<Evidence> {
    tree.edges(tree.end(path)).map(|_| Evidence { weights: [1.0, 0.0, 0.0], ..Evidence::default() }).collect()
}

/// The edge of one of the best moves that are not closed, at random among several: ties broken by order cost strength
/// where codes are many.
#[inline]
pub(crate) fn pick(tree: &Tree, node: NodeId, best: Best, scores: &mut [f64], rng: &mut Rng) -> usize {
    let best = if tree.has_closed(node) { best_open(tree, node, scores) } else { best };
    let place = if best.count == 1 { best.first } else { one_of(best, scores, rng) };
    tree.edges(node).start + place
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

/// The place of one of the best scores.
pub(crate) fn one_of(best: Best, scores: &[f64], rng: &mut Rng) -> usize {
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

/// Natural logarithms of small whole numbers, computed once by the portable implementation.
#[derive(Debug, Default)]
pub(crate) struct Logs(Vec<f64>);

impl Logs {
    /// Beyond this a table would cost more memory than the logarithm costs time.
    const MOST: u32 = 1 << 16;

    #[inline]
    pub(crate) fn ln(&mut self, n: u32) -> f64 {
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
        // ln 0 is never meant: a node that selects was visited. 0 keeps it harmless.
        self.0.extend((self.0.len() as u32..=n).map(|n| libm::log(f64::from(n.max(1)))));
        self.0[n as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_picked_evenly() {
        let scores = [1.0, 3.0, 2.0, 3.0, 3.0, 0.0, 0.0, 0.0];
        let best = kernel::best(Level::Portable, &scores);
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

    /// n = 4, w = 3: mean 0.75, variance 3/16; ln N = 2: bound 3/16 + 1 > 1/4.
    #[test]
    fn tuned_formula() {
        let mut scores = [0.0; 2];
        tuned_scores([(4, 0.75), (0, 0.0)].into_iter(), &[3 * u64::from(ONE), 0], 2.0, &mut scores);
        assert!((scores[0] - (0.75 + (0.5f64 * 0.25).sqrt())).abs() < 1e-12);
        assert_eq!(scores[1], f64::INFINITY);
    }
}
