use crate::kernels::{Best, ByCode, Level};
use crate::statistics::history::History;
use crate::statistics::storage::Storage;
use crate::statistics::tally::{Line, Tally};
use crate::tree::{LANES, NodeId, Record, Tree};
use codes::Codes;
pub(crate) use codes::{Met, Played};
use permutree_game::{MAX_PLAYERS, Turn};
use rows::Rows;

mod codes;
mod rows;

/// Which moves of a playout count at a node as if they had been played first there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum AmafMoves {
    /// Those from the node on, as the papers define it.
    #[default]
    FromNode,
    /// All, those before the node too: what RAVE becomes in teaching code whose list of the moves played begins at the root.
    WholePlayout,
}

/// All-moves-as-first statistics at reference nodes.
///
/// A code counts once per playout, for both players, from the node's own move on ([`AmafMoves`]). Only reference nodes have a row of
/// tallies. It is built when the node first becomes the reference, from all playouts that went through the node before, and
/// every later playout updates it. Before that, a visit costs one entry in a list.
///
/// Aligned to two cache lines, as [`crate::Search`] is.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Amaf {
    reference_visits: u32,
    moves: AmafMoves,
    /// The row of the reference.
    row: u32,
    rows: Rows,
    /// The next choice of each reference node, by row.
    plans: Vec<Plan>,
    nodes: Vec<OfNode>,
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

/// The row of the root, which always has one.
const ROOT_ROW: u32 = 0;

/// A node's row or the number of its last waiting visit, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfNode(u32);

impl OfNode {
    const ROW: u32 = 1 << 31;
    /// Neither a row nor waiting visits.
    const NOTHING: Self = Self(!Self::ROW);

    #[inline]
    fn with_row(row: u32) -> Self {
        Self(row | Self::ROW)
    }

    #[inline]
    fn row(self) -> Option<u32> {
        (self.0 & Self::ROW != 0).then_some(self.0 & !Self::ROW)
    }
}

/// The edge that a reference node chooses when it is next visited, for policies that score moves by visits, rewards and AMAF
/// alone. A playout through the node, which changes its visits, makes the plan obsolete.
///
/// A choice made on the way down waits for the one before it. Those made after a playout are independent of each other, and
/// the processor overlaps them.
#[derive(Clone, Copy, Debug)]
struct Plan {
    visits: u32,
    edge: u32,
}

impl Plan {
    const NONE: Self = Self { visits: u32::MAX, edge: 0 };
}

/// A playout through a node without a row. The codes from the node on are those of the playout, and the first `len` of those of
/// its path.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    playout: u32,
    len: u32,
    /// The number of the node's visit before it, or `NOTHING`.
    next: OfNode,
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
            moves: AmafMoves::default(),
            row: ROOT_ROW,
            rows: Rows::new(storage, codes, level),
            plans: Vec::new(),
            nodes: Vec::new(),
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

    /// The same, counting these moves.
    pub(crate) fn counting(self, moves: AmafMoves) -> Self {
        Self { moves, ..self }
    }

    /// Clears everything but keeps the allocations.
    pub(crate) fn restart(&mut self) {
        self.rows.clear();
        self.plans.clear();
        self.nodes.clear();
        let root = self.push_row();
        self.nodes.push(OfNode::with_row(root));
        self.waiting.clear();
        self.history.restart();
        self.codes.restart();
        self.counted = 0;
        self.frozen = false;
    }

    /// A descent begins: the root is the reference.
    pub(crate) fn begin(&mut self) {
        self.row = ROOT_ROW;
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

    /// The descent enters a node, which becomes the reference if it has enough visits. Returns the edge that is planned
    /// for this visit, if there is a plan.
    #[inline]
    pub(crate) fn enter(&mut self, tree: &Tree, node: NodeId) -> Option<usize> {
        let visits = tree.visits(node);
        if visits <= self.reference_visits {
            return None;
        }
        self.row = self.row_of(node)?;
        let plan = self.plans[self.row as usize];
        (plan.visits == visits).then_some(plan.edge as usize)
    }

    /// Plans the next visit of a node, if it is then its own reference and one move is the best of `score`.
    #[inline]
    pub(crate) fn plan(&mut self, tree: &Tree, node: NodeId, score: impl FnOnce(ByCode<'_>) -> Best) {
        let visits = tree.visits(node);
        let row = self.nodes[node as usize].row();
        if let Some(row) = row.filter(|_| visits > self.reference_visits && !tree.has_closed(node)) {
            let best = score(self.by_code(row, tree.codes(tree.lanes(node))));
            let edge = (tree.edges(node).start + best.first) as u32;
            self.plans[row as usize] = if best.count == 1 { Plan { visits, edge } } else { Plan::NONE };
        }
    }

    /// The reference's tallies of these codes, as kernels want them.
    #[inline]
    pub(crate) fn of_reference<'a>(&'a mut self, codes: &'a [u32]) -> ByCode<'a> {
        self.by_code(self.row, codes)
    }

    /// A row's tallies of these codes.
    #[inline]
    fn by_code<'a>(&'a mut self, row: u32, codes: &'a [u32]) -> ByCode<'a> {
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
        let ByCode { row, codes } = self.of_reference(codes);
        codes.iter().map(|&code| row[code as usize / LANES].0[code as usize % LANES]).collect()
    }

    /// Counts a playout. Returns false if the tallies are full.
    pub(crate) fn learn(&mut self, tree: &Tree, record: &Record) -> bool {
        if self.counted == Tally::LIMIT {
            return false;
        }
        self.counted += 1;
        self.meet_nodes(tree);
        let tallies: [Tally; MAX_PLAYERS] = record.rewards.map(Tally::one);
        let tallies = &tallies[..self.history.players()];
        self.visits.clear();

        // Backwards from the last move, so that the codes from any node on are those met so far.
        let mut done = record.path.last().map_or(0, |last| {
            let moved = matches!(tree.turn(last.node), Turn::Player(_));
            last.step + usize::from(moved)
        });
        self.codes.begin(&record.steps[done..], record.rest.as_ref());
        if self.moves == AmafMoves::WholePlayout {
            record.steps[..done].iter().rev().for_each(|step| self.codes.enter(*step));
        }
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
        let of_node = &mut self.nodes[node as usize];
        if let Some(row) = of_node.row() {
            self.visits.push((row, self.codes.len()));
        } else if !self.frozen {
            let entry = Waiting { playout: self.history.playouts(), len: self.codes.len(), next: *of_node };
            *of_node = OfNode(self.waiting.len() as u32);
            self.waiting.push(entry);
        }
    }

    /// The row of a node. Builds it unless frozen.
    #[inline]
    fn row_of(&mut self, node: NodeId) -> Option<u32> {
        self.nodes[node as usize].row().or_else(|| self.build_row(node))
    }

    fn build_row(&mut self, node: NodeId) -> Option<u32> {
        if self.frozen {
            return None;
        }
        let row = self.push_row();
        let mut next = std::mem::replace(&mut self.nodes[node as usize], OfNode::with_row(row));
        self.visits.clear();
        while next != OfNode::NOTHING {
            let Waiting { playout, len, next: after } = self.waiting[next.0 as usize];
            self.visits.push((playout, len));
            next = after;
        }
        self.rows.build(row, &self.visits, &self.codes, &self.history);
        Some(row)
    }

    fn push_row(&mut self) -> u32 {
        self.plans.push(Plan::NONE);
        self.rows.push()
    }

    /// Makes room for the new nodes of the tree.
    #[inline]
    fn meet_nodes(&mut self, tree: &Tree) {
        if self.nodes.len() < tree.len() {
            self.nodes.resize(tree.len(), OfNode::NOTHING);
        }
    }

    /// Appends the row of a node, if it has one.
    pub(crate) fn tell(&self, node: NodeId, words: &mut Vec<u64>) {
        let row = self.nodes.get(node as usize).and_then(|of_node| of_node.row());
        let tallies = row.and_then(|row| self.rows.row(row)).unwrap_or_default();
        words.extend(tallies.iter().flat_map(|line| line.0).map(|tally| tally.0));
    }

    /// Adds another search's row of a node. Returns false if the node has no row and cannot get one.
    pub(crate) fn hear(&mut self, tree: &Tree, node: NodeId, words: &[u64]) -> bool {
        // Up to 64 searches add their tallies, so 64 times the count must fit.
        if words.is_empty() || self.counted >= Tally::LIMIT / 64 {
            return false;
        }
        self.meet_nodes(tree);
        let row = self.row_of(node);
        if let Some(row) = row {
            self.rows.add(row, words);
            self.plans[row as usize] = Plan::NONE;
        }
        row.is_some()
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
            + size_of_val(&*self.plans)
            + size_of_val(&*self.nodes)
            + self.waiting.len() * size_of::<Waiting>()
            + self.history.memory()
            + self.codes.memory()
    }
}
