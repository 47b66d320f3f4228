use crate::greedy::Merits;
use crate::record::{Record, Step};
use crate::tally::{CodeTallies, Tally};
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
    means: CodeTallies,
    /// The playout that counted each code last, by number.
    counted: Vec<u32>,
    playouts: u32,
}

impl Mast {
    /// For a coding with this many codes. `keep` in [0, 1] is the part of the playouts that is still counted in the search
    /// for the next move; the paper keeps none.
    #[must_use]
    pub fn new(codes: usize, keep: f64) -> Self {
        Self { keep, means: CodeTallies::new(codes), counted: vec![0; codes], playouts: 0 }
    }
}

impl Merits for Mast {
    fn score(&self, _past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        scores.extend(codes.iter().map(|&code| {
            let tally = self.means.get(code);
            if tally == Tally::default() { f64::INFINITY } else { tally.mean() }
        }));
    }

    fn learn(&mut self, record: &Record) {
        self.playouts = self.playouts.wrapping_add(1);
        for step in &record.steps {
            let counted = &mut self.counted[step.code as usize];
            if *counted != self.playouts {
                *counted = self.playouts;
                self.means.count(step.code, record.rewards[step.player.index()]);
            }
        }
    }

    fn restart(&mut self) {
        self.means.decay(self.keep);
    }

    fn memory(&self) -> usize {
        self.means.memory() + size_of_val(&*self.counted)
    }
}
