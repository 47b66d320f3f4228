use crate::tree::record::CodeSets;
use crate::tree::{NodeId, Record, Step, Tree};
use permutree_game::MAX_PLAYERS;

/// All playouts of a search, so that those that went through a move can be replayed from the new root when the move is
/// played. Policies learn from them as from new playouts and need no support for reuse.
#[derive(Debug, Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
    /// The paths through the tree: for each node, the index of the followed edge among its edges.
    places: Vec<u32>,
    steps: Vec<Step>,
    /// The words of the sets of codes of each playout, if they are kept.
    sets: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    places: usize,
    steps: usize,
    rewards: [u32; MAX_PLAYERS],
    has_leaf: bool,
    learnt: bool,
}

/// A logged playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Past<'a> {
    /// The index of the followed edge at each node of the path.
    pub(crate) places: &'a [u32],
    /// The moves of all players from the root on.
    pub(crate) steps: &'a [Step],
    pub(crate) sets: &'a [u64],
    pub(crate) rewards: [u32; MAX_PLAYERS],
    /// Whether the playout started at a node of the tree.
    pub(crate) has_leaf: bool,
    /// Whether policies learned from it.
    pub(crate) learnt: bool,
}

impl Log {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
        self.steps.clear();
        self.sets.clear();
    }

    /// Adds the playout of `record`.
    pub(crate) fn add(&mut self, tree: &Tree, record: &Record, learnt: bool) {
        let place = |node: NodeId, edge: usize| (edge - tree.edges(node).start) as u32;
        self.entries.push(Entry {
            places: self.places.len(),
            steps: self.steps.len(),
            rewards: record.rewards,
            has_leaf: record.leaf.is_some(),
            learnt,
        });
        self.places.extend(record.path.iter().map(|visit| place(visit.node, visit.edge)));
        self.steps.extend_from_slice(&record.steps);
        self.sets.extend(record.rest.iter().flat_map(CodeSets::words));
    }

    /// The playouts, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Past<'_>> {
        let words = self.sets.len() / self.entries.len().max(1);
        self.entries.iter().enumerate().map(move |(i, entry)| {
            let next = self.entries.get(i + 1);
            Past {
                places: &self.places[entry.places..next.map_or(self.places.len(), |next| next.places)],
                steps: &self.steps[entry.steps..next.map_or(self.steps.len(), |next| next.steps)],
                sets: &self.sets[i * words..][..words],
                rewards: entry.rewards,
                has_leaf: entry.has_leaf,
                learnt: entry.learnt,
            }
        })
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        size_of_val(&*self.entries)
            + size_of_val(&*self.places)
            + size_of_val(&*self.steps)
            + size_of_val(&*self.sets)
    }
}
