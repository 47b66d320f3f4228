use crate::failure::Failure;
use crate::options::{BudgetArgs, agent, fresh_seed, seed};
use clap::Args;
use permutree_arena::GtpEngine;
use permutree_zoo::{BEST, Clock, game};
use std::io::{self, Write};

#[derive(Args)]
pub(crate) struct GtpArgs {
    /// The game, such as go:9
    game: String,

    /// The agent that plays
    #[arg(default_value = BEST)]
    agent: String,

    // If neither is given, the clock that GTP commands set, or one second per move if none is set.
    #[command(flatten)]
    budget: BudgetArgs,

    /// Seed of the agent; random if not given
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &GtpArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let mut engine =
        GtpEngine::new(game(&args.game)?, agent(&args.agent)?, args.budget.given(Clock::Wall), seed)?;
    Ok(engine.serve(&mut io::stdin().lock(), out)?)
}
