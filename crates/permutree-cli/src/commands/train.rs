use super::match_::{GAMES_AND_TIME, games, progress};
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::options::{BudgetArgs, ClockArg, agent, agents, seed};
use crate::show;
use clap::Args;
use permutree_arena::{Output, Training};
use permutree_zoo::{Budget, game};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// The default budget in playouts per move, as in matches.
const PLAYOUTS: u64 = 1000;

#[derive(Args)]
pub(crate) struct TrainArgs {
    /// The game, such as connect4
    game: String,

    /// The agent to train; with values=FILE it continues from that file
    #[arg(default_value = "sarsa-uct")]
    agent: String,

    /// An opponent, instead of self-play; repeat it for several, which take turns
    #[arg(long, value_name = "AGENT")]
    against: Vec<String>,

    /// File for the learned values, written at the end
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Number of games
    #[arg(long, value_name = "N", value_parser = games, default_value = "100", allow_negative_numbers = true)]
    games: u64,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Clock for --time
    #[arg(long, value_enum, default_value = "thread")]
    clock: ClockArg,

    /// Seed: the same seed and number of playouts give the same file
    #[arg(long, value_name = "S", value_parser = seed, default_value = "1", allow_negative_numbers = true)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &TrainArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = game(&args.game)?;
    let learner = agent(&args.agent)?;
    let opponents = agents(&args.against)?;
    let mut budget = args.budget.budget(args.clock.into(), Budget::playouts(PLAYOUTS));
    let file = Output::new(&args.out)?;
    let stop = stop_on_interrupt();
    budget.stop = Some(stop.clone());
    let training = Training { game, agent: learner, opponents, games: args.games, seed: args.seed, budget };

    let bar = progress(GAMES_AND_TIME);
    bar.set_length(args.games);
    let mut played = 0;
    let learned = training.run(&mut |games, learned| {
        played = games;
        bar.set_position(games);
        bar.set_message(format!("{} positions", show::count(learned.positions() as u64)));
    });
    bar.finish_and_clear();
    let learned = learned?;
    file.finish(&learned.write())?;

    let (spec, path) = (training.game.spec(), args.out.display().to_string());
    if args.json {
        let agent = training.agent.spec();
        let value = json!({
            "game": spec, "agent": agent, "games": played, "seed": args.seed, "positions": learned.positions(),
            "file": path,
        });
        writeln!(out, "{value}")?;
    } else {
        let positions = show::count(learned.positions() as u64);
        writeln!(
            out,
            "{spec}, {} games, seed {}: {positions} positions in {path}",
            show::count(played),
            args.seed
        )?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
}
