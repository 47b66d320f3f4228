use crate::statistics::tally::ONE;
use crate::tree::{NONE, NodeId, Tree};
use permutree_game::{MAX_PLAYERS, Turn};

/// The rewards of all players, in units of 1 / 65536.
pub(crate) type Proof = [u32; MAX_PLAYERS];

/// Monte-Carlo Tree Search Solver (Winands, Björnsson and Saito 2008) for any number of players, each maximising their own
/// reward as in max^n.
///
/// A finished game is proven. A player's node is proven if a child is proven with reward 1 for that player, or if all children
/// are proven; its rewards are those of the best child. If several children are best and differ in the other players'
/// rewards, the node stays unproven. A chance node is proven if all outcomes have the same rewards.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    /// The index of each node's proof, or `NONE`.
    proof_of: Vec<u32>,
    proofs: Vec<Proof>,
}

impl Solver {
    /// Removes all proofs but keeps the allocations.
    pub(crate) fn restart(&mut self) {
        self.proof_of.clear();
        self.proofs.clear();
    }

    /// The proven rewards of a node.
    #[inline]
    pub(crate) fn proof(&self, node: NodeId) -> Option<&Proof> {
        self.proofs.get(*self.proof_of.get(node as usize)? as usize)
    }

    /// The proven rewards of the node that an edge leads to.
    pub(crate) fn edge_proof(&self, tree: &Tree, edge: usize) -> Option<&Proof> {
        self.proof(tree.child(edge)?)
    }

    /// Stores the proof of a node.
    pub(crate) fn prove(&mut self, node: NodeId, proof: Proof) {
        self.proof_of.resize(self.proof_of.len().max(node as usize + 1), NONE);
        self.proof_of[node as usize] = self.proofs.len() as u32;
        self.proofs.push(proof);
    }

    /// Updates `node` after a playout through `edge`: if the child is proven, closes the edge if it is a loss for the player
    /// to move, and returns the proof of `node` if there is one now.
    pub(crate) fn look(&mut self, tree: &mut Tree, node: NodeId, edge: usize) -> Option<Proof> {
        if let Some(known) = self.proof(node) {
            return Some(*known);
        }
        let proof = *self.edge_proof(tree, edge)?;
        let found = match tree.turn(node) {
            Turn::Player(player) if proof[player.index()] == ONE => Some(proof),
            Turn::Player(player) => {
                if proof[player.index()] == 0 {
                    tree.close(node, edge);
                }
                self.best(tree, node, |proof| proof[player.index()])
            }
            _ => self.best(tree, node, |_| 0),
        };
        if let Some(found) = found {
            self.prove(node, found);
        }
        found
    }

    /// The proof with the highest value among the edges of a node, if all are proven and the best ones do not differ.
    fn best(&self, tree: &Tree, node: NodeId, value: impl Fn(&Proof) -> u32) -> Option<Proof> {
        let mut best: Option<(&Proof, bool)> = None;
        for edge in tree.edges(node) {
            let proof = self.edge_proof(tree, edge)?;
            best = match best {
                Some((other, alone)) if value(other) >= value(proof) => {
                    Some((other, alone && (value(other) > value(proof) || other == proof)))
                }
                _ => Some((proof, true)),
            };
        }
        best.filter(|&(_, alone)| alone).map(|(proof, _)| *proof)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.proof_of) + size_of_val(&*self.proofs)
    }
}
