use crate::budget::{Budget, Meter};
use crate::policy::{PlayoutPolicy, TreePolicy};
use crate::record::{Record, Step, Visit};
use crate::report::{MoveReport, Report};
use crate::tree::{NodeId, ROOT, Tree};
use permutree_game::{Game, Rng, Turn};
use std::time::Duration;

/// A tree search from one position. It can be advanced again and again; each time it goes on where it stopped.
pub struct Search<G: Game, T, P> {
    game: G,
    root: G::Position,
    options: Options,
    tree: Tree,
    /// The move of each edge of the tree.
    moves: Vec<G::Move>,
    tree_policy: T,
    playout_policy: P,
    rng: Rng,
    position: G::Position,
    record: Record,
    expansion: Vec<(u32, G::Move)>,
    legal: Vec<G::Move>,
    playouts: u64,
    time: Duration,
    deterministic: bool,
    full: bool,
}

/// What is the same for every tree policy.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The coding of the game that statistics are kept by.
    pub coding: usize,
    /// Whether positions that are reached in several ways are one node.
    pub transpositions: bool,
    /// How the move to play is chosen.
    pub final_move: FinalMove,
    /// Bytes that the search may use. When they are used up the tree stops growing and the search goes on with it.
    pub memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { coding: 0, transpositions: true, final_move: FinalMove::Visits, memory: 1 << 30 }
    }
}

/// How the move to play is chosen from the root's statistics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalMove {
    /// Most visits, then best mean.
    #[default]
    Visits,
    /// Best mean among the moves that were tried, then most visits.
    Mean,
}

impl<G: Game, T: TreePolicy, P: PlayoutPolicy<G>> Search<G, T, P> {
    const CODED: bool = T::CODED || P::CODED;

    /// A search from `root`; nothing is done yet.
    pub fn new(
        game: G,
        root: G::Position,
        tree_policy: T,
        playout_policy: P,
        options: Options,
        rng: Rng,
    ) -> Self {
        let mut search = Self {
            position: root.clone(),
            tree: Tree::new(options.transpositions),
            game,
            root,
            options,
            moves: Vec::new(),
            tree_policy,
            playout_policy,
            rng,
            record: Record::default(),
            expansion: Vec::new(),
            legal: Vec::new(),
            playouts: 0,
            time: Duration::ZERO,
            deterministic: true,
            full: false,
        };
        search.plant();
        search
    }

    /// Forgets everything and starts over from another position. It is as a new search, but the memory is there.
    pub fn restart(&mut self, root: G::Position, rng: Rng) {
        self.position.clone_from(&root);
        self.root = root;
        self.rng = rng;
        self.tree.clear();
        self.moves.clear();
        self.tree_policy.restart();
        self.playout_policy.restart();
        self.playouts = 0;
        self.time = Duration::ZERO;
        self.deterministic = true;
        self.full = false;
        self.plant();
    }

    /// Makes the root, with its edges so that a report can list every move from the beginning.
    fn plant(&mut self) {
        let (game, root) = (&self.game, &self.root);
        self.tree.node(|| game.hash(root), game.turn(root));
        self.expand(ROOT);
    }

    /// Searches until the budget is used up. Where there is no choice there is nothing to find: with one legal move or
    /// none it returns at once.
    pub fn advance(&mut self, budget: &Budget) {
        if self.tree.edges(ROOT).len() < 2 {
            return;
        }
        let mut meter = Meter::start(budget);
        // A node counts its visits in 32 bits.
        while self.playouts < u64::from(u32::MAX) && meter.go_on() {
            self.iterate();
        }
        self.time += meter.elapsed();
        self.deterministic &= budget.is_deterministic();
    }

    /// One playout: descend, play out, back up, learn.
    fn iterate(&mut self) {
        self.playouts += 1;
        self.descend();
        self.play_out();
        self.back_up();
        self.tree_policy.learn(&self.tree, &self.record);
        self.playout_policy.learn(&self.record);
        if !self.full && self.playouts.is_multiple_of(64) && self.memory() >= self.options.memory {
            self.full = true;
            self.tree_policy.freeze();
        }
    }

    /// Goes down from the root to a node that is new, over, or met before on this path.
    fn descend(&mut self) {
        self.position.clone_from(&self.root);
        self.record.clear();
        self.tree_policy.begin();
        let mut node = ROOT;
        loop {
            self.record.leaf = Some(node);
            if !self.tree.enter(node, self.playouts as u32) {
                // A cycle: the playout starts here, and the node is counted once.
                self.record.leaf = None;
                return;
            }
            let turn = self.tree.turn(node);
            if turn == Turn::Over || !self.expand(node) {
                return;
            }
            let edge = self.choose(node, turn);
            self.game.play(&mut self.position, self.moves[edge]);
            if let Some(child) = self.tree.child(edge) {
                node = child;
                continue;
            }
            if self.full {
                self.record.leaf = None;
                return;
            }
            let (game, position) = (&self.game, &self.position);
            let (child, new) = self.tree.link(edge, || game.hash(position), game.turn(position));
            node = child;
            if new {
                self.record.leaf = Some(node);
                return;
            }
        }
    }

    /// The edge that a player or chance follows from a node, entered in the record.
    fn choose(&mut self, node: NodeId, turn: Turn) -> usize {
        let step = self.record.steps.len();
        let edge = match turn {
            Turn::Player(player) => {
                let edge = self.tree_policy.select(&self.tree, node, &mut self.rng);
                if Self::CODED {
                    let code = self.tree.codes(edge..edge + 1)[0];
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

    fn play_out(&mut self) {
        let record = Self::CODED.then_some(&mut self.record);
        self.playout_policy.playout(
            &self.game,
            &mut self.position,
            self.options.coding,
            &mut self.rng,
            record,
        );
        self.record.finish(&self.game.rewards(&self.position));
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

    /// Gives the node of the current position its edges if it has none yet. False if it cannot have any now.
    fn expand(&mut self, node: NodeId) -> bool {
        if !self.tree.edges(node).is_empty() {
            return true;
        }
        if self.full {
            return false;
        }
        self.legal.clear();
        self.game.moves(&self.position, &mut self.legal);
        if !Self::CODED {
            let total = self.tree.expand(node, self.legal.len(), std::iter::empty());
            self.moves.extend_from_slice(&self.legal);
            self.fill_moves(total);
            return true;
        }
        let player = matches!(self.tree.turn(node), Turn::Player(_));
        let code = |mv| if player { self.game.code(&self.position, mv, self.options.coding) } else { 0 };
        self.expansion.clear();
        self.expansion.extend(self.legal.iter().map(|&mv| (code(mv), mv)));
        // Stable, so that moves that share a code stay in the order of the game.
        self.expansion.sort_by_key(|(code, _)| *code);
        let codes = self.expansion.iter().map(|(code, _)| *code);
        let total = self.tree.expand(node, self.expansion.len(), codes);
        self.moves.extend(self.expansion.iter().map(|(_, mv)| *mv));
        self.fill_moves(total);
        true
    }

    /// Gives the tree's unused edges a move too, so that moves and edges have the same places.
    fn fill_moves(&mut self, total: usize) {
        if let Some(&last) = self.moves.last() {
            self.moves.resize(total, last);
        }
    }

    /// Bytes in use.
    fn memory(&self) -> usize {
        self.tree.memory()
            + self.moves.len() * size_of::<G::Move>()
            + self.tree_policy.memory()
            + self.playout_policy.memory()
    }

    /// What was found so far.
    pub fn report(&mut self) -> Report<G::Move> {
        let evidence = self.tree_policy.evidence(&self.tree);
        self.legal.clear();
        self.game.moves(&self.root, &mut self.legal);
        let mut moves: Vec<MoveReport<G::Move>> = self
            .tree
            .edges(ROOT)
            .zip(evidence)
            .map(|(edge, evidence)| MoveReport {
                mv: self.moves[edge],
                index: self.legal.iter().position(|&mv| mv == self.moves[edge]).unwrap_or(0),
                visits: u64::from(self.tree.edge_visits(edge..edge + 1)[0]),
                mean: self.tree.edge_mean(edge),
                amaf: evidence.amaf,
                permutation: evidence.permutation,
                weights: evidence.weights,
                proven: None,
            })
            .collect();
        moves.sort_by(|a, b| {
            let visits = b.visits.cmp(&a.visits);
            let mean = b.mean.total_cmp(&a.mean);
            match self.options.final_move {
                FinalMove::Visits => visits.then(mean),
                FinalMove::Mean => (b.visits > 0).cmp(&(a.visits > 0)).then(mean).then(visits),
            }
            .then(a.index.cmp(&b.index))
        });
        let principal_variation = self.principal_variation(moves.first().map(|found| found.mv));
        Report {
            turn: self.game.turn(&self.root),
            playouts: self.playouts,
            time: self.time,
            deterministic: self.deterministic,
            nodes: self.tree.len(),
            memory: self.memory(),
            full: self.full,
            moves,
            principal_variation,
        }
    }

    /// The most visited line below the move to play. It ends where nothing was tried or the path would close a cycle.
    fn principal_variation(&self, best: Option<G::Move>) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut seen = vec![ROOT];
        let mut edge = self.tree.edges(ROOT).find(|&edge| Some(self.moves[edge]) == best);
        while let Some(taken) = edge.filter(|&edge| self.tree.edge_visits(edge..edge + 1)[0] > 0) {
            line.push(self.moves[taken]);
            let Some(node) = self.tree.child(taken).filter(|child| !seen.contains(child)) else { break };
            seen.push(node);
            // The first of the most visited, so that the line is the same on every run.
            let visits = |edge: &usize| self.tree.edge_visits(*edge..edge + 1)[0];
            edge = self.tree.edges(node).rev().max_by_key(visits);
        }
        line
    }
}
