//! The Go Text Protocol, command by command.

use permutree_arena::GtpEngine;
use permutree_zoo::{Budget, GAMES, agent, game};
use proptest::prelude::*;

fn engine(spec: &str, agent_spec: &str) -> GtpEngine {
    GtpEngine::new(game(spec).unwrap(), agent(agent_spec).unwrap(), Some(Budget::playouts(20)), 1).unwrap()
}

/// The engine's output for these lines.
fn session(spec: &str, agent: &str, input: &[u8]) -> String {
    let mut out = Vec::new();
    engine(spec, agent).serve(&mut &input[..], &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The answers to commands separated by semicolons, without the empty lines that end them.
fn answers(spec: &str, commands: &str) -> Vec<String> {
    let out = session(spec, "random", commands.replace(';', "\n").as_bytes());
    out.split_terminator("\n\n").map(str::to_string).collect()
}

#[track_caller]
fn check(spec: &str, commands: &str, expected: &[&str]) {
    assert_eq!(answers(spec, commands), expected, "{spec}: {commands}");
}

#[test]
fn about_itself() {
    check(
        "go:9",
        "protocol_version;name;known_command genmove;known_command x;known_command",
        &["= 2", "= Permutree", "= true", "= false", "= false"],
    );
    let list = &answers("go:9", "list_commands")[0];
    assert_eq!(list.lines().count(), 24);
    for name in list.trim_start_matches("= ").lines() {
        assert_eq!(answers("go:9", &format!("known_command {name}")), ["= true"]);
        assert!(!answers("go:9", name)[0].starts_with("? unknown"), "{name}");
    }
    assert!(!answers("hex:5", "list_commands")[0].contains("komi"), "GoGui would send it");
    check("hex:5", "komi 0", &["? unknown command"]);
}

#[test]
fn numbers_comments_and_noise() {
    let input = b"\r\n# nothing\n 7  name # who?\r\n8\n9 nonsense \xff\xfe\nquit\nname\n";
    assert_eq!(
        session("hex:5", "random", input),
        "=7 Permutree\n\n?8 unknown command\n\n?9 unknown command\n\n=\n\n",
        "nothing is answered after quit"
    );
    assert_eq!(session("hex:5", "random", b"name"), "= Permutree\n\n", "a last line without a line end");
}

/// To a corner in tic-tac-toe only the centre is a good answer, which 20 playouts seldom see and 2,000 always.
#[test]
fn what_was_found_stays_while_the_game_goes_on() {
    let asked = "reg_genmove 2\n".repeat(100);
    let answers = |agent: &str, before: &str| -> Vec<bool> {
        let out = session("tic-tac-toe", agent, format!("{before}{asked}").as_bytes());
        let answers = out.split_terminator("\n\n").filter(|answer| *answer != "=");
        answers.map(|answer| answer == "= B2").collect()
    };
    let after = |agent: &str, before: &str| answers(agent, before)[90..].iter().all(|centre| *centre);
    assert!(after("uct:reuse=true", "play 1 a1\n"));
    assert!(!after("uct", "play 1 a1\n"));
    // Nothing is kept when moves are undone, or in a new game.
    let elsewhere = format!("play 1 b1\n{asked}");
    for again in ["undo\n", "clear_board\n"] {
        let before = format!("{elsewhere}{again}play 1 a1\n");
        let answers = answers("uct:reuse=true", &before);
        assert!(
            !answers[100..110].iter().all(|centre| *centre) && answers[190..].iter().all(|centre| *centre)
        );
    }
}

#[test]
fn a_game_of_go() {
    check(
        "go:5",
        "play b C3;play w pass;play black PASS;final_score;komi 30;final_score;komi 25;final_score;\
         gogui-rules_final_result;play b A1;genmove w;gogui-rules_legal_moves",
        &[
            "=",
            "=",
            "=",
            "= B+17.5",
            "=",
            "= W+5",
            "=",
            "= 0",
            "= A draw",
            "? illegal move: the game is over",
            "? illegal move: the game is over",
            "=",
        ],
    );
    check(
        "go:3",
        "play b A1;play b A2;gogui-rules_side_to_move;undo;gogui-rules_side_to_move;undo;undo",
        &["=", "=", "= white", "=", "= white", "=", "? cannot undo"],
    );
    check(
        "go:9",
        "komi x;komi 0.3;komi;komi 1000;final_score",
        &[
            "? syntax error: go: komi=x: must be a number -361..361",
            "? syntax error: go: komi=0.3: must be a multiple of 0.5",
            "? syntax error: komi KOMI",
            "? syntax error: go: komi=1000: must be a number -361..361",
            "= W+7.5",
        ],
    );
}

#[test]
fn sizes() {
    check(
        "go:9",
        "boardsize 13;gogui-rules_board_size;boardsize 99;boardsize x;boardsize;gogui-rules_board_size",
        &[
            "=",
            "= 13",
            "? unacceptable size",
            "? syntax error: boardsize SIZE",
            "? syntax error: boardsize SIZE",
            "= 13",
        ],
    );
    check("go:9,komi=3.5", "boardsize 5;final_score", &["=", "= W+3.5"]);
    check("connect4", "boardsize 7;boardsize 8", &["=", "? unacceptable size"]);
    check(
        "hex:5",
        "play b A1;boardsize 5;play b A1;boardsize 3;play b C3;play b C3",
        &["=", "=", "=", "=", "=", "? illegal move: it is the turn of white"],
    );
    check(
        "pig",
        "boardsize 9;gogui-rules_board",
        &["? unacceptable size", "? this game has no board of rows and columns"],
    );
}

#[test]
fn turns_and_colours() {
    check(
        "hex:5",
        "play w A1;play green A1;play b A1 B2;play b Z9;play;play b;genmove;genmove x",
        &[
            "? illegal move: it is the turn of black",
            "? invalid color: green; hex:5 has players 1..2",
            "? syntax error: play COLOUR MOVE",
            "? illegal move: Z9",
            "? syntax error: play COLOUR MOVE",
            "? syntax error: play COLOUR MOVE",
            "? syntax error: genmove COLOUR",
            "? invalid color: x; hex:5 has players 1..2",
        ],
    );
    check(
        "nogo:3,players=3",
        "play b A1;play w B1;gogui-rules_side_to_move;play 3 C1;play 4 A2",
        &["=", "=", "= 3", "=", "? invalid color: 4; nogo:3,players=3 has players 1..3"],
    );
    check(
        "pig:20",
        "play b roll;gogui-rules_side_to_move;genmove w;play chance 1;gogui-rules_side_to_move",
        &["=", "= chance", "? illegal move: it is the turn of chance", "=", "= white"],
    );
}

/// The answers of the chapter on rules in GoGui's manual.
#[test]
fn gogui() {
    check(
        "tic-tac-toe",
        "gogui-rules_game_id;gogui-rules_board_size;play b b2;play w a1;gogui-rules_board",
        &["= Tictactoe", "= 3", "=", "=", "=\n. . .\n. X .\nO . ."],
    );
    check(
        "gomoku:9",
        "play b J9;gogui-rules_legal_moves;gogui-rules_final_result",
        &[
            "=",
            &format!("= {}", {
                let columns = "ABCDEFGHJ".chars();
                let all = (1..=9).flat_map(|row| columns.clone().map(move |column| format!("{column}{row}")));
                all.filter(|vertex| vertex != "J9").collect::<Vec<_>>().join(" ")
            }),
            "= The game is not over",
        ],
    );
    check(
        "tic-tac-toe",
        "play b a1;play w a2;play b b1;play w b2;play b c1;gogui-rules_final_result;final_score",
        &["=", "=", "=", "=", "=", "= Black wins", "= B+1"],
    );
    check("connect4", "play b D1;play w D2;gogui-rules_legal_moves", &["=", "=", "= A1 B1 C1 D3 E1 F1 G1"]);
    check("breakthrough", "play b a2a3;final_score", &["=", "? the game is not over"]);
    assert!(answers("hex:3", "showboard")[0].starts_with("=\n   3  . . .\n"));
}

/// In every game the engine reaches the end against itself, and every move that it makes can be undone and played
/// again.
#[test]
fn every_game_is_played_to_its_end() {
    for name in GAMES.iter().map(|entry| entry.facts.name) {
        let spec = match name {
            "hnefatafl" | "triad" | "tic-tac-chess" | "skirmish" => format!("{name}:60"),
            "go" => "go:5".to_string(),
            _ => name.to_string(),
        };
        let mut engine = engine(&spec, "random");
        let mut ask = |command: &str| {
            let mut out = Vec::new();
            engine.serve(&mut command.as_bytes(), &mut out).unwrap();
            String::from_utf8(out).unwrap().trim_end_matches('\n').to_string()
        };
        for ply in 0.. {
            assert!(ply < 2000, "{spec}");
            if ask("gogui-rules_legal_moves") == "=" {
                break;
            }
            let side = ask("gogui-rules_side_to_move").split_off(2);
            let mv = ask(&format!("genmove {side}")).split_off(2);
            assert!(!mv.contains(' '), "{spec}: {mv}");
            assert_eq!(
                (ask("undo"), ask(&format!("play {side} {mv}"))),
                ("=".into(), "=".into()),
                "{spec}: {mv}"
            );
        }
        assert!(ask("final_score").starts_with("= "), "{spec}");
    }
}

/// Without a budget the clock decides.
#[test]
fn time() {
    let mut engine = GtpEngine::new(game("hex:7").unwrap(), agent("uct").unwrap(), None, 1).unwrap();
    let started = std::time::Instant::now();
    let mut out = Vec::new();
    let input =
        "time_settings 2 0 0\ngenmove b\ntime_left w 1 25\ngenmove w\ntime_left b 1\ntime_settings -1 0 0\n";
    engine.serve(&mut input.as_bytes(), &mut out).unwrap();
    assert!(started.elapsed().as_millis() < 900, "60 ms and 36 ms, not two seconds");
    let out = String::from_utf8(out).unwrap();
    assert!(out.ends_with("? syntax error: time_left COLOUR TIME STONES\n\n? syntax error: time_settings MAIN BYO_YOMI STONES\n\n"), "{out}");
}

const WORDS: &[&str] = &[
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "komi",
    "boardsize",
    "clear_board",
    "final_score",
    "showboard",
    "time_left",
    "time_settings",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "known_command",
    "b",
    "w",
    "black",
    "3",
    "chance",
    "pass",
    "A1",
    "j9",
    "i9",
    "d",
    "a2a3",
    "0",
    "7.5",
    "-1",
    "99999999999999999999",
    "5",
    "#",
    "é",
    "\t",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Whatever the input, every line with a command gets one answer and the session continues.
    #[test]
    fn nothing_ends_the_session(
        which in 0..8usize,
        lines in prop::collection::vec(prop_oneof![
            4 => prop::collection::vec(prop::sample::select(WORDS), 0..4).prop_map(|words| words.join(" ").into_bytes()),
            1 => prop::collection::vec(any::<u8>().prop_filter("one line", |b| *b != b'\n'), 0..40),
        ], 0..40),
    ) {
        let spec = ["go:5", "hex:4", "connect4", "pig:20", "nogo:3,players=3", "nim", "gomoku:9", "yavalath:3"][which];
        let mut input = lines.join(&b'\n');
        input.extend(b"\n77 name\n");
        let quits = lines.iter().any(|line| String::from_utf8_lossy(line).contains("quit"));
        let out = session(spec, "random", &input);
        prop_assert!(quits || out.ends_with("=77 Permutree\n\n"), "{out}");
        for answer in out.split_terminator("\n\n") {
            prop_assert!(answer.starts_with(['=', '?']), "{answer:?}");
        }
    }
}
