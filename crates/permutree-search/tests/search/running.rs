//! How searches run: restarted, in parts, with a time limit, with little memory, with nothing to search.

use crate::kit::{PLAYOUTS, POLICIES, Playouts, Policy, after, new, show, with};
use permutree_game::{Game, Rng, Visitor};
use permutree_games::{Hex, Nogo, Pig, SkirmishArena, TicTacToe, Wargame};
use permutree_search::policies::{Grave, Mcps, Weights};
use permutree_search::statistics::Storage;
use permutree_search::{Budget, Clock, FinalMove, Options, Search, Searcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Dense and sparse statistics are equal, after many more playouts than a naive recount allows.
struct AnyStorage {
    coding: usize,
    playouts: u64,
}

impl Visitor for AnyStorage {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let root = game.start();
        let options = Options { coding: self.coding, ..Options::default() };
        let shown = |mut search: Search<G>| {
            search.advance(&Budget::playouts(self.playouts));
            show(&game, &root, &search.report())
        };
        let mcps = |storage| {
            let policy = Mcps::new(50, Weights::Paper).stored(storage);
            shown(new(&game, &root, policy, options, 3))
        };
        let grave = |storage| {
            let policy = Grave::new(50, 1e-5).stored(storage);
            shown(new(&game, &root, policy, options, 3))
        };
        assert_eq!(mcps(Storage::Dense), mcps(Storage::Sparse));
        assert_eq!(grave(Storage::Dense), grave(Storage::Sparse));
    }
}

#[test]
fn storage_changes_nothing() {
    with::<Hex, _>(&[], AnyStorage { coding: 0, playouts: 6_000 });
    with::<Wargame, _>(&[], AnyStorage { coding: 1, playouts: 6_000 });
    with::<Wargame, _>(&[("players", "3")], AnyStorage { coding: 1, playouts: 3_000 });
}

/// A restarted search, and one advanced in parts, report the same as a new one.
struct AsNew<'a> {
    moves: &'a str,
    coding: usize,
}

impl Visitor for AsNew<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (start, root) = (game.start(), after(&game, self.moves));
        let uniform = POLICIES.map(|policy| (policy, Playouts::Uniform));
        for (policy, playouts) in PLAYOUTS.map(|playouts| (Policy::Uct, playouts)).into_iter().chain(uniform)
        {
            for transpositions in [true, false] {
                // Small enough to be reached, to test that a restart resets it.
                for memory in [1 << 30, 60_000] {
                    let options =
                        Options { coding: self.coding, transpositions, memory, ..Options::default() };
                    let mut new = policy.search_with(playouts, &game, &root, options, 7);
                    new.advance(&Budget::playouts(1_000));
                    let new = new.report();
                    assert_eq!(new.full, memory < 1 << 30);

                    let mut again = policy.search_with(playouts, &game, &start, options, 1);
                    again.advance(&Budget::playouts(1_300));
                    again.restart(root.clone(), Rng::new(7));
                    for playouts in [300, 0, 700] {
                        again.advance(&Budget::playouts(playouts));
                    }
                    let again = again.report();
                    let shown = show(&game, &root, &again);
                    assert_eq!(shown, show(&game, &root, &new), "{policy:?}, {playouts:?}");
                    assert_eq!(again.memory, new.memory, "{policy:?}, {playouts:?}");
                }
            }
        }
    }
}

#[test]
fn restarted_and_in_parts_as_new() {
    with::<Hex, _>(&[("size", "5")], AsNew { moves: "c3", coding: 0 });
    with::<Nogo, _>(&[("players", "3")], AsNew { moves: "c3 a1", coding: 0 });
    // Enough codes for sparse statistics.
    with::<SkirmishArena, _>(&[], AsNew { moves: "", coding: 2 });
}

/// Measured by thread time, so that a busy machine does not matter. Long playouts are the hardest to stop in time.
#[test]
fn time_is_kept() {
    let hex = Hex::<6>::new(19, None, false);
    for policy in POLICIES {
        let mut search = policy.search(&hex, &hex.start(), Options::default(), 1);
        search.advance(&Budget::time(Duration::from_millis(20), Clock::Thread));
        let report = search.report();
        let milliseconds = report.time.as_secs_f64() * 1e3;
        assert!((20.0..25.0).contains(&milliseconds), "{policy:?}: {milliseconds} ms");
        assert!(report.playouts > 0 && !report.deterministic);
        // Times of several calls add up.
        search.advance(&Budget::time(Duration::from_millis(5), Clock::Thread));
        assert!(search.report().time > report.time && search.report().playouts > report.playouts);
    }
}

/// On a busy machine the thread may have to wait, so one of ten stops within 10 ms is enough.
#[test]
fn stops_within_ten_milliseconds() {
    let hex = Hex::<6>::new(19, None, false);
    for policy in [Policy::Uct, Policy::Mcps] {
        let late = || {
            let stop = Arc::new(AtomicBool::new(false));
            let budget = Budget { stop: Some(stop.clone()), ..Budget::default() };
            let mut search = policy.search(&hex, &hex.start(), Options::default(), 1);
            let told = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(20));
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
        assert!(least.is_some(), "{policy:?} never stopped within 10 ms");
    }
}

/// With 300 kB the tree stops growing when seven eighths are in use or promised to its edges, the search continues, and its move still wins.
#[test]
fn little_memory() {
    let game = Hex::<1>::new(5, None, false);
    let root = after(&game, "c2 b2 c4 b4 d2 a5 d4 a1");
    for policy in POLICIES {
        let report = |playouts| {
            let options = Options { memory: 300_000, ..Options::default() };
            let mut search = policy.search(&game, &root, options, 1);
            search.advance(&Budget::playouts(playouts));
            search.report()
        };
        let (early, late) = (report(10_000), report(30_000));
        let shown = show(&game, &root, &late);
        assert!(early.full && late.full, "{policy:?}: {} bytes", early.memory);
        assert_eq!((late.playouts, late.nodes), (30_000, early.nodes), "{policy:?}");
        assert!((225_000..412_500).contains(&late.memory), "{policy:?}: {} bytes", late.memory);
        assert_eq!(late.moves.iter().map(|found| found.visits).sum::<u64>(), 30_000, "{policy:?}");
        let mut after = root;
        game.play(&mut after, late.best().unwrap());
        let mut solver = Policy::Uct.search(&game, &after, Options { solver: true, ..Options::default() }, 1);
        solver.advance(&Budget::playouts(100_000));
        assert_eq!(solver.report().moves[0].proven, Some(0.0), "{policy:?}: {shown}");
    }
}

/// The number of positions in tic-tac-toe, 5478, is far below the number of move orders.
#[test]
fn transpositions_are_one_node() {
    for policy in POLICIES {
        let nodes = |transpositions| {
            let options = Options { transpositions, ..Options::default() };
            let mut search = policy.search(&TicTacToe, &TicTacToe.start(), options, 1);
            search.advance(&Budget::playouts(20_000));
            search.report().nodes
        };
        assert!(nodes(true) <= 5_478, "{policy:?}: {} nodes", nodes(true));
        if let Policy::Uct | Policy::Tuned = policy {
            assert!(nodes(true) < nodes(false), "{policy:?}: {} and {}", nodes(true), nodes(false));
        }
    }
}

#[test]
fn final_moves() {
    let mut differ = 0;
    for seed in 0..20 {
        let report = |final_move| {
            let options = Options { final_move, ..Options::default() };
            let mut search = Policy::Uct.search(&TicTacToe, &TicTacToe.start(), options, seed);
            search.advance(&Budget::playouts(6 + seed));
            search.report()
        };
        let (visits, mean) = (report(FinalMove::Visits), report(FinalMove::Mean));
        let tried = || visits.moves.iter().filter(|found| found.visits > 0);
        assert!(tried().all(|found| found.visits <= visits.moves[0].visits));
        assert!(tried().all(|found| found.mean <= mean.moves[0].mean));
        assert!(mean.moves[0].visits > 0 && mean.moves.len() == 9);
        differ += i32::from(visits.best() != mean.best());
    }
    assert!(differ > 0, "visits and means never differ");
}

#[test]
fn nothing_to_search() {
    let over = after(&TicTacToe, "a1 a2 b1 b2 c1");
    let forced = after(&TicTacToe, "a1 b2 c3 a2 c2 c1 a3 b3");
    for policy in POLICIES {
        let report = policy.report(&TicTacToe, &over, 100, 1);
        assert_eq!((report.playouts, report.best(), report.principal_variation), (0, None, vec![]));
        // A single legal move needs no search, whatever the budget.
        let mut search = policy.search(&TicTacToe, &forced, Options::default(), 1);
        search.advance(&Budget::time(Duration::from_secs(3600), Clock::Wall));
        let report = search.report();
        assert_eq!((report.playouts, report.moves.len()), (0, 1));
        assert_eq!(TicTacToe.move_text(&forced, report.best().unwrap()), "b1");
        // Every move is listed before the first playout.
        let report = policy.report(&TicTacToe, &TicTacToe.start(), 0, 1);
        assert_eq!((report.playouts, report.moves.len()), (0, 9));
    }
    // The first roll of a turn is forced.
    struct Forced;
    impl Visitor for Forced {
        type Output = u64;
        fn visit<G: Game>(self, game: G) -> u64 {
            Policy::Uct.report(&game, &game.start(), 100, 1).playouts
        }
    }
    assert_eq!(with::<Pig, _>(&[], Forced), 0);
}
