use super::{json, keys, prints};

/// What every search finds. A commit that changes a line on purpose says so; if a line changes otherwise, something is
/// broken. `BLESS=1 cargo test -p permutree-cli --test cli bench` writes the file.
const PINNED: &str = include_str!("../../signatures.txt");

#[test]
fn rows_and_signature() {
    let bench = json("bench tic-tac-toe connect4 --agents uct:c=1.4 --agents mcps grave --playouts 100");
    assert_eq!(keys(&bench), ["rows", "signature", "signatures"]);
    let rows = bench["rows"].as_array().unwrap();
    let agents = ["random", "uct:c=1.4", "mcps", "grave"];
    assert_eq!(rows.len(), 2 * agents.len());
    for (row, (game, agent)) in rows
        .iter()
        .zip(["tic-tac-toe", "connect4:7"].iter().flat_map(|game| agents.map(|agent| (game, agent))))
    {
        assert_eq!(keys(row), ["game", "agent", "playouts", "playouts_per_s"]);
        assert_eq!((row["game"].as_str(), row["agent"].as_str()), (Some(*game), Some(agent)));
        assert_eq!(row["playouts"], 100);
        assert!(row["playouts_per_s"].as_f64().unwrap() > 100.0, "{row}");
    }
}

#[test]
fn every_search_finds_what_it_found() {
    let bench = json("bench tic-tac-toe --agents random --playouts 1");
    let mut found = String::new();
    for kind in ["games", "agents"] {
        found += &format!("[{kind}]\n");
        for (name, signature) in bench["signatures"][kind].as_object().unwrap() {
            found += &format!("{} {name}\n", signature.as_str().unwrap());
        }
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/signatures.txt"), &found).unwrap();
        return;
    }
    let changed: Vec<(&str, &str)> =
        found.lines().zip(PINNED.lines()).filter(|(now, then)| now != then).collect();
    assert!(found == PINNED, "changed (now, then): {changed:#?}");
}

#[test]
fn the_table_is_readable() {
    let text = prints("bench tic-tac-toe --playouts 100");
    for part in ["random", "grave", "mcps/grave", "per second", "microseconds", "\nsignature "] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
