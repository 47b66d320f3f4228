use crate::kernels::{self, Best, ByCode, Level};
use crate::policies::scoring::{Logs, Scores, pick_best};
use crate::policies::{Evidence, TreePolicy};
use crate::report::Source;
use crate::statistics::amaf::{Amaf, AmafMoves};
use crate::statistics::storage::Storage;
use crate::statistics::tally::{ONE, Tally};
use crate::tree::{NodeId, Record, Tree};
use permutree_game::Rng;

/// GRAVE (Cazenave 2015), algorithm 1 of the MCPS paper: mixes a move's mean Q of n playouts with the AMAF mean Q̃ of its
/// code, of ñ playouts at the *reference*, the nearest ancestor with more than `ref` visits,
///
/// Q* = (1 - β) Q + β Q̃,  β = ñ / (ñ + n + bias ñ n).
///
/// RAVE (Gelly and Silver 2011) is GRAVE with `ref` 0: every node is its own reference.
///
/// The report "Monte Carlo Search algorithms for Order & Chaos" uses β = ñ / (n + ñ + 4 b² n ñ) for both, which is a bias of
/// 4 b², and Q + c sqrt(ln N / n) in place of Q: [`Grave::exploring`].
#[derive(Debug)]
pub struct Grave {
    reference: u32,
    storage: Option<Storage>,
    moves: AmafMoves,
    amaf: Amaf,
    formula: Formula,
}

#[derive(Debug)]
struct Formula {
    bias: f64,
    /// The exploration constant, if there is an exploration term.
    c: Option<f64>,
    logs: Logs,
    scores: Scores,
    level: Level,
}

/// The parameters of the paper: `ref` 50 and bias 1e-5.
impl Default for Grave {
    fn default() -> Self {
        Self::new(50, 1e-5)
    }
}

impl Grave {
    /// GRAVE whose reference nodes have more than `reference` visits.
    #[must_use]
    pub fn new(reference: u32, bias: f64) -> Self {
        let level = Level::detect();
        Self {
            reference,
            storage: None,
            moves: AmafMoves::default(),
            amaf: Amaf::new(Storage::Dense, 0, 0, reference, level),
            formula: Formula { bias, c: None, logs: Logs::default(), scores: Scores::default(), level },
        }
    }

    /// The same with this storage, instead of the one chosen by the number of codes.
    #[must_use]
    pub fn stored(self, storage: Storage) -> Self {
        Self { storage: Some(storage), ..self }
    }

    /// The same with these moves in AMAF.
    #[must_use]
    pub fn counting(self, moves: AmafMoves) -> Self {
        Self { moves, ..self }
    }

    /// The same with the exploration term of UCT.
    #[must_use]
    pub fn exploring(self, c: f64) -> Self {
        Self { formula: Formula { c: Some(c), ..self.formula }, ..self }
    }
}

impl Formula {
    /// Scores the moves of a node.
    fn score(&mut self, tree: &Tree, node: NodeId, amaf: ByCode<'_>) -> Best {
        let (own, scores) = (tree.own(node), self.scores.room(amaf.codes.len()));
        match self.c {
            None => kernels::grave(self.level, own, amaf, self.bias, scores),
            Some(c) => {
                let explore = f64::from(ONE) * c * self.logs.ln(tree.visits(node)).sqrt();
                kernels::grave_exploring(self.level, own, amaf, self.bias, explore, scores)
            }
        }
    }
}

impl TreePolicy for Grave {
    fn fit(&mut self, codes: usize, players: usize) {
        let storage = self.storage.unwrap_or(Storage::of(codes));
        self.amaf =
            Amaf::new(storage, codes, players, self.reference, self.formula.level).counting(self.moves);
    }

    fn coded(&self) -> bool {
        true
    }

    fn ordered(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.amaf.restart();
    }

    fn begin(&mut self) {
        self.amaf.begin();
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        if let Some(edge) = self.amaf.enter(tree, node) {
            return edge;
        }
        let lanes = tree.lanes(node);
        let best = self.formula.score(tree, node, self.amaf.of_reference(tree.codes(lanes.clone())));
        pick_best(tree, node, best, self.formula.scores.room(lanes.len()), rng)
    }

    fn learn(&mut self, tree: &Tree, record: &Record) {
        self.amaf.learn(tree, record);
        for visit in &record.path {
            self.amaf.plan(tree, visit.node, |amaf| self.formula.score(tree, visit.node, amaf));
        }
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
            let own = n + self.formula.bias * amaf_n * n;
            let beta = amaf_n / (own + amaf_n).max(1.0);
            Evidence { amaf: Some(Source::from(*tally)), permutation: None, weights: [1.0 - beta, beta, 0.0] }
        };
        edges.zip(&amaf).map(evidence).collect()
    }

    fn memory(&self) -> usize {
        self.amaf.memory()
    }

    fn freeze(&mut self) {
        self.amaf.freeze();
    }
}
