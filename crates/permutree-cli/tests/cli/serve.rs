//! `permutree serve` as a process of its own: under load, and with wrong arguments.

use crate::permutree;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(args: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_permutree"))
            .args(["serve", "--bind", "127.0.0.1:0"])
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().trim_start_matches("http://").trim_end_matches('/').to_string();
        Self { process, address }
    }

    /// The status and the text of an answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (head, text) = reply.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), text.to_string())
    }

    /// The most memory that the process has used, in bytes.
    #[cfg(target_os = "linux")]
    fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// 200 visitors at once, each with a search of 1,000 playouts: they wait for each other, none is refused or fails, and the
/// memory stays below 500 MB. With `--nocapture` it prints how long it took; docs/results/load.md has that.
#[test]
#[cfg(target_os = "linux")]
fn two_hundred_visitors() {
    const VISITORS: usize = 200;
    let server = Server::start(&[]);
    let started = Instant::now();
    let waits: Vec<Duration> = std::thread::scope(|scope| {
        let visit = |i: usize| {
            let server = &server;
            scope.spawn(move || {
                let game = ["hex:11", "go:9", "breakthrough", "gomoku:15"][i % 4];
                let search = json!({ "game": game, "agent": "mcps", "playouts": 1000, "seed": i });
                let (status, text) = server.ask("POST", "/api/searches", &search.to_string());
                assert_eq!(status, 201, "{text}");
                let id = serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_string();
                let (status, story) = server.ask("GET", &format!("/api/searches/{id}/events"), "");
                assert_eq!(status, 200);
                assert!(story.contains("event: end") && story.contains("\"done\""), "{game}");
                let (_, text) = server.ask("GET", &format!("/api/searches/{id}"), "");
                let found: Value = serde_json::from_str(&text).unwrap();
                assert_eq!((&found["state"], &found["report"]["playouts"]), (&json!("done"), &json!(1000)));
                started.elapsed()
            })
        };
        let visits: Vec<_> = (0..VISITORS).map(visit).collect();
        visits.into_iter().map(|visit| visit.join().unwrap()).collect()
    });
    let peak = server.peak_memory();
    println!(
        "{VISITORS} searches of 1,000 playouts in {:.1} s, at most {} MB",
        waits.iter().max().unwrap().as_secs_f64(),
        peak >> 20
    );
    assert!(peak < 500 << 20, "{} MB", peak >> 20);
    assert_eq!(server.ask("GET", "/api/limits", "").0, 200);
}

#[test]
fn wrong_arguments() {
    for (args, line) in [
        (vec!["--bind", "0.0.0.0:0"], "set a --token"),
        (vec!["--bind", "0.0.0.0:0", "--token", "abc"], "at least 16 characters"),
        (vec!["--bind", "nowhere"], "invalid value 'nowhere'"),
        (vec!["--memory", "3"], "must be a size such as"),
        (vec!["--data", "/dev/null/x", "--bind", "127.0.0.1:0"], "/dev/null/x"),
    ] {
        let run = permutree(&[&["serve"], &args[..]].concat());
        assert_eq!(run.status, Some(2), "{args:?}");
        assert!(run.err.contains(line) && run.err.lines().count() == 1, "{}", run.err);
    }
}
