use crate::failure::Failure;
use crate::show::{self, Table};
use clap::Args;
use permutree_arena::experiment::{PastMeasurement, Store, Trend};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct HistoryArgs {
    /// The store that `bench` and `codes` wrote to
    store: PathBuf,

    /// Print JSON, with all runs and not only the last two
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &HistoryArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let store = Store::open(&args.store)?;
    let trends = store.history()?;
    if args.json {
        writeln!(out, "{}", json!({ "measurements": trends.iter().map(to_json).collect::<Vec<_>>() }))?;
        return Ok(());
    }
    if trends.is_empty() {
        writeln!(out, "No measurements are stored; `bench --store` and `codes --store` add some.")?;
        return Ok(());
    }
    let mut table = Table::default();
    table.row(["game", "agent", "quantity", "runs", "before", "version", "last", "version", "change"]);
    for Trend { runs, .. } in &trends {
        let [.., last] = runs.as_slice() else { continue };
        let before = runs.len().checked_sub(2).map(|place| &runs[place]);
        let value = |run: &PastMeasurement| number(run.measurement.value);
        table.row([
            last.measurement.game.clone(),
            last.measurement.agent.clone(),
            last.measurement.quantity.clone(),
            runs.len().to_string(),
            before.map_or(String::new(), value),
            before.map_or(String::new(), |run| run.version.clone()),
            value(last),
            last.version.clone(),
            before.map_or(String::new(), |before| change(before, last)),
        ]);
    }
    table.write(out)?;
    Ok(())
}

fn number(value: f64) -> String {
    if value >= 1000.0 { show::rounded(value) } else { format!("{value:.4}") }
}

/// The change of the value, and whether the signature changed.
fn change(before: &PastMeasurement, last: &PastMeasurement) -> String {
    let ratio = last.measurement.value / before.measurement.value;
    let changed = if ratio.is_finite() { format!("{:+.1} %", 100.0 * (ratio - 1.0)) } else { String::new() };
    let signature = if last.measurement.note == before.measurement.note { "" } else { ", other signature" };
    format!("{changed}{signature}")
}

fn to_json(trend: &Trend) -> Value {
    let what = &trend.runs[0].measurement;
    let runs = trend.runs.iter().map(|run| {
        json!({ "value": run.measurement.value, "note": run.measurement.note, "version": run.version, "time": run.time })
    });
    json!({
        "command": what.command, "game": what.game, "agent": what.agent, "quantity": what.quantity,
        "playouts": what.playouts, "seed": what.seed, "runs": runs.collect::<Vec<_>>(),
    })
}
