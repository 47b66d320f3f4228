use super::{json, keys, prints};

/// A change of what any search finds changes this number. It is changed here on purpose, in the commit that changes
/// the search, and that commit says so; if it changes otherwise, something is broken.
const SIGNATURE: &str = "1105aa17d918491c";

#[test]
fn rows_and_signature() {
    let bench = json("bench tic-tac-toe connect4 --agents uct:c=1.4 --agents mcps grave --playouts 100");
    assert_eq!(keys(&bench), ["rows", "signature"]);
    assert_eq!(bench["signature"], SIGNATURE);
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
fn the_table_is_readable() {
    let text = prints("bench tic-tac-toe --playouts 100");
    for part in
        ["random", "grave", "mcps/grave", "per second", "microseconds", &format!("signature {SIGNATURE}\n")]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}
