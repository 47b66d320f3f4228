use crate::kernels::Level;
use crate::statistics::amaf::Met;
use crate::statistics::history::History;
use crate::statistics::storage::{Storage, hash};
use crate::statistics::tally::Tally;
use crate::tree::table::Table;
use crate::tree::{LANES, NONE, NodeId, Tree};
use dense::Dense;
pub(crate) use dense::ListRule;
use lists::ListId;
use permutree_game::Turn;
use sparse::Sparse;

mod dense;
mod lists;
mod sparse;

/// Permutation statistics: for a node, the codes of a path to it and each legal code, a tally of the playouts of the search
/// that contain all codes of the path and the legal code, in any order.
///
/// They are exact, and cheap because no playout is counted twice. Playouts are numbered. A record stores how many playouts it
/// has counted, and its next visit counts only the newer ones. The playout that goes through a record is counted
/// immediately. Leaves have no records.
#[derive(Debug)]
pub(crate) struct Permutations {
    store: Store,
    records: Vec<PathRecord>,
    /// The record of each key.
    table: Table,
    /// The hash of each node's legal codes, 0 if not computed yet, and the record that it used last.
    nodes: Vec<(u64, u32)>,
    tallies: Vec<Tally>,
    expanded: Vec<Tally>,
}

/// The playouts, dense or sparse by the number of codes.
#[derive(Debug)]
enum Store {
    Dense(Dense),
    Sparse(Sparse),
}

/// The codes on the path from the root, as a set: order does not matter.
#[derive(Debug, Default)]
pub(crate) struct Path {
    codes: Vec<u32>,
    /// A small Bloom filter of the codes: usually proves without a search that a code is new.
    bits: u64,
    key: u64,
    /// The last up-to-date record on the path, and the number of codes of the path there.
    above: Option<(u32, usize)>,
    /// The chains of the codes that a sparse store has looked up so far, which are the first ones.
    chains: Vec<u32>,
    /// The playouts of a dense store's incomplete block that contain the first `looked_up` codes.
    recent: u64,
    looked_up: usize,
    /// The records on the path, each with the player to move there. The playout of this descent is counted at all of them.
    passed: Vec<(u32, u8)>,
}

impl Path {
    pub(crate) fn clear(&mut self) {
        self.codes.clear();
        self.bits = 0;
        self.key = 0;
        self.above = None;
        self.chains.clear();
        self.recent = u64::MAX;
        self.looked_up = 0;
        self.passed.clear();
    }

    pub(crate) fn insert(&mut self, code: u32) {
        let bit = 1 << (code % 64);
        if self.bits & bit == 0 || !self.codes.contains(&code) {
            self.codes.push(code);
            self.bits |= bit;
            // A sum of hashes does not depend on the order. The hash of 0 is 0, so codes count from 1.
            self.key = self.key.wrapping_add(hash(code + 1));
        }
    }
}

/// The statistics of one set of path codes and one set of legal codes. They depend on nothing else, so nodes with equal sets
/// share a record, and a node that is reached with several sets of path codes has several records.
#[derive(Clone, Copy, Debug)]
struct PathRecord {
    key: u64,
    /// Playouts below this number are counted.
    counted: u32,
    first_tally: u32,
    legal: Legal,
    /// How many of the counted playouts contain all codes of the path, and the list of them; dense stores only.
    matched: u32,
    list: ListId,
}

/// The layout of a node's legal codes: a slot for each distinct code.
#[derive(Clone, Copy, Debug, Default)]
struct Legal {
    slots: u32,
    first_span: u32,
    span_count: u32,
}

impl Permutations {
    /// No playouts and no records.
    pub(crate) fn new(storage: Storage, codes: usize, list_rule: ListRule, level: Level) -> Self {
        let store = match storage {
            Storage::Dense => Store::Dense(Dense::new(codes, list_rule, level)),
            Storage::Sparse => Store::Sparse(Sparse::default()),
        };
        Self {
            store,
            records: Vec::new(),
            table: Table::default(),
            nodes: Vec::new(),
            tallies: Vec::new(),
            expanded: Vec::new(),
        }
    }

    /// Clears everything but keeps the allocations.
    pub(crate) fn restart(&mut self) {
        match &mut self.store {
            Store::Dense(dense) => dense.restart(),
            Store::Sparse(sparse) => sparse.restart(),
        }
        self.records.clear();
        self.table.clear();
        self.nodes.clear();
        self.tallies.clear();
    }

    /// Adds the last playout of the history, which has these codes and followed `path`. That is empty for playouts replayed
    /// after a move.
    pub(crate) fn learn(&mut self, history: &History, codes: Met<'_>, path: &mut Path) {
        match (&mut self.store, codes) {
            (Store::Dense(dense), Met::Set(set)) => {
                dense.learn(history, set, &mut self.records, &path.passed, &mut self.tallies);
            }
            (Store::Sparse(sparse), Met::List(played)) => sparse.learn(played),
            _ => unreachable!("dense stores learn sets, and sparse stores lists"),
        }
        path.passed.clear();
    }

    /// The up-to-date tally of each edge of `node` after `path`; `None` if there is no record and `make` does not allow a new
    /// one.
    pub(crate) fn tallies(
        &mut self,
        tree: &Tree,
        node: NodeId,
        path: &mut Path,
        history: &History,
        make: bool,
    ) -> Option<&[Tally]> {
        let index = self.record(tree, node, path, make)?;
        let record = self.records[index];
        let slots = record.first_tally as usize..(record.first_tally + record.legal.slots) as usize;
        let lanes = slots.start..slots.end.next_multiple_of(LANES);
        let codes = tree.codes(tree.edges(node));
        if let Turn::Player(player) = tree.turn(node) {
            if record.counted < self.store.playouts() {
                let (tallies, player) = (&mut self.tallies[lanes.clone()], player.index());
                match &mut self.store {
                    Store::Dense(dense) => {
                        dense.count(&mut self.records, index, path, history, player, tallies);
                    }
                    Store::Sparse(sparse) => {
                        sparse.count(path, record.counted, codes, history, player, tallies);
                    }
                }
                self.records[index].counted = self.store.playouts();
            }
            path.passed.push((index as u32, player.0));
        }
        path.above = Some((index as u32, path.codes.len()));
        if codes.len() == slots.len() {
            return Some(&self.tallies[lanes]);
        }
        // Several moves share a code, and each gets its tally. Codes ascend, and so do slots.
        self.expanded.clear();
        let mut slot = slots.start;
        for (i, code) in codes.iter().enumerate() {
            slot += usize::from(i > 0 && codes[i - 1] != *code);
            self.expanded.push(self.tallies[slot]);
        }
        self.expanded.resize(codes.len().next_multiple_of(LANES), Tally::default());
        Some(&self.expanded)
    }

    /// The record of a node reached with the codes of `path`.
    #[inline]
    fn record(&mut self, tree: &Tree, node: NodeId, path: &Path, make: bool) -> Option<usize> {
        if let Some(&(hash, last)) = self.nodes.get(node as usize)
            && let Some(record) = self.records.get(last as usize)
            && record.key == path.key.wrapping_add(hash)
        {
            return Some(last as usize);
        }
        self.other_record(tree, node, path, make)
    }

    /// The record of a node that used another one last.
    fn other_record(&mut self, tree: &Tree, node: NodeId, path: &Path, make: bool) -> Option<usize> {
        if self.nodes.len() <= node as usize {
            self.nodes.resize(tree.len(), (0, NONE));
        }
        let (hash, last) = &mut self.nodes[node as usize];
        let codes = tree.codes(tree.edges(node));
        let mut laid_out = None;
        if *hash == 0 {
            let (legal, new) = self.store.lay_out(codes);
            (*hash, laid_out) = (new, Some(legal));
        }
        let key = path.key.wrapping_add(*hash);
        let new = self.records.len() as u32;
        let index = if make { Some(self.table.find_or_insert(key, new)) } else { self.table.find(key) };
        if index != Some(new) {
            if let Some(legal) = laid_out {
                self.store.take_back(legal);
            }
            *last = index.unwrap_or(NONE);
            return index.map(|index| index as usize);
        }
        // Records of one node share its layout.
        let known = self.records.get(*last as usize).map(|record| record.legal);
        let legal = laid_out.or(known).unwrap_or_else(|| self.store.lay_out(codes).0);
        *last = new;
        let first_tally = self.tallies.len() as u32;
        self.records.push(PathRecord { key, counted: 0, first_tally, legal, matched: 0, list: ListId::NONE });
        let slots = legal.slots as usize;
        self.tallies.resize((self.tallies.len() + slots).next_multiple_of(LANES), Tally::default());
        Some(new as usize)
    }

    /// Bytes in use.
    pub(crate) fn memory(&self) -> usize {
        let store = match &self.store {
            Store::Dense(dense) => dense.memory(),
            Store::Sparse(sparse) => sparse.memory(),
        };
        store
            + size_of_val(&*self.tallies)
            + size_of_val(&*self.records)
            + size_of_val(&*self.nodes)
            + self.table.memory()
    }
}

impl Store {
    #[inline]
    fn playouts(&self) -> u32 {
        match self {
            Self::Dense(dense) => dense.playouts,
            Self::Sparse(sparse) => sparse.playouts(),
        }
    }

    /// Lays out the legal codes of a node in slots. Returns the layout and a hash of the set of codes.
    fn lay_out(&mut self, codes: &[u32]) -> (Legal, u64) {
        match self {
            Self::Dense(dense) => dense.lay_out(codes),
            Self::Sparse(_) => Sparse::lay_out(codes),
        }
    }

    /// Removes the last layout.
    fn take_back(&mut self, legal: Legal) {
        if let Self::Dense(dense) = self {
            dense.take_back(legal);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_changes_the_key_of_a_path() {
        let key = |codes: &[u32]| {
            let mut path = Path::default();
            codes.iter().for_each(|code| path.insert(*code));
            path.key
        };
        let keys = [key(&[]), key(&[0]), key(&[1]), key(&[0, 1])];
        for (i, a) in keys.iter().enumerate() {
            assert!(!keys[..i].contains(a));
        }
        assert_eq!(key(&[1, 0, 1]), key(&[0, 1]));
    }
}
