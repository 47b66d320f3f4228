use crate::statistics::tally::{fixed, mean};

/// The moves of one position as the arms of a bandit: the visits of each and the rewards of the player to move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arms {
    visits: Vec<u32>,
    /// Sums of rewards in units of 1 / 65536.
    rewards: Vec<u64>,
    total: u32,
}

impl Arms {
    /// Clears everything, for a position with this many moves.
    pub(crate) fn reset(&mut self, moves: usize) {
        self.visits.clear();
        self.visits.resize(moves, 0);
        self.rewards.clear();
        self.rewards.resize(moves, 0);
        self.total = 0;
    }

    /// Counts a reward at the move at `index`.
    pub(crate) fn count(&mut self, index: usize, reward: f64) {
        self.visits[index] += 1;
        self.rewards[index] += u64::from(fixed(reward));
        self.total += 1;
    }

    pub(crate) fn visits(&self, index: usize) -> u32 {
        self.visits[index]
    }

    /// The sum of all visits.
    pub(crate) fn total(&self) -> u32 {
        self.total
    }

    /// The mean reward of the move at `index`; 0 if it is untried.
    pub(crate) fn mean(&self, index: usize) -> f64 {
        mean(self.visits[index], self.rewards[index])
    }

    /// The first untried move or, if there is none, the first that maximises UCB1 (Auer, Cesa-Bianchi and Fischer 2002):
    /// mean + sqrt(2 ln n / nᵢ).
    pub(crate) fn ucb1(&self) -> usize {
        if (self.total as usize) < self.visits.len() {
            return self.visits.iter().position(|&visits| visits == 0).unwrap_or(0);
        }
        let explore = 2.0 * libm::log(f64::from(self.total));
        let score = |index: usize| self.mean(index) + (explore / f64::from(self.visits[index])).sqrt();
        let scores = (0..self.visits.len()).map(|index| (index, score(index)));
        scores.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_once_then_ucb1() {
        let mut arms = Arms::default();
        arms.reset(3);
        for index in 0..3 {
            assert_eq!(arms.ucb1(), index);
            arms.count(index, [0.25, 0.75, 0.75][index]);
        }
        // With equal visits, the first of the best means.
        assert_eq!(arms.ucb1(), 1);
        arms.count(1, 0.75);
        assert_eq!(arms.ucb1(), 2);
        // n = 5: 0.25 + sqrt(2 ln 5) = 2.04, and 0.75 + sqrt(ln 5) = 2.02 for each of the others.
        arms.count(2, 0.75);
        assert_eq!((arms.ucb1(), arms.total(), arms.mean(2)), (0, 5, 0.75));
        arms.reset(2);
        assert_eq!((arms.ucb1(), arms.visits(1), arms.mean(0)), (0, 0, 0.0));
    }
}
