use super::experiment::measurements;
use super::signature::{Signatures, first_choice};
use crate::failure::Failure;
use crate::options::agents;
use crate::show::{self, Table};
use clap::Args;
use permutree_arena::experiment::Measurement;
use permutree_zoo::{Agent, AnyGame, Budget, Clock, GAMES, Stopwatch, game, parse_playouts};
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Thread CPU time of a row: enough for a stable median, and for a bench of everything in half a minute.
const ROW: Duration = Duration::from_millis(300);
/// The fewest searches of a row, however long they take.
const LEAST: usize = 5;

#[derive(Args)]
pub(crate) struct BenchArgs {
    /// Games; by default all
    games: Vec<String>,

    /// Agents, in addition to bare random playouts
    #[arg(long, value_name = "AGENT", num_args = 1.., default_values = ["uct", "grave", "mcps"])]
    agents: Vec<String>,

    /// Playouts per search
    #[arg(long, value_name = "N", value_parser = parse_playouts, default_value = "10000", allow_negative_numbers = true)]
    playouts: u64,

    /// Also keep the result in this store, for `permutree experiment history`
    #[arg(long, value_name = "F")]
    store: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The measurement of one agent in one game; the agent `random` is bare playouts.
struct Row {
    game: String,
    agent: String,
    playouts: u64,
    /// Thread seconds per playout.
    cost: f64,
}

impl Row {
    fn measurement(&self, signature: &str) -> Measurement {
        Measurement {
            command: "bench".to_string(),
            game: self.game.clone(),
            agent: self.agent.clone(),
            quantity: "playouts_per_s".to_string(),
            playouts: self.playouts,
            seed: 1,
            value: 1.0 / self.cost,
            note: signature.to_string(),
        }
    }
}

pub(crate) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Failure> {
    // Everything is checked before anything is measured, so that a mistake shows at once.
    let games = if args.games.is_empty() { default_games() } else { args.games.clone() };
    let games = games.iter().map(|spec| game(spec)).collect::<Result<Vec<_>, _>>()?;
    let agents = agents(&args.agents)?;
    for game in &games {
        for agent in &agents {
            // Refuses a coding that the game does not have.
            game.start().session(agent, 1)?;
        }
    }
    // Bare playouts are measured anyway.
    let agents: Vec<Agent> = agents.into_iter().filter(|agent| agent.spec() != "random").collect();

    let store = measurements(args.store.as_deref())?;
    let signatures = Signatures::compute()?;
    let signature = signatures.whole();
    let rows = measure(&games, &agents, args.playouts)?;
    if let Some(mut store) = store {
        let measured: Vec<Measurement> = rows.iter().map(|row| row.measurement(&signature)).collect();
        store.measure(&measured)?;
    }
    if args.json {
        let rows: Vec<Value> = rows
            .iter()
            .map(|row| {
                json!({
                    "game": row.game, "agent": row.agent, "playouts": row.playouts, "playouts_per_s": 1.0 / row.cost,
                })
            })
            .collect();
        let signatures = signatures.json();
        writeln!(out, "{}", json!({ "rows": rows, "signature": signature, "signatures": signatures }))?;
        return Ok(());
    }
    writeln!(
        out,
        "playouts per second of thread CPU time, {} playouts per search\n",
        show::count(args.playouts)
    )?;
    table(&games, &rows, false).write(out)?;
    writeln!(out, "\nmicroseconds per playout\n")?;
    table(&games, &rows, true).write(out)?;
    writeln!(out, "\nsignature {signature}")?;
    Ok(())
}

/// Every game with its defaults, but hex as in the papers; `tree` is not worth measuring.
fn default_games() -> Vec<String> {
    let names = GAMES.iter().map(|entry| entry.facts.name).filter(|name| *name != "tree");
    names.map(|name| if name == "hex" { "hex:7,opening=b2" } else { name }.to_string()).collect()
}

fn measure(games: &[Arc<dyn AnyGame>], agents: &[Agent], playouts: u64) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for game in games {
        progress(game.spec());
        let names = std::iter::once("random").chain(agents.iter().map(Agent::spec));
        let costs = costs(&**game, agents, playouts)?;
        rows.extend(names.zip(costs).map(|(agent, (playouts, cost))| Row {
            game: game.spec().to_string(),
            agent: agent.to_string(),
            playouts,
            cost,
        }));
    }
    progress("");
    Ok(rows)
}

/// The playouts of the search of median cost and its seconds per playout, for bare playouts and for each agent. They
/// take turns, so that other load on the machine slows all of them alike.
fn costs(game: &dyn AnyGame, agents: &[Agent], playouts: u64) -> Result<Vec<(u64, f64)>, Failure> {
    let start = first_choice(game)?;
    let mut sessions = agents
        .iter()
        .map(|agent| Ok((start.session(agent, 1)?, agent.budget(&Budget::playouts(playouts)))))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut costs: Vec<Vec<(u64, f64)>> = vec![Vec::new(); 1 + agents.len()];
    let (mut rounds, mut used) = (0, Duration::ZERO);
    // The first round warms up.
    while rounds <= LEAST || used < ROW * costs.len() as u32 {
        rounds += 1;
        let mut times = vec![(playouts, game.time_playouts(playouts, rounds as u64))];
        for (session, budget) in &mut sessions {
            let watch = Stopwatch::start(Clock::Thread);
            session.restart(&*start, rounds as u64)?;
            session.advance(budget);
            let time = watch.elapsed();
            times.push((session.report().playouts, time));
        }
        for (costs, (playouts, time)) in costs.iter_mut().zip(times).filter(|_| rounds > 1) {
            used += time;
            // A clock that stands still between two readings must not make the cost zero.
            let time = time.max(Duration::from_nanos(1));
            costs.push((playouts, time.as_secs_f64() / playouts.max(1) as f64));
        }
    }
    for costs in &mut costs {
        costs.sort_by(|a, b| a.1.total_cmp(&b.1));
    }
    Ok(costs.iter().map(|costs| costs[costs.len() / 2]).collect())
}

/// Shows on a terminal what is being measured.
fn progress(what: &str) {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K{what}");
    }
}

/// Games in rows, agents in columns; costs also have the ratio of MCPS to GRAVE, if both are measured.
fn table(games: &[Arc<dyn AnyGame>], rows: &[Row], costs: bool) -> Table {
    let width = rows.len() / games.len().max(1);
    let lines: Vec<&[Row]> = rows.chunks(width.max(1)).collect();
    let mut table = Table::default();
    let Some(first) = lines.first() else { return table };
    let place = |name: &str| first.iter().position(|row| row.agent == name);
    let pair = if costs { place("mcps").zip(place("grave")) } else { None };
    let mut head = vec!["game".to_string()];
    head.extend(first.iter().map(|row| row.agent.clone()));
    head.extend(pair.map(|_| "mcps/grave".to_string()));
    table.row(head);
    for line in lines {
        let mut cells = vec![line[0].game.clone()];
        cells.extend(line.iter().map(|row| match costs {
            true => format!("{:.3}", 1e6 * row.cost),
            false => show::rounded(1.0 / row.cost),
        }));
        cells.extend(pair.map(|(mcps, grave)| format!("{:.2}", line[mcps].cost / line[grave].cost)));
        table.row(cells);
    }
    table
}
