use crate::playouts::greedy::{ByCode, Merits};
use crate::statistics::CodeMeans;
use crate::tree::{Record, Step};
use permutree_game::Code;

/// The Move-Average Sampling Technique (Finnsson and Björnsson 2008) as defined in "Who Invented MCTS?": the merit of a move
/// x is Q_h(x), the mean reward of its player over all playouts of the search that contain x, in the tree or below it. A
/// playout counts once per move, even if it contains the move several times, since the mean is over playouts. Unseen moves
/// come first.
///
/// MAST also chooses among the untried moves of a node under UCT.
#[derive(Debug)]
pub struct Mast {
    keep: f64,
    means: CodeMeans,
}

impl Mast {
    /// For a coding with this many codes. `keep` in [0, 1] is the fraction of the playouts that carries over to the search for
    /// the next move; it is 0 in the paper.
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
