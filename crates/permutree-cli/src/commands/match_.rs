use super::duel::{self, sprt};
use crate::failure::{Failure, one_line};
use crate::interrupt::stop_on_interrupt;
use crate::options::{BudgetArgs, ClockArg, agents, seed, threads};
use crate::show::{self, Table, print_json};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use permutree_arena::statistics::Sprt;
use permutree_arena::{
    AgentResult, Duel, Elo, ForfeitedGame, GameRecord, Match, MatchResult, PairsResult, SprtResult, Standing,
};
use permutree_zoo::{Budget, game, parse_duration};
use serde::Serialize;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The default budget in playouts per move: the smaller of the two budgets of the MCPS paper.
pub(super) const PLAYOUTS: u64 = 1000;

/// The most forfeits to list.
const FORFEITS_SHOWN: usize = 10;

#[derive(Args)]
pub(crate) struct MatchArgs {
    /// The game, such as hex:7,opening=b2
    game: String,

    /// The agents: at most one per player, or any number in a one-player game
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,

    /// Number of games, per agent in a one-player game; seats rotate from game to game
    #[arg(long, value_name = "N", value_parser = games, default_value = "100", allow_negative_numbers = true)]
    games: u64,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Time per player for a whole game, such as 60s, instead of a budget per move
    #[arg(long, value_name = "TIME", value_parser = parse_duration, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["playouts", "time"])]
    game_time: Option<Duration>,

    /// Clock for --time and --game-time
    #[arg(long, value_enum, default_value = "thread")]
    clock: ClockArg,

    /// Seed: the same seed and number of playouts give the same games, with any --threads
    #[arg(long, value_name = "S", value_parser = seed, default_value = "1", allow_negative_numbers = true)]
    seed: u64,

    /// Games to play in parallel; 0 for one per core
    #[arg(long, value_name = "N", value_parser = threads, default_value = "0", allow_negative_numbers = true)]
    threads: usize,

    /// Stop once the SPRT of H0: ELO0 against H1: ELO1 is decided, such as 0,20 (Elo of the first agent above the
    /// second); --games is the maximum
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A result with its pairs of games.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    result: &'a MatchResult,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<PairsResult>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtResult>,
}

/// A number of games.
pub(super) fn games(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(games) if (1..=1_000_000_000).contains(&games) => Ok(games),
        _ => Err("must be a whole number 1..1000000000".to_string()),
    }
}

pub(crate) fn run(args: &MatchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let game = game(&args.game)?;
    let agents = agents(&args.agents)?;
    let even = game.players() == 2 && agents.len() == 2;
    if args.sprt.is_some() && !even {
        let (spec, players) = (game.spec(), game.players());
        return Err(Failure::input(format!(
            "--sprt needs 2 agents in a game for 2 players; {spec} is for {players}, and the number of agents is {}",
            agents.len()
        )));
    }
    let default = match args.game_time {
        None => Budget::playouts(PLAYOUTS),
        game_time => Budget { game_time, ..Budget::default() },
    };
    let mut budget = args.budget.budget(args.clock.into(), default);
    let stop = stop_on_interrupt();
    budget.stop = Some(stop.clone());
    let players = game.players();
    let contest = Match { game, agents, games: args.games, seed: args.seed, threads: args.threads, budget };
    let seatings = contest.seatings() as u64;

    let bar = progress(GAMES_AND_TIME);
    let mut duel = even.then(|| Duel::new(args.sprt));
    let mut watch = |record: &GameRecord, standing: &Standing| {
        if let Some(duel) = &mut duel {
            duel.add(record.number, &record.seating, record.rewards.as_slice());
        }
        let test = duel.as_ref().map_or_else(String::new, duel::progress);
        bar.set_message(score_so_far(standing) + &test);
        bar.set_length(standing.total());
        bar.set_position(standing.games());
        match &duel {
            Some(duel) if duel.is_decided() => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    let result = match args.sprt {
        Some(_) => contest.play_until(&mut watch),
        None => contest.play(&mut |record, standing| {
            let _ = watch(record, standing);
        }),
    };
    bar.finish_and_clear();
    let result = result?;

    if args.json {
        let (pairs, sprt) = (duel.as_ref().map(Duel::pairs), duel.as_ref().and_then(Duel::sprt));
        print_json(&Shown { result: &result, pairs, sprt }, out)?;
    } else {
        write_result(&result, players, duel.as_ref(), out)?;
        notes(&result, players, seatings, out)?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
}

/// A progress bar with games, a message, and the time elapsed and remaining.
pub(super) const GAMES_AND_TIME: &str = "{bar:30} {pos}/{len} games  {msg}  {elapsed} + {eta}";

/// A progress bar from a template. Without a terminal on standard error it draws nothing.
pub(super) fn progress(template: &str) -> ProgressBar {
    let bar = ProgressBar::new(0);
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn score_so_far(standing: &Standing) -> String {
    let (score, (low, high)) = standing.score(0);
    format!("{:.1} % ({:.1}..{:.1})", 100.0 * score, 100.0 * low, 100.0 * high)
}

fn write_result(
    result: &MatchResult,
    players: usize,
    duel: Option<&Duel>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}, {} games, seed {}\n", result.game, show::count(result.games), result.seed)?;
    if players == 1 {
        write_rewards(result, out)?;
    } else {
        write_scores(result, out)?;
    }
    match (duel, &result.agents[..]) {
        (Some(duel), [first, second]) => duel::write(duel, &first.spec, &second.spec, out),
        _ => Ok(()),
    }
}

/// The table of agents that each played alone.
fn write_rewards(result: &MatchResult, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::default();
    table.row(["agent", "games", "reward %", "95 % interval", "playouts/s"]);
    for agent in &result.agents {
        let games = agent.seats.iter().map(|seat| seat.games).sum();
        table.row([
            agent.spec.clone(),
            show::count(games),
            percent(agent.score),
            interval(agent.ci95),
            rate(agent),
        ]);
    }
    table.write(out)
}

/// The tables of agents that played each other.
fn write_scores(result: &MatchResult, out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::default();
    let elo = result.agents.iter().any(|agent| agent.elo.is_some());
    let mut head = vec!["agent", "score %", "95 % interval", "wins", "draws", "losses"];
    head.extend(elo.then_some("Elo"));
    head.push("playouts/s");
    table.row(head);
    for agent in &result.agents {
        let mut row = vec![
            agent.spec.clone(),
            percent(agent.score),
            interval(agent.ci95),
            show::count(agent.wins),
            show::count(agent.draws),
            show::count(agent.losses),
        ];
        row.extend(agent.elo.as_ref().map(elo_text));
        row.push(rate(agent));
        table.row(row);
    }
    table.write(out)?;
    writeln!(out)?;
    let mut seats = Table::default();
    seats.row(["by seat", "seat", "games", "score %", "95 % interval"]);
    for agent in &result.agents {
        for seat in &agent.seats {
            let numbers =
                [seat.seat.to_string(), show::count(seat.games), percent(seat.score), interval(seat.ci95)];
            seats.row(std::iter::once(agent.spec.clone()).chain(numbers));
        }
    }
    seats.write(out)
}

/// Playouts per second, if the agent made any.
fn rate(agent: &AgentResult) -> String {
    let rate = show::per_second(agent.playouts, agent.time).filter(|_| agent.playouts > 0);
    rate.map_or_else(String::new, show::rounded)
}

/// Notes for readers of the table.
fn notes(result: &MatchResult, players: usize, seatings: u64, out: &mut dyn Write) -> io::Result<()> {
    if players > 2 {
        writeln!(out, "\n{players} players: an even score is {} %.", percent(1.0 / players as f64))?;
    }
    if players > 1 && !result.games.is_multiple_of(seatings) {
        writeln!(
            out,
            "\nSeats are unbalanced: {} games are not a multiple of {seatings} seatings.",
            result.games
        )?;
    }
    if !result.deterministic {
        writeln!(
            out,
            "\nAnother run will differ: time budgets, search threads and external engines are not deterministic."
        )?;
    }
    if result.unfinished > 0 {
        writeln!(out, "\n{} games were stopped at the ply limit and scored as draws.", result.unfinished)?;
    }
    forfeits(result, out)
}

/// The forfeits of external engines.
fn forfeits(result: &MatchResult, out: &mut dyn Write) -> io::Result<()> {
    if result.forfeits.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nGames forfeited by external engines:")?;
    for ForfeitedGame { game, agent, why, .. } in result.forfeits.iter().take(FORFEITS_SHOWN) {
        writeln!(out, "game {game}, {}: {}", one_line(agent), one_line(why))?;
    }
    if result.forfeits.len() > FORFEITS_SHOWN {
        writeln!(out, "... and {} more; --json lists all", result.forfeits.len() - FORFEITS_SHOWN)?;
    }
    Ok(())
}

pub(super) fn percent(score: f64) -> String {
    format!("{:.2}", 100.0 * score)
}

fn interval((low, high): (f64, f64)) -> String {
    format!("{}..{}", percent(low), percent(high))
}

pub(super) fn elo_text(elo: &Elo) -> String {
    format!("{:+.0} ({:+.0}..{:+.0})", elo.difference, elo.ci95.0, elo.ci95.1)
}
