use crate::failure::Failure;
use crate::show;
use clap::Args;
use permutree_zoo::game;
use serde_json::json;
use std::io::Write;
use std::time::Instant;

/// The greatest depth, so that a typing mistake is an error instead of an endless count.
const DEEPEST: usize = 64;

#[derive(Args)]
pub(crate) struct PerftArgs {
    /// The game, such as hex:7
    game: String,

    /// Length of the longest sequences
    #[arg(long, value_name = "D", value_parser = depth, allow_negative_numbers = true)]
    depth: usize,

    /// Moves to play first, such as "a1 b2"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn depth(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(depth) if (1..=DEEPEST).contains(&depth) => Ok(depth),
        _ => Err(format!("must be a whole number 1..{DEEPEST}")),
    }
}

pub(crate) fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = game(&args.game)?;
    let mut position = game.start();
    position.play_all(&args.moves)?;
    if args.json {
        writeln!(out, "{}", json!({ "game": game.spec(), "perft": position.perft(args.depth) }))?;
        return Ok(());
    }
    writeln!(out, "{}\n\ndepth             sequences       time", game.spec())?;
    let mut ended = false;
    // Each depth is counted separately, so that it is shown as soon as it is known; the last one takes most of the
    // time.
    for depth in 1..=args.depth {
        out.flush()?;
        let start = Instant::now();
        let sequences = if ended { 0 } else { position.perft(depth)[depth - 1] };
        ended = sequences == 0;
        writeln!(out, "{depth:>5}  {:>20}  {:>9}", show::count(sequences), show::duration(start.elapsed()))?;
    }
    Ok(())
}
