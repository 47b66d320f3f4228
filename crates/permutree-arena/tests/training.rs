//! Training, and the files that keep what was learned.

use permutree_arena::{ArenaError, Output, Training, agent};
use permutree_zoo::{Budget, Learned, game};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn training(game_spec: &str, agent_spec: &str, games: u64) -> Training {
    let (game, agent) = (game(game_spec).unwrap(), agent(agent_spec).unwrap());
    Training { game, agent, opponents: Vec::new(), games, seed: 3, budget: Budget::playouts(200) }
}

fn learned(training: &Training) -> Learned {
    training.run(&mut |_, _| {}).unwrap()
}

/// A directory of its own for a test.
fn directory(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("permutree-{name}-{}", std::process::id()));
    fs::create_dir_all(&path).unwrap();
    path
}

/// The seed is the result, and every kind of game can be learned: three players, chance, one player.
#[test]
fn games_are_learned() {
    for spec in ["tic-tac-toe", "tic-tac-mo", "pig:20", "same-game"] {
        let once = training(spec, "sarsa-uct", 2);
        let found = learned(&once);
        assert!(found.positions() > 20, "{spec}: {}", found.positions());
        assert_eq!(found.write(), learned(&once).write(), "{spec}");
        assert_ne!(found.write(), learned(&Training { seed: 4, ..once }).write(), "{spec}");
    }
}

/// Training continues from learned values: two games and then one more know all that they met.
#[test]
fn training_goes_on() {
    let first = training("tic-tac-toe", "sarsa-uct", 2);
    let two = learned(&first);
    let more = Training { agent: first.agent.clone().with_values(two.clone()), games: 1, seed: 9, ..first };
    let three = learned(&more);
    assert!(three.positions() >= two.positions());
    assert_ne!(three.write(), two.write());
    let mut counts = Vec::new();
    more.run(&mut |games, learned| counts.push((games, learned.positions()))).unwrap();
    assert_eq!(counts, [(1, three.positions())]);
}

/// Opponents take turns, each against the agent in every seat; nothing is learned from an opponent's search.
#[test]
fn opponents_take_turns() {
    let alone = training("tic-tac-mo", "sarsa-uct", 6);
    let opponents = ["random", "uct"].map(|spec| agent(spec).unwrap()).to_vec();
    let both = Training { opponents, ..alone.clone() };
    let found = learned(&both);
    assert_eq!(found.write(), learned(&both).write());
    assert_ne!(found.write(), learned(&alone).write());
    // The agent searches at its own moves only, so against others it meets fewer positions.
    assert!(found.positions() * 4 < learned(&alone).positions() * 3);
    let first = Training { opponents: both.opponents[..1].to_vec(), games: 1, ..alone.clone() };
    assert_eq!(learned(&first).write(), learned(&Training { games: 1, ..both.clone() }).write());
    let second = Training { games: 2, ..first };
    assert_ne!(learned(&second).write(), learned(&Training { games: 2, ..both.clone() }).write());
    let endless =
        Training { budget: Budget::default(), agent: agent("sarsa-uct:playouts=9").unwrap(), ..both };
    assert!(endless.run(&mut |_, _| {}).unwrap_err().to_string().starts_with("uct has no budget"));
}

#[test]
fn the_stop_flag_ends_training_between_games() {
    let stop = Arc::new(AtomicBool::new(false));
    let mut long = training("tic-tac-toe", "sarsa-uct", 1_000_000);
    long.budget.stop = Some(stop.clone());
    let mut last = 0;
    let found = long.run(&mut |games, _| {
        last = games;
        stop.store(games == 2, Ordering::Relaxed);
    });
    assert_eq!(last, 2);
    assert_eq!(found.unwrap().write(), learned(&training("tic-tac-toe", "sarsa-uct", 2)).write());
}

#[test]
fn refusals() {
    let error = |training: &Training| training.run(&mut |_, _| {}).unwrap_err().to_string();
    let other = training("tic-tac-toe", "mcps", 1);
    assert_eq!(error(&other), "mcps learns no values; agents that do: sarsa-uct");
    assert_eq!(training("tic-tac-toe", "sarsa-uct", 0).run(&mut |_, _| {}).unwrap_err(), ArenaError::NoGames);
    let endless = Training { budget: Budget::default(), ..training("tic-tac-toe", "sarsa-uct", 1) };
    assert!(error(&endless).starts_with("sarsa-uct has no budget"));
    let two = learned(&training("tic-tac-toe", "sarsa-uct", 1));
    let hex = training("hex:4", "sarsa-uct", 1);
    let hex = Training { agent: hex.agent.clone().with_values(two), ..hex };
    assert_eq!(error(&hex), "the values were learned in tic-tac-toe, not in hex:4");
    // An agent whose file was not loaded is refused.
    let unread = permutree_zoo::agent("sarsa-uct:values=x").unwrap();
    let unread = Training { agent: unread, ..training("hex:4", "sarsa-uct", 1) };
    let begun = game("hex:4").unwrap().start().session(&unread.agent, 1).err().unwrap();
    assert_eq!(begun.to_string(), "sarsa-uct:values=x: the values were not loaded");
}

/// A file is replaced as a whole, at the end, and nothing is left beside it.
#[test]
fn files_are_whole() {
    let directory = directory("files");
    let path = directory.join("values");
    let names = || -> Vec<_> {
        let entries = fs::read_dir(&directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    drop(Output::new(&path).unwrap());
    assert!(names().is_empty());

    let found = learned(&training("tic-tac-toe", "sarsa-uct", 1)).write();
    let output = Output::new(&path).unwrap();
    assert!(!path.exists());
    output.finish(&found).unwrap();
    assert_eq!((fs::read(&path).unwrap(), names()), (found.clone(), vec!["values".to_string()]));

    let unfinished = Output::new(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), found);
    drop(unfinished);
    assert_eq!(names(), ["values"]);

    let spec = format!("sarsa-uct:values={}", path.display());
    let read = agent(&spec).unwrap();
    assert_eq!((read.learned().unwrap().write(), read.spec()), (found.clone(), spec.as_str()));
    fs::write(&path, &found[..found.len() / 2]).unwrap();
    assert_eq!(agent(&spec).unwrap_err().to_string(), format!("{}: it is damaged", path.display()));
    assert!(Output::new(&directory).unwrap_err().to_string().ends_with("it is a directory"));
    fs::remove_dir_all(&directory).unwrap();
    assert!(agent(&spec).is_err() && Output::new(&path).is_err());
}
