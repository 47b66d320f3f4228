//! The fast statistics against a naive recount at every move.

use crate::games::{Ball, Rows};
use crate::kit::with;
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{
    Breakthrough, Connect4, Hex, Nogo, Pig, SkirmishArena, TicTacToe, Tree as Explicit, Wargame,
};
use permutree_search::playouts::Uniform;
use permutree_search::policies::{Evidence, Grave, Mcps, TreePolicy, Weights};
use permutree_search::statistics::{AmafMoves, Storage};
use permutree_search::tree::{CodeSets, NodeId, ROOT, Record, Step, Tree, Visit};
use permutree_search::{Budget, Options, Search, Searcher, Source};

/// GRAVE and MCPS as the paper defines them, stored as a plain list of playouts.
struct Naive {
    reference_visits: u32,
    rule: Rule,
    moves: AmafMoves,
    past: Vec<Past>,
    reference: NodeId,
    path: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Rule {
    Grave {
        bias: f64,
    },
    /// GRAVE with the exploration term of UCT.
    Exploring {
        bias: f64,
        c: f64,
    },
    Mcps(Weights),
}

struct Past {
    /// The nodes that the playout went through, each with the number of steps before it.
    nodes: Vec<(NodeId, usize)>,
    steps: Vec<Step>,
    rewards: [u32; 8],
}

impl Naive {
    fn new(reference_visits: u32, rule: Rule) -> Self {
        let moves = AmafMoves::FromNode;
        Self { reference_visits, rule, moves, past: Vec::new(), reference: ROOT, path: Vec::new() }
    }

    /// Playouts below the reference that contain `code`, from there on unless the whole playout counts, and their rewards for
    /// `player`.
    fn amaf(&self, code: u32, player: usize) -> (f64, f64) {
        let below = |past: &&Past| {
            let from = past.nodes.iter().find(|(node, _)| *node == self.reference);
            let first = |step| if self.moves == AmafMoves::WholePlayout { 0 } else { step };
            from.is_some_and(|&(_, step)| past.steps[first(step)..].iter().any(|s| s.code == code))
        };
        total(self.past.iter().filter(below), player)
    }

    /// Playouts that contain the path and `code` in any order, and their rewards for `player`.
    fn permutation(&self, code: u32, player: usize) -> (f64, f64) {
        let contains = |past: &Past, code: u32| past.steps.iter().any(|s| s.code == code);
        let all = |past: &&Past| contains(past, code) && self.path.iter().all(|c| contains(past, *c));
        total(self.past.iter().filter(all), player)
    }
}

/// The mean of the move's own playouts, with their rewards `w`, and of those that AMAF knows.
fn grave_value(n: f64, w: f64, amaf: (f64, f64), bias: f64) -> f64 {
    (w * (1.0 + bias * amaf.0) + amaf.1) / (n + amaf.0 + bias * amaf.0 * n)
}

fn total<'a>(playouts: impl Iterator<Item = &'a Past>, player: usize) -> (f64, f64) {
    playouts.fold((0.0, 0.0), |(n, w), past| (n + 1.0, w + f64::from(past.rewards[player])))
}

impl TreePolicy for Naive {
    fn coded(&self) -> bool {
        true
    }

    fn ordered(&self) -> bool {
        false
    }

    fn restart(&mut self) {
        self.past.clear();
    }

    fn begin(&mut self) {
        self.reference = ROOT;
        self.path.clear();
    }

    fn select(&mut self, tree: &Tree, node: NodeId, rng: &mut Rng) -> usize {
        if tree.visits(node) > self.reference_visits {
            self.reference = node;
        }
        let Turn::Player(player) = tree.turn(node) else { panic!("a player selects") };
        let value = |edge: usize| {
            let code = tree.code(edge);
            let n = f64::from(tree.edge_visits(edge));
            let w = tree.edge_rewards(edge) as f64;
            let amaf = self.amaf(code, player.index());
            match self.rule {
                Rule::Mcps(weights) => weights.value((n, w), amaf, self.permutation(code, player.index())),
                _ if n + amaf.0 == 0.0 => f64::INFINITY,
                Rule::Grave { bias } => grave_value(n, w, amaf, bias),
                Rule::Exploring { bias, c } => {
                    let explore = 65_536.0 * c * libm::log(f64::from(tree.visits(node))).sqrt();
                    grave_value(n, w + explore * n.sqrt(), amaf, bias)
                }
            }
        };
        let values: Vec<f64> = tree.edges(node).map(value).collect();
        let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ties: Vec<usize> = (0..values.len()).filter(|&i| values[i] == max).collect();
        let i = if ties.len() == 1 { ties[0] } else { ties[rng.below(ties.len())] };
        let edge = tree.edges(node).start + i;
        self.path.push(tree.code(edge));
        edge
    }

    fn learn(&mut self, tree: &Tree, record: &Record) {
        let path = record.path.iter().map(|visit| (visit.node, visit.step));
        let moved = |visit: &Visit| usize::from(tree.turn(visit.node) != Turn::Chance);
        let leaf_step = record.path.last().map_or(0, |last| last.step + moved(last));
        let leaf = record.leaf.map(|leaf| (leaf, leaf_step));
        let rest = record.rest.iter().flat_map(CodeSets::iter);
        let steps = record.steps.iter().copied().chain(rest).collect();
        let past = Past { nodes: path.chain(leaf).collect(), steps, rewards: record.rewards };
        self.past.push(past);
    }

    fn evidence(&mut self, tree: &Tree, path: &[usize]) -> Vec<Evidence> {
        self.begin();
        for end in 0..=path.len() {
            let node = tree.end(&path[..end]);
            if matches!(tree.turn(node), Turn::Player(_)) {
                if tree.visits(node) > self.reference_visits {
                    self.reference = node;
                }
                self.path.extend(path.get(end).map(|&edge| tree.code(edge)));
            }
        }
        let node = tree.end(path);
        let Turn::Player(player) = tree.turn(node) else { panic!("a player selects") };
        let source = |(n, w): (f64, f64)| {
            Some(Source { count: n as u64, mean: if n > 0.0 { w / n / 65_536.0 } else { 0.0 } })
        };
        let evidence = |edge: usize| {
            let code = tree.code(edge);
            let permutation = match self.rule {
                Rule::Mcps(_) => source(self.permutation(code, player.index())),
                _ => None,
            };
            Evidence { amaf: source(self.amaf(code, player.index())), permutation, ..Evidence::default() }
        };
        tree.edges(node).map(evidence).collect()
    }

    fn memory(&self) -> usize {
        0
    }
}

/// The statistics of a move: visits, mean, and the count and mean of AMAF and of permutations.
type Known = (u64, f64, Option<Source>, Option<Source>);

/// The statistics after `playouts` of the moves at the root and at the first two nodes of the principal variation.
fn visits<G: Game, T: TreePolicy + 'static>(
    game: &G,
    policy: T,
    options: Options,
    playouts: u64,
    seed: u64,
) -> Vec<Known> {
    let mut search = Search::new(
        game.clone(),
        game.start(),
        Box::new(policy),
        Box::new(Uniform::default()),
        options,
        Rng::new(seed),
    );
    search.advance(&Budget::playouts(playouts));
    if options.reuse {
        let line = search.report().principal_variation;
        assert!(search.follow(&line[..line.len().min(2)], Rng::new(seed + 10)));
        search.advance(&Budget::playouts(playouts));
    }
    let line = search.report().principal_variation;
    let mut all = Vec::new();
    for depth in 0..=line.len().min(2) {
        let mut moves = search.look(&line[..depth]).map_or_else(Vec::new, |report| report.moves);
        moves.sort_by_key(|found| found.index);
        all.extend(moves.iter().map(|found| (found.visits, found.mean, found.amaf, found.permutation)));
    }
    all
}

const STORAGES: [Storage; 2] = [Storage::Dense, Storage::Sparse];

/// Fast and naive searches with the same seed must agree move by move.
struct Agree {
    coding: usize,
    transpositions: bool,
    reuse: bool,
    playouts: u64,
}

impl Agree {
    fn after(playouts: u64) -> Self {
        Self { coding: 0, transpositions: true, reuse: false, playouts }
    }
}

impl Visitor for Agree {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let Self { coding, transpositions, reuse, .. } = self;
        let options = Options { coding, transpositions, reuse, ..Options::default() };
        for (seed, reference) in [(1, 50), (2, 5), (3, 0)] {
            for weights in [Weights::Paper, Weights::Optimal] {
                let slow = Naive::new(reference, Rule::Mcps(weights));
                let expected = visits(&game, slow, options, self.playouts, seed);
                for storage in STORAGES {
                    let fast = Mcps::new(reference, weights).stored(storage);
                    assert_eq!(
                        visits(&game, fast, options, self.playouts, seed),
                        expected,
                        "mcps, {storage:?}, reference {reference}, {weights:?}"
                    );
                }
            }
            let slow = Naive::new(reference, Rule::Exploring { bias: 1.0, c: 0.4 });
            let fast = Grave::new(reference, 1.0).exploring(0.4);
            assert_eq!(
                visits(&game, fast, options, self.playouts, seed),
                visits(&game, slow, options, self.playouts, seed),
                "grave with exploration, reference {reference}"
            );
            let slow = Naive::new(reference, Rule::Grave { bias: 1e-5 });
            let expected = visits(&game, slow, options, self.playouts, seed);
            for storage in STORAGES {
                let fast = Grave::new(reference, 1e-5).stored(storage);
                assert_eq!(
                    visits(&game, fast, options, self.playouts, seed),
                    expected,
                    "grave, {storage:?}, reference {reference}"
                );
            }
            let moves = AmafMoves::WholePlayout;
            let slow = Naive { moves, ..Naive::new(reference, Rule::Mcps(Weights::Paper)) };
            let expected = visits(&game, slow, options, self.playouts, seed);
            for storage in STORAGES {
                let fast = Mcps::new(reference, Weights::Paper).stored(storage).counting(moves);
                assert_eq!(
                    visits(&game, fast, options, self.playouts, seed),
                    expected,
                    "mcps with whole playouts, {storage:?}, reference {reference}"
                );
            }
        }
    }
}

#[test]
fn tic_tac_toe() {
    with::<TicTacToe, _>(&[], Agree::after(400));
    with::<TicTacToe, _>(&[], Agree { transpositions: false, ..Agree::after(400) });
}

/// Playouts that are kept after two moves are learned as if they had started there.
#[test]
fn reuse() {
    with::<TicTacToe, _>(&[], Agree { reuse: true, ..Agree::after(300) });
    with::<Hex, _>(&[("size", "4")], Agree { reuse: true, transpositions: false, ..Agree::after(300) });
    with::<Nogo, _>(&[("size", "3"), ("players", "3")], Agree { reuse: true, ..Agree::after(300) });
    with::<Pig, _>(&[("goal", "20")], Agree { reuse: true, ..Agree::after(200) });
}

#[test]
fn hex() {
    with::<Hex, _>(&[("size", "5"), ("opening", "b2")], Agree::after(300));
    with::<Hex, _>(&[("size", "3")], Agree::after(400));
}

/// Three players, of whom one may be out while the others continue.
#[test]
fn nogo() {
    with::<Nogo, _>(&[("size", "4"), ("players", "3")], Agree::after(300));
    with::<Nogo, _>(&[("size", "3"), ("players", "3")], Agree::after(400));
}

/// Abstract codes leave out the health of units, so paths with different sets of codes lead to the same node.
#[test]
fn wargame() {
    for players in ["2", "3"] {
        let settings = [("units", if players == "2" { "3" } else { "2" }), ("players", players)];
        for coding in [0, 1] {
            with::<Wargame, _>(&settings, Agree { coding, ..Agree::after(350) });
        }
    }
}

/// Four codings, from a few dozen codes to 418,500, of which a playout has some fifty.
#[test]
fn skirmish_arena() {
    for coding in 0..4 {
        with::<SkirmishArena, _>(&[], Agree { coding, ..Agree::after(250) });
    }
}

#[test]
fn breakthrough() {
    with::<Breakthrough, _>(&[("size", "4")], Agree::after(400));
    with::<Breakthrough, _>(&[("rows", "5"), ("columns", "4")], Agree::after(250));
}

#[test]
fn connect4() {
    with::<Connect4, _>(&[("columns", "4"), ("rows", "4"), ("connect", "3")], Agree::after(600));
}

/// Four codes in all, chance between the players' moves, and paths that repeat their codes.
#[test]
fn pig() {
    with::<Pig, _>(&[("goal", "10")], Agree::after(600));
    with::<Pig, _>(&[("goal", "30")], Agree::after(300));
}

/// Labels that occur at several depths, below chance, and twice on one path.
#[test]
fn tree() {
    let twice =
        "(x:1(x:1(x:0.9 y:0.1) y:(x:0.3 z:0.8)) y:1(x:(x:0.2 y:0.7) y:1(y:0 z:1)) z:(y:0.5 z:1(x:0.6)))";
    let chance =
        "(x:?(3*1(x:0.5 y:1) 2(x:0.2 y:?(1 0))) y:?(1(x:1 z:0) 2(y:0.9 z:0.4)) z:2(x:1(x:0 y:1) y:0.6))";
    let three =
        "(x:2(x:3(x:[1 0 0] y:[0 0 1]) y:[0.3 0.4 0.3]) y:3(x:2(x:[0 1 0] z:[0.5 0.5 0]) z:1(x:[0 1 1])))";
    for tree in [twice, chance, three] {
        with::<Explicit, _>(&[("tree", tree)], Agree::after(600));
    }
}

#[test]
fn several_moves_with_one_code() {
    Agree::after(400).visit(Rows);
    Agree { transpositions: false, ..Agree::after(400) }.visit(Rows);
}

#[test]
fn cycles() {
    Agree::after(400).visit(Ball::new(0.3));
    Agree { transpositions: false, ..Agree::after(200) }.visit(Ball::new(0.3));
}
