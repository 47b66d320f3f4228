use crate::tree::table::Table;
use permutree_game::{Code, Player, Turn};
use std::ops::Range;

/// The index of a node.
pub type NodeId = u32;

/// The root is always the first node.
pub const ROOT: NodeId = 0;

/// The edges of a node start at a multiple of this and are padded with unused ones, so that SIMD loops need no remainder.
pub(crate) const LANES: usize = 8;

/// No node: the child of an untried edge.
pub(crate) const NONE: u32 = u32::MAX;

/// The rewards of an unused edge, which pads the lanes of its node: as a float they become NaN, so that no policy selects
/// the edge.
pub(crate) const UNUSED: u64 = u64::MAX;

/// The search graph: nodes and edges in arenas that only grow. It holds visits and rewards; all other statistics are kept by
/// the policies, indexed by node or edge.
///
/// Statistics belong to the edge at its parent, so that transpositions can share nodes. The edges of a node are contiguous
/// and are created at its second visit: most nodes have only one visit and never need them. Their statistics are in groups of
/// eight edges. Most groups of a rarely visited node have no visits; they share one group until the first.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The code of each edge's move; empty if the search uses no codes.
    codes: Vec<Code>,
    /// The first groups are those that untried edges share: group `i` has `i` unused edges.
    groups: Vec<Group>,
    /// The group of each `LANES` edges.
    group_of: Vec<u32>,
    /// Whether each edge is closed. Ends with the last closed one.
    closed: Vec<bool>,
    table: Option<Table>,
}

/// The statistics of edges. They take two cache lines.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub(crate) struct Group {
    /// 1 for an unused edge.
    pub(crate) visits: [u32; LANES],
    /// The sum of the fixed-point rewards of the player who chooses the edge; [`UNUSED`] for an unused edge.
    pub(crate) rewards: [u64; LANES],
    children: [NodeId; LANES],
}

impl Group {
    /// Edges without children.
    pub(crate) fn new(visits: [u32; LANES], rewards: [u64; LANES]) -> Self {
        Self { visits, rewards, children: [NONE; LANES] }
    }

    /// Untried edges, and this many unused ones after them.
    fn untried(unused: usize) -> Self {
        let mut group = Self::new([0; LANES], [0; LANES]);
        group.visits[LANES - unused..].fill(1);
        group.rewards[LANES - unused..].fill(UNUSED);
        group
    }
}

/// The statistics of a node's edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Own<'a> {
    pub(crate) groups: &'a [Group],
    /// The numbers of the node's groups.
    pub(crate) of: &'a [u32],
}

impl<'a> Own<'a> {
    /// The groups of the node.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a Group> {
        self.of.iter().map(move |&group| &self.groups[group as usize])
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    visits: u32,
    first_edge: u32,
    edge_count: u32,
    /// The last iteration that went through the node, so that a descent detects cycles.
    iteration: u32,
    turn: Turn,
    /// Whether some edge is closed.
    has_closed: bool,
}

impl Tree {
    /// An empty tree. With `transpositions`, positions that are reached in several ways share a node.
    pub(crate) fn new(transpositions: bool) -> Self {
        Self {
            nodes: Vec::new(),
            codes: Vec::new(),
            groups: (0..LANES).map(Group::untried).collect(),
            group_of: Vec::new(),
            closed: Vec::new(),
            table: transpositions.then(Table::default),
        }
    }

    /// Removes all nodes but keeps the allocations.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.codes.clear();
        self.groups.truncate(LANES);
        self.group_of.clear();
        self.closed.clear();
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }

    /// The visits of a node: the playouts that went through it.
    #[inline]
    #[must_use]
    pub fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node as usize].visits
    }

    /// Whose turn it is at a node.
    #[inline]
    #[must_use]
    pub fn turn(&self, node: NodeId) -> Turn {
        self.nodes[node as usize].turn
    }

    /// The edges of a node; empty before it is expanded at its second visit.
    #[inline]
    #[must_use]
    pub fn edges(&self, node: NodeId) -> Range<usize> {
        let node = &self.nodes[node as usize];
        node.first_edge as usize..(node.first_edge + node.edge_count) as usize
    }

    /// The edges of a node and the unused ones after them, up to a multiple of [`LANES`], for SIMD loops.
    #[inline]
    pub(crate) fn lanes(&self, node: NodeId) -> Range<usize> {
        let edges = self.edges(node);
        edges.start..edges.end.next_multiple_of(LANES)
    }

    /// The statistics of a node's edges.
    #[inline]
    pub(crate) fn own(&self, node: NodeId) -> Own<'_> {
        let edges = self.edges(node);
        let of = &self.group_of[edges.start / LANES..edges.end.div_ceil(LANES)];
        Own { groups: &self.groups, of }
    }

    /// The statistics of an edge and of those beside it.
    #[inline]
    fn group(&self, edge: usize) -> &Group {
        &self.groups[self.group_of[edge / LANES] as usize]
    }

    /// The same, no longer shared.
    #[inline]
    fn group_mut(&mut self, edge: usize) -> &mut Group {
        let group = &mut self.group_of[edge / LANES];
        if (*group as usize) < LANES {
            let untried = self.groups[*group as usize];
            *group = self.groups.len() as u32;
            self.groups.push(untried);
        }
        &mut self.groups[*group as usize]
    }

    /// The codes of a range of edges, ascending within a node.
    #[inline]
    #[must_use]
    pub fn codes(&self, edges: Range<usize>) -> &[Code] {
        &self.codes[edges]
    }

    /// The code of an edge.
    #[inline]
    #[must_use]
    pub fn code(&self, edge: usize) -> Code {
        self.codes[edge]
    }

    /// The visits of an edge.
    #[inline]
    #[must_use]
    pub fn edge_visits(&self, edge: usize) -> u32 {
        self.group(edge).visits[edge % LANES]
    }

    /// The sum of an edge's rewards to the player who chooses it, in units of 1 / 65536.
    #[inline]
    #[must_use]
    pub fn edge_rewards(&self, edge: usize) -> u64 {
        self.group(edge).rewards[edge % LANES]
    }

    /// The mean reward of an edge to the player who chooses it; 0 if it is untried.
    #[must_use]
    pub fn edge_mean(&self, edge: usize) -> f64 {
        crate::statistics::tally::mean(self.edge_visits(edge), self.edge_rewards(edge))
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes in use. Allocations left from before the last [`Tree::clear`] do not count, so that a restarted search reaches
    /// its limit at the same playout as a new one.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.nodes)
            + size_of_val(&*self.groups)
            + size_of_val(&*self.group_of)
            + size_of_val(&*self.codes)
            + self.closed.len()
            + self.table.as_ref().map_or(0, Table::memory)
    }

    /// The bytes that the tree needs, at most, for visits of the edges that it has.
    pub(crate) fn promised(&self) -> usize {
        (self.group_of.len() + LANES - self.groups.len()) * size_of::<Group>()
    }

    /// The node that an edge leads to, if the edge was tried.
    #[inline]
    pub(crate) fn child(&self, edge: usize) -> Option<NodeId> {
        Some(self.group(edge).children[edge % LANES]).filter(|&child| child != NONE)
    }

    /// Closes an edge of `node`: it is a proven loss and will not be selected again.
    pub(crate) fn close(&mut self, node: NodeId, edge: usize) {
        self.closed.resize(self.closed.len().max(edge + 1), false);
        self.closed[edge] = true;
        self.nodes[node as usize].has_closed = true;
    }

    /// Whether some edge of a node is closed.
    #[inline]
    pub(crate) fn has_closed(&self, node: NodeId) -> bool {
        self.nodes[node as usize].has_closed
    }

    /// Whether an edge is closed.
    pub(crate) fn is_closed(&self, edge: usize) -> bool {
        self.closed.get(edge).is_some_and(|closed| *closed)
    }

    /// Links `edge` to the node of the position with this hash, which is created if it does not exist. The flag says whether
    /// it was created.
    #[inline]
    pub(crate) fn link(&mut self, edge: usize, hash: impl FnOnce() -> u64, turn: Turn) -> (NodeId, bool) {
        let (node, made) = self.node(hash, turn);
        self.group_mut(edge).children[edge % LANES] = node;
        (node, made)
    }

    /// The node of the position with this hash, and whether it was created. Without transpositions it is always created and
    /// `hash` is not called.
    #[inline]
    pub(crate) fn node(&mut self, hash: impl FnOnce() -> u64, turn: Turn) -> (NodeId, bool) {
        let new = self.nodes.len() as NodeId;
        let node = Node { visits: 0, first_edge: 0, edge_count: 0, iteration: 0, turn, has_closed: false };
        if let Some(table) = &mut self.table {
            let found = table.find_or_insert(hash(), new);
            if found != new {
                return (found, false);
            }
        }
        self.nodes.push(node);
        (new, true)
    }

    /// Creates `count` edges of a node and the padding. Their codes are the high halves of `order`, which is empty without
    /// codes. Returns the total number of edges.
    pub(crate) fn expand(&mut self, node: NodeId, count: usize, order: &[u64]) -> usize {
        let node = &mut self.nodes[node as usize];
        let first = self.group_of.len() * LANES;
        node.first_edge = first as u32;
        node.edge_count = count as u32;
        let total = (first + count).next_multiple_of(LANES);
        self.codes.extend(order.iter().map(|key| (key >> 32) as u32));
        if !self.codes.is_empty() {
            self.codes.resize(total, 0);
        }
        let unused = total - first - count;
        match total / LANES - self.group_of.len() {
            0 => {}
            // A node with one group visits it at once.
            1 => {
                self.group_of.push(self.groups.len() as u32);
                self.groups.push(Group::untried(unused));
            }
            _ => {
                self.group_of.resize(total / LANES - 1, 0);
                self.group_of.push(unused as u32);
            }
        }
        total
    }

    /// The node at the end of this path of edges from the root, or at its last edge that was tried.
    #[must_use]
    pub fn end(&self, path: &[usize]) -> NodeId {
        path.iter().rev().find_map(|&edge| self.child(edge)).unwrap_or(ROOT)
    }

    /// The most visited line from the root, starting with edge `best`. It ends at a node without tried edges, or before a
    /// cycle.
    pub(crate) fn principal_variation(&self, best: Option<usize>) -> Vec<usize> {
        let visits = |edge: &usize| self.edge_visits(*edge);
        let mut line = Vec::new();
        let mut seen = vec![ROOT];
        let mut edge = best;
        while let Some(taken) = edge.filter(|edge| visits(edge) > 0) {
            line.push(taken);
            let Some(node) = self.child(taken).filter(|child| !seen.contains(child)) else { break };
            seen.push(node);
            // The first of the most visited edges, so that the line is deterministic.
            edge = self.edges(node).rev().max_by_key(visits);
        }
        line
    }

    /// Marks a node as part of this iteration's path. Returns false if it already was, which closes a cycle.
    #[inline]
    pub(crate) fn enter(&mut self, node: NodeId, iteration: u32) -> bool {
        let last = &mut self.nodes[node as usize].iteration;
        std::mem::replace(last, iteration) != iteration
    }

    /// Counts a playout through a node.
    #[inline]
    pub(crate) fn count_node(&mut self, node: NodeId) {
        self.nodes[node as usize].visits += 1;
    }

    /// Adds another search's visits and sums of rewards of each edge of a node.
    pub(crate) fn add(&mut self, node: NodeId, visits: &[u64], rewards: &[u64]) {
        for ((edge, n), w) in self.edges(node).zip(visits).zip(rewards) {
            let group = self.group_mut(edge);
            group.visits[edge % LANES] += *n as u32;
            group.rewards[edge % LANES] += w;
            self.nodes[node as usize].visits += *n as u32;
        }
    }

    /// Counts a playout with these fixed-point rewards at an edge of `node`.
    #[inline]
    pub(crate) fn count_edge(&mut self, node: NodeId, edge: usize, rewards: &[u32]) {
        let turn = self.turn(node);
        let group = self.group_mut(edge);
        group.visits[edge % LANES] += 1;
        if let Turn::Player(Player(player)) = turn {
            group.rewards[edge % LANES] += u64::from(rewards[usize::from(player)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Turn = Turn::Player(Player(1));

    #[test]
    fn transpositions_share_nodes_and_survive_growth() {
        let mut tree = Tree::new(true);
        let ids: Vec<NodeId> = (0..5000u64).map(|i| tree.node(|| i << 30 ^ i, TURN).0).collect();
        for (i, &id) in (0u64..).zip(&ids) {
            assert_eq!(tree.node(|| i << 30 ^ i, TURN), (id, false));
        }
        assert_eq!(tree.len(), 5000);
        let mut plain = Tree::new(false);
        assert_eq!((plain.node(|| 1, TURN), plain.node(|| 1, TURN)), ((0, true), (1, true)));
    }

    #[test]
    fn edges_count_for_who_chooses() {
        let mut tree = Tree::new(false);
        let (root, _) = tree.node(|| 0, TURN);
        tree.expand(root, 2, &[7 << 32, 9 << 32]);
        tree.count_edge(root, 1, &[0, 65536]);
        tree.count_edge(root, 1, &[65536, 0]);
        assert_eq!((tree.edge_visits(0), tree.edge_mean(0)), (0, 0.0));
        assert_eq!((tree.edge_visits(1), tree.edge_mean(1)), (2, 0.5));
        assert_eq!(tree.codes(0..2), [7, 9]);
        assert!(tree.enter(root, 1) && !tree.enter(root, 1));
    }
}
