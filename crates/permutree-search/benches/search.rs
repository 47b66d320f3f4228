//! Whole searches (descent, playout, backup and learning) with the three main tree policies.
//!
//! Short searches show the cost of a playout in a small tree, long ones the cost of growing statistics.
//!
//!     cargo bench -p permutree-search --bench search -- mcps

use divan::Bencher;
use divan::counter::ItemsCount;
use permutree_game::{Args, Configure, Game, Rng, Visitor};
use permutree_games::{Connect4, Gomoku, Hex};
use permutree_search::playouts::Uniform;
use permutree_search::policies::{Grave, Mcps, TreePolicy, Uct};
use permutree_search::{Budget, Options, Search, Searcher};

/// Games and playouts.
const SEARCHES: [(&str, u64); 6] = [
    ("hex:7", 1_000),
    ("hex:7", 10_000),
    ("gomoku:9", 1_000),
    ("gomoku:9", 10_000),
    ("connect4:7", 1_000),
    ("connect4:7", 10_000),
];

fn main() {
    divan::main();
}

#[divan::bench(args = SEARCHES)]
fn uct(bencher: Bencher<'_, '_>, (spec, playouts): (&str, u64)) {
    with_game(spec, Bench { bencher, playouts, policy: Policy::Uct });
}

#[divan::bench(args = SEARCHES)]
fn grave(bencher: Bencher<'_, '_>, (spec, playouts): (&str, u64)) {
    with_game(spec, Bench { bencher, playouts, policy: Policy::Grave });
}

#[divan::bench(args = SEARCHES)]
fn mcps(bencher: Bencher<'_, '_>, (spec, playouts): (&str, u64)) {
    with_game(spec, Bench { bencher, playouts, policy: Policy::Mcps });
}

/// A policy with the parameters of its paper.
#[derive(Clone, Copy)]
enum Policy {
    Uct,
    Grave,
    Mcps,
}

impl Policy {
    fn boxed(self) -> Box<dyn TreePolicy> {
        match self {
            Self::Uct => Box::new(Uct::default()),
            Self::Grave => Box::new(Grave::default()),
            Self::Mcps => Box::new(Mcps::default()),
        }
    }
}

/// Makes the game with this value of its first parameter.
fn with_game(spec: &str, bench: Bench<'_, '_>) {
    let Some((name, size)) = spec.split_once(':') else { panic!("{spec} has no size") };
    match name {
        "hex" => configured::<Hex>(size, bench),
        "gomoku" => configured::<Gomoku>(size, bench),
        "connect4" => configured::<Connect4>(size, bench),
        _ => panic!("no game {name}"),
    }
}

fn configured<F: Configure>(size: &str, bench: Bench<'_, '_>) {
    let params = F::FACTS.params;
    let mut args = Args::defaults(params);
    args.set(&params[0], size).and_then(|()| F::configure(&args, bench)).unwrap_or_else(|e| panic!("{e}"));
}

struct Bench<'a, 'b> {
    bencher: Bencher<'a, 'b>,
    playouts: u64,
    policy: Policy,
}

impl Visitor for Bench<'_, '_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (start, budget, seed) = (game.start(), Budget::playouts(self.playouts), 1);
        let playouts = Box::new(Uniform::default());
        let (policy, options) = (self.policy.boxed(), Options::default());
        let mut search = Search::new(game, start.clone(), policy, playouts, options, Rng::new(seed));
        search.advance(&budget);
        let expected = visits(&search.report());
        assert_eq!(expected.iter().sum::<u64>(), self.playouts);
        // A restarted search keeps its allocations, as from move to move in a game.
        self.bencher.counter(ItemsCount::new(self.playouts)).bench_local(|| {
            search.restart(start.clone(), Rng::new(seed));
            search.advance(&budget);
            assert_eq!(visits(&search.report()), expected, "the same seed must give the same result");
        });
    }
}

fn visits<M>(report: &permutree_search::Report<M>) -> Vec<u64> {
    report.moves.iter().map(|found| found.visits).collect()
}
