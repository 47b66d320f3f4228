//! Invalid requests.

use crate::client::{Running, hex, serve, serve_with};
use permutree_server::{Limits, Server};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The next request works.
fn still_works(server: &Running) {
    let found = server.post("/api/position", &hex(&["c3"]));
    assert_eq!(found.status, 200, "{}", found.text);
}

#[test]
fn invalid_input_gets_one_line() {
    let server = serve(Limits::default());
    let refused = |path: &str, body: Value, status: u16, line: &str| {
        let reply = server.post(path, &body);
        assert_eq!(reply.status, status, "{}", reply.text);
        assert!(reply.error().contains(line), "{}", reply.error());
        assert!(!reply.error().contains('\n') && !reply.text.contains("panicked"), "{}", reply.text);
    };
    let search = |game: &str, agent: &str| json!({ "game": game, "agent": agent, "playouts": 100 });
    refused("/api/position", json!({ "game": "hx:5" }), 422, "did you mean 'hex'?");
    refused("/api/position", hex(&["z9"]), 422, "move 1: illegal move 'z9'");
    refused("/api/position", json!({ "game": "hex:5", "move": 1 }), 422, "unknown field `move`");
    refused("/api/position", json!([]), 422, "");
    refused("/api/position", json!({ "game": "hex:5", "moves": vec!["a1"; 10_001] }), 422, "10000 moves");
    refused("/api/position", json!({ "game": "x".repeat(5000) }), 422, "4096 bytes");
    refused("/api/searches", search("hex:5", "mpcs"), 422, "did you mean 'mcps'?");
    refused("/api/searches", search("nim", "ams"), 422, "needs a game with an evaluation");
    refused("/api/searches", search("hex:5", "external:cmd=sh"), 422, "not allowed here");
    refused("/api/searches", search("hex:5", "sarsa-uct:values=/etc/passwd"), 422, "not allowed here");
    refused("/api/searches", search("hex:5", "mcps:threads=64"), 422, "threads per search");
    refused("/api/searches", search("hex:5", "mcps:memory=900GB"), 422, "MB of memory per search");
    refused("/api/searches", search("hex:5", "mcps:playouts=4000000000"), 422, "1..1000000");
    refused("/api/searches", search("hex:5", "mcps:time=2m"), 422, "60s per search");
    refused("/api/searches", json!({ "game": "hex:5", "agent": "mcps" }), 422, "needs a budget");
    refused("/api/searches", json!({ "game": "hex:5", "agent": "mcps", "playouts": 0 }), 422, "1..1000000");
    refused("/api/searches", json!({ "game": "hex:5", "agent": "mcps", "time": "1h" }), 422, "time must be");
    refused("/api/searches/zz/look", json!({ "moves": [] }), 404, "no such search");
    refused("/api/nothing", json!({}), 404, "/openapi.json");
    assert_eq!(server.send("PUT", "/api/position", "", Some(b"")).status, 405);
    assert_eq!(server.send("POST", "/api/position", "content-type: text/plain\r\n", Some(b"{}")).status, 415);
    let json = "content-type: application/json\r\n";
    assert_eq!(server.send("POST", "/api/position", json, Some(b"{\"game\":")).status, 400);
    let huge = vec![b' '; 1 << 20];
    assert_eq!(server.send("POST", "/api/position", json, Some(&huge)).status, 413);
    still_works(&server);
}

/// Only embedded files can be read.
#[test]
fn paths_lead_nowhere_else() {
    let server = serve(Limits::default());
    assert!(server.get("/").text.contains("<title>Permutree"));
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/../../src/lib.rs",
        "/index.html%00.js",
        "/....//....//etc/passwd",
        "/api/experiments/../../etc/passwd",
        "/api/experiments/..%2f..%2fetc%2fpasswd",
        "/api/searches/%ff%fe",
    ] {
        let reply = server.get(path);
        assert!((400..500).contains(&reply.status) && !reply.text.contains("root:"), "{path}: {reply:?}");
    }
    still_works(&server);
}

#[test]
fn visitors_need_the_token() {
    let token = "a-long-token-0123";
    let server = serve_with(Limits::default(), Some(token), None);
    assert_eq!(server.get("/").status, 200);
    for path in ["/api/games", "/openapi.json", "/api/games?token=", "/api/games?token=a-long-token-0124"] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    assert_eq!(server.get(&format!("/api/games?token={token}")).status, 200);
    let bearer = format!("authorization: Bearer {token}\r\n");
    assert_eq!(server.send("GET", "/api/games", &bearer, None).status, 200);

    let everywhere = "0.0.0.0:0".parse().unwrap();
    let refused = |token: Option<&str>| {
        let bound = Server::bind(everywhere, token.map(String::from), Limits::default(), None);
        bound.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(None).contains("set a --token"));
    assert!(refused(Some("short")).contains("at least 16 characters"));
}

/// A foreign page cannot use the server through a host name of its own.
#[test]
fn only_requests_to_this_machine() {
    let server = serve(Limits::default());
    let ask = |host: &str| {
        let head = format!("GET /api/games HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        server.raw(head.as_bytes()).status
    };
    assert_eq!((ask("localhost:99"), ask("127.0.0.1"), ask("[::1]:80")), (200, 200, 200));
    assert_eq!((ask("evil.example"), ask("127.0.0.1.evil.example"), ask("")), (403, 403, 403));
}

/// The server of the property tests.
fn shared() -> &'static Running {
    static SERVER: OnceLock<Running> = OnceLock::new();
    let limits = || Limits { playouts: 500, sessions: 50, games: 20, ..Limits::default() };
    SERVER.get_or_init(|| serve(limits()))
}

/// Nested JSON that mixes arbitrary values with valid keys and words.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "hex:5",
        "go:5",
        "nim",
        "pig",
        "tree:",
        "tsp",
        "mcps",
        "uct:c=NaN",
        "nrpa",
        "c3",
        "pass",
        "roll",
        "10ms",
        "tree:((0,1),(1,0))",
        "hex:26",
        "go:99999999999",
        "same-game:seed=5",
        "random",
        "mcps:ref=-1",
        "\u{0}",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        words.prop_map(Value::from),
    ];
    let keys = prop::sample::select(vec![
        "game", "moves", "agent", "playouts", "time", "seed", "roll", "toml", "quick", "sprt", "x",
    ]);
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..6).prop_map(|pairs| {
                Value::Object(pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
            }),
        ]
    })
}

const PATHS: [&str; 6] = [
    "/api/position",
    "/api/searches",
    "/api/experiments",
    "/api/searches/0/look",
    "/api/searches/0/stop",
    "/api/experiments/0/resume",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Any JSON gets an answer or a refusal, never an internal error.
    #[test]
    fn any_json_is_answered(path in prop::sample::select(&PATHS[..]), body in any_json()) {
        let reply = shared().post(path, &body);
        prop_assert!((200..500).contains(&reply.status), "{path} {body}: {reply:?}");
        still_works(shared());
    }

    /// Nearly valid requests: known keys with fitting and unfitting values.
    #[test]
    fn nearly_right_requests_are_answered(
        game in "(hex:[0-9]{1,3}|go:[0-9]{1,2}|nim:[a-z0-9,]{0,8}|tsp:[0-9]{1,4}|tree:[()0-9,.]{0,20}|triad|pig)",
        agent in "(mcps|uct|grave|nrpa|nmcs|vgs|ams|flat|random)(:[a-z]{1,6}=[0-9.e-]{1,4})?",
        moves in prop::collection::vec("([a-z][0-9]{1,2}|pass|roll|[0-9])", 0..4),
        playouts in any::<i32>(),
        search in any::<bool>(),
    ) {
        let position = json!({ "game": game, "moves": moves });
        let wanted = json!({ "game": game, "moves": moves, "agent": agent, "playouts": playouts });
        let reply = match search {
            true => shared().post("/api/searches", &wanted),
            false => shared().post("/api/position", &position),
        };
        prop_assert!((200..500).contains(&reply.status), "{wanted}: {reply:?}");
        still_works(shared());
    }

    /// Bytes that are not HTTP.
    #[test]
    fn any_bytes_leave_the_server_alive(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let status = shared().raw_in_a_moment(&[&bytes[..], b"\r\n\r\n"].concat()).status;
        prop_assert!(status == 0 || (200..500).contains(&status), "{status}");
        still_works(shared());
    }
}
