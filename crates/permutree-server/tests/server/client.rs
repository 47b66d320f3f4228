//! A server on a free port, and a client that can also send invalid requests.

use permutree_server::{Limits, Server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The one-line explanation of a refusal.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_string()
    }
}

pub(crate) fn serve(limits: Limits) -> Running {
    serve_with(limits, None, None)
}

pub(crate) fn serve_with(limits: Limits, token: Option<&str>, data: Option<&std::path::Path>) -> Running {
    let any = "127.0.0.1:0".parse().unwrap();
    let server = Server::bind(any, token.map(String::from), limits, data).unwrap();
    let (address, stop) = (server.address(), Arc::new(AtomicBool::new(false)));
    let flag = stop.clone();
    let thread = std::thread::spawn(move || server.run(&flag).unwrap());
    Running { address, stop, thread: Some(thread) }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Running {
    pub(crate) fn get(&self, path: &str) -> Reply {
        self.send("GET", path, "", None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, "content-type: application/json\r\n", Some(body.to_string().as_bytes()))
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &str, body: Option<&[u8]>) -> Reply {
        let length = body.map_or(String::new(), |body| format!("content-length: {}\r\n", body.len()));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}{length}\r\n",
            self.address
        );
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body.unwrap_or_default());
        self.raw(&bytes)
    }

    /// Sends these bytes.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Reply {
        self.exchange(self.connect(), bytes)
    }

    /// Sends these bytes and does not wait long: they may be half of a request.
    pub(crate) fn raw_in_a_moment(&self, bytes: &[u8]) -> Reply {
        let stream = self.connect();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        self.exchange(stream, bytes)
    }

    fn exchange(&self, mut stream: TcpStream, bytes: &[u8]) -> Reply {
        // The server may refuse a long body without reading it.
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8_lossy(&reply).into_owned();
        let (head, text) = reply.split_once("\r\n\r\n").unwrap_or((&reply, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let text = if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            unchunked(text)
        } else {
            text.to_string()
        };
        Reply { status, text }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The events of a stream as they come, each a name and its data, until it ends.
    pub(crate) fn events(&self, path: &str) -> impl Iterator<Item = (String, String)> {
        let mut stream = self.connect();
        let head = format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        std::iter::from_fn(move || {
            let mut name = String::new();
            loop {
                let line = lines.next()?;
                if let Some(event) = line.strip_prefix("event: ") {
                    name = event.to_string();
                } else if let Some(data) = line.strip_prefix("data:") {
                    return Some((name, data.trim().to_string()));
                }
            }
        })
    }

    /// Runs a search to its end. Returns its identifier and its last report.
    pub(crate) fn search(&self, request: &Value) -> (String, Value) {
        let started = self.post("/api/searches", request);
        assert_eq!(started.status, 201, "{}", started.text);
        let id = started.json()["id"].as_str().unwrap().to_string();
        let last = self.events(&format!("/api/searches/{id}/events")).last().unwrap();
        assert_eq!(last, ("end".to_string(), "\"done\"".to_string()));
        let found = self.get(&format!("/api/searches/{id}")).json()["report"].clone();
        (id, found)
    }

    /// Polls until the answer is as wanted.
    pub(crate) fn wait(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            let found = self.get(path).json();
            if wanted(&found) {
                return found;
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{found}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

pub(crate) fn hex(moves: &[&str]) -> Value {
    json!({ "game": "hex:5", "moves": moves })
}

/// The text of a chunked body.
fn unchunked(mut text: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(rest.get(..size).unwrap_or(rest));
        text = rest.get(size + 2..).unwrap_or("");
    }
    whole
}
