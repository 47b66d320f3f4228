use crate::failure::Failure;
use crate::interrupt::on_interrupt;
use crate::options::{threads, whole};
use clap::Args;
use permutree_server::{Limits, Server, ServerError};
use permutree_zoo::{gdl, parse_bytes, parse_duration, parse_playouts};
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    bind: SocketAddr,

    /// Access token; required if other machines can reach the address
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,

    /// Folder for experiments; without it they are lost when the server stops
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,

    /// Folder of games in the Game Description Language; without it specs such as gdl:hex.kif are refused
    #[arg(long, value_name = "FOLDER")]
    descriptions: Option<PathBuf>,

    /// Searches, and games of an experiment, to run in parallel; 0 for one per core
    #[arg(long, value_name = "N", value_parser = threads, default_value = "0", allow_negative_numbers = true)]
    threads: usize,

    /// Maximum number of searches kept
    #[arg(long, value_name = "N", value_parser = whole, default_value = "256", allow_negative_numbers = true)]
    sessions: usize,

    /// Idle timeout of a search
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "30m")]
    session_timeout: Duration,

    /// Maximum playouts of a search
    #[arg(long, value_name = "N", value_parser = parse_playouts, default_value = "1000000")]
    playouts: u64,

    /// Maximum time of a search
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "60s")]
    time: Duration,

    /// Memory for all trees together; one search may use a quarter
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "192MB")]
    memory: usize,

    /// Maximum size of a request
    #[arg(long, value_name = "BYTES", value_parser = whole, default_value = "65536", allow_negative_numbers = true)]
    body: usize,

    /// Maximum number of experiments kept
    #[arg(long, value_name = "N", value_parser = whole, default_value = "100", allow_negative_numbers = true)]
    experiments: usize,

    /// Maximum games of an experiment
    #[arg(long, value_name = "N", value_parser = whole, default_value = "100000", allow_negative_numbers = true)]
    games: usize,
}

pub(crate) fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let defaults = Limits::default();
    let limits = Limits {
        threads: if args.threads == 0 { defaults.threads } else { args.threads },
        sessions: args.sessions,
        session_timeout: args.session_timeout,
        playouts: args.playouts,
        time: args.time,
        memory: args.memory,
        body: args.body,
        experiments: args.experiments,
        games: args.games as u64,
    };
    if let Some(folder) = &args.descriptions {
        gdl::confine(Some(folder))
            .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    }
    let server = Server::bind(args.bind, args.token.clone(), limits, args.data.as_deref())?;
    let token = args.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
    writeln!(out, "http://{}/{token}", server.address())?;
    writeln!(out, "Press Ctrl-C to stop.")?;
    out.flush()?;
    server.run(&on_interrupt("stopping"))?;
    Ok(())
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Self {
        match error {
            ServerError::Io(error) => Self::Io(error),
            wrong => Self::input(wrong),
        }
    }
}
