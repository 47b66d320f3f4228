use crate::failure::Failure;
use crate::options::{BudgetArgs, ClockArg, agent, seed, whole};
use crate::show::{self, Table, print_json};
use clap::Args;
use permutree_zoo::{
    AnyPosition, BEST, Budget, MoveReport, Report, Rewards, Source, Turn, game, parse_bytes,
};
use serde::Serialize;
use std::io::{self, Write};

/// The default budget in playouts: a fraction of a second in every game.
const PLAYOUTS: u64 = 10_000;

#[derive(Args)]
pub(crate) struct SearchArgs {
    /// The game, such as hex:7
    game: String,

    /// The agent that searches
    #[arg(default_value = BEST)]
    agent: String,

    /// Moves to play first, such as "a1 b2"
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    moves: String,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Clock for --time
    #[arg(long, value_enum, default_value = "thread")]
    clock: ClockArg,

    /// Memory limit, such as 256MB; at the limit the tree stops growing
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, allow_hyphen_values = true)]
    memory: Option<usize>,

    /// Seed: the same seed and number of playouts give the same result
    #[arg(long, value_name = "S", value_parser = seed, default_value = "1", allow_negative_numbers = true)]
    seed: u64,

    /// How many of the best moves to show
    #[arg(long, value_name = "K", value_parser = whole, default_value = "15", allow_negative_numbers = true)]
    top: usize,

    /// Print JSON, with all moves
    #[arg(long)]
    json: bool,
}

/// A report with its position.
#[derive(Serialize)]
struct Shown<'a> {
    game: &'a str,
    agent: &'a str,
    moves_played: &'a [String],
    /// The move to play; null when the game is over.
    best: Option<&'a str>,
    #[serde(flatten)]
    report: &'a Report<String>,
    /// The reward of each player; null unless the game is over.
    rewards: Option<&'a [f64]>,
}

pub(crate) fn run(args: &SearchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, agent) = (game(&args.game)?, agent(&args.agent)?);
    let agent = agent.within(args.memory.unwrap_or(usize::MAX));
    let mut position = game.start();
    let played = position.play_all(&args.moves)?;
    if position.turn() == Turn::Chance {
        let outcomes = position.moves().join(" ");
        return Err(Failure::input(format!(
            "it is chance's turn, so there is no move to search for; add an outcome to --moves: {outcomes}"
        )));
    }
    let mut session = position.session(&agent, args.seed)?;
    session.advance(&agent.budget(&args.budget.budget(args.clock.into(), Budget::playouts(PLAYOUTS))));
    let report = session.report();

    if args.json {
        let over = (position.turn() == Turn::Over).then(|| position.rewards());
        let shown = Shown {
            game: game.spec(),
            agent: agent.spec(),
            moves_played: &played,
            best: report.moves.first().map(|found| &*found.mv),
            report: &report,
            rewards: over.as_ref().map(Rewards::as_slice),
        };
        return Ok(print_json(&shown, out)?);
    }
    write!(out, "{}", position.board())?;
    match report.turn {
        Turn::Player(player) => {
            writeln!(out, "\n{}: {player} to move; {} searches\n", game.spec(), agent.spec())?;
            table(&report, args.top).write(out)?;
            if report.moves.len() > args.top {
                let more = report.moves.len() - args.top;
                writeln!(out, "... and {more} more; --top {} shows all", report.moves.len())?;
            }
            summary(&report, out)?;
        }
        _ => write_over(&*position, game.spec(), out)?,
    }
    Ok(())
}

fn write_over(position: &dyn AnyPosition, spec: &str, out: &mut dyn Write) -> io::Result<()> {
    let rewards = position.rewards();
    let words = show::outcome(&rewards, |player| (player.to_string(), false));
    let numbers: Vec<String> = rewards.as_slice().iter().map(|&reward| show::reward(reward)).collect();
    writeln!(out, "\n{spec}: the game is over, {words} (rewards {})", numbers.join(", "))
}

/// The best `top` moves. Statistics that the agent does not have get no columns.
fn table(report: &Report<String>, top: usize) -> Table {
    let moves = &report.moves;
    let amaf = moves.iter().any(|found| found.amaf.is_some());
    let permutation = moves.iter().any(|found| found.permutation.is_some());
    let proven = moves.iter().any(|found| found.proven.is_some());
    let mut head = vec!["move", "visits", "share", "mean"];
    if amaf {
        head.extend(["AMAF", "mean"]);
    }
    if permutation {
        head.extend(["permuted", "mean"]);
    }
    if amaf || permutation {
        head.push("own %");
    }
    head.extend(amaf.then_some("AMAF %"));
    head.extend(permutation.then_some("perm. %"));
    head.extend(proven.then_some("proven"));

    let total = moves.iter().map(|found| found.visits).sum::<u64>().max(1) as f64;
    let mut table = Table::default();
    table.row(head);
    for found in moves.iter().take(top) {
        let share = format!("{:.1}%", 100.0 * found.visits as f64 / total);
        let mut row =
            vec![found.mv.clone(), show::count(found.visits), share, mean(found.visits, found.mean)];
        for source in
            [amaf.then_some(found.amaf), permutation.then_some(found.permutation)].into_iter().flatten()
        {
            row.extend(cells(source));
        }
        row.extend(weights(found, amaf, permutation));
        if proven {
            row.push(found.proven.map_or(String::new(), |reward| format!("{reward:.3}")));
        }
        table.row(row);
    }
    table
}

fn cells(source: Option<Source>) -> [String; 2] {
    match source {
        Some(source) => [show::count(source.count), mean(source.count, source.mean)],
        None => [String::from("-"), String::from("-")],
    }
}

/// A mean of nothing is shown as `-`.
fn mean(count: u64, mean: f64) -> String {
    if count == 0 { "-".to_string() } else { format!("{mean:.3}") }
}

fn weights(found: &MoveReport<String>, amaf: bool, permutation: bool) -> Vec<String> {
    let shown = [amaf || permutation, amaf, permutation];
    let weights = found.weights.iter().zip(shown).filter(|(_, shown)| *shown);
    weights.map(|(weight, _)| format!("{:.1}", 100.0 * weight)).collect()
}

fn summary(report: &Report<String>, out: &mut dyn Write) -> io::Result<()> {
    let line: Vec<&str> = report.principal_variation.iter().map(String::as_str).collect();
    writeln!(out, "\nline      {}", line.join(" "))?;
    if report.playouts == 0 {
        return Ok(());
    }
    let rate = show::per_second(report.playouts, report.time);
    let rate = rate.map_or(String::new(), |rate| format!(", {} per second", show::rounded(rate)));
    writeln!(out, "playouts  {} in {}{rate}", show::count(report.playouts), show::duration(report.time))?;
    let full = if report.full { " (full: the tree stopped growing)" } else { "" };
    writeln!(
        out,
        "tree      {} nodes, {}{full}",
        show::count(report.nodes as u64),
        show::bytes(report.memory)
    )
}
