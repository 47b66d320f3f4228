//! The program as users run it: what it prints, and its errors for invalid input.

mod bench;
mod experiment;
mod external;
mod gtp;
mod matches;
mod play;
mod refusals;
mod results;
mod serve;
mod tournament;
mod train;

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

/// The result of a run of the program.
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

/// Runs the program with these arguments and empty input.
fn permutree<S: AsRef<OsStr>>(args: &[S]) -> Run {
    permutree_reads(args, "")
}

/// Runs the program with these arguments and this input.
fn permutree_reads<S: AsRef<OsStr>>(args: &[S], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_permutree"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends before it has read everything closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// The output of the program with the words of `line` as arguments, which must succeed.
fn prints(line: &str) -> String {
    let args: Vec<&str> = line.split_whitespace().collect();
    let run = permutree(&args);
    assert_eq!((run.status, run.err.as_str()), (Some(0), ""), "{line}");
    run.out
}

/// The JSON that the program prints, and nothing else.
fn json(line: &str) -> Value {
    let out = prints(&format!("{line} --json"));
    assert_eq!(out.lines().count(), 1, "{line}");
    serde_json::from_str(&out).unwrap()
}

/// The keys of an object in their order.
fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}
