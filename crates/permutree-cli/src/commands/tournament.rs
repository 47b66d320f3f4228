use super::match_::{GAMES_AND_TIME, PLAYOUTS, games, percent, progress};
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::options::{BudgetArgs, ClockArg, agents, seed, threads, whole};
use crate::show::{self, Table};
use clap::{Args, ValueEnum};
use permutree_arena::statistics::{Rating, Trinomial};
use permutree_arena::{Comparison, Meeting, System, Tournament};
use permutree_zoo::{Budget, game};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::sync::atomic::Ordering;

/// The most rounds of a Swiss tournament.
const MAX_ROUNDS: usize = 1000;

/// Pairs with a corrected p-value below this are marked.
const SURE: f64 = 0.05;

#[derive(Args)]
pub(crate) struct TournamentArgs {
    /// The game, for two or more players
    game: String,

    /// Two or more agents
    #[arg(required = true, value_name = "AGENT")]
    agents: Vec<String>,

    /// How agents are paired
    #[arg(long, value_enum, default_value = "round-robin")]
    system: SystemArg,

    /// Rounds of a Swiss tournament; by default the binary logarithm of the number of agents, rounded up
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    rounds: Option<usize>,

    /// Games per match
    #[arg(long, value_name = "N", value_parser = games, default_value = "100", allow_negative_numbers = true)]
    games: u64,

    #[command(flatten)]
    budget: BudgetArgs,

    /// Clock for --time
    #[arg(long, value_enum, default_value = "thread")]
    clock: ClockArg,

    /// Seed: the same seed and number of playouts give the same games, with any --threads
    #[arg(long, value_name = "S", value_parser = seed, default_value = "1", allow_negative_numbers = true)]
    seed: u64,

    /// Games to play in parallel; 0 for one per core
    #[arg(long, value_name = "N", value_parser = threads, default_value = "0", allow_negative_numbers = true)]
    threads: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum SystemArg {
    /// Every agent meets every other
    RoundRobin,
    /// The first agent meets every other
    Gauntlet,
    /// Agents with about the same points meet
    Swiss,
}

impl TournamentArgs {
    fn system(&self) -> Result<System, Failure> {
        let halvings = self.agents.len().next_power_of_two().trailing_zeros() as usize;
        match (self.system, self.rounds) {
            (SystemArg::Swiss, rounds) => match rounds.unwrap_or(halvings) {
                rounds @ 1..=MAX_ROUNDS => Ok(System::Swiss { rounds }),
                // A single agent is refused later, with a message of its own.
                0 if self.rounds.is_none() => Ok(System::Swiss { rounds: 1 }),
                rounds => {
                    Err(Failure::input(format!("--rounds {rounds}: must be a whole number 1..{MAX_ROUNDS}")))
                }
            },
            (_, Some(_)) => Err(Failure::input("--rounds needs --system swiss")),
            (SystemArg::RoundRobin, None) => Ok(System::RoundRobin),
            (SystemArg::Gauntlet, None) => Ok(System::Gauntlet),
        }
    }

    fn system_name(&self) -> &'static str {
        match self.system {
            SystemArg::RoundRobin => "round-robin",
            SystemArg::Gauntlet => "gauntlet",
            SystemArg::Swiss => "swiss",
        }
    }
}

pub(crate) fn run(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let system = args.system()?;
    let agents = agents(&args.agents)?;
    let mut budget = args.budget.budget(args.clock.into(), Budget::playouts(PLAYOUTS));
    let stop = stop_on_interrupt();
    budget.stop = Some(stop.clone());
    let tournament = Tournament {
        game: game(&args.game)?,
        agents,
        system,
        games: args.games,
        seed: args.seed,
        threads: args.threads,
        budget,
    };

    let bar = progress(GAMES_AND_TIME);
    let meetings = tournament.play(&mut |matches, at_hand, standing| {
        bar.set_length(args.games.saturating_mul(matches as u64));
        bar.set_position(args.games.saturating_mul(at_hand as u64) + standing.games());
        bar.set_message(format!("match {} of {matches}", at_hand + 1));
    });
    bar.finish_and_clear();
    let table = Standings::new(&tournament, meetings?);
    if args.json {
        writeln!(out, "{}", table.to_json(args))?;
    } else {
        table.write(args, out)?;
    }
    if stop.load(Ordering::Relaxed) { Err(Failure::Stopped) } else { Ok(()) }
}

/// The standings of a tournament.
struct Standings {
    game: String,
    specs: Vec<String>,
    meetings: Vec<Meeting>,
    ratings: Vec<Rating>,
    /// The agents from the strongest to the weakest, group by group.
    order: Vec<usize>,
    comparisons: Vec<Comparison>,
}

impl Standings {
    fn new(tournament: &Tournament, meetings: Vec<Meeting>) -> Self {
        let ratings = tournament.ladder(&meetings);
        let mut order: Vec<usize> = (0..ratings.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (&ratings[a], &ratings[b]);
            a.group.cmp(&b.group).then(b.elo.total_cmp(&a.elo))
        });
        Self {
            game: tournament.game.spec().to_string(),
            specs: tournament.agents.iter().map(|agent| agent.spec().to_string()).collect(),
            comparisons: Comparison::all(&meetings),
            meetings,
            ratings,
            order,
        }
    }

    fn games(&self) -> u64 {
        self.meetings.iter().map(|meeting| meeting.result.games).sum()
    }

    fn deterministic(&self) -> bool {
        self.meetings.iter().all(|meeting| meeting.result.deterministic)
    }

    fn groups(&self) -> usize {
        let ratings = self.ratings.iter().enumerate();
        ratings.filter(|(agent, rating)| rating.group == *agent).count()
    }

    fn write(&self, args: &TournamentArgs, out: &mut dyn Write) -> io::Result<()> {
        let (matches, games) = (show::count(self.meetings.len() as u64), show::count(self.games()));
        let (game, system, seed) = (&self.game, args.system_name(), args.seed);
        writeln!(out, "{game}, {system}, {matches} matches, {games} games, seed {seed}\n")?;
        self.write_ladder(out)?;
        writeln!(out)?;
        self.write_cross_table(out)?;
        writeln!(out, "\nScores of the rows in %; * marks p < 0.05, corrected for all pairs (Holm).")?;
        if self.groups() > 1 {
            writeln!(
                out,
                "\nAgents of different groups never met, directly or through others: each group has its own 0."
            )?;
        }
        if !self.deterministic() {
            writeln!(
                out,
                "\nAnother run will differ: time budgets, search threads and external engines are not deterministic."
            )?;
        }
        Ok(())
    }

    fn write_ladder(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::default();
        let groups = self.groups() > 1;
        let mut head = vec!["agent", "Elo", "95 % interval", "games", "score %"];
        head.extend(groups.then_some("group"));
        table.row(head);
        for (place, &agent) in self.order.iter().enumerate() {
            let Rating { elo, ci95: (low, high), games, score, group, .. } = self.ratings[agent];
            let mut row = vec![
                self.label(place),
                format!("{elo:+.0}"),
                format!("{low:+.0}..{high:+.0}"),
                show::rounded(games),
                percent(score),
            ];
            let number = || 1 + (0..group).filter(|&agent| self.ratings[agent].group == agent).count();
            row.extend(groups.then(|| number().to_string()));
            table.row(row);
        }
        table.write(out)
    }

    /// The cross table, in the order of the ladder.
    fn write_cross_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut table = Table::default();
        let places = 0..self.order.len();
        table.row(
            std::iter::once("against".to_string()).chain(places.clone().map(|place| (place + 1).to_string())),
        );
        for row in places.clone() {
            let cells = places.clone().map(|column| self.cell(self.order[row], self.order[column]));
            table.row(std::iter::once(self.label(row)).chain(cells));
        }
        table.write(out)
    }

    fn label(&self, place: usize) -> String {
        format!("{} {}", place + 1, self.specs[self.order[place]])
    }

    /// What one agent scored against another.
    fn cell(&self, one: usize, other: usize) -> String {
        let agents = (one.min(other), one.max(other));
        let met = self.comparisons.iter().find(|met| met.agents == agents && met.counts.games() > 0.0);
        met.map_or_else(String::new, |met| {
            let score = met.counts.mean();
            let score = if one < other { score } else { 1.0 - score };
            format!("{:.1}{}", 100.0 * score, if met.p_value < SURE { "*" } else { " " })
        })
    }

    fn to_json(&self, args: &TournamentArgs) -> Value {
        let rating = |&agent: &usize| {
            let Rating { elo, ci95: (low, high), games, score, group, .. } = self.ratings[agent];
            json!({
                "agent": agent + 1, "spec": self.specs[agent], "elo": elo, "ci95": [low, high],
                "games": games as u64, "score": score, "group": group + 1,
            })
        };
        let comparison = |met: &Comparison| {
            let mut value = counts_json(met.agents, &met.counts);
            value["superiority"] = met.counts.superiority().into();
            value["p_holm"] = met.p_value.into();
            value
        };
        let meeting = |meeting: &Meeting| {
            let mut value = counts_json(meeting.agents, &meeting.counts());
            value["round"] = meeting.round.into();
            value["seed"] = meeting.result.seed.into();
            value
        };
        json!({
            "game": self.game,
            "system": args.system_name(),
            "games": self.games(),
            "seed": args.seed,
            "deterministic": self.deterministic(),
            "ladder": self.order.iter().map(rating).collect::<Vec<_>>(),
            "comparisons": self.comparisons.iter().map(comparison).collect::<Vec<_>>(),
            "matches": self.meetings.iter().map(meeting).collect::<Vec<_>>(),
        })
    }
}

/// The results of the first of two agents, which are counted from 1.
fn counts_json((first, second): (usize, usize), counts: &Trinomial) -> Value {
    let [losses, draws, wins] = counts.0.map(|count| count as u64);
    json!({
        "agents": [first + 1, second + 1], "games": wins + draws + losses, "score": counts.mean(),
        "wins": wins, "draws": draws, "losses": losses,
    })
}
