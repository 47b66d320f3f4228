use crate::treeless::arms::Arms;

/// Lazy Nested Monte Carlo Search (Roucairol and Cazenave; figure 1 of the Order & Chaos report): what a search of level 2
/// or more does before it searches below the moves of a position. It makes a few playouts from each, and prunes the moves
/// whose mean is below
///
/// mean + ratio (best - mean)
///
/// of the means of all moves there. With ratio 0 the moves below the average go, with ratio 1 all but the best.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lazy {
    /// Playouts from each move.
    pub tries: u32,
    /// How much of the way from the average to the best a move must have made, at most 1.
    pub ratio: f64,
}

impl Lazy {
    /// Keeps the moves that are not pruned, of which there is one at least.
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
