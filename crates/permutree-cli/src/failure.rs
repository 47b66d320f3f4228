use clap::error::ErrorKind;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command did not finish.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid input.
    Input(String),
    /// Reading or writing failed.
    Io(io::Error),
    /// The user stopped the command; its results so far have been printed.
    Stopped,
}

impl Failure {
    /// Invalid input, with a line that says what is wrong and what is valid.
    pub(crate) fn input(line: impl Display) -> Self {
        Self::Input(line.to_string())
    }

    /// The exit status of a command that the user stopped: 128 plus the number of the signal, as in shells.
    pub(crate) const STOPPED: u8 = 130;

    /// Prints the error and returns the exit status: 2 for invalid input, 1 if reading or writing failed.
    pub(crate) fn report(self) -> ExitCode {
        let (line, status) = match self {
            Self::Input(line) => (line, 2),
            // The reader closed the pipe, as in `permutree games | head -1`.
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Self::Io(error) => (error.to_string(), 1),
            Self::Stopped => return ExitCode::from(Self::STOPPED),
        };
        // There is nothing left to do if standard error is closed too.
        let _ = writeln!(io::stderr(), "error: {}", one_line(&line));
        ExitCode::from(status)
    }
}

/// Escapes control characters: messages quote what the user typed, which may have line ends in it.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

impl From<permutree_zoo::Error> for Failure {
    fn from(error: permutree_zoo::Error) -> Self {
        Self::input(error)
    }
}

impl From<permutree_arena::ArenaError> for Failure {
    fn from(error: permutree_arena::ArenaError) -> Self {
        Self::input(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The parser's messages have paragraphs; what comes before the usage becomes one line.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let text = error.to_string();
        let text = text.strip_prefix("error: ").unwrap_or(&text);
        let said = text.split("\n\nUsage:").next().unwrap_or(text);
        let said = said.split("\n\nFor more information").next().unwrap_or(said);
        let mut line = said.replace("\n\n  tip:", "; tip:").replace("\n  ", " ").trim().to_string();
        if error.kind() == ErrorKind::InvalidSubcommand {
            line.push_str("; `permutree help` lists the commands");
        }
        Self::Input(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_break_the_line() {
        assert_eq!(one_line("a\nb\u{1b}[1m é"), "a\\nb\\u{1b}[1m é");
    }
}
