use crate::kernels::{ByCode, Level};
use crate::statistics::history::History;
use crate::statistics::storage::Storage;
use crate::statistics::tally::{Line, Tally};
use crate::tree::{LANES, NONE, NodeId, ROOT, Record, Tree};
use codes::Codes;
pub(crate) use codes::{Met, Played};
use permutree_game::{MAX_PLAYERS, Turn};
use rows::Rows;

mod codes;
mod rows;

/// All-moves-as-first statistics at reference nodes.
///
/// A code counts once per playout, for both players, from the node's own move on. Only reference nodes have a row of
/// tallies. It is built when the node first becomes the reference, from all playouts that went through the node before, and
/// every later playout updates it. Before that, a visit costs one entry in a list.
///
/// Aligned to two cache lines, as [`crate::Search`] is.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Amaf {
    reference_visits: u32,
    reference: NodeId,
    rows: Rows,
    /// The row of each node, or `NONE`.
    row_of: Vec<u32>,
    /// The head of each node's list of waiting visits, or `NONE`.
    waiting_of: Vec<u32>,
    waiting: Vec<Waiting>,
    history: History,
    codes: Codes,
    /// The rows on the path of the current playout, last first, and how many codes of the path were met there. While a row is
    /// built: the playouts that it counts.
    visits: Vec<(u32, u32)>,
    /// With sparse storage, the tallies gathered last, and the numbers of their places.
    gathered: Vec<Line>,
    places: Vec<u32>,
    /// The number of counted playouts. After [`Amaf::freeze`] none are stored.
    counted: u32,
    frozen: bool,
}

/// A playout through a node without a row. The codes from the node on are those of the playout, and the first `len` of those of
/// its path.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    playout: u32,
    len: u32,
    next: u32,
}

impl Amaf {
    /// Statistics of `codes` codes and `players` players, with reference nodes of more than `reference_visits` visits.
    pub(crate) fn new(
        storage: Storage,
        codes: usize,
        players: usize,
        reference_visits: u32,
        level: Level,
    ) -> Self {
        let dense = storage == Storage::Dense;
        let mut amaf = Self {
            reference_visits,
            reference: ROOT,
            rows: Rows::new(storage, codes, level),
            row_of: Vec::new(),
            waiting_of: Vec::new(),
            waiting: Vec::new(),
            history: History::new(dense.then_some(codes), players),
            codes: Codes::new(storage, codes, players),
            visits: Vec::new(),
            gathered: Vec::new(),
            places: Vec::new(),
            counted: 0,
            frozen: false,
        };
        amaf.restart();
        amaf
    }

    /// Clears everything but keeps the allocations.
    pub(crate) fn restart(&mut self) {
        self.rows.clear();
        self.row_of.clear();
        self.row_of.push(self.rows.push());
        self.waiting_of.clear();
        self.waiting_of.push(NONE);
        self.waiting.clear();
        self.history.restart();
        self.codes.restart();
        self.counted = 0;
        self.frozen = false;
    }

    /// A descent begins: the root is the reference.
    pub(crate) fn begin(&mut self) {
        self.reference = ROOT;
    }

    /// Sets the reference as a descent along these edges does.
    pub(crate) fn follow(&mut self, tree: &Tree, path: &[usize]) {
        self.begin();
        for end in 1..=path.len() {
            let node = tree.end(&path[..end]);
            if matches!(tree.turn(node), Turn::Player(_)) {
                self.enter(tree, node);
            }
        }
    }

    /// The descent enters a node, which becomes the reference if it has enough visits.
    #[inline]
    pub(crate) fn enter(&mut self, tree: &Tree, node: NodeId) {
        if tree.visits(node) > self.reference_visits && self.has_row(node) {
            self.reference = node;
        }
    }

    /// The reference's tallies of these codes, as kernels want them.
    #[inline]
    pub(crate) fn by_code<'a>(&'a mut self, codes: &'a [u32]) -> ByCode<'a> {
        let row = self.row_of[self.reference as usize];
        match self.rows.row(row) {
            Some(row) => ByCode { row, codes },
            None => {
                let count = codes.len() as u32;
                self.places.extend(self.places.len() as u32..count);
                self.rows.gather(row, codes, &mut self.gathered);
                ByCode { row: &self.gathered, codes: &self.places[..codes.len()] }
            }
        }
    }

    /// The reference's tallies of these codes.
    pub(crate) fn gather(&mut self, codes: &[u32]) -> Vec<Tally> {
        let ByCode { row, codes } = self.by_code(codes);
        codes.iter().map(|&code| row[code as usize / LANES].0[code as usize % LANES]).collect()
    }

    /// Counts a playout. Returns false if the tallies are full.
    pub(crate) fn learn(&mut self, tree: &Tree, record: &Record) -> bool {
        if self.counted == Tally::LIMIT {
            return false;
        }
        self.counted += 1;
        self.row_of.resize(tree.len(), NONE);
        self.waiting_of.resize(tree.len(), NONE);
        let tallies: [Tally; MAX_PLAYERS] = record.rewards.map(Tally::one);
        let tallies = &tallies[..self.history.players()];
        self.visits.clear();

        // Backwards from the last move, so that the codes from any node on are those met so far.
        let mut done = record.path.last().map_or(0, |last| {
            let moved = matches!(tree.turn(last.node), Turn::Player(_));
            last.step + usize::from(moved)
        });
        self.codes.begin(&record.steps[done..], record.rest.as_ref());
        if let Some(leaf) = record.leaf.filter(|&leaf| tree.turn(leaf) != Turn::Over) {
            self.visit(leaf);
        }
        for visit in record.path.iter().rev() {
            for step in record.steps[visit.step..done].iter().rev() {
                self.codes.enter(*step);
            }
            done = visit.step;
            self.visit(visit.node);
        }
        self.rows.count_path(&self.visits, &mut self.codes, tallies);
        if self.frozen {
            self.codes.forget();
        } else {
            self.history.push(self.codes.set(), tallies);
            self.codes.keep();
        }
        true
    }

    /// The current playout, followed backwards, is at a node.
    #[inline(always)]
    fn visit(&mut self, node: NodeId) {
        let row = self.row_of[node as usize];
        if row != NONE {
            self.visits.push((row, self.codes.len()));
        } else if !self.frozen {
            let first = &mut self.waiting_of[node as usize];
            let entry = Waiting { playout: self.history.playouts(), len: self.codes.len(), next: *first };
            *first = self.waiting.len() as u32;
            self.waiting.push(entry);
        }
    }

    /// Whether a node has a row. Builds it unless frozen.
    #[inline]
    fn has_row(&mut self, node: NodeId) -> bool {
        self.row_of[node as usize] != NONE || self.build_row(node)
    }

    fn build_row(&mut self, node: NodeId) -> bool {
        if self.frozen {
            return false;
        }
        let row = self.rows.push();
        self.row_of[node as usize] = row;
        let mut next = std::mem::replace(&mut self.waiting_of[node as usize], NONE);
        self.visits.clear();
        while next != NONE {
            let Waiting { playout, len, next: after } = self.waiting[next as usize];
            self.visits.push((playout, len));
            next = after;
        }
        self.rows.build(row, &self.visits, &self.codes, &self.history);
        true
    }

    /// Appends the row of a node, if it has one.
    pub(crate) fn tell(&self, node: NodeId, words: &mut Vec<u64>) {
        let row = self.row_of.get(node as usize).filter(|row| **row != NONE);
        let tallies = row.and_then(|&row| self.rows.row(row)).unwrap_or_default();
        words.extend(tallies.iter().flat_map(|line| line.0).map(|tally| tally.0));
    }

    /// Adds another search's row of a node. Returns false if the node has no row and cannot get one.
    pub(crate) fn hear(&mut self, tree: &Tree, node: NodeId, words: &[u64]) -> bool {
        // Up to 64 searches add their tallies, so 64 times the count must fit.
        if words.is_empty() || self.counted >= Tally::LIMIT / 64 {
            return false;
        }
        self.row_of.resize(tree.len(), NONE);
        self.waiting_of.resize(tree.len(), NONE);
        let has_row = self.has_row(node);
        if has_row {
            self.rows.add(self.row_of[node as usize], words);
        }
        has_row
    }

    /// The stored playouts.
    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// The codes of the last playout.
    pub(crate) fn last(&self) -> Met<'_> {
        self.codes.last()
    }

    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen
    }

    pub(crate) fn freeze(&mut self) {
        self.frozen = true;
    }

    pub(crate) fn memory(&self) -> usize {
        self.rows.memory()
            + self.row_of.len() * 8
            + self.waiting.len() * size_of::<Waiting>()
            + self.history.memory()
            + self.codes.memory()
    }
}
