//! External engines: programs that speak the Go Text Protocol, each in a process of its own.

use crate::gtp::{Diagram, find_move, move_texts, player_name};
use permutree_zoo::{AnyGame, AnyPosition, External, Player, Turn, game_args};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The most bytes of a line or an answer; an engine that writes more has failed.
const MAX_TEXT: usize = 1 << 16;

/// How long an engine may take to quit before it is killed.
const FAREWELL: Duration = Duration::from_millis(500);

/// An engine that plays game after game. After a failure its process is killed, and the next game starts a new one.
pub(crate) struct Engine {
    words: Vec<String>,
    timeout: Duration,
    /// The commands that start a game.
    opening: Vec<String>,
    process: Option<Process>,
}

impl Engine {
    /// Starts the program and lets it prepare for the game.
    pub(crate) fn start(external: External<'_>, game: &dyn AnyGame) -> Result<Self, String> {
        let words = words(external.command)?;
        let mut engine = Self { words, timeout: external.timeout, opening: opening(game), process: None };
        engine.begin()?;
        Ok(engine)
    }

    /// Starts a game.
    pub(crate) fn begin(&mut self) -> Result<(), String> {
        if self.process.is_none() {
            let process = Process::start(&self.words);
            self.process = Some(process.map_err(|error| format!("cannot start {}: {error}", self.words[0]))?);
        }
        for command in self.opening.clone() {
            self.ask(&command)?;
        }
        Ok(())
    }

    /// The engine's move for `player`, as the index of a legal move.
    pub(crate) fn choose(&mut self, player: Player, position: &dyn AnyPosition) -> Result<usize, String> {
        let text = self.ask(&format!("genmove {}", player_name(player)))?;
        if text.eq_ignore_ascii_case("resign") {
            return Err("resigned".to_string());
        }
        find_move(position, &text).ok_or_else(|| self.fail(format!("illegal move '{}'", shown(&text))))
    }

    /// Tells the engine a move or a chance outcome that it did not choose itself.
    pub(crate) fn tell(&mut self, position: &dyn AnyPosition, index: usize) -> Result<(), String> {
        let colour = match position.turn() {
            Turn::Player(player) => player_name(player),
            _ => "chance".to_string(),
        };
        let text = move_texts(position).into_iter().nth(index).unwrap_or_default();
        self.ask(&format!("play {colour} {text}")).map(drop)
    }

    fn ask(&mut self, command: &str) -> Result<String, String> {
        let Some(process) = &mut self.process else { return Err("it is not running".to_string()) };
        process.ask(command, self.timeout).map_err(|why| self.fail(why))
    }

    /// Ends the process, whose state is unknown after a failure.
    fn fail(&mut self, why: String) -> String {
        if let Some(process) = &mut self.process {
            process.kill();
        }
        self.process = None;
        why
    }
}

/// The commands that start a game, with the size of a square board and komi if the game has them.
fn opening(game: &dyn AnyGame) -> Vec<String> {
    let shape = Diagram::read(&game.start().board()).map(|board| board.shape());
    let size = shape.filter(|(columns, rows)| columns == rows).map(|(size, _)| format!("boardsize {size}"));
    let args = game_args(game.spec()).ok();
    let komi = args.as_ref().and_then(|args| args.iter().find(|(key, _)| *key == "komi"));
    let komi = komi.map(|(_, komi)| format!("komi {komi}"));
    size.into_iter().chain(["clear_board".to_string()]).chain(komi).collect()
}

/// Splits a command line into words at spaces; quotes of either kind keep spaces.
fn words(command: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => (quote, word) = (Some(c), Some(word.unwrap_or_default())),
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(quote) => Err(format!("the command has an unclosed {quote}")),
        None if words.is_empty() => Err("the command is empty".to_string()),
        None => Ok(words),
    }
}

/// The text of an engine, shortened to fit in a line.
fn shown(text: &str) -> String {
    let line: String = text.chars().take(80).map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().to_string()
}

/// A running engine. When dropped, it is told to quit, and killed if it does not.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    /// Reads the engine's standard error and returns its last line.
    complaints: Option<JoinHandle<String>>,
}

impl Process {
    fn start(words: &[String]) -> io::Result<Self> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C must not reach the engine: the match finishes its running games, which need it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("no pipes"));
        };
        // Bounded, so that an engine that never stops writing blocks instead of filling the memory. These threads are
        // not joined: they end with the pipes, which a child of the engine may keep open after the engine ends.
        let (sender, lines) = sync_channel(64);
        std::thread::spawn(move || each_line(output, |line| sender.send(line).is_ok()));
        let complaints = std::thread::spawn(move || {
            let mut last = String::new();
            each_line(errors, |line| {
                if !line.trim().is_empty() {
                    last = line;
                }
                true
            });
            last
        });
        Ok(Self { child, input, lines, complaints: Some(complaints) })
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, String> {
        let deadline = Instant::now() + timeout;
        if writeln!(self.input, "{command}").and_then(|()| self.input.flush()).is_err() {
            return Err(self.ended(command));
        }
        let mut answer: Option<String> = None;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) if !left.is_zero() => line,
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
                _ => return Err(format!("no answer to '{command}' in {timeout:?}")),
            };
            match &mut answer {
                // Lines outside an answer are ignored.
                None => answer = line.starts_with(['=', '?']).then_some(line),
                Some(text) if line.trim().is_empty() => return read_answer(command, text),
                Some(text) if text.len() + line.len() > MAX_TEXT => {
                    return Err(format!("the answer to '{command}' is too long"));
                }
                Some(text) => text.push_str(&line),
            }
        }
    }

    /// Why the engine's output has ended.
    fn ended(&mut self, command: &str) -> String {
        let Some(status) = self.wait(FAREWELL) else { return format!("closed its output at '{command}'") };
        let said = self
            .complaints
            .take()
            .filter(|thread| soon(FAREWELL, || thread.is_finished().then_some(())).is_some());
        let said = said.and_then(|thread| thread.join().ok()).map(|line| shown(&line)).unwrap_or_default();
        let colon = if said.is_empty() { "" } else { ": " };
        format!("ended with {status} at '{command}'{colon}{said}")
    }

    fn wait(&mut self, time: Duration) -> Option<ExitStatus> {
        soon(time, || self.child.try_wait().ok().flatten())
    }

    /// Kills the process and collects its status, so that no zombie is left.
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        if self.wait(FAREWELL).is_none() {
            self.kill();
        }
    }
}

/// Polls `look` every few milliseconds, until it finds something or `time` is over.
fn soon<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + time;
    loop {
        match look() {
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            found => return found,
        }
    }
}

/// An answer without its sign and number, or its error.
fn read_answer(command: &str, answer: &str) -> Result<String, String> {
    let (sign, rest) = answer.split_at(1);
    let text = rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim();
    if sign == "=" { Ok(text.to_string()) } else { Err(format!("refused '{command}': {}", shown(text))) }
}

/// Passes on line after line until `wanted` returns false. A line that does not end is split.
fn each_line(from: impl Read, mut wanted: impl FnMut(String) -> bool) {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while matches!(from.by_ref().take(MAX_TEXT as u64).read_until(b'\n', &mut line), Ok(1..)) {
        if !wanted(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::game;

    #[test]
    fn command_lines() {
        let read = |text: &str| words(text).map(|words| words.join("|"));
        assert_eq!(read(" gnugo  --mode gtp ").as_deref(), Ok("gnugo|--mode|gtp"));
        assert_eq!(read(r#"sh -c 'echo "a b"' x"y z""#).as_deref(), Ok(r#"sh|-c|echo "a b"|xy z"#));
        assert_eq!(read("a ''").as_deref(), Ok("a|"));
        assert!(read("a 'b").is_err() && read("  ").is_err());
    }

    #[test]
    fn openings() {
        let said = |spec: &str| opening(&*game(spec).unwrap()).join(", ");
        assert_eq!(said("go:9"), "boardsize 9, clear_board, komi 7.5");
        assert_eq!(said("hex:11"), "boardsize 11, clear_board");
        assert_eq!((said("connect4"), said("nim")), ("clear_board".into(), "clear_board".into()));
    }

    #[test]
    fn answers() {
        assert_eq!(read_answer("x", "=12 D4\n").as_deref(), Ok("D4"));
        assert_eq!(read_answer("x", "=\n").as_deref(), Ok(""));
        assert_eq!(read_answer("x", "? no\n"), Err("refused 'x': no".to_string()));
    }
}
