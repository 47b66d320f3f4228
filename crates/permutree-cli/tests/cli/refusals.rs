use super::{Run, permutree};

/// Invalid input gives one line that contains `part`, status 2, and nothing else.
fn refused(run: &Run, part: &str) {
    assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
    assert!(run.err.starts_with("error: ") && run.err.contains(part), "{part}: {}", run.err);
}

fn check(line: &str, part: &str) {
    let args: Vec<&str> = line.split_whitespace().collect();
    refused(&permutree(&args), part);
}

#[test]
fn memory() {
    for size in ["3", "0MB", "-1MB", "many"] {
        check(&format!("search hex --memory {size}"), "must be a size such as");
    }
}

#[test]
fn games_and_agents() {
    for command in ["search", "play", "gtp", "codes", "bench", "games", "perft --depth 1"] {
        check(&format!("{command} hexx"), "unknown game 'hexx'; did you mean 'hex'? games: atarigo, ");
    }
    for command in ["search hex", "play hex", "gtp hex", "bench hex --agents", "agents"] {
        check(&format!("{command} mpcs"), "unknown agent 'mpcs'; did you mean 'mcps'? agents: best, mcps, ");
    }
    for command in ["search hex", "play hex", "gtp hex", "bench hex --agents"] {
        check(&format!("{command} mcps:coding=abstract"), "hex:7 has no coding 'abstract'; codings: exact");
        check(&format!("{command} mcps:playouts=0"), "playouts=0: must be");
        check(&format!("{command} uct:b=1"), "uct has no parameter 'b'");
        check(
            &format!("{command} uct:policy=pattern"),
            "hex:7 has no patterns for playouts; policies for it: uniform, mast, nst, heuristic",
        );
    }
    check("search chess", "unknown game 'chess'; games: atarigo, ");
    check("search hex:sise=7", "did you mean 'size'?");
    for size in ["2", "20", "-7", "0", "99999999999999999999", "x"] {
        check(&format!("search hex:{size}"), "must be a whole number 3..19");
    }
    check("search hex:7,opening=z9", "must be a cell from a1 to g7");
    check("search hex:", "a value is missing");
    refused(&permutree(&["search", ""]), "unknown game ''");
    refused(&permutree(&["search", "hex", ""]), "unknown agent ''");
}

#[test]
fn moves() {
    check("search hex --moves zz", "illegal move 'zz'; legal moves: a1 b1 ");
    check("search hex --moves a1,a1", "illegal move 'a1'; legal moves: b1 ");
    check("perft connect4 --depth 2 --moves d,d,d,d,d,d,d", "illegal move 'd'");
    check("search tic-tac-toe --moves a1,a2,b1,b2,c1,c2", "illegal move 'c2': the game is over");
    check(
        "search pig --moves roll",
        "chance's turn, so there is no move to search for; add an outcome to --moves: 1 2",
    );
    check("search pig --moves roll,7", "illegal move '7'");
}

#[test]
fn numbers() {
    for playouts in ["0", "-1", "1.5", "x", "99999999999999999999"] {
        for command in ["search hex", "codes hex", "bench hex", "play hex"] {
            check(&format!("{command} --playouts {playouts}"), "must be a whole number 1..4294967295");
        }
    }
    for time in ["0s", "-1s", "5", "s", "1e400s", "NaNs", "2d"] {
        check(&format!("search hex --time {time}"), "must be a time such as");
        check(&format!("play hex --time {time}"), "must be a time such as");
    }
    refused(&permutree(&["search", "hex", "--time", ""]), "must be a time such as");
    for depth in ["0", "-1", "65", "1e3", "99999999999999999999"] {
        check(&format!("perft hex --depth {depth}"), "must be a whole number 1..64");
    }
    check("search hex --seed -1", "must be a whole number 0..18446744073709551615");
    check("search hex --top x", "must be a whole number");
    for seat in ["0", "3", "18446744073709551615"] {
        check(&format!("play hex --seat {seat}"), "hex:7 has seats 1..2");
    }
}

#[test]
fn tests_that_end_matches() {
    for sprt in ["0", "10,0", "5,5", "0,10,20", "a,b", "NaN,1", "0,inf", "-1001,0", ",", "0,"] {
        check(
            &format!("match hex:3 uct random --sprt {sprt}"),
            "must be two Elo differences, the smaller first, such as 0,10",
        );
    }
    check("match hex:3 uct --sprt 0,10", "--sprt needs 2 agents in a game for 2 players");
    check("match tsp:5 uct random --sprt 0,10", "tsp:5");
    check("match nogo:5,players=3 uct random random --sprt 0,10", "is for 3, and the number of agents is 3");
}

#[test]
fn tournaments() {
    check("tournament hex:3 uct", "a tournament takes 2 agents or more, not 1");
    check("tournament hex:3 uct --system swiss", "a tournament takes 2 agents or more, not 1");
    check("tournament tsp:5 uct random", "is for one player; a tournament needs a game for 2 or more");
    check("tournament hex:3", "<AGENT>");
    check("tournament hexx uct random", "unknown game 'hexx'");
    check("tournament hex:3 uct random mpcs", "unknown agent 'mpcs'");
    check("tournament hex:3 uct random mcps:coding=abstract", "hex:3 has no coding 'abstract'");
    check("tournament hex:3 uct random --system knockout", "possible values: round-robin, gauntlet, swiss");
    check("tournament hex:3 uct random --rounds 3", "--rounds needs --system swiss");
    check(
        "tournament hex:3 uct random --system swiss --rounds 0",
        "--rounds 0: must be a whole number 1..1000",
    );
    check("tournament hex:3 uct random --games 0", "must be a whole number 1..1000000000");
    check("tournament hex:3 uct random --threads 2000", "must be a whole number 0..1024");
}

#[test]
fn usage() {
    check("search", "required arguments were not provided: <GAME>");
    check("perft hex", "--depth <D>");
    check("serch hex", "unrecognized subcommand 'serch'");
    check("search hex --plyouts 5", "unexpected argument '--plyouts'");
    check("search hex uct grave", "unexpected argument 'grave'");
    check("search hex --clock moon", "possible values: wall, thread");
    check("bench hex --agents", "a value is required");
    check("play hex --json", "unexpected argument '--json'");
    // Input cannot break the line.
    refused(&permutree(&["search", "a\nb\r\u{1b}c"]), "unknown game 'a\\nb\\r\\u{1b}c'");
    refused(&permutree(&["a\n\nUsage: b"]), "unrecognized subcommand");
    assert_eq!(permutree::<&str>(&[]).status, Some(2));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::process::{Command, Stdio};

    #[test]
    fn bytes_that_are_no_text() {
        let bytes = OsStr::from_bytes(b"\xff\xfe");
        for args in [
            vec!["search".as_ref(), bytes],
            vec!["search".as_ref(), "hex".as_ref(), bytes],
            vec!["search".as_ref(), "hex".as_ref(), "--moves".as_ref(), bytes],
            vec!["search".as_ref(), "hex".as_ref(), "--time".as_ref(), bytes],
            vec![bytes],
        ] {
            refused(&permutree(&args), "");
        }
    }

    /// As in `permutree games | head -1`.
    #[test]
    fn nobody_reads() {
        for args in [&["games"][..], &["search", "hex:5", "--json", "--playouts", "100"], &["play", "hex"]] {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = Command::new(env!("CARGO_BIN_EXE_permutree"))
                .args(args)
                .stdin(Stdio::null())
                .stdout(writer)
                .stderr(Stdio::piped())
                .output()
                .unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{args:?}: {output:?}");
        }
    }
}
