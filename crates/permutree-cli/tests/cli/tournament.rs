use super::{json, keys, prints};
use serde_json::json as value;

#[test]
fn everybody_against_everybody() {
    let line = "tournament tic-tac-toe random uct:playouts=50 flat --playouts 20 --games 20";
    let text = prints(line);
    assert!(text.starts_with("tic-tac-toe, round-robin, 3 matches, 60 games, seed 1\n\nagent"), "{text}");
    for part in ["Elo  95 % interval  games  score %", "1 uct:playouts=50", "3 random", "against", "(Holm)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let result = json(line);
    assert_eq!(
        keys(&result),
        ["game", "system", "games", "seed", "deterministic", "ladder", "comparisons", "matches"]
    );
    let ladder = result["ladder"].as_array().unwrap();
    assert_eq!(keys(&ladder[0]), ["agent", "spec", "elo", "ci95", "games", "score", "group"]);
    assert_eq!((&ladder[0]["agent"], &ladder[2]["spec"]), (&value!(2), &value!("random")));
    let elo = |place: usize| ladder[place]["elo"].as_f64().unwrap();
    assert!(elo(0) > elo(1) && elo(1) > elo(2) && (elo(0) + elo(1) + elo(2)).abs() < 1e-6, "{result}");
    let comparisons = result["comparisons"].as_array().unwrap();
    assert_eq!(
        keys(&comparisons[0]),
        ["agents", "games", "score", "wins", "draws", "losses", "superiority", "p_holm"]
    );
    let pairs: Vec<_> = comparisons.iter().map(|met| met["agents"].clone()).collect();
    assert_eq!(pairs, [value!([1, 2]), value!([1, 3]), value!([2, 3])]);
    assert_eq!(result, json(&format!("{line} --threads 3")));

    // A match of the tournament can be played again by itself.
    let first = &result["matches"][0];
    assert_eq!(keys(first), ["agents", "games", "score", "wins", "draws", "losses", "round", "seed"]);
    let specs = ["random", "uct:playouts=50", "flat"];
    let spec = |i: usize| specs[first["agents"][i].as_u64().unwrap() as usize - 1];
    let (a, b, seed) = (spec(0), spec(1), &first["seed"]);
    let again = json(&format!("match tic-tac-toe {a} {b} --playouts 20 --games 20 --seed {seed}"));
    assert_eq!(again["agents"][0]["wins"], first["wins"]);
}

#[test]
fn other_systems() {
    let result = json("tournament hex:3 random random random random --games 2 --system gauntlet");
    let pairs: Vec<_> =
        result["matches"].as_array().unwrap().iter().map(|met| met["agents"].clone()).collect();
    assert_eq!(pairs, [value!([1, 2]), value!([1, 3]), value!([1, 4])]);
    let result = json("tournament hex:3 random random random random random --games 2 --system swiss");
    assert_eq!(result["matches"].as_array().unwrap().len(), 6, "3 rounds of 2, one waits");
    // After one round there are two pairs that are not connected.
    let line = "tournament nogo:3,players=3 random random random random --games 6 --system swiss --rounds 1";
    let text = prints(line);
    assert!(text.contains("group") && text.contains("never met"), "{text}");
    let groups: Vec<_> =
        json(line)["ladder"].as_array().unwrap().iter().map(|agent| agent["group"].clone()).collect();
    assert_eq!(groups, [1, 1, 3, 3]);
}
