/// The best sequence of moves that a search has found, and its reward.
#[derive(Debug)]
pub struct Incumbent<M> {
    pub(crate) line: Vec<M>,
    reward: Option<f64>,
}

impl<M> Default for Incumbent<M> {
    fn default() -> Self {
        Self { line: Vec::new(), reward: None }
    }
}

impl<M: Copy + PartialEq> Incumbent<M> {
    /// Whether a sequence with this reward is better.
    pub(crate) fn is_below(&self, reward: f64) -> bool {
        self.reward.is_none_or(|best| best < reward)
    }

    pub(crate) fn replace(&mut self, reward: f64, line: &[M]) {
        self.reward = Some(reward);
        self.line.clear();
        self.line.extend_from_slice(line);
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The rest of the sequence after these moves, if it begins with them and does not end there.
    pub(crate) fn after(&self, moves: &[M]) -> Option<Self> {
        let line = self.line.strip_prefix(moves).filter(|rest| !rest.is_empty())?;
        Some(Self { line: line.to_vec(), reward: self.reward })
    }
}
