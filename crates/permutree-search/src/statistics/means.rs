use crate::policies::Evidence;
use crate::report::Source;
use crate::statistics::tally::CodeTallies;
use crate::tree::Record;
use permutree_game::Code;

/// AMAF means: the mean reward of each code's player over all playouts that contain the code. A playout counts once per code,
/// even if it contains the code several times.
#[derive(Debug)]
pub(crate) struct CodeMeans {
    tallies: CodeTallies,
    /// The mean of each code, `INFINITY` for unseen ones. One division per learned code is cheaper than one for every move
    /// that a playout considers.
    means: Vec<f64>,
    /// The number of the last playout that contains each code.
    counted: Vec<u32>,
    playouts: u32,
}

impl CodeMeans {
    pub(crate) fn new(codes: usize) -> Self {
        Self {
            tallies: CodeTallies::new(codes),
            means: vec![f64::INFINITY; codes],
            counted: vec![0; codes],
            playouts: 0,
        }
    }

    /// The mean of the playouts that contain the code; `INFINITY` without any.
    #[inline]
    pub(crate) fn mean(&self, code: Code) -> f64 {
        self.means[code as usize]
    }

    /// The means of all codes.
    pub(crate) fn all(&self) -> &[f64] {
        &self.means
    }

    /// The evidence of a move at the root with this code.
    pub(crate) fn evidence(&self, code: Option<Code>) -> Evidence {
        match code.map(|code| self.tallies.get(code)).filter(|tally| tally.count() > 0) {
            Some(tally) => {
                let amaf = Some(Source { count: u64::from(tally.count()), mean: tally.mean() });
                Evidence { amaf, permutation: None, weights: [0.0, 1.0, 0.0] }
            }
            None => Evidence { weights: [1.0, 0.0, 0.0], ..Evidence::default() },
        }
    }

    /// Counts a playout.
    pub(crate) fn learn(&mut self, record: &Record) {
        self.playouts = self.playouts.wrapping_add(1);
        for step in &record.steps {
            let counted = &mut self.counted[step.code as usize];
            if *counted != self.playouts {
                *counted = self.playouts;
                self.tallies.count(step.code, record.rewards[step.player.index()]);
                self.means[step.code as usize] = self.tallies.get(step.code).mean();
            }
        }
    }

    /// Keeps this fraction of the counts.
    pub(crate) fn decay(&mut self, keep: f64) {
        for &code in self.tallies.seen() {
            self.means[code as usize] = f64::INFINITY;
        }
        self.tallies.decay(keep);
        for &code in self.tallies.seen() {
            self.means[code as usize] = self.tallies.get(code).mean();
        }
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        self.tallies.memory() + size_of_val(&*self.means) + size_of_val(&*self.counted)
    }
}
