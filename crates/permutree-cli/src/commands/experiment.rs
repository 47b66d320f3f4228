mod history;
mod tune;

use super::duel::sprt;
use super::match_::progress;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::options::{print_notes, threads};
use crate::show::{self, Table, print_json};
use clap::{Args, Subcommand, ValueEnum};
use permutree_arena::Duel;
use permutree_arena::experiment::{
    Cell, CellReport, Experiment, Format, Progress, Report, Run, Shard, Store, export,
};
use permutree_arena::statistics::{Sprt, SprtVerdict};
use permutree_zoo::{parse_duration, parse_playouts};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(Subcommand)]
pub(crate) enum ExperimentCommand {
    /// Play the missing games; can be stopped and resumed at any time
    Run(RunArgs),
    /// Show how many games are played
    Status(ReadArgs),
    /// Print the tables, with the paper's figures beside ours
    Report(ReportArgs),
    /// Print the stored games
    Export(ExportArgs),
    /// Find the best of the agents within a number of games, by successive halving
    Tune(tune::TuneArgs),
    /// Merge several stores into one
    Merge(MergeArgs),
    /// Compare the stored results of `bench` and `codes` over versions and runs
    History(history::HistoryArgs),
}

/// An experiment and its store.
#[derive(Args)]
pub(crate) struct FileArgs {
    /// The experiment file, such as experiments/mcps-table-1.toml
    file: PathBuf,

    /// Store for the results; by default FILE with the extension .db
    #[arg(long, value_name = "F")]
    store: Option<PathBuf>,

    /// Only the file's quick fraction of the games
    #[arg(long)]
    quick: bool,

    /// Time per move instead of the file's, such as 20ms
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    time: Option<Duration>,

    /// Only the cells with this many playouts per move
    #[arg(long, value_name = "N", value_parser = parse_playouts, allow_negative_numbers = true)]
    playouts: Option<u64>,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Games to play in parallel; 0 for one per core
    #[arg(long, value_name = "N", value_parser = threads, default_value = "0", allow_negative_numbers = true)]
    threads: usize,

    /// Play only one part of several, such as 1/4; parts have no games in common
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,

    /// End each cell of two agents once the SPRT of H0: ELO0 against H1: ELO1 is decided, such as 0,10 (Elo of the
    /// first agent above the second)
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true, conflicts_with = "shard")]
    sprt: Option<Sprt>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    read: ReadArgs,

    /// Print one self-contained HTML page with plots
    #[arg(long, conflicts_with = "json")]
    html: bool,
}

#[derive(Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Output format
    #[arg(long, value_enum, default_value = "csv")]
    format: FormatArg,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    /// CSV with a header; lists are JSON
    Csv,
    /// One JSON object per line and game
    Jsonl,
    /// A Parquet file, which is binary: redirect it to a file
    Parquet,
    /// Game records with tags and moves
    Records,
}

#[derive(Args)]
pub(crate) struct MergeArgs {
    /// The store to merge into; created if it does not exist
    out: PathBuf,

    /// The stores to read
    #[arg(required = true, value_name = "IN")]
    stores: Vec<PathBuf>,
}

pub(crate) fn run(command: &ExperimentCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        ExperimentCommand::Run(args) => play(args, out),
        ExperimentCommand::Status(args) => status(args, out),
        ExperimentCommand::Report(args) => report(args, out),
        ExperimentCommand::Export(args) => export_games(args, out),
        ExperimentCommand::Tune(args) => tune::run(args, out),
        ExperimentCommand::Merge(args) => merge(args, out),
        ExperimentCommand::History(args) => history::run(args, out),
    }
}

impl FileArgs {
    /// The experiment, and the path of its store.
    fn read(&self) -> Result<(Experiment, PathBuf), Failure> {
        let mut experiment = Experiment::read(&self.file)?;
        print_notes(experiment.notes());
        if self.quick {
            experiment = experiment.quickly();
        }
        if let Some(time) = self.time {
            experiment = experiment.at_time(time);
        }
        if let Some(playouts) = self.playouts {
            let known: BTreeSet<u64> = experiment.cells().filter_map(|cell| cell.key.playouts).collect();
            experiment = experiment.at_playouts(playouts);
            if experiment.tables.is_empty() {
                let file = self.file.display();
                let known: Vec<String> = known.iter().map(u64::to_string).collect();
                let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
                return Err(Failure::input(format!(
                    "{file}: no cell has {playouts} playouts per move; budgets in playouts: {known}"
                )));
            }
        }
        let store = self.store.clone().unwrap_or_else(|| self.file.with_extension("db"));
        Ok((experiment, store))
    }

    /// The experiment with its results.
    fn report(&self) -> Result<Report, Failure> {
        let (experiment, store) = self.read()?;
        let store = Store::open(&store)?;
        Ok(Report::of(&experiment, &store)?)
    }
}

fn play(args: &RunArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (experiment, path) = args.file.read()?;
    let mut store = Store::create(&path)?;
    let stop = stop_on_interrupt();
    let bar = progress("{bar:30} {pos}/{len} games  {msg}");
    let started = Instant::now();
    let run = Run {
        experiment: &experiment,
        shard: args.shard.unwrap_or(Shard::WHOLE),
        threads: args.threads,
        sprt: args.sprt,
        stop: &stop,
    };
    let done = run.play(&mut store, &mut |progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.done());
        bar.set_message(pace(progress, started.elapsed()));
    });
    bar.finish_and_clear();
    let Progress { total, found, added, spared, .. } = done?;
    let mut tests = Vec::new();
    if let Some(test) = args.sprt {
        for cell in experiment.cells() {
            tests.extend(Duel::over(test, cell, &store)?.map(|duel| (cell, duel)));
        }
    }
    if args.json {
        let mut line =
            json!({ "store": path.display().to_string(), "total": total, "found": found, "added": added });
        if args.sprt.is_some() {
            line["spared"] = json!(spared);
            line["tests"] = tests.iter().map(|(cell, duel)| test_json(cell, duel)).collect();
        }
        writeln!(out, "{line}")?;
    } else {
        let [wanted, found, added] = [total, found, added].map(show::count);
        let what = if experiment.probes().next().is_some() { "results" } else { "games" };
        write!(out, "{}: {wanted} {what} wanted, {found} found, {added} played now", path.display())?;
        if spared > 0 {
            write!(out, ", {} not needed", show::count(spared))?;
        }
        writeln!(out)?;
        if let Some(test) = args.sprt {
            write_tests(test, &tests, out)?;
        }
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
}

/// The state of the SPRT of each cell.
fn write_tests(test: Sprt, tests: &[(&Cell, Duel)], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::default();
    table.row(["game", "agents", "budget", "games", "LLR", "Elo"]);
    for (cell, duel) in tests {
        let verdict = match duel.verdict() {
            SprtVerdict::Elo0 => format!("{} rather than {}", test.elo0(), test.elo1()),
            SprtVerdict::Elo1 => format!("{} rather than {}", test.elo1(), test.elo0()),
            SprtVerdict::Undecided => "undecided".to_string(),
        };
        let (game, agents, budget) = (cell.key.game.clone(), cell.names.join(", "), cell.key.budget());
        table.row([game, agents, budget, show::count(duel.games()), format!("{:.2}", duel.llr()), verdict]);
    }
    writeln!(out)?;
    table.write(out)
}

fn test_json(cell: &Cell, duel: &Duel) -> Value {
    json!({
        "game": cell.key.game, "names": cell.names, "budget": cell.key.budget(), "games": duel.games(),
        "llr": duel.llr(), "verdict": duel.verdict(),
    })
}

/// Games per second and the time remaining.
fn pace(progress: &Progress, time: Duration) -> String {
    let Some(rate) = show::per_second(progress.added, time).filter(|_| progress.added > 0) else {
        return String::new();
    };
    let left = (progress.total - progress.done()) as f64 / rate;
    let minutes = (left / 60.0) as u64;
    format!("{rate:.1} per second  {}:{:02}:{:02} left", minutes / 60, minutes % 60, left as u64 % 60)
}

fn status(args: &ReadArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let report = args.file.report()?;
    let cells = || report.tables.iter().flat_map(|table| &table.cells);
    let wanted: u64 = cells().map(|cell| cell.found.wanted).sum();
    let games: u64 = cells().map(|cell| cell.found.result.games).sum();
    let probes = || report.tables.iter().flat_map(|table| &table.probes);
    let measured = probes().filter(|probe| !probe.found.is_empty()).count();
    if args.json {
        let cell = |cell: &CellReport| {
            let key = &cell.cell.key;
            json!({
                "game": key.game, "agents": key.agents, "budget": key.budget(), "wanted": cell.found.wanted,
                "games": cell.found.result.games,
            })
        };
        let cells: Vec<_> = cells().map(cell).collect();
        writeln!(
            out,
            "{}",
            json!({ "wanted": wanted, "games": games, "measured": measured, "cells": cells })
        )?;
        return Ok(());
    }
    let mut table = Table::default();
    table.row(["game", "agents", "budget", "wanted", "played"]);
    for report in cells() {
        let key = &report.cell.key;
        let [wanted, played] = [report.found.wanted, report.found.result.games].map(show::count);
        table.row([key.game.clone(), report.cell.names.join(", "), key.budget(), wanted, played]);
    }
    if cells().next().is_some() {
        table.write(out)?;
        writeln!(out, "\n{} of {} games played.", show::count(games), show::count(wanted))?;
    }
    if probes().next().is_some() {
        writeln!(out, "{measured} of {} measurements done.", probes().count())?;
    }
    Ok(())
}

fn report(args: &ReportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let report = args.read.file.report()?;
    match (args.read.json, args.html) {
        (true, _) => print_json(&report, out)?,
        (_, true) => write!(out, "{}", report.html())?,
        _ => write!(out, "{}", report.markdown())?,
    }
    Ok(())
}

fn export_games(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if matches!(args.format, FormatArg::Parquet) && io::stdout().is_terminal() {
        return Err(Failure::input("a Parquet file is binary; redirect it to a file: `.. > games.parquet`"));
    }
    let (experiment, store) = args.file.read()?;
    let store = Store::open(&store)?;
    let format = match args.format {
        FormatArg::Csv => Format::Csv,
        FormatArg::Jsonl => Format::JsonLines,
        FormatArg::Parquet => Format::Parquet,
        FormatArg::Records => Format::Records,
    };
    export(&experiment, &store, format, out)??;
    Ok(())
}

fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<(), Failure> {
    // All are checked before anything is written.
    for path in &args.stores {
        Store::open(path)?;
    }
    let mut store = Store::create(&args.out)?;
    for path in &args.stores {
        let merged = store.merge(path)?;
        write!(out, "{}: {} games added", path.display(), show::count(merged.added))?;
        if merged.known > 0 {
            write!(out, ", {} already stored", show::count(merged.known))?;
        }
        if merged.different > 0 {
            write!(
                out,
                ", {} of them with other moves, which are not replaced",
                show::count(merged.different)
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The store of a measuring command, opened first so that an invalid one is refused before anything is measured.
pub(crate) fn measurements(path: Option<&Path>) -> Result<Option<Store>, Failure> {
    Ok(path.map(Store::create).transpose()?)
}
