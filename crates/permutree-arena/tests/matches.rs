//! Whole matches.

use permutree_arena::{ArenaError, GameRecord, Match, MatchResult, Standing};
use permutree_zoo::{Budget, Clock, agent, game};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn contest(game_spec: &str, agents: &[&str], games: u64, playouts: u64) -> Match {
    Match {
        game: game(game_spec).unwrap(),
        agents: agents.iter().map(|spec| agent(spec).unwrap()).collect(),
        games,
        seed: 7,
        threads: 2,
        budget: Budget::playouts(playouts),
    }
}

/// The result and the records in the order of their numbers, without the times, which differ from run to run.
fn run(contest: &Match) -> (MatchResult, Vec<GameRecord>) {
    let mut records = Vec::new();
    let alike = if contest.game.players() == 1 { contest.agents.len() as u64 } else { 1 };
    let total = contest.games * alike;
    let mut result = contest
        .play(&mut |record, standing| {
            records.push(record.clone());
            assert_eq!((standing.games(), standing.total()), (records.len() as u64, total));
        })
        .unwrap();
    result.agents.iter_mut().for_each(|agent| agent.time = Duration::ZERO);
    records.sort_by_key(|record| record.number);
    (result, records)
}

/// The parts of a record that must not depend on the run.
fn essence(record: &GameRecord) -> (u64, &[usize], &[f64], &[String], &[u64]) {
    (record.number, &record.seating, record.rewards.as_slice(), &record.moves, &record.playouts)
}

#[test]
fn the_seed_is_the_result_on_any_number_of_threads() {
    for (game, agents, games, playouts) in [
        ("tic-tac-toe", &["mcps", "uct"][..], 24, 40),
        ("nogo:5,players=3", &["mcps", "grave"], 12, 20),
        ("nogo:5,players=3", &["mcps", "grave", "random"], 12, 20),
        ("pig:30", &["uct", "rave"], 24, 30),
        // What is kept from move to move is not kept from game to game.
        ("connect4", &["uct:policy=mast,keep=0.9", "flat:policy=nst,keep=1"], 12, 60),
        ("hex:5", &["mcps:memory=1MB,playouts=9000", "rave:memory=1MB,playouts=9000"], 6, 1),
    ] {
        let mut contest = contest(game, agents, games, playouts);
        contest.threads = 1;
        let (result, records) = run(&contest);
        assert_eq!(records.iter().map(|record| record.number).collect::<Vec<_>>(), Vec::from_iter(0..games));
        for threads in [2, 3] {
            contest.threads = threads;
            let (other, others) = run(&contest);
            assert_eq!(other, result, "{game} on {threads} threads");
            assert!(others.iter().map(essence).eq(records.iter().map(essence)));
        }
        assert!(result.deterministic);
        contest.seed += 1;
        assert!(
            !run(&contest).1.iter().map(essence).eq(records.iter().map(essence)),
            "{game}: the seed counts"
        );
    }
}

/// The watcher sees games in order and ends the match where it likes; games that other threads played beyond do not count.
#[test]
fn a_match_that_ends_early_is_the_same_on_any_number_of_threads() {
    for (game, agents, whole) in
        [("hex:4", &["mcps", "uct"][..], 40), ("tsp:5", &["uct", "random", "random"], 120)]
    {
        let mut contest = contest(game, agents, 40, 20);
        let mut first = None;
        for threads in [1, 2, 3] {
            contest.threads = threads;
            let until = |games: u64| {
                let mut seen = Vec::new();
                let watch = &mut |record: &GameRecord, standing: &Standing| {
                    seen.push((record.number, record.seating.clone()));
                    assert_eq!(standing.games(), seen.len() as u64);
                    if standing.games() == games { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let mut result = contest.play_until(watch).unwrap();
                result.agents.iter_mut().for_each(|agent| agent.time = Duration::ZERO);
                assert!(seen.is_sorted_by_key(|(number, _)| *number));
                (seen, result)
            };
            let (seen, result) = until(11);
            assert_eq!((seen.len(), result.games), (11, 11));
            assert_eq!(
                *first.get_or_insert((seen.clone(), result.clone())),
                (seen, result),
                "{threads} threads"
            );
            assert_eq!(until(1000).1.games, whole);
        }
    }
}

/// A game depends on its number and not on how many there are.
#[test]
fn a_shorter_match_is_the_beginning_of_a_longer_one() {
    let (_, long) = run(&contest("tic-tac-toe", &["mcps", "uct"], 12, 30));
    let (_, short) = run(&contest("tic-tac-toe", &["mcps", "uct"], 5, 30));
    assert!(short.iter().map(essence).eq(long.iter().take(5).map(essence)));
}

/// A match restarts its searches for each move. That must be equivalent to opening a new one, whatever the search did
/// before: larger trees, other positions, a full memory.
#[test]
fn a_restarted_search_is_as_a_new_one() {
    for spec in
        ["mcps", "grave", "rave", "uct", "uct:tuned=true", "mcps:memory=1MB", "uct:memory=1MB", "random"]
    {
        let (agent, hex) = (agent(spec).unwrap(), game("hex:6").unwrap());
        let mut position = hex.start();
        let mut used = position.session(&agent, 1).unwrap();
        used.advance(&Budget::playouts(20_000));
        for (seed, playouts) in [(2, 12_000), (3, 500), (4, 9000), (5, 64)] {
            position.play(seed as usize).unwrap();
            let mut fresh = position.session(&agent, seed).unwrap();
            used.restart(&*position, seed).unwrap();
            used.advance(&Budget::playouts(playouts));
            fresh.advance(&Budget::playouts(playouts));
            let (used, fresh) = (used.report(), fresh.report());
            assert_eq!(
                (used.nodes, used.memory, used.full),
                (fresh.nodes, fresh.memory, fresh.full),
                "{spec}"
            );
            assert_eq!(used.principal_variation, fresh.principal_variation, "{spec}");
            let found = |report: &permutree_zoo::Report<String>| {
                report
                    .moves
                    .iter()
                    .map(|found| (found.mv.clone(), found.visits, found.mean))
                    .collect::<Vec<_>>()
            };
            assert_eq!(found(&used), found(&fresh), "{spec}");
        }
    }
}

#[test]
fn every_seating_equally_often() {
    for (game, agents, seatings) in [
        ("tic-tac-toe", &["random", "random"][..], 2),
        ("nogo:4,players=3", &["random", "random"], 6),
        ("nogo:4,players=3", &["random", "random", "random"], 6),
        ("nogo:4,players=3", &["random"], 1),
    ] {
        let contest = contest(game, agents, 4 * seatings, 1);
        assert_eq!(contest.seatings() as u64, seatings);
        let (result, records) = run(&contest);
        for first in &records {
            let same = records.iter().filter(|record| record.seating == first.seating).count();
            assert_eq!(same, 4, "{game}: {:?}", first.seating);
        }
        for agent in &result.agents {
            assert!(agent.seats.iter().all(|seat| seat.games == agent.seats[0].games));
            assert_eq!(agent.wins + agent.draws + agent.losses, 4 * seatings);
        }
    }
    let (_, records) = run(&contest("tic-tac-toe", &["random", "uct"], 2, 1));
    assert_eq!(records.iter().map(|record| &record.seating[..]).collect::<Vec<_>>(), [[0, 1], [1, 0]]);
}

#[test]
fn search_beats_chance() {
    let (result, records) = run(&contest("hex:5", &["mcps", "random"], 40, 100));
    let [search, random] = &result.agents[..] else { panic!("two agents") };
    assert!(search.wins >= 38 && random.wins == 40 - search.wins, "{search:?}");
    assert_eq!(search.score, search.wins as f64 / 40.0);
    assert!(search.ci95.0 > 0.8 && search.elo.unwrap().ci95.0 > 200.0);
    // Each searched move took its whole budget; the random player does no playouts.
    assert!(search.playouts.is_multiple_of(100) && random.playouts == 0);
    assert!(records.iter().all(|record| record.plies() > 4 && !record.unfinished));
}

/// The moves of a record lead to its rewards.
#[test]
fn records_can_be_replayed() {
    for spec in ["pig:20", "nogo:4,players=3", "connect4"] {
        let contest = contest(spec, &["uct", "random"], 6, 20);
        for record in run(&contest).1 {
            let mut position = contest.game.start();
            position.play_all(&record.moves.join(" ")).unwrap();
            assert_eq!(position.turn(), permutree_zoo::Turn::Over);
            assert_eq!(position.rewards(), record.rewards);
        }
    }
}

/// The last move on a full tic-tac-toe board is the only one, and is not searched.
#[test]
fn forced_moves_are_not_searched() {
    let (_, records) = run(&contest("tic-tac-toe", &["uct:playouts=10", "uct:playouts=20"], 40, 1));
    let full = records.iter().find(|record| record.plies() == 9).expect("a full board in 40 games");
    let first = full.seating[0];
    assert_eq!(full.playouts[first], 4 * [10, 20][first]);
    assert_eq!(full.playouts[1 - first], 4 * [20, 10][first]);
}

#[test]
fn a_stopped_match_counts_what_was_finished() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut contest = contest("tic-tac-toe", &["mcps", "uct"], 1_000_000, 30);
    contest.budget.stop = Some(stop.clone());
    let mut records = Vec::new();
    let result = contest
        .play(&mut |record, standing| {
            records.push(record.clone());
            stop.store(standing.games() >= 10, Ordering::Relaxed);
        })
        .unwrap();
    assert_eq!(result.games, records.len() as u64);
    assert!((10..1_000_000).contains(&result.games), "{}", result.games);
    // The games are the first ones, whole, as an unstopped match of that length would play them.
    records.sort_by_key(|record| record.number);
    contest.games = result.games;
    contest.budget.stop = None;
    let (whole, others) = run(&contest);
    assert!(others.iter().map(essence).eq(records.iter().map(essence)));
    assert_eq!(whole.agents[0].score, result.agents[0].score);
    assert!(result.deterministic);
}

#[test]
fn time_is_not_deterministic() {
    let mut timed = contest("tic-tac-toe", &["mcps", "random"], 2, 1);
    timed.budget = Budget::time(Duration::from_micros(200), Clock::Thread);
    assert!(!run(&timed).0.deterministic);
    timed.agents = vec![agent("mcps:playouts=5").unwrap(), agent("random").unwrap()];
    assert!(run(&timed).0.deterministic);
}

#[test]
fn refusals() {
    let error = |contest: Match| contest.play(&mut |_, _| panic!("no game may begin")).unwrap_err();
    let hex = |agents: &[&str]| contest("hex:5", agents, 10, 10);
    assert_eq!(error(Match { games: 0, ..hex(&["mcps", "uct"]) }), ArenaError::NoGames);
    assert_eq!(error(hex(&[])).to_string(), "hex:5 takes 1 to 2 agents, not 0");
    assert_eq!(error(hex(&["mcps", "uct", "uct"])).to_string(), "hex:5 takes 1 to 2 agents, not 3");
    let unlimited = |agents: &[&str]| Match { budget: Budget::default(), ..hex(agents) };
    assert_eq!(
        error(unlimited(&["random", "uct:c=1"])).to_string(),
        "uct:c=1 has no budget; set playouts or time for all agents, or for this one as uct:c=1,playouts=1000"
    );
    let empty = Match { budget: Budget::playouts(0), ..hex(&["random", "uct"]) };
    assert_eq!(error(empty).to_string(), "uct has a budget of 0; it needs at least 1 playout or 1us");
    let coding = error(hex(&["random", "mcps:coding=abstrct"])).to_string();
    assert!(coding.starts_with("hex:5 has no coding 'abstrct'"), "{coding}");
    assert!(unlimited(&["random"]).play(&mut |_, _| ()).is_ok());
}

/// Player 1 alone: the good way gives 0.9, the other is a die that gives 0.6 on average.
#[test]
fn one_player_plays_alone() {
    let tree = "tree:(good:([0.9] [0.2]) die:?(3*[0.8] [0]))";
    let alone = contest(tree, &["uct"], 20, 200);
    let (result, records) = run(&alone);
    assert!(records.iter().all(|record| record.moves == ["good", "a"]), "{records:?}");
    let agent = &result.agents[0];
    assert_eq!((agent.score, agent.draws, agent.elo), (0.9, 0, None));
    let error = contest(tree, &[], 1, 1).play(&mut |_, _| ()).unwrap_err();
    assert!(error.to_string().ends_with("takes 1 agent or more, not 0"), "{error}");
}

/// Equal agents play the same games, whoever else plays; another agent plays them in its own way.
#[test]
fn agents_are_compared_in_a_game_for_one() {
    let contest = |agents: &[&str]| contest("tree:(roll:?([1] [0.5] [0]) a:?([0.9] [0.1]))", agents, 30, 4);
    let (result, records) = run(&contest(&["uct", "random", "uct"]));
    let of = |agent: usize| records.iter().filter(move |record| record.seating == [agent]);
    assert!((0..3).all(|agent| of(agent).map(|record| record.number).eq(0..30)));
    assert!(of(0).map(|record| &record.moves).eq(of(2).map(|record| &record.moves)));
    assert!(!of(0).map(|record| &record.moves).eq(of(1).map(|record| &record.moves)));
    let (alone, _) = run(&contest(&["uct"]));
    assert_eq!(
        (alone.agents[0].score, alone.agents[0].ci95),
        (result.agents[2].score, result.agents[2].ci95)
    );
    assert_eq!((result.games, result.agents[1].seats[0].games), (90, 30));
}

/// Chance is drawn anew for each game, by its probabilities.
#[test]
fn chance_is_drawn_by_its_weights() {
    let (result, _) = run(&contest("tree:(roll:?(3*[1] [0]))", &["random"], 4000, 1));
    let wins = 4000.0 * result.agents[0].score;
    // Binomial with standard deviation 27.4; five of them is one failure in two million seeds.
    assert!((wins - 3000.0).abs() < 137.0, "{wins}");
}

/// No seat exceeds its time by more than a millisecond per move, and most of it is used.
#[test]
fn time_for_a_whole_game() {
    let whole = Duration::from_millis(100);
    let budget = Budget { game_time: Some(whole), ..Budget::default() };
    let contest = Match { budget, threads: 1, ..contest("hex:5", &["mcps", "uct"], 2, 1) };
    contest
        .play(&mut |record, _| {
            for time in &record.time {
                assert!(*time < whole + Duration::from_millis(30) && *time > whole / 4, "{time:?}");
            }
        })
        .unwrap();
}
