use crate::playouts::greedy::{ByCode, Merits};
use crate::statistics::CodeMeans;
use crate::tree::{Record, Step};
use permutree_game::Code;

/// The Move-Average Sampling Technique (Finnsson and Björnsson 2008) as "Who Invented MCTS?" writes it: the merit of a
/// move x is Q_h(x), the mean reward of its player over all playouts since the root in which x occurred, in the tree or
/// below it. A playout counts once for a move however often it has it, since the mean is over playouts. Moves never seen
/// come first.
///
/// It also chooses among the moves that UCT never tried in a node.
#[derive(Debug)]
pub struct Mast {
    keep: f64,
    means: CodeMeans,
}

impl Mast {
    /// For a coding with this many codes. `keep` in [0, 1] is the part of the playouts that is still counted in the search
    /// for the next move; the paper keeps none.
    #[must_use]
    pub fn new(codes: usize, keep: f64) -> Self {
        Self { keep, means: CodeMeans::new(codes) }
    }
}

impl Merits for Mast {
    fn score(&mut self, _past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        scores.extend(codes.iter().map(|&code| self.means.mean(code)));
    }

    fn by_code(&mut self, _past: &[Step]) -> Option<ByCode<'_>> {
        Some(ByCode::Means(self.means.all()))
    }

    fn learn(&mut self, record: &Record) {
        self.means.learn(record);
    }

    fn restart(&mut self) {
        self.means.decay(self.keep);
    }

    fn memory(&self) -> usize {
        self.means.memory()
    }
}
