use super::{FileArgs, pace};
use crate::commands::match_::{games, percent, progress};
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::options::threads;
use crate::show::{self, Table};
use clap::Args;
use permutree_arena::experiment::{Candidate, Store, Tuned, Tuning};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::atomic::Ordering;
use std::time::Instant;

#[derive(Args)]
pub(crate) struct TuneArgs {
    #[command(flatten)]
    file: FileArgs,

    /// Total number of games
    #[arg(long, value_name = "N", value_parser = games, default_value = "1000", allow_negative_numbers = true)]
    games: u64,

    /// Games to play in parallel; 0 for one per core
    #[arg(long, value_name = "N", value_parser = threads, default_value = "0", allow_negative_numbers = true)]
    threads: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &TuneArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (experiment, path) = args.file.read()?;
    let mut store = Store::create(&path)?;
    let stop = stop_on_interrupt();
    let bar = progress("{bar:30} {pos}/{len} games  {msg}");
    let started = Instant::now();
    let tuning = Tuning { experiment: &experiment, games: args.games, threads: args.threads, stop: &stop };
    let tuned = tuning.run(&mut store, &mut |round, progress| {
        bar.set_length(progress.total);
        bar.set_position(progress.found + progress.added);
        bar.set_message(format!("round {round}  {}", pace(progress, started.elapsed())));
    });
    bar.finish_and_clear();
    let tuned = tuned?;
    if args.json {
        writeln!(out, "{}", to_json(&tuned))?;
    } else {
        write(&tuned, out)?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
}

fn write(tuned: &Tuned, out: &mut dyn Write) -> io::Result<()> {
    for (round, candidates) in (1..).zip(&tuned.rounds) {
        writeln!(out, "Round {round}")?;
        let mut table = Table::default();
        table.row(["agents", "games", "score %", "95 % interval"]);
        candidates.iter().for_each(|candidate| table.row(line(candidate)));
        table.write(out)?;
        writeln!(out)?;
    }
    let Some(check) = &tuned.check else { return Ok(()) };
    writeln!(out, "The winner in new games")?;
    let mut table = Table::default();
    table.row(["game", "budget", "score %"]);
    for (cell, score) in &check.cells {
        table.row([cell.key.game.clone(), cell.key.budget(), percent(*score)]);
    }
    table.write(out)?;
    let [agents, games, score, interval] = line(check);
    writeln!(out, "\n{agents}: {score} ({interval}) in {games} games")
}

fn line(candidate: &Candidate) -> [String; 4] {
    let interval = format!("{}..{}", percent(candidate.ci95.0), percent(candidate.ci95.1));
    [candidate.names.join(" against "), show::count(candidate.games), percent(candidate.score), interval]
}

fn to_json(tuned: &Tuned) -> Value {
    let candidate = |candidate: &Candidate| {
        let cells = candidate.cells.iter().map(|(cell, score)| {
            json!({ "game": cell.key.game, "budget": cell.key.budget(), "seed": cell.key.seed, "score": score })
        });
        json!({
            "agents": candidate.names, "games": candidate.games, "score": candidate.score,
            "ci95": [candidate.ci95.0, candidate.ci95.1], "cells": cells.collect::<Vec<_>>(),
        })
    };
    let round = |round: &Vec<Candidate>| round.iter().map(candidate).collect::<Vec<_>>();
    json!({
        "rounds": tuned.rounds.iter().map(round).collect::<Vec<_>>(),
        "check": tuned.check.as_ref().map(candidate),
    })
}
