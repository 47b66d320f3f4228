//! Every policy as one type, and games by their parameters.

use permutree_game::{Args, Configure, Game, Rng, Visitor};
use permutree_search::playouts::{Greedy, Heuristic, Mast, Nst, Pattern, PlayoutPolicy, Uniform};
use permutree_search::policies::{Grave, Mcps, Sarsa, SarsaRule, TreePolicy, Uct, Weights};
use permutree_search::{Budget, Options, Report, Search, Searcher};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Policy {
    Uct,
    Tuned,
    Rave,
    Grave,
    Mcps,
    Optimal,
    Sarsa,
}

pub(crate) const POLICIES: [Policy; 7] =
    [Policy::Uct, Policy::Tuned, Policy::Rave, Policy::Grave, Policy::Mcps, Policy::Optimal, Policy::Sarsa];

/// Sarsa-UCT(0.8) with an even share as the value of unknown positions.
pub(crate) const SARSA: SarsaRule =
    SarsaRule { lambda: 0.8, gamma: 1.0, c: 0.4, normalise: true, init: None, playout: None };

/// Every playout policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Playouts {
    Uniform,
    Mast,
    Nst,
    Heuristic,
    Pattern,
}

pub(crate) const PLAYOUTS: [Playouts; 5] =
    [Playouts::Uniform, Playouts::Mast, Playouts::Nst, Playouts::Heuristic, Playouts::Pattern];

impl Playouts {
    /// With the parameters of its paper.
    pub(crate) fn policy<G: Game>(self, game: &G, coding: usize) -> Box<dyn PlayoutPolicy<G>> {
        let codes = game.codes(coding);
        match self {
            Self::Uniform => Box::new(Uniform::default()),
            Self::Mast => Box::new(Greedy::new(Box::new(Mast::new(codes, 0.0)), 0.1)),
            Self::Nst => Box::new(Greedy::new(Box::new(Nst::new(codes, 0.0, 1 << 30)), 0.1)),
            Self::Heuristic => Box::new(Heuristic::default()),
            Self::Pattern => Box::new(Pattern::new(0.2)),
        }
    }
}

impl Policy {
    /// A search with this policy and the parameters of its paper.
    pub(crate) fn search<G: Game>(
        self,
        game: &G,
        root: &G::Position,
        options: Options,
        seed: u64,
    ) -> Search<G> {
        self.search_with(Playouts::Uniform, game, root, options, seed)
    }

    /// A search with this policy and these playouts.
    pub(crate) fn search_with<G: Game>(
        self,
        playouts: Playouts,
        game: &G,
        root: &G::Position,
        options: Options,
        seed: u64,
    ) -> Search<G> {
        let grave = |reference| Grave::new(reference, 1e-5);
        let mcps = |weights| Mcps::new(50, weights);
        let policy: Box<dyn TreePolicy> = match self {
            Self::Uct => Box::new(Uct::new(0.4)),
            Self::Tuned => Box::new(Uct::tuned()),
            Self::Rave => Box::new(grave(0)),
            Self::Grave => Box::new(grave(50)),
            Self::Mcps => Box::new(mcps(Weights::Paper)),
            Self::Optimal => Box::new(mcps(Weights::Optimal)),
            Self::Sarsa => Box::new(Sarsa::new(SARSA)),
        };
        let playouts = playouts.policy(game, options.coding);
        Search::new(game.clone(), root.clone(), policy, playouts, options, Rng::new(seed))
    }

    /// The report of this policy after this many playouts from `root`.
    pub(crate) fn report<G: Game>(
        self,
        game: &G,
        root: &G::Position,
        playouts: u64,
        seed: u64,
    ) -> Report<G::Move> {
        let mut search = self.search(game, root, Options::default(), seed);
        search.advance(&Budget::playouts(playouts));
        search.report()
    }
}

/// A search with any policy.
pub(crate) fn new<G: Game, T: TreePolicy + 'static>(
    game: &G,
    root: &G::Position,
    policy: T,
    options: Options,
    seed: u64,
) -> Search<G> {
    let playouts = Box::new(Uniform::<G::Move>::default());
    Search::new(game.clone(), root.clone(), Box::new(policy), playouts, options, Rng::new(seed))
}

/// The family's game with `settings` such as `("size", "5")` put through `visitor`.
pub(crate) fn with<F: Configure, V: Visitor>(settings: &[(&str, &str)], visitor: V) -> V::Output {
    let mut args = Args::defaults(F::FACTS.params);
    for (key, text) in settings {
        let param = F::FACTS.params.iter().find(|param| param.key == *key).unwrap();
        args.set(param, text).unwrap();
    }
    F::configure(&args, visitor).unwrap()
}

/// The position after this many random moves, or at the end of the game if that comes first.
pub(crate) fn after_random<G: Game>(game: &G, plies: usize, rng: &mut Rng) -> G::Position {
    let (mut position, mut scratch) = (game.start(), Vec::new());
    for _ in 0..plies {
        if let Some(mv) = game.random_move(&position, rng, &mut scratch) {
            game.play(&mut position, mv);
        }
    }
    position
}

/// The position after these moves.
pub(crate) fn after<G: Game>(game: &G, moves: &str) -> G::Position {
    let mut position = game.start();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(&position, text).unwrap_or_else(|| panic!("no {text} in {moves}"));
        game.play(&mut position, mv);
    }
    position
}

/// Everything in a report except the time, as text.
pub(crate) fn show<G: Game>(game: &G, root: &G::Position, report: &Report<G::Move>) -> String {
    let Report { turn, playouts, nodes, full, deterministic, .. } = report;
    let mut out = format!("{turn:?}, {playouts} playouts, {nodes} nodes");
    out += if *full { ", full" } else { "" };
    out += if *deterministic { "\n" } else { ", not deterministic\n" };
    for found in &report.moves {
        let (mv, visits, mean) = (game.move_text(root, found.mv), found.visits, found.mean);
        out += &format!("  {mv:<6} {visits:>6} {mean:.4}");
        for (name, source) in [("amaf", found.amaf), ("permutation", found.permutation)] {
            if let Some(source) = source {
                out += &format!("  {name} {} {:.4}", source.count, source.mean);
            }
        }
        let [own, amaf, permutation] = found.weights;
        out += &format!("  weights {own:.4} {amaf:.4} {permutation:.4}\n");
    }
    let mut position = root.clone();
    let line = report.principal_variation.iter().map(|&mv| {
        let text = game.move_text(&position, mv);
        game.play(&mut position, mv);
        text
    });
    out + "  line " + &line.collect::<Vec<_>>().join(" ") + "\n"
}
