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
    /// The codes of the playout, if no policy needs [their order](crate::policies::TreePolicy::ordered). Steps then end with the
    /// path, except for those of playout policies that push theirs.
    pub rest: Option<CodeSets>,
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

/// A set of codes for each player.
#[derive(Clone, Debug)]
pub struct CodeSets {
    words: usize,
    bits: Vec<u64>,
}

impl CodeSets {
    /// Empty sets of codes below `codes`.
    pub(crate) fn new(codes: usize, players: usize) -> Self {
        let words = codes.div_ceil(64);
        Self { words, bits: vec![0; words * players] }
    }

    /// The codes of each player as bits, 64 in a word.
    pub fn players(&self) -> impl Iterator<Item = &[u64]> {
        self.bits.chunks_exact(self.words)
    }

    /// The moves in the sets.
    pub fn iter(&self) -> impl Iterator<Item = Step> {
        let players = (0..).map(Player).zip(self.players());
        players.flat_map(|(player, set)| codes_in(set).map(move |code| Step { player, code }))
    }

    /// The words of all sets.
    pub(crate) fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Sets the words of all sets.
    pub(crate) fn copy_from(&mut self, words: &[u64]) {
        self.bits.copy_from_slice(words);
    }

    #[inline]
    fn insert(&mut self, player: Player, code: Code) {
        self.bits[player.index() * self.words + code as usize / 64] |= 1 << (code % 64);
    }

    /// Inserts `first + i` for each bit `i` of `set`.
    #[inline]
    fn insert_all(&mut self, player: Player, first: Code, set: &[u64]) {
        let (mut at, shift) = (player.index() * self.words + first as usize / 64, first % 64);
        for &word in set {
            // A set may end with empty words for which there are no codes.
            if word != 0 {
                self.bits[at] |= word << shift;
                let carried = word >> 1 >> (63 - shift);
                if carried != 0 {
                    self.bits[at + 1] |= carried;
                }
            }
            at += 1;
        }
    }
}

/// The codes in a set.
fn codes_in(set: &[u64]) -> impl Iterator<Item = Code> {
    let all = 0..64 * set.len() as Code;
    all.filter(|&code| set[code as usize / 64] >> (code % 64) & 1 == 1)
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.path.clear();
        self.leaf = None;
        self.steps.clear();
        if let Some(rest) = &mut self.rest {
            rest.bits.fill(0);
        }
    }

    pub(crate) fn finish(&mut self, rewards: &Rewards) {
        for (to, from) in self.rewards.iter_mut().zip(rewards.as_slice()) {
            *to = fixed(*from);
        }
    }
}

impl Recorder for Record {
    #[inline]
    fn ordered(&self) -> bool {
        self.rest.is_none()
    }

    #[inline]
    fn record(&mut self, player: Player, code: Code) {
        match &mut self.rest {
            Some(rest) => rest.insert(player, code),
            None => self.steps.push(Step { player, code }),
        }
    }

    #[inline]
    fn record_set(&mut self, player: Player, first: Code, set: &[u64]) {
        match &mut self.rest {
            Some(rest) => rest.insert_all(player, first, set),
            None => self.steps.extend(codes_in(set).map(|code| Step { player, code: first + code })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_is_inserted() {
        let mut sets = CodeSets::new(150, 2);
        sets.insert(Player(0), 149);
        sets.insert_all(Player(0), 0, &[1 << 63, 1, 0]);
        sets.insert_all(Player(1), 75, &[1 | 1 << 63, 1 << 10, 0, 0]);
        let codes: Vec<(u8, Code)> = sets.iter().map(|step| (step.player.0, step.code)).collect();
        assert_eq!(codes, [(0, 63), (0, 64), (0, 149), (1, 75), (1, 138), (1, 149)]);
    }
}
