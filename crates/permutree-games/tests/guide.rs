//! The guide to adding a game and the READMEs quote the code as it is.

use std::path::Path;

/// Every line of Rust in `docs/add-a-game.md` stands in one of the Rust files that the guide links to.
#[test]
fn the_guide_quotes_what_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read =
        |name: &str| std::fs::read_to_string(docs.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let guide = read("add-a-game.md");
    let links = guide.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    let mut sources: Vec<String> = links.map(read).collect();
    // The tests that the guide tells the reader to write.
    sources.push(read("../crates/permutree-games/tests/games/domineering.rs"));
    let quotes: Vec<&str> = guide
        .split("```rust\n")
        .skip(1)
        .flat_map(|rest| rest.split("```").next().unwrap_or_default().lines())
        .collect();
    assert!(quotes.len() > 10, "{quotes:?}");
    for quote in quotes {
        assert!(sources.iter().any(|source| source.lines().any(|line| line == quote)), "{quote}");
    }
}

/// The example of each README is that of the front page, which the documentation tests run.
#[test]
fn readmes_have_the_example_of_the_front_page() {
    for name in ["permutree-game", "permutree-games"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
        let read =
            |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
        let readme = read("README.md");
        let example = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
        let front: Vec<String> = read("src/lib.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).to_string())
            .collect();
        let front = front.join("\n");
        assert!(example.is_some_and(|example| front.contains(example)), "{name}");
    }
}

/// The front page lists every game.
#[test]
fn the_front_page_lists_the_games() {
    let lib = include_str!("../src/lib.rs");
    let games: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub use ")?.strip_suffix(';')?.split_once("::"))
        .map(|(_, name)| name)
        .collect();
    assert!(games.len() >= 28, "{games:?}");
    for name in games {
        let listed =
            lib.lines().any(|line| line.starts_with("//! ") && line.contains(&format!("[`{name}`]")));
        assert!(listed, "{name} is not on the front page");
    }
}
