use crate::amaf::Amaf;
use crate::kernel::{self, Level};
use crate::policy::{Evidence, Source, TreePolicy};
use crate::record::Record;
use crate::storage::Storage;
use crate::tally::{ONE, Tally};
use crate::tree::{NodeId, Tree};
use crate::uct::{Logs, Scores, pick};
use permutree_game::Rng;

/// GRAVE (Cazenave 2015), algorithm 1 of the MCPS paper: a move's mean is mixed with the AMAF mean of its code at the
/// nearest ancestor with more than `ref` visits,
///
/// Q* = (1 - β) Q + β Q̃,  β = ñ / (ñ + n + bias ñ n).
///
/// RAVE (Gelly and Silver 2011) is GRAVE with `ref` 0: every node is its own reference.
///
/// The report "Monte Carlo Search algorithms for Order & Chaos" writes both with β = ñ / (n + ñ + 4 b² n ñ), which is bias
/// 4 b², and with Q + c sqrt(ln N / n) in place of Q: [`Grave::exploring`].
#[derive(Debug)]
pub struct Grave {
    bias: f64,
    /// The exploration constant, if there is exploration.
    c: Option<f64>,
    logs: Logs,
    amaf: Amaf,
    scores: Scores,
    level: Level,
}

impl Grave {
    /// GRAVE for a game with this many codes and players. The paper's parameters are `reference` 50 and `bias` 1e-5.
    #[must_use]
    pub fn new(codes: usize, players: usize, reference: u32, bias: f64) -> Self {
        Self::with_storage(Storage::of(codes), codes, players, reference, bias)
    }

    /// [`Grave::new`] with statistics kept in this way.
    #[must_use]
    pub fn with_storage(storage: Storage, codes: usize, players: usize, reference: u32, bias: f64) -> Self {
        let amaf = Amaf::new(storage, codes, players, reference);
        Self { bias, c: None, logs: Logs::default(), amaf, scores: Scores::default(), level: Level::detect() }
    }

    /// The same with the exploration term of UCT.
    #[must_use]
    pub fn exploring(self, c: f64) -> Self {
        Self { c: Some(c), ..self }
    }
}

impl TreePolicy for Grave {
    fn coded(&self) -> bool {
        true
    }

    fn restart(&mut self) {
        self.amaf.restart();
    }

    fn begin(&mut self) {
        self.amaf.begin();
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        self.amaf.enter(tree, node);
        let amaf = self.amaf.gather(tree.codes(tree.lanes(node)));
        let (own, bias) = (tree.own(node), self.bias);
        let scores = self.scores.room(amaf.len());
        let best = match self.c {
            None => kernel::grave(self.level, own, amaf, bias, scores),
            Some(c) => {
                let explore = f64::from(ONE) * c * self.logs.ln(tree.visits(node)).sqrt();
                kernel::grave_exploring(self.level, own, amaf, bias, explore, scores)
            }
        };
        pick(tree, node, best, scores, rng)
    }

    fn learn(&mut self, tree: &Tree, record: &Record) {
        self.amaf.learn(tree, record);
    }

    fn tell(&self, _tree: &Tree, node: NodeId, words: &mut Vec<u64>) {
        self.amaf.tell(node, words);
    }

    fn hear(&mut self, tree: &Tree, node: NodeId, words: &[u64]) -> bool {
        self.amaf.hear(tree, node, words)
    }

    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence> {
        self.amaf.follow(tree, path);
        let edges = tree.edges(tree.end(path));
        let amaf = self.amaf.gather(tree.codes(edges.clone()));
        let evidence = |(edge, tally): (usize, &Tally)| {
            let (n, amaf_n) = (f64::from(tree.edge_visits(edge)), f64::from(tally.count()));
            let own = n + self.bias * amaf_n * n;
            let beta = amaf_n / (own + amaf_n).max(1.0);
            Evidence { amaf: Some(source(*tally)), permutation: None, weights: [1.0 - beta, beta, 0.0] }
        };
        edges.zip(amaf).map(evidence).collect()
    }

    fn memory(&self) -> usize {
        self.amaf.memory()
    }

    fn freeze(&mut self) {
        self.amaf.freeze();
    }
}

/// A tally as reports show it.
pub(crate) fn source(tally: Tally) -> Source {
    Source { count: u64::from(tally.count()), mean: tally.mean() }
}
