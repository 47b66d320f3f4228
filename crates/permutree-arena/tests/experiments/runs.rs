use crate::kit::{SMALL, fresh, games, parse, progress, run};
use permutree_arena::Duel;
use permutree_arena::Match;
use permutree_arena::experiment::{Cell, Run, Shard, Store, Tuning};
use permutree_arena::statistics::{Sprt, SprtVerdict};
use permutree_zoo::{Budget, agent, game};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};

/// Threads, shards and interruptions change nothing; a second run finds everything.
#[test]
fn the_same_games_in_parts() {
    let experiment = parse(SMALL).unwrap();
    let mut whole = Store::create(&fresh("whole.db")).unwrap();
    assert_eq!(run(&experiment, &mut whole, 1, "1/1"), progress(40, 0, 40));
    assert_eq!(run(&experiment, &mut whole, 2, "1/1"), progress(40, 40, 0));
    let all = games(&experiment, &whole);
    assert_eq!(all.len(), 40);

    // Two shards in two stores, one of them stopped again and again, and a merge.
    let (first, second) = (fresh("first.db"), fresh("second.db"));
    run(&experiment, &mut Store::create(&first).unwrap(), 2, "1/2");
    let mut sum = 0;
    while sum < 16 {
        let stop = AtomicBool::new(false);
        let shard = "2/2".parse().unwrap();
        let part = Run { experiment: &experiment, shard, threads: 1, sprt: None, stop: &stop };
        let mut store = Store::create(&second).unwrap();
        let done =
            part.play(&mut store, &mut |progress| stop.store(progress.added > 0, Ordering::Relaxed)).unwrap();
        assert!(done.added > 0 && done.added < 16, "{done:?}");
        sum += done.added;
    }
    assert_eq!(sum, 16, "5 rounds of 2 seatings: 3 and 2 in each of 4 cells");
    let mut merged = Store::create(&fresh("merged.db")).unwrap();
    let counts = [&first, &second, &second].map(|path| merged.merge(path).unwrap());
    assert_eq!(
        counts.map(|merged| (merged.added, merged.known, merged.different)),
        [(24, 0, 0), (16, 0, 0), (0, 16, 0)]
    );
    assert_eq!(games(&experiment, &merged), all);
}

/// Every stored game is a match of one game with the agents in the order of their seats.
#[test]
fn games_are_matches() {
    let text = "game = 'nogo:4,players=3'\nagents = ['mcps', 'uct']\nplayouts = 20\ngames = 6\nseed = 5";
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("matches.db")).unwrap();
    run(&experiment, &mut store, 0, "1/1");
    let stored = games(&experiment, &store);
    assert_eq!(stored.len(), 6);
    for (number, stored) in stored.iter().enumerate() {
        assert_eq!((&stored["number"], &stored["seed"]), (&Value::from(number), &Value::from(5 + number)));
        let seats = stored["seats"].as_array().unwrap();
        let agents = seats.iter().map(|spec| agent(spec.as_str().unwrap()).unwrap()).collect();
        let game = game("nogo:4,players=3").unwrap();
        let seed = 5 + number as u64;
        let contest = Match { game, agents, games: 1, seed, threads: 1, budget: Budget::playouts(20) };
        contest
            .play(&mut |record, _| {
                assert_eq!(stored["moves"], Value::from(record.moves.clone()));
                assert_eq!(stored["rewards"], Value::from(record.rewards.as_slice()));
            })
            .unwrap();
    }
}

/// A test ends a cell early, spares the other games, has the same verdict for any number of threads, and ignores cells
/// that are not between two players.
#[test]
fn a_test_ends_cells() {
    let text = "playouts = 30\nrows = [
        { game = 'tic-tac-toe', agents = ['uct', 'random'], games = 2000 },
        { game = 'nogo:3,players=3', agents = ['random', 'random', 'random'], games = 12 }]";
    let experiment = parse(text).unwrap();
    let test = Sprt::new(0.0, 50.0).unwrap();
    let mut verdicts = Vec::new();
    for threads in [1, 2] {
        let mut store = Store::create(&fresh(&format!("sprt-{threads}.db"))).unwrap();
        let stop = &AtomicBool::new(false);
        let run = Run { experiment: &experiment, shard: Shard::WHOLE, threads, sprt: Some(test), stop };
        let first = run.play(&mut store, &mut |_| {}).unwrap();
        assert!(first.done() == first.total && first.spared > 1000, "{first:?}");
        assert!(first.llr.is_some_and(|llr| llr > 0.0), "{first:?}");
        let again = run.play(&mut store, &mut |_| {}).unwrap();
        assert_eq!((again.found, again.added), (first.added, 0));
        let cells: Vec<&Cell> = experiment.cells().collect();
        assert_eq!(store.result(cells[1]).unwrap().result.games, 12);
        assert!(Duel::over(test, cells[1], &store).unwrap().is_none());
        let duel = Duel::over(test, cells[0], &store).unwrap().unwrap();
        assert_eq!(duel.verdict(), SprtVerdict::Elo1);
        verdicts.push((duel.games(), duel.llr()));
    }
    assert_eq!(verdicts[0], verdicts[1]);
}

/// The better half continues, the winner is checked in new games, and everything is stored.
#[test]
fn tuning_halves() {
    let text = r#"
        game = ["tic-tac-toe", "nim"]
        agents = ["uct:playouts={n}", "uct:playouts=30"]
        vary.n = [1, 3, 300, 10, 2]
    "#;
    let experiment = parse(text).unwrap();
    let mut store = Store::create(&fresh("tuning.db")).unwrap();
    let stop = AtomicBool::new(false);
    let tuning = Tuning { experiment: &experiment, games: 2000, threads: 2, stop: &stop };
    let mut rounds = Vec::new();
    let tuned = tuning.run(&mut store, &mut |round, _| rounds.push(round)).unwrap();
    assert_eq!(tuned.rounds.iter().map(Vec::len).collect::<Vec<_>>(), [5, 3, 2]);
    assert!(tuned.rounds.iter().all(|round| round[0].names[0] == "uct:playouts=300"));
    assert_eq!(tuned.rounds[0][4].names[0], "uct:playouts=1");
    let check = tuned.check.unwrap();
    let last = &tuned.rounds[2][0];
    assert_eq!((check.names[0].as_str(), check.games), ("uct:playouts=300", last.games));
    assert!(check.score > 0.5 && check.ci95.0 < check.score && check.score < check.ci95.1);
    let seeds: Vec<u64> = check.cells.iter().map(|(cell, _)| cell.key.seed).collect();
    assert_eq!(seeds, [1 << 32, 1 << 32]);
    let all: u64 = tuned.rounds.concat().iter().map(|candidate| candidate.games).sum();
    assert!(all <= 2 * 2000, "{all} games, some counted in several rounds");
    // Nothing is played twice.
    let mut added = 0;
    tuning.run(&mut store, &mut |_, progress| added += progress.added).unwrap();
    assert_eq!(added, 0);
    let one = parse("game = 'nim'\nagents = ['uct:playouts=5', 'random']").unwrap();
    let error =
        Tuning { experiment: &one, games: 10, threads: 1, stop: &stop }.run(&mut store, &mut |_, _| {});
    assert!(error.unwrap_err().to_string().starts_with("there is nothing to tune"));
}
