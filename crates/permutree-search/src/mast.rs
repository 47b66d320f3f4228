use crate::greedy::Merits;
use crate::record::{Record, Step};
use crate::tally::CodeTallies;
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
    tallies: CodeTallies,
    /// The merit of each code, `INFINITY` if it was never seen: a division for every move of every playout would cost more than one for every code learnt.
    merits: Vec<f64>,
    /// The playout that counted each code last, by number.
    counted: Vec<u32>,
    playouts: u32,
}

impl Mast {
    /// For a coding with this many codes. `keep` in [0, 1] is the part of the playouts that is still counted in the search
    /// for the next move; the paper keeps none.
    #[must_use]
    pub fn new(codes: usize, keep: f64) -> Self {
        Self {
            keep,
            tallies: CodeTallies::new(codes),
            merits: vec![f64::INFINITY; codes],
            counted: vec![0; codes],
            playouts: 0,
        }
    }
}

impl Merits for Mast {
    fn score(&self, _past: &[Step], codes: &[Code], scores: &mut Vec<f64>) {
        scores.extend(codes.iter().map(|&code| self.merits[code as usize]));
    }

    fn learn(&mut self, record: &Record) {
        self.playouts = self.playouts.wrapping_add(1);
        for step in &record.steps {
            let counted = &mut self.counted[step.code as usize];
            if *counted != self.playouts {
                *counted = self.playouts;
                self.tallies.count(step.code, record.rewards[step.player.index()]);
                self.merits[step.code as usize] = self.tallies.get(step.code).mean();
            }
        }
    }

    fn restart(&mut self) {
        for &code in self.tallies.seen() {
            self.merits[code as usize] = f64::INFINITY;
        }
        self.tallies.decay(self.keep);
        for &code in self.tallies.seen() {
            self.merits[code as usize] = self.tallies.get(code).mean();
        }
    }

    fn memory(&self) -> usize {
        self.tallies.memory() + size_of_val(&*self.merits) + size_of_val(&*self.counted)
    }
}
