use crate::kernels::{self, Level};
use crate::policies::scoring::{Scores, pick_best};
use crate::policies::{Evidence, TreePolicy};
use crate::report::Source;
use crate::statistics::amaf::{Amaf, AmafMoves};
use crate::statistics::permutations::{ListRule, Path, Permutations};
use crate::statistics::storage::Storage;
use crate::statistics::tally::Tally;
use crate::tree::{NodeId, ROOT, Record, Tree};
use permutree_game::{Rng, Turn};

/// Monte Carlo Permutation Search (Cazenave 2025), algorithm 2: GRAVE with a third source of statistics, all playouts that
/// contain the codes of the path from the root and of the move, in any order,
///
/// Q* = α Q + β Q̃ + γ Q̂.
#[derive(Debug)]
pub struct Mcps {
    reference: u32,
    weights: Weights,
    storage: Option<Storage>,
    moves: AmafMoves,
    list_rule: ListRule,
    amaf: Amaf,
    permutations: Permutations,
    path: Path,
    /// Empty tallies, for nodes without permutation statistics.
    nothing: Vec<Tally>,
    scores: Scores,
    level: Level,
}

/// The weights of the three sources, which have n, ñ and n̂ playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Weights {
    /// Section 3.2: in proportion to c₁n, ñ and n̂ with c₁ = (ñ + n̂) / ñ, so that α = n / (n + ñ) as in GRAVE.
    #[default]
    Paper,
    /// Section 3.1: in proportion to n, ñ and n̂.
    Optimal,
}

impl Weights {
    /// α, β and γ.
    #[must_use]
    pub fn of(self, n: f64, amaf_n: f64, permutation_n: f64) -> [f64; 3] {
        let c1 = match self {
            Self::Paper if amaf_n > 0.0 => (amaf_n + permutation_n) / amaf_n,
            _ => 1.0,
        };
        let sum = c1 * n + amaf_n + permutation_n;
        [c1 * n, amaf_n, permutation_n].map(|part| if sum > 0.0 { part / sum } else { 0.0 })
    }

    /// Q* of a move from the count n and the sum of rewards w of each source: own playouts, AMAF, permutations.
    ///
    /// `INFINITY` for a move that was neither tried nor seen below the reference, so that it is tried first.
    #[must_use]
    pub fn value(self, own: (f64, f64), amaf: (f64, f64), permutation: (f64, f64)) -> f64 {
        match self {
            Self::Paper => kernels::mcps_value(own.0, own.1, amaf.0, amaf.1, permutation.0, permutation.1),
            Self::Optimal => {
                kernels::optimal_value(own.0, own.1, amaf.0, amaf.1, permutation.0, permutation.1)
            }
        }
    }
}

/// The parameters of the paper: `ref` 50 and the weights of section 3.2.
impl Default for Mcps {
    fn default() -> Self {
        Self::new(50, Weights::Paper)
    }
}

impl Mcps {
    /// MCPS whose reference nodes have more than `reference` visits.
    #[must_use]
    pub fn new(reference: u32, weights: Weights) -> Self {
        let level = Level::detect();
        Self {
            reference,
            weights,
            storage: None,
            moves: AmafMoves::default(),
            list_rule: ListRule::default(),
            amaf: Amaf::new(Storage::Dense, 0, 0, reference, level),
            permutations: Permutations::new(Storage::Dense, 0, ListRule::default(), level),
            path: Path::default(),
            nothing: Vec::new(),
            scores: Scores::default(),
            level,
        }
    }

    /// The same with these moves in AMAF.
    #[must_use]
    pub fn counting(self, moves: AmafMoves) -> Self {
        Self { moves, ..self }
    }

    /// The same with this storage, instead of the one chosen by the number of codes.
    #[must_use]
    pub fn stored(self, storage: Storage) -> Self {
        Self { storage: Some(storage), ..self }
    }
}

impl TreePolicy for Mcps {
    fn fit(&mut self, codes: usize, players: usize) {
        let storage = self.storage.unwrap_or(Storage::of(codes));
        self.amaf = Amaf::new(storage, codes, players, self.reference, self.level).counting(self.moves);
        self.permutations = Permutations::new(storage, codes, self.list_rule, self.level);
    }

    fn coded(&self) -> bool {
        true
    }

    fn ordered(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.amaf.restart();
        self.permutations.restart();
        self.path.clear();
    }

    fn begin(&mut self) {
        self.amaf.begin();
        self.path.clear();
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        let lanes = tree.lanes(node);
        self.amaf.enter(tree, node);
        let make = !self.amaf.is_frozen();
        let permutations = self.permutations.tallies(tree, node, &mut self.path, self.amaf.history(), make);
        let permutations = permutations.unwrap_or_else(|| {
            self.nothing.resize(self.nothing.len().max(lanes.len()), Tally::default());
            &self.nothing[..lanes.len()]
        });
        let amaf = self.amaf.of_reference(tree.codes(lanes));
        let score = match self.weights {
            Weights::Paper => kernels::mcps,
            Weights::Optimal => kernels::optimal,
        };
        let scores = self.scores.room(amaf.codes.len());
        let best = score(self.level, tree.own(node), amaf, permutations, scores);
        let edge = pick_best(tree, node, best, scores, rng);
        self.path.insert(tree.code(edge));
        edge
    }

    fn learn(&mut self, tree: &Tree, record: &Record) {
        if self.amaf.learn(tree, record) && !self.amaf.is_frozen() {
            self.permutations.learn(self.amaf.history(), self.amaf.last(), &mut self.path);
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
        self.path.clear();
        for (place, &edge) in path.iter().enumerate() {
            if matches!(tree.turn(tree.end(&path[..place])), Turn::Player(_)) {
                self.path.insert(tree.code(edge));
            }
        }
        let node = tree.end(path);
        let edges = tree.edges(node);
        let make = node == ROOT || !self.amaf.is_frozen();
        let permutations = self.permutations.tallies(tree, node, &mut self.path, self.amaf.history(), make);
        let permutations =
            permutations.map_or_else(|| vec![Tally::default(); edges.len()], <[Tally]>::to_vec);
        let amaf = self.amaf.gather(tree.codes(edges.clone()));
        let evidence = |((edge, amaf), permutation): ((usize, &Tally), &Tally)| {
            let n = f64::from(tree.edge_visits(edge));
            Evidence {
                amaf: Some(Source::from(*amaf)),
                permutation: Some(Source::from(*permutation)),
                weights: self.weights.of(n, f64::from(amaf.count()), f64::from(permutation.count())),
            }
        };
        edges.zip(&amaf).zip(&permutations).map(evidence).collect()
    }

    fn memory(&self) -> usize {
        self.amaf.memory() + self.permutations.memory()
    }

    fn freeze(&mut self) {
        self.amaf.freeze();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playouts::Uniform;
    use crate::{Budget, Options, Search, Searcher};
    use permutree_game::Game;
    use permutree_games::Hex;

    /// New records count the same whether they scan whole columns or the list of the record above them.
    #[test]
    fn lists_change_nothing() {
        fn visits<G: Game>(game: &G, list_rule: ListRule) -> Vec<(usize, u64, f64)> {
            let policy = Mcps { list_rule, ..Mcps::default() };
            let options = Options::default();
            let mut search = Search::new(
                game.clone(),
                game.start(),
                Box::new(policy),
                Box::new(Uniform::default()),
                options,
                Rng::new(7),
            );
            search.advance(&Budget::playouts(4000));
            search.report().moves.iter().map(|found| (found.index, found.visits, found.mean)).collect()
        }
        let hex = Hex::<1>::new(5, None, false);
        let from = |playouts| visits(&hex, ListRule { playouts, cost: 2 });
        let without = from(u32::MAX);
        assert_eq!(from(0), without);
        assert_eq!(from(1500), without);
    }
}
