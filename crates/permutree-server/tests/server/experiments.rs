//! Running, stopping, resuming and keeping experiments.

use crate::client::{Running, serve, serve_with};
use permutree_server::Limits;
use serde_json::{Value, json};

fn toml(games: u32, playouts: u32) -> String {
    format!(
        "title = 'a trial'\ngame = 'hex:5'\nagents = ['mcps', 'uct']\nplayouts = {playouts}\ngames = {games}"
    )
}

fn start(server: &Running, request: &Value) -> String {
    let started = server.post("/api/experiments", request);
    assert_eq!(started.status, 201, "{}", started.text);
    format!("/api/experiments/{}", started.json()["id"].as_str().unwrap())
}

#[test]
fn a_match_runs_to_its_end_and_its_games_can_be_replayed() {
    let server = serve(Limits::default());
    let path = start(&server, &json!({ "toml": toml(10, 50) }));
    let mut shown: Vec<Value> = Vec::new();
    for (name, data) in server.events(&format!("{path}/events")) {
        if name == "experiment" {
            shown.push(serde_json::from_str(&data).unwrap());
        }
    }
    let last = shown.pop().unwrap();
    assert_eq!((&last["state"], &last["played"]), (&json!("done"), &json!(10)));
    let first = &last["tables"][0]["cells"][0]["agents"][0];
    assert_eq!(first["wins"].as_u64().unwrap() + first["losses"].as_u64().unwrap(), 10);
    let games = server.get(&format!("{path}/games?cell=0&from=8")).json();
    assert_eq!(games.as_array().unwrap().len(), 2);
    let game = &games[0];
    let end = server.post("/api/position", &json!({ "game": game["game"], "moves": game["moves"] })).json();
    assert_eq!((&end["turn"], &end["rewards"]), (&json!("over"), &game["rewards"]));
    let report = server.get(&format!("{path}/export?format=markdown"));
    assert!(report.text.contains("mcps against uct"), "{}", report.text);
    let page = server.get(&format!("{path}/export?format=html"));
    assert!(
        page.text.starts_with("<!doctype html>") && page.text.contains("mcps against uct"),
        "{}",
        page.text
    );
    assert_eq!(server.get(&format!("{path}/export?format=jsonl")).text.lines().count(), 10);
    assert_eq!(server.get(&format!("{path}/export?format=../../etc/passwd")).status, 422);
    assert_eq!(server.get(&format!("{path}/games?cell=1")).status, 404);
    assert_eq!(server.send("DELETE", &path, "", None).status, 204);
    assert_eq!(server.get(&path).status, 404);
}

/// An experiment is stopped, kept in a folder and resumed by another server; no game is played twice.
#[test]
fn stopped_and_resumed() {
    let folder = std::env::temp_dir().join(format!("permutree-test-{}", std::process::id()));
    let server = serve_with(Limits::default(), None, Some(&folder));
    let path = start(&server, &json!({ "toml": toml(400, 300) }));
    server.wait(&path, |found| found["played"].as_u64() >= Some(3));
    assert_eq!(server.post(&format!("{path}/resume"), &json!({})).status, 409);
    assert_eq!(server.post(&format!("{path}/stop"), &json!({})).status, 204);
    let stopped = server.wait(&path, |found| found["state"] == "stopped");
    let played = stopped["played"].as_u64().unwrap();
    assert!((3..400).contains(&played));
    drop(server);
    let server = serve_with(Limits::default(), None, Some(&folder));
    assert_eq!(server.get(&path).json()["played"].as_u64(), Some(played));
    assert_eq!(server.post(&format!("{path}/resume"), &json!({})).status, 204);
    let boards = server.wait(&path, |found| found["boards"].as_array().is_some_and(|all| !all.is_empty()));
    assert_eq!(boards["boards"][0]["game"], "hex:5");
    let done = server.wait(&path, |found| found["state"] == "done");
    assert_eq!(done["played"], 400);
    drop(server);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The test is decided long before all games are played.
#[test]
fn a_sequential_test_ends_a_match() {
    let server = serve(Limits::default());
    let text = "game = 'hex:5'\nagents = ['mcps', 'random']\nplayouts = 100\ngames = 5000";
    let path = start(&server, &json!({ "toml": text, "sprt": [0.0, 100.0] }));
    let done = server.wait(&path, |found| found["state"] == "done");
    assert!(done["played"].as_u64() < Some(1000), "{}", done["played"]);
    let sprt = &done["sprt"];
    assert!(sprt["llr"].as_f64() >= sprt["upper"].as_f64() && sprt["verdict"] == "H1", "{sprt}");
}

#[test]
fn refusals() {
    let server = serve(Limits { games: 1000, playouts: 10_000, threads: 2, ..Limits::default() });
    let refused = |request: Value| {
        let refused = server.post("/api/experiments", &request);
        assert_eq!(refused.status, 422, "{}", refused.text);
        refused.error()
    };
    let with = |line: &str| json!({ "toml": format!("game = 'hex:5'\nagents = ['mcps', 'uct']\nplayouts = 10\n{line}") });
    assert!(refused(with("games = 2000")).contains("the limit is 1000"));
    assert!(refused(json!({ "toml": toml(10, 20_000) })).contains("1..10000"));
    assert!(refused(with("gamess = 3")).contains("experiment:4"));
    let searches = "game = 'hex:5'\nagents = 'mcps:playouts=10'\nsearches = 3";
    assert!(refused(json!({ "toml": searches })).contains("does not run `searches`"));
    for agent in ["external:cmd=touch /tmp/x", "sarsa-uct:values=/etc/passwd"] {
        let text = json!({ "toml": format!("game = 'hex:5'\nagents = ['{agent}', 'uct']\nplayouts = 10") });
        assert!(refused(text).contains("not allowed here"), "{agent}");
    }
    // The same spec, assembled by `vary`.
    let parts =
        "game = 'hex:5'\nagents = ['sarsa-uct:val{x}', 'uct']\nvary.x = ['ues=/etc/passwd']\nplayouts = 10";
    assert!(refused(json!({ "toml": parts })).contains("not allowed here"));
    assert!(refused(with("vary.ref = [1, 2]")).contains("ref is in vary"));
    let many: Vec<String> = (0..200).map(|i| i.to_string()).collect();
    let huge = format!(
        "game = 'hex:5'\nagents = ['mcps:ref={{a}}', 'mcps:ref={{b}}']\nplayouts = 10\nvary.a = [{0}]\nvary.b = [{0}]",
        many.join(",")
    );
    assert!(refused(json!({ "toml": huge })).contains("more than 10000 cells"));
    let three = json!({ "toml": "game = 'triad'\nagents = 'mcps'\nplayouts = 10", "sprt": [0.0, 10.0] });
    assert!(refused(three).contains("sprt needs a single match"));
    assert!(refused(json!({ "toml": toml(10, 10), "sprt": [10.0, 0.0] })).contains("the smaller first"));
}
