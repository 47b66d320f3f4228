use super::experiment::measurements;
use crate::failure::Failure;
use crate::options::seed;
use crate::show::{self, Table};
use clap::Args;
use permutree_arena::experiment::Measurement;
use permutree_zoo::{game, parse_playouts};
use serde_json::{Map, json};
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub(crate) struct CodesArgs {
    /// The game, such as hex:7
    game: String,

    /// Number of random games
    #[arg(long, value_name = "N", value_parser = parse_playouts, default_value = "100000", allow_negative_numbers = true)]
    playouts: u64,

    /// Seed of the random generator
    #[arg(long, value_name = "S", value_parser = seed, default_value = "1", allow_negative_numbers = true)]
    seed: u64,

    /// Also keep the result in this store, for `permutree experiment history`
    #[arg(long, value_name = "F")]
    store: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &CodesArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = game(&args.game)?;
    let store = measurements(args.store.as_deref())?;
    let found = game.presence(args.playouts, args.seed);
    if let Some(mut store) = store {
        let measured = Measurement::of_presence(game.spec(), args.playouts, args.seed, &found);
        store.measure(&measured)?;
    }
    if args.json {
        let presence: Map<_, _> =
            found.codings.iter().map(|&(name, presence)| (name.to_string(), json!(presence))).collect();
        let line =
            json!({ "game": game.spec(), "moves": found.moves, "plies": found.plies, "presence": presence });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    writeln!(out, "{}, {} random games\n", game.spec(), show::count(args.playouts))?;
    writeln!(out, "moves at the start  {:>7}", found.moves)?;
    writeln!(out, "mean length         {:>10.2} plies\n", found.plies)?;
    let mut table = Table::default();
    table.row(["coding", "presence"]);
    for (name, presence) in &found.codings {
        table.row([(*name).to_string(), format!("{presence:.4}")]);
    }
    table.write(out)?;
    writeln!(
        out,
        "\nPresence: the probability that the code of a move at the start occurs in a random game."
    )?;
    Ok(())
}
