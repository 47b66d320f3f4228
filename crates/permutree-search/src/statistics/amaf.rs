use crate::statistics::storage::Storage;
use crate::statistics::tally::Tally;
use crate::tree::{NONE, NodeId, ROOT, Record, Tree};
use permutree_game::{MAX_PLAYERS, Turn};
use rows::Rows;

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
    players: usize,
    rows: Rows,
    /// The row of each node, or `NONE`.
    row_of: Vec<u32>,
    /// The head of each node's list of waiting visits, or `NONE`.
    waiting_of: Vec<u32>,
    waiting: Vec<Waiting>,
    /// The distinct codes of each playout, last move first, with their players.
    codes_played: Vec<Played>,
    starts: Vec<usize>,
    /// What each playout adds to a tally of each player.
    tallies: Vec<Tally>,
    /// The codes of the current playout, one bit each.
    present: Vec<u64>,
    storage: Storage,
    scratch: Vec<Tally>,
    /// The number of stored playouts and of counted ones. After [`Amaf::freeze`] none are stored.
    playouts: u32,
    counted: u32,
    frozen: bool,
}

/// A playout through a node without a row. The codes from the node on are the first `len` of the playout's.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    playout: u32,
    len: u32,
    next: u32,
}

/// The last playout.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playout<'a> {
    /// Its codes, one bit each; only with dense storage.
    pub(crate) present: &'a [u64],
    /// Its distinct codes, last move first.
    pub(crate) codes: &'a [Played],
    /// What it adds to a tally of each player.
    pub(crate) tallies: &'a [Tally],
}

/// A code and its player, in one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Played(u32);

impl Played {
    const PLAYER_SHIFT: u32 = 28;

    fn new(player: u8, code: u32) -> Self {
        Self(code | u32::from(player) << Self::PLAYER_SHIFT)
    }

    #[inline]
    fn player(self) -> usize {
        (self.0 >> Self::PLAYER_SHIFT) as usize
    }

    #[inline]
    pub(crate) fn code(self) -> usize {
        (self.0 & ((1 << Self::PLAYER_SHIFT) - 1)) as usize
    }
}

impl Amaf {
    /// Statistics of `codes` codes and `players` players, with reference nodes of more than `reference_visits` visits.
    pub(crate) fn new(storage: Storage, codes: usize, players: usize, reference_visits: u32) -> Self {
        assert!(codes < 1 << Played::PLAYER_SHIFT, "too many codes: {codes}");
        let mut amaf = Self {
            reference_visits,
            reference: ROOT,
            players,
            rows: Rows::new(storage, codes),
            row_of: Vec::new(),
            waiting_of: Vec::new(),
            waiting: Vec::new(),
            codes_played: Vec::new(),
            starts: Vec::new(),
            tallies: Vec::new(),
            present: vec![0; codes.div_ceil(64)],
            storage,
            scratch: Vec::new(),
            playouts: 0,
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
        self.codes_played.clear();
        self.starts.clear();
        self.tallies.clear();
        self.playouts = 0;
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

    /// The reference's tallies of these codes.
    #[inline(always)]
    pub(crate) fn gather(&mut self, codes: &[u32]) -> &[Tally] {
        self.rows.gather(self.row_of[self.reference as usize], codes, &mut self.scratch);
        &self.scratch
    }

    /// Counts a playout. Returns false if the tallies are full.
    pub(crate) fn learn(&mut self, tree: &Tree, record: &Record) -> bool {
        if self.counted == Tally::LIMIT {
            return false;
        }
        self.counted += 1;
        self.row_of.resize(tree.len(), NONE);
        self.waiting_of.resize(tree.len(), NONE);
        if self.storage == Storage::Dense {
            self.present.fill(0);
        }
        let playout = self.playouts;
        let start = self.codes_played.len();
        let tallies: [Tally; MAX_PLAYERS] = record.rewards.map(Tally::one);

        // Backwards from the last move, so that the codes from any node on are a prefix of the list.
        let mut done = record.steps.len();
        let leaf = record.leaf.filter(|&leaf| tree.turn(leaf) != Turn::Over);
        let first_step = record.path.last().map_or(0, |last| {
            let moved = matches!(tree.turn(last.node), Turn::Player(_));
            last.step + usize::from(moved)
        });
        let nodes = leaf.map(|leaf| (leaf, first_step)).into_iter();
        for (node, step) in nodes.chain(record.path.iter().rev().map(|visit| (visit.node, visit.step))) {
            for step in record.steps[step..done].iter().rev() {
                let (word, bit) = (step.code as usize / 64, 1 << (step.code % 64));
                if self.present[word] & bit == 0 {
                    self.present[word] |= bit;
                    self.codes_played.push(Played::new(step.player.0, step.code));
                }
            }
            done = step;
            self.count(node, playout, start, &tallies);
        }
        if self.storage == Storage::Sparse {
            for played in &self.codes_played[start..] {
                self.present[played.code() / 64] = 0;
            }
        }
        if self.frozen {
            self.codes_played.truncate(start);
            return true;
        }
        self.starts.push(start);
        self.tallies.extend_from_slice(&tallies[..self.players]);
        self.playouts += 1;
        true
    }

    /// Counts the codes of the list from `start` on at a node.
    fn count(&mut self, node: NodeId, playout: u32, start: usize, tallies: &[Tally; MAX_PLAYERS]) {
        let row = self.row_of[node as usize];
        if row != NONE {
            self.rows.count(row, &self.codes_played[start..], tallies);
        } else if !self.frozen {
            let first = &mut self.waiting_of[node as usize];
            let entry = Waiting { playout, len: (self.codes_played.len() - start) as u32, next: *first };
            *first = self.waiting.len() as u32;
            self.waiting.push(entry);
        }
    }

    /// Whether a node has a row. Builds it unless frozen.
    fn has_row(&mut self, node: NodeId) -> bool {
        if self.row_of[node as usize] != NONE {
            return true;
        }
        if self.frozen {
            return false;
        }
        let row = self.rows.push();
        self.row_of[node as usize] = row;
        let mut next = std::mem::replace(&mut self.waiting_of[node as usize], NONE);
        while next != NONE {
            let Waiting { playout, len, next: after } = self.waiting[next as usize];
            let start = self.starts[playout as usize];
            let tallies = &self.tallies[playout as usize * self.players..][..self.players];
            self.rows.count(row, &self.codes_played[start..start + len as usize], tallies);
            next = after;
        }
        true
    }

    /// Appends the row of a node, if it has one.
    pub(crate) fn tell(&self, node: NodeId, words: &mut Vec<u64>) {
        let row = self.row_of.get(node as usize).filter(|row| **row != NONE);
        let tallies = row.and_then(|&row| self.rows.row(row)).unwrap_or_default();
        words.extend(tallies.iter().map(|tally| tally.0));
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

    /// What each playout adds to a tally of each player.
    pub(crate) fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// The last stored playout.
    pub(crate) fn last(&self) -> Playout<'_> {
        Playout {
            present: &self.present,
            codes: &self.codes_played[self.starts.last().map_or(0, |&start| start)..],
            tallies: &self.tallies[self.tallies.len() - self.players..],
        }
    }

    pub(crate) fn is_frozen(&self) -> bool {
        self.frozen
    }

    pub(crate) fn freeze(&mut self) {
        self.frozen = true;
    }

    pub(crate) fn memory(&self) -> usize {
        self.rows.memory()
            + self.tallies.len() * size_of::<Tally>()
            + self.row_of.len() * 8
            + self.waiting.len() * size_of::<Waiting>()
            + self.codes_played.len() * size_of::<Played>()
            + self.starts.len() * size_of::<usize>()
    }
}
