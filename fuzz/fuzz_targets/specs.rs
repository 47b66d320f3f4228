//! Specs of games and agents, and the units in them.
//!
//! The canonical spec of whatever is accepted must name the same game or agent again. No file is opened and no program
//! started: an agent that wants one is only parsed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_arena::{closed_agent, experiment::Shard};
use permutree_zoo::{Agent, agent, game, gdl, parse_bytes, parse_duration, parse_playouts};
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    gdl::confine_if_open();
    check_game(text);
    check_agent(text);
    check_units(text);
});

fn check_game(text: &str) {
    let Ok(found) = game(text) else { return };
    let again = game(found.spec()).unwrap_or_else(|error| panic!("{}: {error}", found.spec()));
    assert_eq!(again.spec(), found.spec());
    assert_eq!(again.players(), found.players());
    assert_eq!(again.codings(), found.codings());
    for coding in 0..found.codings().len() {
        assert_eq!(again.codes(coding), found.codes(coding));
    }
    let (start, same) = (found.start(), again.start());
    assert_eq!(same.turn(), start.turn());
    assert_eq!(same.board(), start.board());
    assert_eq!(same.moves(), start.moves());
}

fn check_agent(text: &str) {
    let Ok(found) = agent(text) else { return };
    let again = agent(found.spec()).unwrap_or_else(|error| panic!("{}: {error}", found.spec()));
    // The spec alone would not do: one that reads back as other parameters may still be canonical.
    // Only the notes may differ: the spec has the new names of parameters.
    let shape = |agent: &Agent| format!("{agent:?}").replace(&format!("notes: {:?}", agent.notes()), "");
    assert_eq!(shape(&again), shape(&found));
    let open = found.external().is_some() || found.values_file().is_some();
    assert_eq!(closed_agent(text).is_err(), open);
    if !open {
        assert_eq!(
            permutree_arena::agent(text).map(|agent| agent.spec().to_string()),
            Ok(found.spec().to_string())
        );
    }
}

fn check_units(text: &str) {
    if let Ok(time) = parse_duration(text) {
        assert!((Duration::from_micros(1)..=Duration::from_secs(86_400)).contains(&time));
    }
    if let Ok(bytes) = parse_bytes(text) {
        assert!(bytes >= 1 << 20);
    }
    if let Ok(playouts) = parse_playouts(text) {
        assert!((1..=u64::from(u32::MAX)).contains(&playouts));
    }
    let _ = text.parse::<Shard>();
}
