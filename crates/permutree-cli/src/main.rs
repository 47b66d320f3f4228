//! The command line of Permutree: `permutree help` lists what it does.
//!
//! Results go to standard output, progress to standard error; `--json` prints JSON alone. Wrong input gets one line on
//! standard error and exit status 2.

mod commands;
mod failure;
mod interrupt;
mod options;
mod show;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use commands::{bench, codes, experiment, gtp, list, match_, perft, play, search, serve, tournament, train};
use failure::Failure;
use std::io::{self, Write};
use std::process::ExitCode;

/// Monte Carlo search for games: no training, no tuning.
///
/// GAME and AGENT are specs: a name, name:value or name:key=value,key=value, such as hex:7, hex:7,opening=b2, mcps or
/// uct:c=0.2. `permutree games` and `permutree agents` list them.
#[derive(Parser)]
#[command(name = "permutree", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the games with their parameters
    Games(list::ListArgs),
    /// List the agents with their parameters
    Agents(list::ListArgs),
    /// Count the move sequences of each length
    Perft(perft::PerftArgs),
    /// Measure how long random games are and how often codes occur in them
    Codes(codes::CodesArgs),
    /// Search a position and show what was found about every move
    Search(search::SearchArgs),
    /// Play against an agent
    Play(play::PlayArgs),
    /// Let agents play each other and show who is stronger
    Match(match_::MatchArgs),
    /// Let any number of agents play each other, two at a time, and rate them
    Tournament(tournament::TournamentArgs),
    /// Let an agent learn values of positions over games, for values=FILE in its spec
    Train(train::TrainArgs),
    /// Play whole tables of matches from a file, resumable, and compare them with a paper
    #[command(subcommand)]
    Experiment(experiment::ExperimentCommand),
    /// Serve the page and the HTTP API: play, look inside the search, watch experiments
    Serve(serve::ServeArgs),
    /// Play by the Go Text Protocol, for GoGui and other programs
    Gtp(gtp::GtpArgs),
    /// Measure playouts per second and print the signature of the search
    Bench(bench::BenchArgs),
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self {
            Self::Games(args) => list::games(&args, out),
            Self::Agents(args) => list::agents(&args, out),
            Self::Perft(args) => perft::run(&args, out),
            Self::Codes(args) => codes::run(&args, out),
            Self::Search(args) => search::run(&args, out),
            Self::Play(args) => play::run(&args, out),
            Self::Match(args) => match_::run(&args, out),
            Self::Tournament(args) => tournament::run(&args, out),
            Self::Train(args) => train::run(&args, out),
            Self::Experiment(command) => experiment::run(&command, out),
            Self::Serve(args) => serve::run(&args, out),
            Self::Gtp(args) => gtp::run(&args, out),
            Self::Bench(args) => bench::run(&args, out),
        }
    }
}

fn main() -> ExitCode {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = match Cli::try_parse() {
        Ok(cli) => cli.command.run(&mut out),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            write!(out, "{error}").map_err(Failure::from)
        }
        // `permutree` alone: the help, as for a mistake.
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{error}");
            return ExitCode::from(2);
        }
        Err(error) => Err(Failure::from(error)),
    };
    // What was written before a failure is shown too.
    let flushed = out.flush();
    match done.and_then(|()| Ok(flushed?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
