//! Positions and searches.

use crate::client::{hex, serve};
use permutree_server::Limits;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn every_game_and_agent_is_listed_and_can_be_started() {
    let server = serve(Limits::default());
    let games = server.get("/api/games").json();
    assert_eq!(games.as_array().unwrap().len(), permutree_zoo::GAMES.len());
    for game in games.as_array().unwrap() {
        let found = server.post("/api/position", &json!({ "game": game["name"], "roll": 1 }));
        assert_eq!(found.status, 200, "{}", found.text);
        assert_eq!(found.json()["turn"], "player", "{}", game["name"]);
        assert!(found.json()["picture"].as_str().unwrap().starts_with("<svg"));
    }
    let agents = server.get("/api/agents").json();
    let names: Vec<&str> =
        agents.as_array().unwrap().iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["best", "mcps"]);
    assert!(!names.contains(&"external"));
}

#[test]
fn positions_are_specs_and_moves() {
    let server = serve(Limits::default());
    let found = server.post("/api/position", &hex(&["C3", "b2"])).json();
    assert_eq!((&found["moves"], &found["player"]), (&json!(["c3", "b2"]), &json!(1)));
    assert_eq!(found["legal"].as_array().unwrap().len(), 23);
    assert!(found["picture"].as_str().unwrap().contains("data-place=\"e5\""));
    let colours = found["colours"].as_array().unwrap();
    assert_eq!(colours.len(), 2);
    for colour in colours {
        let fill = format!("fill=\"{}\"", colour.as_str().unwrap());
        assert!(found["picture"].as_str().unwrap().contains(&fill), "{fill}");
    }
    let over = server
        .post("/api/position", &json!({ "game": "tic-tac-toe", "moves": ["a1", "b1", "a2", "b2", "a3"] }));
    assert_eq!(over.json()["rewards"], json!([1.0, 0.0]));
    // The same seed rolls the same number, and then a player is to move.
    let roll = json!({ "game": "pig", "moves": ["roll"], "roll": 7 });
    let [first, again] = [0, 1].map(|_| server.post("/api/position", &roll).json()["moves"].clone());
    assert_eq!((&first, first.as_array().unwrap().len()), (&again, 2));
}

#[test]
fn a_search_has_events_and_a_tree() {
    let server = serve(Limits::default());
    let request = json!({ "game": "hex:5", "agent": "mcps", "playouts": 2000, "moves": ["c3"] });
    let (id, found) = server.search(&request);
    assert_eq!(found["playouts"], 2000);
    let marks: Vec<u64> = server
        .events(&format!("/api/searches/{id}/events"))
        .filter(|(name, _)| name == "mark")
        .map(|(_, data)| serde_json::from_str::<Value>(&data).unwrap()["playouts"].as_u64().unwrap())
        .collect();
    assert_eq!(marks[..6], [1, 2, 3, 4, 5, 6]);
    assert!(marks.windows(2).all(|pair| pair[0] < pair[1]) && marks.len() > 25, "{marks:?}");
    // In slices or in one go, the same seed gives the same result.
    let (_, again) = server.search(&request);
    assert_eq!(found["moves"], again["moves"]);
    let whole = {
        let mut position = permutree_zoo::game("hex:5").unwrap().start();
        position.play_all("c3").unwrap();
        let mut session = position.session(&permutree_zoo::agent("mcps").unwrap(), 1).unwrap();
        session.advance(&permutree_zoo::Budget::playouts(2000));
        session.report()
    };
    let visits: Vec<u64> = whole.moves.iter().map(|found| found.visits).collect();
    let shown: Vec<u64> =
        found["moves"].as_array().unwrap().iter().map(|found| found["visits"].as_u64().unwrap()).collect();
    assert_eq!(visits, shown);
    // One level down are the playouts of the best move.
    let best = &found["moves"][0];
    let path = format!("/api/searches/{id}/look");
    let below = server.post(&path, &json!({ "moves": [best["move"]] })).json();
    let count = below["playouts"].as_u64().unwrap();
    assert!(count >= best["visits"].as_u64().unwrap() && below["moves"][0]["permutation"]["count"].is_u64());
    assert_eq!(server.post(&path, &json!({ "moves": [best["move"], best["move"]] })).status, 422);
}

#[test]
fn a_search_can_be_stopped_and_dropped() {
    let server = serve(Limits::default());
    let request = json!({ "game": "hex:11", "agent": "mcps", "time": "50s" });
    let id = server.post("/api/searches", &request).json()["id"].as_str().unwrap().to_string();
    let path = format!("/api/searches/{id}");
    server.wait(&path, |found| found["report"]["playouts"].as_u64() > Some(100));
    assert_eq!(server.post(&format!("{path}/stop"), &json!({})).status, 200);
    let found = server.wait(&path, |found| found["state"] == "stopped");
    assert!(found["report"]["moves"][0]["visits"].as_u64() > Some(0));
    assert_eq!(server.send("DELETE", &path, "", None).status, 204);
    assert_eq!(server.get(&path).status, 404);
}

/// In slices, every agent uses its whole budget and chooses the same move as in one go.
#[test]
fn every_agent_searches() {
    let server = serve(Limits::default());
    let agents = server.get("/api/agents").json();
    for agent in agents.as_array().unwrap() {
        let spec = agent["name"].as_str().unwrap();
        let (_, found) =
            server.search(&json!({ "game": "order-and-chaos:5", "agent": spec, "playouts": 300, "seed": 3 }));
        let game = permutree_zoo::game("order-and-chaos:5").unwrap();
        let mut session = game.start().session(&permutree_zoo::agent(spec).unwrap(), 3).unwrap();
        session.advance(&permutree_zoo::Budget::playouts(300));
        let whole = session.report();
        assert_eq!(found["playouts"], whole.playouts, "{spec}");
        assert_eq!(found["moves"][0]["move"], whole.moves[0].mv, "{spec}");
    }
}

/// Budgets in time and several threads make results that another run does not repeat, and reports say so.
#[test]
fn reports_say_whether_another_run_repeats_them() {
    let server = serve(Limits { threads: 2, ..Limits::default() });
    for (agent, budget, deterministic) in [
        ("mcps", json!({ "playouts": 200 }), true),
        ("mcps", json!({ "time": "10ms" }), false),
        ("mcps:time=10ms", json!({}), false),
        ("mcps:threads=2", json!({ "playouts": 200 }), false),
        ("mcps:threads=2,parallel=root", json!({ "playouts": 200 }), false),
    ] {
        let mut request = json!({ "game": "hex:5", "agent": agent });
        request.as_object_mut().unwrap().extend(budget.as_object().unwrap().clone());
        assert_eq!(server.search(&request).1["deterministic"], deterministic, "{request}");
    }
}

/// Links from before the parameter was renamed still work.
#[test]
fn old_names_of_parameters_are_read() {
    let server = serve(Limits::default());
    let found = |agent: &str| {
        let request = json!({ "game": "hex:5", "agent": agent, "playouts": 200 });
        (
            server.post("/api/searches", &request).json()["agent"].clone(),
            server.search(&request).1["moves"].clone(),
        )
    };
    assert_eq!(found("mcps:playout=mast"), found("mcps:policy=mast"));
}

/// A new search has a report soon, even while long searches run.
#[test]
fn a_new_search_does_not_wait_for_long_ones() {
    let server = serve(Limits { threads: 1, ..Limits::default() });
    let long = json!({ "game": "hex:9", "agent": "uct", "time": "30s" });
    for _ in 0..6 {
        assert_eq!(server.post("/api/searches", &long).status, 201);
    }
    let started = Instant::now();
    let click = json!({ "game": "hex:9", "agent": "mcps", "playouts": 1000 });
    let id = server.post("/api/searches", &click).json()["id"].as_str().unwrap().to_string();
    let first = server.events(&format!("/api/searches/{id}/events")).next().unwrap();
    assert_eq!(first.0, "mark");
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

/// Trees are dropped when other searches need the memory, and rebuilt on request.
#[test]
fn trees_come_back() {
    let server = serve(Limits { memory: 8 << 20, ..Limits::default() });
    let request = json!({ "game": "hex:7", "agent": "mcps:memory=2MB", "playouts": 1500 });
    let (id, found) = server.search(&request);
    let best = json!({ "moves": [found["moves"][0]["move"]] });
    let path = format!("/api/searches/{id}/look");
    let before = server.post(&path, &best).json();
    for _ in 0..12 {
        server.search(&request);
    }
    let again = server.post(&path, &best).json();
    assert!(again["moves"] == before["moves"] && before["moves"].is_array());
}

#[test]
fn searches_have_a_limit_and_an_idle_timeout() {
    let timeout = Duration::from_millis(300);
    let server = serve(Limits { sessions: 3, session_timeout: timeout, ..Limits::default() });
    let request = json!({ "game": "hex:5", "agent": "mcps", "playouts": 100 });
    for _ in 0..3 {
        server.search(&request);
    }
    let refused = server.post("/api/searches", &request);
    assert_eq!((refused.status, refused.error().contains("the limit of 3 searches")), (429, true));
    std::thread::sleep(2 * timeout);
    server.search(&request);
}
