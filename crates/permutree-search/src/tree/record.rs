use crate::statistics::tally::fixed;
use crate::tree::NodeId;
use permutree_game::{Code, MAX_PLAYERS, Player, Recorder, Rewards};

/// One iteration as policies learn from it: the path through the tree, the codes of all moves, and the rewards.
#[derive(Debug, Default)]
pub struct Record {
    /// The nodes of the path in order, each with the edge that was followed.
    pub path: Vec<Visit>,
    /// The node where the playout started; `None` if it started at a cycle or outside a full tree.
    pub leaf: Option<NodeId>,
    /// The moves of all players from the root to the end of the game: first those of the path, then those of the playout.
    /// Empty if no policy uses codes.
    pub steps: Vec<Step>,
    /// The rewards in units of 1 / 65536.
    pub rewards: [u32; MAX_PLAYERS],
}

/// A node on the path.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// The edge that was followed.
    pub edge: usize,
    /// The number of steps before this node.
    pub step: usize,
}

/// A player's move. Outcomes of chance are not steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The player who made the move.
    pub player: Player,
    /// The code of the move.
    pub code: Code,
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.path.clear();
        self.leaf = None;
        self.steps.clear();
    }

    pub(crate) fn finish(&mut self, rewards: &Rewards) {
        for (to, from) in self.rewards.iter_mut().zip(rewards.as_slice()) {
            *to = fixed(*from);
        }
    }
}

impl Recorder for Record {
    #[inline]
    fn record(&mut self, player: Player, code: Code) {
        self.steps.push(Step { player, code });
    }
}
