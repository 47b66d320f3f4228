//! Experiment files.
//!
//! The games and agents of whatever is accepted are canonical, and an error names a line that the file has. Files are
//! parsed as those of visitors are, so that no agent opens a file or starts a program.

#![no_main]

use libfuzzer_sys::fuzz_target;
use permutree_arena::ArenaError;
use permutree_arena::experiment::Experiment;
use permutree_zoo::{agent, game};
use std::path::Path;
use std::time::Duration;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let experiment = match Experiment::parse_closed(Path::new("experiment.toml"), text) {
        Ok(experiment) => experiment,
        Err(ArenaError::File { line: Some(line), .. }) => {
            assert!((1..=text.matches('\n').count() + 1).contains(&line), "line {line}");
            return;
        }
        Err(error) => panic!("an error without a line: {error}"),
    };
    // A file may have thousands of cells.
    for cell in experiment.cells().take(20) {
        let key = &cell.key;
        assert_eq!(game(&key.game).map(|game| game.spec().to_string()), Ok(key.game.clone()));
        for spec in &key.agents {
            assert_eq!(agent(spec).map(|agent| agent.spec().to_string()), Ok(spec.clone()));
        }
        assert!(cell.total() >= cell.games);
    }
    let cells = experiment.cells().count();
    assert_eq!(experiment.clone().quickly().cells().count(), cells);
    assert!(experiment.clone().at_time(Duration::from_millis(10)).cells().count() <= cells);
    assert!(experiment.at_playouts(1000).cells().all(|cell| cell.key.playouts == Some(1000)));
});
