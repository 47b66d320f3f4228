//! Options that several commands have, and how they are read.

use crate::failure::{Failure, one_line};
use clap::{Args, ValueEnum};
use permutree_zoo::{Agent, Budget, Clock, parse_duration, parse_playouts};
use std::io::{self, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The agent of a spec, with its learned values. Prints a note for each renamed parameter.
pub(crate) fn agent(spec: &str) -> Result<Agent, Failure> {
    let agent = permutree_arena::agent(spec)?;
    print_notes(agent.notes().iter().map(String::as_str));
    Ok(agent)
}

/// Prints a line for each renamed parameter.
pub(crate) fn print_notes<'a>(notes: impl IntoIterator<Item = &'a str>) {
    for note in notes {
        // Failing to print a note is not an error.
        let _ = writeln!(io::stderr(), "note: {}", one_line(note));
    }
}

/// The agents of specs.
pub(crate) fn agents(specs: &[String]) -> Result<Vec<Agent>, Failure> {
    specs.iter().map(|spec| agent(spec)).collect()
}

/// The budget of a search.
#[derive(Args, Clone)]
pub(crate) struct BudgetArgs {
    /// Playouts per search
    #[arg(long, value_name = "N", value_parser = parse_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,

    /// Time per search, such as 20ms or 1.5s; with --playouts, whichever is used up first
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    time: Option<Duration>,
}

impl BudgetArgs {
    /// The given budget, or `default` without one.
    pub(crate) fn budget(&self, clock: Clock, default: Budget) -> Budget {
        // The clock also applies to a time in the agent's spec.
        self.given(clock).unwrap_or(Budget { clock, ..default })
    }

    /// The given budget, if any.
    pub(crate) fn given(&self, clock: Clock) -> Option<Budget> {
        let asked = self.playouts.is_some() || self.time.is_some();
        asked.then_some(Budget { playouts: self.playouts, time: self.time, clock, ..Budget::default() })
    }
}

/// The clock for `--time`.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ClockArg {
    /// Wall clock
    Wall,
    /// CPU time of the searching thread
    Thread,
}

impl From<ClockArg> for Clock {
    fn from(clock: ClockArg) -> Self {
        match clock {
            ClockArg::Wall => Self::Wall,
            ClockArg::Thread => Self::Thread,
        }
    }
}

/// A seed.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("must be a whole number 0..{}", u64::MAX))
}

/// A seed that differs from run to run and is short enough to be typed again.
pub(crate) fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) % 1_000_000
}

/// A whole number whose range a command checks itself.
pub(crate) fn whole(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "must be a whole number".to_string())
}

/// The most threads, which no machine exceeds.
const MAX_THREADS: usize = 1024;

/// The number of games to play in parallel.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads) if threads <= MAX_THREADS => Ok(threads),
        _ => Err(format!("must be a whole number 0..{MAX_THREADS}")),
    }
}
