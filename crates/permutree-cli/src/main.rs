//! The command line of Permutree: `permutree help` lists the commands.
//!
//! Results go to standard output, progress to standard error; `--json` prints only JSON. Invalid input prints a
//! one-line error that lists the valid values, with exit status 2.

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
/// GAME and AGENT are specs: name, name:value (the first parameter) or name:key=value,key=value, such as hex:7,
/// hex:7,opening=b2, mcps or uct:c=0.2. `permutree games` and `permutree agents` list them.
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
    /// Measure the length of random games and how often move codes occur in them
    Codes(codes::CodesArgs),
    /// Search a position and print statistics of every move
    ///
    /// The default budget is 10,000 playouts.
    Search(search::SearchArgs),
    /// Play against an agent
    ///
    /// By default the agent thinks for one second per move.
    Play(play::PlayArgs),
    /// Play a match between agents: scores, confidence intervals, Elo, SPRT
    ///
    /// The default budget is 1,000 playouts per move.
    Match(match_::MatchArgs),
    /// Play a round robin, gauntlet or Swiss tournament and rate the agents
    ///
    /// The default budget is 1,000 playouts per move.
    Tournament(tournament::TournamentArgs),
    /// Train the position values of an agent, for values=FILE in its spec
    ///
    /// The default budget is 1,000 playouts per move.
    Train(train::TrainArgs),
    /// Play tables of matches from a file, resumable, and compare them with a paper
    #[command(subcommand)]
    Experiment(experiment::ExperimentCommand),
    /// Serve the web UI and the HTTP API: play, inspect searches, watch experiments
    Serve(serve::ServeArgs),
    /// Play by the Go Text Protocol (GTP), for GoGui and other programs
    ///
    /// By default the agent follows the clock that GTP commands set, or thinks for one second per move if none is set.
    Gtp(gtp::GtpArgs),
    /// Measure playouts per second and print the search signature
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
        // `permutree` without a command prints the help and fails.
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = write!(io::stderr(), "{error}");
            return ExitCode::from(2);
        }
        Err(error) => Err(Failure::from(error)),
    };
    // Output from before a failure is shown too.
    let flushed = out.flush();
    match done.and_then(|()| Ok(flushed?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
