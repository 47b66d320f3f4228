use crate::treeless::arms::Arms;

/// Lazy Nested Monte Carlo Search (Roucairol and Cazenave; figure 1 of the Order & Chaos report): before a search of level 2
/// or more searches the moves of a position, it makes a few playouts from each and prunes the moves whose mean is below
///
/// average + ratio (best - average),
///
/// where average and best are those of the means of all moves there. Ratio 0 prunes the moves below the average, ratio 1 all
/// but the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lazy {
    /// The number of playouts from each move.
    pub tries: u32,
    /// The threshold between the average (0) and the best (1), at most 1.
    pub ratio: f64,
}

impl Lazy {
    /// Removes the pruned moves. At least one is left.
    pub(crate) fn prune<M>(&self, tries: &Arms, moves: &mut Vec<M>) {
        let means = || (0..moves.len()).map(|index| tries.mean(index));
        let average = means().sum::<f64>() / moves.len() as f64;
        let best = means().fold(0.0, f64::max);
        // Rounding must not prune the best.
        let least = (average + self.ratio * (best - average)).min(best);
        let mut index = 0;
        moves.retain(|_| {
            index += 1;
            tries.mean(index - 1) >= least
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poor_moves_are_pruned() {
        let mut tries = Arms::default();
        tries.reset(4);
        for (index, reward) in [0.1, 0.5, 0.9, 0.5].into_iter().enumerate() {
            tries.count(index, reward);
            tries.count(index, reward);
        }
        let kept = |tries: &Arms, ratio| {
            let mut moves = vec!['a', 'b', 'c', 'd'];
            Lazy { tries: 2, ratio }.prune(tries, &mut moves);
            moves.into_iter().collect::<String>()
        };
        assert_eq!([-1.5, 0.0, 0.5, 1.0].map(|ratio| kept(&tries, ratio)), ["abcd", "bcd", "c", "c"]);
        tries.reset(4);
        assert_eq!([0.0, 1.0].map(|ratio| kept(&tries, ratio)), ["abcd", "abcd"]);
    }
}
