use crate::budget::{Budget, Meter};
use crate::playouts::PlayoutPolicy;
use crate::policies::{Evidence, TreePolicy};
use crate::report::{FinalMove, MoveReport, Report, sort};
use crate::searcher::Searcher;
use crate::statistics::Values;
use crate::statistics::tally::ONE;
use crate::tree::log::Log;
use crate::tree::record::CodeSets;
use crate::tree::solver::{Proof, Solver};
use crate::tree::{NodeId, ROOT, Record, Step, Tree, Visit};
use permutree_game::{Code, Game, Rng, Turn};
use std::time::Duration;

mod reuse;
mod sharing;

pub(crate) use sharing::Exchange;

/// A tree search from one position. Each call of [`advance`](Searcher::advance) continues where the last one stopped.
///
/// Aligned to two cache lines, since processors fetch them in pairs: every playout writes here, and parallel searches must
/// not share cache lines.
#[repr(align(128))]
pub struct Search<G: Game> {
    game: G,
    root: G::Position,
    options: Options,
    tree: Tree,
    /// The move of each edge of the tree.
    moves: Vec<G::Move>,
    tree_policy: Box<dyn TreePolicy>,
    playout_policy: Box<dyn PlayoutPolicy<G>>,
    /// Whether a policy uses codes.
    coded: bool,
    /// Whether the playout policy chooses among untried moves.
    guided: bool,
    rng: Rng,
    position: G::Position,
    record: Record,
    /// For each legal move its code in the high half and its index in the low half.
    order: Vec<u64>,
    /// The codes of a node's untried moves.
    untried: Vec<Code>,
    legal: Vec<G::Move>,
    solver: Option<Solver>,
    log: Option<Log>,
    /// Playouts in the tree, and how many of them are reused from before the last move.
    playouts: u64,
    kept: u64,
    /// Time used by tree reuse, which counts towards the next budget.
    spent: Duration,
    time: Duration,
    deterministic: bool,
    full: bool,
}

/// The options of a tree search, independent of its tree policy.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The coding of the game that statistics use.
    pub coding: usize,
    /// Whether positions that are reached in several ways share a node.
    pub transpositions: bool,
    /// How the move to play is chosen.
    pub final_move: FinalMove,
    /// Whether proven rewards are backed up, and end the search when the root is proven.
    pub solver: bool,
    /// Whether [`Searcher::follow`] keeps the playouts that went through the moves played.
    pub reuse: bool,
    /// The memory limit in bytes. At the limit the tree stops growing and the search continues.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            coding: 0,
            transpositions: true,
            final_move: FinalMove::Visits,
            solver: false,
            reuse: false,
            memory: 1 << 30,
        }
    }
}

/// With more codes than this, playouts are recorded in order even if no policy needs the order: sets would be nearly empty.
const MOST_IN_SETS: usize = 1 << 11;

impl<G: Game> Search<G> {
    /// A search from `root` without playouts yet.
    pub fn new(
        game: G,
        root: G::Position,
        mut tree_policy: Box<dyn TreePolicy>,
        playout_policy: Box<dyn PlayoutPolicy<G>>,
        options: Options,
        rng: Rng,
    ) -> Self {
        let (codes, players) = (game.codes(options.coding), game.players());
        tree_policy.fit(codes, players);
        let in_order = tree_policy.ordered() || playout_policy.coded() || codes > MOST_IN_SETS;
        let record = Record { rest: (!in_order).then(|| CodeSets::new(codes, players)), ..Record::default() };
        let mut search = Self {
            position: root.clone(),
            tree: Tree::new(options.transpositions),
            game,
            root,
            options,
            moves: Vec::new(),
            coded: tree_policy.coded() || playout_policy.coded(),
            guided: tree_policy.untried_alike() && playout_policy.coded(),
            tree_policy,
            playout_policy,
            rng,
            record,
            order: Vec::new(),
            untried: Vec::new(),
            legal: Vec::new(),
            solver: options.solver.then(Solver::default),
            log: options.reuse.then(Log::default),
            playouts: 0,
            kept: 0,
            spent: Duration::ZERO,
            time: Duration::ZERO,
            deterministic: true,
            full: false,
        };
        search.plant();
        search
    }

    /// Creates the root and its edges, so that a report lists every move even before the first playout.
    fn plant(&mut self) {
        let (game, root) = (&self.game, &self.root);
        self.tree.node(|| game.hash(root), game.turn(root));
        if self.tree_policy.hashed() {
            self.tree_policy.meet(ROOT, game.hash(root));
        }
        self.expand(ROOT);
    }

    /// One playout: descend, play out, prove, back up, learn.
    fn iterate(&mut self) {
        self.playouts += 1;
        self.descend();
        let proof = self.record.leaf.and_then(|leaf| self.proof(leaf));
        match proof {
            // The rewards are known, so there is nothing to play and nothing to learn.
            Some(proof) => self.record.rewards = proof,
            None => self.play_out(),
        }
        self.finish(proof.is_none());
    }

    /// Runs playouts within a budget and shares statistics by `exchange`, if given.
    fn run(&mut self, budget: &Budget, mut exchange: Option<&mut Exchange>) {
        if self.tree.edges(ROOT).len() < 2 {
            return;
        }
        let mut meter = Meter::resume(budget, std::mem::take(&mut self.spent));
        // Visits of nodes have 32 bits.
        while self.playouts < u64::from(u32::MAX) && self.proof(ROOT).is_none() && meter.go_on() {
            self.iterate();
            if let Some(exchange) = &mut exchange {
                self.share(exchange);
            }
        }
        self.time += meter.elapsed();
        self.deterministic &= budget.is_deterministic();
    }

    /// Completes an iteration: backs up the record and learns from it.
    fn finish(&mut self, learn: bool) {
        self.prove();
        self.back_up();
        self.tree_policy.count(&self.tree, &self.record);
        if learn {
            self.tree_policy.learn(&self.tree, &self.record);
            self.playout_policy.learn(&self.record);
        }
        if let Some(log) = self.log.as_mut().filter(|_| !self.full) {
            log.add(&self.tree, &self.record, learn);
        }
        // An eighth is reserved for the unused half of growing vectors and for everything outside the search.
        let limit = self.options.memory / 8 * 7;
        if !self.full && self.playouts.is_multiple_of(64) && self.memory() + self.tree.promised() >= limit {
            self.full = true;
            self.tree_policy.freeze();
            self.playout_policy.freeze();
        }
    }

    /// Descends from the root to a node that is new, over, proven, or already on the path.
    fn descend(&mut self) {
        self.position.clone_from(&self.root);
        self.record.clear();
        self.tree_policy.begin();
        let mut node = ROOT;
        loop {
            self.record.leaf = Some(node);
            if !self.tree.enter(node, self.playouts as u32) {
                // A cycle: the playout starts here, and the node's visit counts once.
                self.record.leaf = None;
                return;
            }
            let turn = self.tree.turn(node);
            if turn == Turn::Over || self.proof(node).is_some() || !self.expand(node) {
                return;
            }
            let edge = self.choose(node, turn);
            self.game.play(&mut self.position, self.moves[edge]);
            self.record.leaf = None;
            let Some((child, new)) = self.child(edge) else { return };
            node = child;
            if new {
                self.record.leaf = Some(node);
                return;
            }
        }
    }

    /// The node of the current position, which `edge` leads to, and whether it is new. `None` if it is not in the tree and the
    /// memory is full.
    #[inline]
    fn child(&mut self, edge: usize) -> Option<(NodeId, bool)> {
        if let Some(child) = self.tree.child(edge) {
            return Some((child, false));
        }
        if self.full {
            return None;
        }
        let (game, position) = (&self.game, &self.position);
        let (child, new) = self.tree.link(edge, || game.hash(position), game.turn(position));
        if new && self.tree_policy.hashed() {
            self.tree_policy.meet(child, game.hash(position));
        }
        Some((child, new))
    }

    /// Selects the edge to follow from a node, or draws it at a chance node, and adds it to the record.
    fn choose(&mut self, node: NodeId, turn: Turn) -> usize {
        let step = self.record.steps.len();
        let edge = match turn {
            Turn::Player(player) => {
                let mut edge = self.tree_policy.select(&self.tree, node, &mut self.rng);
                if self.guided && self.tree.edge_visits(edge) == 0 {
                    edge = self.preferred(node).unwrap_or(edge);
                }
                if self.coded {
                    let code = self.tree.code(edge);
                    self.record.steps.push(Step { player, code });
                }
                edge
            }
            _ => {
                let outcome = self.game.random_move(&self.position, &mut self.rng, &mut self.legal);
                let mut edges = self.tree.edges(node);
                let first = edges.start;
                edges.find(|&edge| Some(self.moves[edge]) == outcome).unwrap_or(first)
            }
        };
        self.record.path.push(Visit { node, edge, step });
        edge
    }

    /// The untried edge that the playout policy prefers.
    fn preferred(&mut self, node: NodeId) -> Option<usize> {
        let tree = &self.tree;
        let mut untried = tree.edges(node).filter(|&edge| tree.edge_visits(edge) == 0);
        self.untried.clear();
        self.untried.extend(untried.clone().map(|edge| tree.code(edge)));
        let place = self.playout_policy.prefer(&self.record.steps, &self.untried, &mut self.rng)?;
        untried.nth(place)
    }

    fn play_out(&mut self) {
        let record = self.coded.then_some(&mut self.record);
        self.playout_policy.playout(
            &self.game,
            &mut self.position,
            self.options.coding,
            &mut self.rng,
            record,
        );
        self.record.finish(&self.game.rewards(&self.position));
    }

    /// Backs up proofs from the leaf to the root. Proven rewards replace those of the playout.
    fn prove(&mut self) {
        let Some(solver) = &mut self.solver else { return };
        if let Some(leaf) = self.record.leaf
            && self.tree.turn(leaf) == Turn::Over
            && solver.proof(leaf).is_none()
        {
            solver.prove(leaf, self.record.rewards);
        }
        for visit in self.record.path.iter().rev() {
            let Some(proof) = solver.look(&mut self.tree, visit.node, visit.edge) else { break };
            self.record.rewards = proof;
        }
    }

    /// The proven rewards of a node.
    #[inline]
    fn proof(&self, node: NodeId) -> Option<Proof> {
        self.solver.as_ref()?.proof(node).copied()
    }

    fn back_up(&mut self) {
        for visit in &self.record.path {
            self.tree.count_node(visit.node);
            self.tree.count_edge(visit.node, visit.edge, &self.record.rewards);
        }
        if let Some(leaf) = self.record.leaf {
            self.tree.count_node(leaf);
        }
    }

    /// Expands the node of the current position if it has no edges yet. Returns false if the memory is full.
    #[inline]
    fn expand(&mut self, node: NodeId) -> bool {
        if self.tree.edges(node).is_empty() {
            if self.full {
                return false;
            }
            self.make_edges(node);
        }
        true
    }

    fn make_edges(&mut self, node: NodeId) {
        self.legal.clear();
        self.game.moves(&self.position, &mut self.legal);
        let player = matches!(self.tree.turn(node), Turn::Player(_));
        let code = |mv| if player { self.game.code(&self.position, mv, self.options.coding) } else { 0 };
        let total = if self.coded {
            self.order.clear();
            let keys = self.legal.iter().zip(0..).map(|(&mv, place)| u64::from(code(mv)) << 32 | place);
            self.order.extend(keys);
            // By code; moves that share a code stay in the order of the game.
            self.order.sort_unstable();
            self.moves.extend(self.order.iter().map(|key| self.legal[*key as u32 as usize]));
            self.tree.expand(node, self.legal.len(), &self.order)
        } else {
            self.moves.extend_from_slice(&self.legal);
            self.tree.expand(node, self.legal.len(), &[])
        };
        // The tree's unused edges need a move too, so that moves and edges have the same indices.
        if let Some(&last) = self.moves.last() {
            self.moves.resize(total, last);
        }
    }

    /// The report of the node at the end of a path of edges from the root, which has this position.
    fn describe(&mut self, path: &[usize], position: &G::Position) -> Report<G::Move> {
        let node = self.tree.end(path);
        let evidence = match self.tree.turn(node) {
            Turn::Player(_) => self.tree_policy.evidence(&self.tree, path),
            _ => vec![Evidence::default(); self.tree.edges(node).len()],
        };
        self.legal.clear();
        self.game.moves(position, &mut self.legal);
        let place = |edge: usize| self.legal.iter().position(|&mv| mv == self.moves[edge]).unwrap_or(0);
        let places: Vec<usize> = self.tree.edges(node).map(place).collect();
        let proofs: Vec<Option<Proof>> = self
            .tree
            .edges(node)
            .map(|edge| self.tree.child(edge).and_then(|child| self.proof(child)))
            .collect();
        let moves = rank(&self.tree, node, &evidence, &places, &proofs, self.options.final_move);
        let principal_variation = self.tree.principal_variation(moves.first().map(|found| found.mv));
        let report = Report {
            turn: self.tree.turn(node),
            playouts: u64::from(self.tree.visits(node)),
            time: self.time,
            deterministic: self.deterministic,
            nodes: self.tree.len(),
            memory: self.memory(),
            full: self.full,
            moves,
            principal_variation,
        };
        report.map(|edge| self.moves[edge], |line| line.iter().map(|&edge| self.moves[edge]).collect())
    }

    /// Bytes in use.
    fn memory(&self) -> usize {
        self.tree.memory()
            + self.moves.len() * size_of::<G::Move>()
            + self.tree_policy.memory()
            + self.playout_policy.memory()
            + self.solver.as_ref().map_or(0, Solver::memory)
            + self.log.as_ref().map_or(0, Log::memory)
    }
}

impl<G: Game> Searcher<G> for Search<G> {
    fn advance(&mut self, budget: &Budget) {
        self.run(budget, None);
    }

    fn report(&mut self) -> Report<G::Move> {
        let root = self.root.clone();
        let found = self.describe(&[], &root);
        Report { playouts: self.playouts - self.kept, ..found }
    }

    fn look(&mut self, moves: &[G::Move]) -> Option<Report<G::Move>> {
        if moves.is_empty() {
            return Some(self.report());
        }
        let (mut position, mut node, mut path) = (self.root.clone(), ROOT, Vec::new());
        for mv in moves {
            let edge = self.tree.edges(node).find(|&edge| self.moves[edge] == *mv)?;
            node = self.tree.child(edge)?;
            self.game.play(&mut position, *mv);
            path.push(edge);
        }
        let known = self.tree.turn(node) == Turn::Over || !self.tree.edges(node).is_empty();
        known.then(|| self.describe(&path, &position))
    }

    fn learned(&self, into: &mut Values) {
        self.tree_policy.learned(into);
    }

    fn follow(&mut self, moves: &[G::Move], rng: Rng) -> bool {
        self.keep_playouts(moves, rng)
    }

    fn restart(&mut self, root: G::Position, rng: Rng) {
        self.position.clone_from(&root);
        self.root = root;
        self.rng = rng;
        self.tree.clear();
        self.moves.clear();
        self.tree_policy.restart();
        self.playout_policy.restart();
        if let Some(solver) = &mut self.solver {
            solver.restart();
        }
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.playouts = 0;
        self.kept = 0;
        self.spent = Duration::ZERO;
        self.time = Duration::ZERO;
        self.deterministic = true;
        self.full = false;
        self.plant();
    }
}

// Independent of the game and so outside `Search`: compiled once and not once per game.

/// The edges of a node with their statistics, best first. `places` has the index of each edge's move in the game's list, and
/// `proofs` the proofs of the nodes that the edges lead to.
fn rank(
    tree: &Tree,
    node: NodeId,
    evidence: &[Evidence],
    places: &[usize],
    proofs: &[Option<Proof>],
    final_move: FinalMove,
) -> Vec<MoveReport<usize>> {
    let edges = tree.edges(node).zip(evidence).zip(places).zip(proofs);
    let reward = |proof: Proof| match tree.turn(node) {
        Turn::Player(player) => f64::from(proof[player.index()]) / f64::from(ONE),
        _ => 0.0,
    };
    let mut moves: Vec<MoveReport<usize>> = edges
        .map(|(((edge, evidence), &index), proof)| MoveReport {
            mv: edge,
            index,
            visits: u64::from(tree.edge_visits(edge)),
            mean: tree.edge_mean(edge),
            amaf: evidence.amaf,
            permutation: evidence.permutation,
            weights: evidence.weights,
            proven: proof.map(reward),
        })
        .collect();
    sort(&mut moves, final_move);
    moves
}
