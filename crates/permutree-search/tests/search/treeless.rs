//! How searches without a tree run: restarted, in parts, with a time limit, with nothing to search.

use crate::games::Ball;
use crate::kit::{after, show, with};
use permutree_game::{Game, Rng, Turn, Visitor};
use permutree_games::{Hex, Nogo, Pig, SameGame, TicTacToe, Tree};
use permutree_search::playouts::Uniform;
use permutree_search::treeless::{
    Ams, Form, Global, Gobble, Lazy, Learning, Nmcs, Noise, Nrpa, Plan, Samples, Scope, Vgs,
};
use permutree_search::{Budget, Clock, Report, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug)]
enum Method {
    Ams,
    AmsPlayouts,
    AmsPriority,
    AmsPublished,
    Nmcs(usize),
    Lnmcs,
    Nrpa(Form),
    Vgs,
    Global,
    Gobble,
}

const METHODS: [Method; 12] = [
    Method::Ams,
    Method::AmsPlayouts,
    Method::AmsPriority,
    Method::AmsPublished,
    Method::Nmcs(1),
    Method::Nmcs(3),
    Method::Lnmcs,
    Method::Nrpa(Form::Report),
    Method::Nrpa(Form::Standard),
    Method::Vgs,
    Method::Global,
    Method::Gobble,
];

const SCOPE: Scope = Scope { width: 8, depth: 3, pre: 100 };

impl Method {
    fn search<G: Game>(self, game: &G, root: &G::Position, seed: u64) -> Box<dyn Searcher<G>> {
        let (game, root, rng) = (game.clone(), root.clone(), Rng::new(seed));
        let policy = Box::new(Uniform::<G::Move>::default());
        let plan = |samples| Plan { depth: 2, samples };
        match self {
            Self::Ams => Box::new(Ams::evaluating(game, root, 1 << 20, plan(Samples::Moves), rng)),
            Self::AmsPlayouts => Box::new(Ams::playing(game, root, policy, 0, plan(Samples::Moves), rng)),
            Self::AmsPriority => Box::new(Ams::playing(game, root, policy, 0, plan(Samples::Fixed(50)), rng)),
            Self::AmsPublished => Box::new(Ams::playing(game, root, policy, 0, plan(Samples::All), rng)),
            Self::Nmcs(level) => Box::new(Nmcs::new(game, root, policy, 0, level, None, rng)),
            Self::Lnmcs => {
                let lazy = Lazy { tries: 2, ratio: 0.0 };
                Box::new(Nmcs::new(game, root, policy, 0, 2, Some(lazy), rng))
            }
            Self::Nrpa(form) => {
                let learning = Learning { level: 2, n: 20, alpha: 0.5, form };
                Box::new(Nrpa::new(game, root, 0, learning, rng))
            }
            Self::Vgs => Box::new(Vgs::new(game, root, policy, 0, SCOPE, rng)),
            Self::Global => Box::new(Global::new(game, root, policy, 0, SCOPE, 200, rng)),
            Self::Gobble => {
                let noise = Noise { swap: 0.5, cool: 1000.0 };
                Box::new(Gobble::new(game, root, 0, noise, rng))
            }
        }
    }

    fn report<G: Game>(self, game: &G, root: &G::Position, playouts: u64, seed: u64) -> Report<G::Move> {
        let mut search = self.search(game, root, seed);
        search.advance(&Budget::playouts(playouts));
        search.report()
    }
}

/// A restarted search, and one advanced in parts, report the same as a new one; other seeds report something else.
struct AsNew<'a>(&'a str);

impl Visitor for AsNew<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (start, root) = (game.start(), after(&game, self.0));
        for method in METHODS {
            let new = method.report(&game, &root, 1_000, 7);
            // A global search may end earlier.
            let all = new.playouts == 1_000 || matches!(method, Method::Global) && new.playouts > 100;
            assert!(all, "{method:?}: {} playouts", new.playouts);
            let mut again = method.search(&game, &start, 1);
            again.advance(&Budget::playouts(1_300));
            again.restart(root.clone(), Rng::new(7));
            for playouts in [1, 299, 0, 3, 697] {
                again.advance(&Budget::playouts(playouts));
                assert!(!again.report().moves.is_empty());
            }
            let again = again.report();
            assert_eq!(show(&game, &root, &again), show(&game, &root, &new), "{method:?}");
            assert_eq!(again.memory, new.memory, "{method:?}");
        }
    }
}

#[test]
fn restarted_and_in_parts_as_new() {
    with::<Hex, _>(&[("size", "5")], AsNew("c3"));
    with::<Nogo, _>(&[("players", "3")], AsNew("c3 a1"));
    with::<SameGame, _>(&[], AsNew(""));
    with::<Pig, _>(&[], AsNew("roll 4"));
    AsNew("pass").visit(Ball { keep: 0.5, plies: 40 });
}

/// Measured by thread time, so that a busy machine does not matter. Long playouts are the hardest to stop in time.
#[test]
fn time_is_kept() {
    let hex = Hex::<6>::new(19, None, false);
    for method in METHODS {
        let mut search = method.search(&hex, &hex.start(), 1);
        search.advance(&Budget::time(Duration::from_millis(20), Clock::Thread));
        let report = search.report();
        let milliseconds = report.time.as_secs_f64() * 1e3;
        assert!((20.0..25.0).contains(&milliseconds), "{method:?}: {milliseconds} ms");
        assert!(report.playouts > 0 && !report.deterministic);
    }
}

/// On a busy machine the thread may have to wait, so one of ten stops within 10 ms is enough.
#[test]
fn stops_within_ten_milliseconds() {
    let hex = Hex::<6>::new(19, None, false);
    for method in METHODS {
        let late = || {
            let stop = Arc::new(AtomicBool::new(false));
            let budget = Budget { stop: Some(stop.clone()), ..Budget::default() };
            let mut search = method.search(&hex, &hex.start(), 1);
            let told = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(10));
                let now = Instant::now();
                stop.store(true, Ordering::Relaxed);
                now
            });
            search.advance(&budget);
            let stopped = Instant::now();
            assert!(search.report().playouts > 0 && !search.report().deterministic);
            stopped - told.join().unwrap()
        };
        let least = (0..10).map(|_| late()).find(|late| late.as_millis() < 10);
        assert!(least.is_some(), "{method:?} never stopped within 10 ms");
    }
}

#[test]
fn nothing_to_search() {
    let over = after(&TicTacToe, "a1 a2 b1 b2 c1");
    let forced = after(&TicTacToe, "a1 b2 c3 a2 c2 c1 a3 b3");
    for method in METHODS {
        let report = method.report(&TicTacToe, &over, 100, 1);
        assert_eq!((report.playouts, report.best(), report.principal_variation), (0, None, vec![]));
        let mut search = method.search(&TicTacToe, &forced, 1);
        search.advance(&Budget::time(Duration::from_secs(3600), Clock::Wall));
        let report = search.report();
        assert_eq!((report.playouts, report.moves.len()), (0, 1));
        assert_eq!(TicTacToe.move_text(&forced, report.best().unwrap()), "b1");
        let report = method.report(&TicTacToe, &TicTacToe.start(), 0, 1);
        assert_eq!((report.playouts, report.moves.len()), (0, 9));
    }
}

/// c1 wins at once; any other move lets o win at c2.
#[test]
fn a_win_is_taken() {
    let root = after(&TicTacToe, "a1 a2 b1 b2");
    for method in METHODS.into_iter().filter(|method| !matches!(method, Method::AmsPublished)) {
        for seed in 1..=5 {
            let report = method.report(&TicTacToe, &root, 1_000, seed);
            let shown = show(&TicTacToe, &root, &report);
            assert_eq!(TicTacToe.move_text(&root, report.best().unwrap()), "c1", "{method:?}: {shown}");
            assert_eq!(report.moves[0].mean, 1.0, "{method:?}: {shown}");
        }
    }
}

/// At a chance root, outcomes are drawn by their weights and have no rewards.
#[test]
fn chance_at_the_root() {
    for tree in ["?(3*([0.2] [0.7]) [0.9])", "?(3*(0.2 0.7) (0.9 0.1))"] {
        let game = Tree::parse(tree).unwrap();
        for method in METHODS.into_iter().filter(|method| !matches!(method, Method::AmsPublished)) {
            let report = method.report(&game, &0, 4_000, 1);
            let shown = show(&game, &0, &report);
            assert_eq!((report.turn, report.playouts), (Turn::Chance, 4_000));
            let all: u64 = report.moves.iter().map(|found| found.visits).sum();
            let often = report.moves.iter().find(|found| found.index == 0).unwrap();
            // Five standard deviations.
            let bound = 5.0 * (all as f64 * 3.0 / 16.0).sqrt();
            assert!((often.visits as f64 - all as f64 * 0.75).abs() < bound, "{method:?} in {tree}: {shown}");
            assert!(report.moves.iter().all(|found| found.mean == 0.0), "{method:?} in {tree}: {shown}");
        }
    }
}

/// With one player the best sequence is remembered from move to move: more playouts can only improve it.
#[test]
fn sequences_are_followed() {
    struct Follow(Method);
    impl Visitor for Follow {
        type Output = ();
        fn visit<G: Game>(self, game: G) {
            let worth = |mut position: G::Position, line: &[G::Move]| {
                line.iter().for_each(|&mv| game.play(&mut position, mv));
                assert_eq!(game.turn(&position), Turn::Over);
                game.rewards(&position).as_slice()[0]
            };
            let mut position = game.start();
            let mut search = self.0.search(&game, &position, 1);
            search.advance(&Budget::playouts(100));
            let mut line = search.report().principal_variation;
            while line.len() > 1 {
                let before = worth(position.clone(), &line);
                assert!(search.follow(&line[..1], Rng::new(line.len() as u64)), "{:?}", self.0);
                assert_eq!(search.report().principal_variation, line[1..], "{:?}", self.0);
                game.play(&mut position, line[0]);
                search.advance(&Budget::playouts(20));
                line = search.report().principal_variation;
                assert!(worth(position.clone(), &line) >= before, "{:?}", self.0);
            }
            assert!(!search.follow(&line, Rng::new(1)), "the line is used up");
        }
    }
    for method in [Method::Nmcs(2), Method::Lnmcs, Method::Nrpa(Form::Report), Method::Nrpa(Form::Standard)] {
        with::<SameGame, _>(&[], Follow(method));
    }
    let mut search = Method::Nmcs(1).search(&TicTacToe, &TicTacToe.start(), 1);
    search.advance(&Budget::playouts(100));
    let best = search.report().best().unwrap();
    assert!(!search.follow(&[best], Rng::new(1)), "another player moves");
}
