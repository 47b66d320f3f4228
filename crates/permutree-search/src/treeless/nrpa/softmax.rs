use super::{Form, Learning};
use crate::statistics::storage::{Storage, hash};
use crate::tree::table::Table;
use permutree_game::{Code, Player, Rewards, Rng, Turn};

/// A policy: every code has a weight w, initially 0, and moves are drawn in proportion to exp w.
#[derive(Debug, Default)]
pub(crate) struct Softmax {
    /// By the numbers of codes, up to the last adapted one.
    weights: Vec<f64>,
    /// exp w of each.
    factors: Vec<f64>,
    /// Whether each factor is older than its weight, and the list of those; both are clear between calls.
    stale: Vec<bool>,
    changed: Vec<u32>,
}

/// The greatest absolute weight, which decides every choice anyway. Keeps sums of exponentials finite.
const MOST: f64 = 500.0;

impl Softmax {
    /// Adapts the weights to a sequence by the gains and losses that [`Plies::finish`] has set. All probabilities are those
    /// before the call.
    pub(crate) fn adapt(&mut self, plies: &Plies) {
        for ply in &plies.plies {
            let codes = &plies.codes[ply.codes.clone()];
            self.add(codes[ply.chosen], ply.gain);
            if ply.loss != 0.0 {
                let sum: f64 = codes.iter().map(|&code| self.factor(code)).sum();
                for &code in codes {
                    self.add(code, -ply.loss * self.factor(code) / sum);
                }
            }
        }
        for code in self.changed.drain(..) {
            let index = code as usize;
            self.stale[index] = false;
            self.factors[index] = libm::exp(self.weights[index]);
        }
    }

    /// Changes a weight, but not its factor.
    fn add(&mut self, code: u32, change: f64) {
        let index = code as usize;
        if index >= self.weights.len() {
            self.weights.resize(index + 1, 0.0);
            self.factors.resize(index + 1, 1.0);
            self.stale.resize(index + 1, false);
        }
        self.weights[index] = (self.weights[index] + change).clamp(-MOST, MOST);
        if !self.stale[index] {
            self.stale[index] = true;
            self.changed.push(code);
        }
    }

    #[inline]
    fn factor(&self, code: u32) -> f64 {
        self.factors.get(code as usize).copied().unwrap_or(1.0)
    }

    pub(crate) fn clear(&mut self) {
        self.weights.clear();
        self.factors.clear();
        self.stale.clear();
    }

    pub(crate) fn clone_from(&mut self, other: &Self) {
        self.weights.clone_from(&other.weights);
        self.factors.clone_from(&other.factors);
        self.stale.clone_from(&other.stale);
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        self.weights.len() * (2 * size_of::<f64>() + 1)
    }
}

/// A playout to learn from: the legal moves at each ply, and the chosen one.
#[derive(Debug, Default)]
pub(crate) struct Plies {
    plies: Vec<Ply>,
    /// The numbers of the codes of all legal moves, ply by ply.
    codes: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Ply {
    player: Player,
    codes: std::ops::Range<usize>,
    /// The index of the chosen move.
    chosen: usize,
    /// What the chosen move gains when a policy is adapted, and what all legal moves lose together.
    gain: f64,
    loss: f64,
}

impl Plies {
    pub(crate) fn clear(&mut self) {
        self.plies.clear();
        self.codes.clear();
    }

    /// Draws one of the moves with these codes.
    pub(crate) fn draw(
        &mut self,
        player: Player,
        codes: impl Iterator<Item = Code>,
        numbers: &mut Numbers,
        policy: &Softmax,
        rng: &mut Rng,
    ) -> usize {
        let start = self.codes.len();
        self.codes.extend(codes.map(|code| numbers.number(code)));
        let codes = &self.codes[start..];
        let sum: f64 = codes.iter().map(|&code| policy.factor(code)).sum();
        let mut left = rng.unit() * sum;
        let drawn = codes.iter().position(|&code| {
            left -= policy.factor(code);
            left < 0.0
        });
        // If rounding leaves a remainder, the last move is drawn.
        let chosen = drawn.unwrap_or(codes.len().saturating_sub(1));
        self.plies.push(Ply { player, codes: start..self.codes.len(), chosen, gain: 0.0, loss: 0.0 });
        chosen
    }

    /// Sets the gain and loss of every ply from the rewards of the playout.
    pub(crate) fn finish(&mut self, rewards: &Rewards, root: Turn, learning: Learning) {
        for ply in &mut self.plies {
            (ply.gain, ply.loss) = match learning.form {
                Form::Report => (learning.alpha * rewards.of(ply.player), 0.0),
                Form::Standard if root == Turn::Player(ply.player) => (learning.alpha, learning.alpha),
                Form::Standard => (0.0, 0.0),
            };
        }
    }
}

/// Numbers for codes: the codes themselves if there are few, otherwise in the order of their first occurrence.
#[derive(Debug)]
pub(crate) struct Numbers {
    table: Option<Table>,
    next: u32,
}

impl Numbers {
    /// For this many codes.
    pub(crate) fn new(codes: usize) -> Self {
        let sparse = Storage::of(codes) == Storage::Sparse;
        Self { table: sparse.then(Table::default), next: 0 }
    }

    #[inline]
    fn number(&mut self, code: Code) -> u32 {
        let Some(table) = &mut self.table else { return code };
        let number = table.find_or_insert(hash(code), self.next);
        self.next += u32::from(number == self.next);
        number
    }

    pub(crate) fn clear(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
        self.next = 0;
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        self.table.as_ref().map_or(0, Table::memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn playout(form: Form, rewards: &Rewards) -> Plies {
        let (mut plies, mut numbers, mut rng) = (Plies::default(), Numbers::new(10), Rng::new(1));
        let mut policy = Softmax::default();
        // Code 9 is chosen for certain.
        policy.add(9, MOST);
        policy.factors[9] = libm::exp(MOST);
        for player in [0, 1, 0] {
            let codes = [1, 2, 9].into_iter();
            assert_eq!(plies.draw(Player(player), codes, &mut numbers, &policy, &mut rng), 2);
        }
        plies.finish(rewards, Turn::Player(Player(0)), Learning { level: 1, n: 1, alpha: 0.5, form });
        plies
    }

    /// Two plies of player 1 with three moves of equal weight: the chosen one gains 0.5 and each loses 0.5 / 3, twice.
    #[test]
    fn the_standard_form_is_rosins() {
        let mut policy = Softmax::default();
        let plies = playout(Form::Standard, &Rewards::win(2, Player(1)));
        policy.adapt(&plies);
        for (code, weight) in [(1, -1.0 / 3.0), (2, -1.0 / 3.0), (9, 2.0 / 3.0), (3, 0.0)] {
            assert!((policy.weights[code] - weight).abs() < 1e-12, "{:?}", policy.weights);
            assert_eq!(policy.factors[code], libm::exp(policy.weights[code]));
        }
        // Then the chosen move has probability e^(2/3) / (e^(2/3) + 2 e^(-1/3)) = e / (e + 2).
        policy.adapt(&plies);
        let p = 1f64.exp() / (1f64.exp() + 2.0);
        assert!((policy.weights[9] - (2.0 / 3.0 + 1.0 - p)).abs() < 1e-12);
        assert!((policy.weights[1] - (-1.0 / 3.0 - (1.0 - p) / 2.0)).abs() < 1e-12);
    }

    /// Player 1 gains 0.5 · 0.75 twice, player 2 0.5 · 0.25 once; nothing else changes.
    #[test]
    fn the_reports_form_is_by_result() {
        let mut policy = Softmax::default();
        policy.adapt(&playout(Form::Report, &Rewards::from_slice(&[0.75, 0.25])));
        assert_eq!((policy.weights[9], policy.weights[1], policy.weights[2]), (0.875, 0.0, 0.0));
    }

    #[test]
    fn weights_are_bounded() {
        let (mut policy, plies) = (Softmax::default(), playout(Form::Report, &Rewards::win(2, Player(0))));
        (0..2_000).for_each(|_| policy.adapt(&plies));
        assert!(policy.weights[9] == MOST && policy.factors[9].is_finite());
    }

    #[test]
    fn draws_follow_the_weights() {
        let (mut plies, mut numbers, mut rng) = (Plies::default(), Numbers::new(1 << 20), Rng::new(1));
        let mut policy = Softmax::default();
        let mut drawn = [0; 2];
        for round in 0..4_000 {
            drawn[plies.draw(Player(0), [7, 900_000].into_iter(), &mut numbers, &policy, &mut rng)] += 1;
            if round == 0 {
                policy.add(1, libm::log(3.0));
                policy.factors[1] = 3.0;
            }
        }
        // Five standard deviations of 27.
        assert!(i32::abs(drawn[1] - 3_000) < 137, "{drawn:?}");
        assert_eq!((numbers.next, policy.memory()), (2, 34));
    }
}
