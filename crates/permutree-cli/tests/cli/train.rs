use super::{json, keys, permutree, prints};
use std::fs;

/// Learned values are saved, loaded by every command that takes an agent, and refused in other games.
#[test]
fn values_are_learned_saved_and_loaded() {
    let file = std::env::temp_dir().join(format!("permutree-values-{}", std::process::id()));
    let path = file.display();
    let train = format!("train tic-tac-toe sarsa-uct --games 2 --playouts 100 --out {path}");
    let said = prints(&train);
    assert!(said.starts_with("tic-tac-toe, 2 games, seed 1: ") && said.trim().ends_with(&path.to_string()));
    let bytes = fs::read(&file).unwrap();
    let result = json(&train);
    assert_eq!(keys(&result), ["game", "agent", "games", "seed", "positions", "file"]);
    assert_eq!(fs::read(&file).unwrap(), bytes);
    let more = format!("train tic-tac-toe sarsa-uct:values={path} --games 1 --playouts 100 --out {path}");
    assert!(json(&more)["positions"].as_u64() >= result["positions"].as_u64());
    assert_ne!(fs::read(&file).unwrap(), bytes);

    let against = "--against random --against heuristic";
    let taught = json(&format!("train tic-tac-toe {against} --games 4 --playouts 100 --out {path}"));
    assert_eq!(taught["games"], 4);

    let known = json(&format!("search tic-tac-toe sarsa-uct:values={path} --playouts 100"));
    let unknown = json("search tic-tac-toe sarsa-uct --playouts 100");
    assert_ne!(known["moves"], unknown["moves"]);
    prints(&format!("match tic-tac-toe sarsa-uct:values={path} sarsa-uct --games 2 --playouts 50"));

    let refused = |line: &str, part: &str| {
        let run = permutree(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!((run.status, run.out.as_str(), run.err.lines().count()), (Some(2), "", 1), "{}", run.err);
        assert!(run.err.contains(part), "{part}: {}", run.err);
    };
    for command in ["search hex:4", "play hex:4", "gtp hex:4", "match hex:4", "train hex:4 --out x"] {
        let line = format!("{command} sarsa-uct:values={path}");
        refused(&line, "the values were learned in tic-tac-toe, not in hex:4");
    }
    fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
    refused(&format!("search tic-tac-toe sarsa-uct:values={path}"), "it is damaged");
    fs::write(&file, "hello").unwrap();
    refused(&format!("search tic-tac-toe sarsa-uct:values={path}"), "it is not a file of learned values");
    fs::remove_file(&file).unwrap();
    refused(&format!("search tic-tac-toe sarsa-uct:values={path}"), &path.to_string());
    refused(&format!("train tic-tac-toe --out {path}/x"), "error: ");
    refused(&format!("train tic-tac-toe mcps --out {path}"), "mcps learns no values");
    refused(&format!("train tic-tac-toe --against nobody --out {path}"), "nobody");
    refused("train tic-tac-toe", "--out <FILE>");
    assert!(!file.exists());
}
