use crate::failure::{Failure, one_line};
use crate::options::{BudgetArgs, agent, fresh_seed, seed, whole};
use crate::show;
use clap::Args;
use permutree_zoo::{AGENTS, Agent, AnyGame, AnyPosition, BEST, Budget, Clock, Player, Rng, Turn, game};
use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::Arc;
use std::time::Duration;
use thinker::Thinker;

mod thinker;

/// The default time per move: long enough to play well, short enough to wait for.
const PATIENCE: Duration = Duration::from_secs(1);

const HELP: &str = "\
a move        plays it
moves         lists the legal moves
hint          searches for you and shows the three best moves
undo          goes back to your previous turn
board         shows the board again
save FILE.svg saves a picture of the position
resign        ends the game; so does quit";

#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The game, such as hex:7
    game: String,

    /// The agent that plays all other seats
    #[arg(default_value = BEST)]
    agent: String,

    /// Your seat, from 1; by default that of the player who moves first
    #[arg(long, value_name = "N", value_parser = whole, allow_negative_numbers = true)]
    seat: Option<usize>,

    // One second of wall-clock time if neither is given.
    #[command(flatten)]
    budget: BudgetArgs,

    /// Let the agent think during your turns too, and keep its results
    #[arg(long)]
    ponder: bool,

    /// Seed of dice and of the agent; random if not given
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
}

pub(crate) fn run(args: &PlayArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, mut agent) = (game(&args.game)?, agent(&args.agent)?);
    if args.ponder {
        agent = agent.reusing().ok_or_else(|| {
            let able = AGENTS.iter().map(|facts| facts.name);
            let able =
                able.filter(|name| permutree_zoo::agent(name).is_ok_and(|agent| agent.reusing().is_some()));
            let able: Vec<&str> = able.collect();
            Failure::input(format!(
                "--ponder: {} keeps nothing between moves; agents that do: {}",
                args.agent,
                able.join(", ")
            ))
        })?;
    }
    let start = game.start();
    // Refuses a coding that the game does not have.
    start.session(&agent, 1)?;
    let seat = match args.seat {
        Some(seat) if (1..=game.players()).contains(&seat) => Some(Player(seat as u8 - 1)),
        Some(seat) => {
            let seats = game.players();
            return Err(Failure::input(format!("--seat {seat}: {} has seats 1..{seats}", game.spec())));
        }
        None => match start.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        },
    };
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let budget = agent.budget(&args.budget.budget(Clock::Wall, Budget::time(PATIENCE, Clock::Wall)));
    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let mut table = Table {
        game,
        agent,
        budget,
        seat,
        position: start,
        thinker: Thinker::default(),
        ponder: args.ponder,
        turns: Vec::new(),
        rng: Rng::new(seed),
        hints: Rng::stream(seed, 1),
        colour,
        echo: !io::stdin().is_terminal(),
        input: &mut io::stdin().lock(),
        out,
    };
    table.play(seed)
}

/// What to do after a command.
enum Next {
    /// Ask again.
    Ask,
    /// The position has changed.
    Go,
    /// End the game.
    Quit,
}

/// A game between the user and the agent.
struct Table<'a> {
    game: Arc<dyn AnyGame>,
    agent: Agent,
    budget: Budget,
    /// The user's seat; not known while a die decides who moves first.
    seat: Option<Player>,
    position: Box<dyn AnyPosition>,
    thinker: Thinker,
    ponder: bool,
    /// The positions in which the user moved, for undo.
    turns: Vec<Box<dyn AnyPosition>>,
    rng: Rng,
    /// Hints have their own generator, so that asking for one does not change the game.
    hints: Rng,
    colour: bool,
    echo: bool,
    input: &'a mut dyn BufRead,
    out: &'a mut dyn Write,
}

impl Table<'_> {
    fn play(&mut self, seed: u64) -> Result<(), Failure> {
        let (spec, agent) = (self.game.spec(), self.agent.spec());
        writeln!(self.out, "{spec} against {agent}, seed {seed}")?;
        if let Some(seat) = self.seat {
            writeln!(self.out, "You are {seat}.")?;
        }
        writeln!(self.out)?;
        self.show_board()?;
        loop {
            match self.position.turn() {
                Turn::Over => return self.say_outcome(),
                Turn::Chance => self.roll()?,
                Turn::Player(player) => {
                    if self.seat.is_none() {
                        self.seat = Some(player);
                        writeln!(self.out, "You are {player}.")?;
                    }
                    if self.seat == Some(player) {
                        if !self.ask()? {
                            return Ok(());
                        }
                    } else {
                        self.answer(player)?;
                    }
                }
            }
        }
    }

    /// Asks the user until the position changes. Returns false if the game ends here.
    fn ask(&mut self) -> Result<bool, Failure> {
        if self.ponder {
            let seed = self.rng.bits();
            self.thinker.ponder(&self.agent, &*self.position, seed)?;
        }
        loop {
            let prompt = self.paint("1", "your move (help for commands)>");
            write!(self.out, "{prompt} ")?;
            self.out.flush()?;
            let Some(line) = self.line()? else {
                writeln!(self.out, "\nGoodbye.")?;
                return Ok(false);
            };
            // A terminal shows what is typed; the log of a script needs it too.
            if self.echo {
                writeln!(self.out, "{}", one_line(line.trim()))?;
            }
            match self.obey(line.trim())? {
                Next::Ask => {}
                Next::Go => return Ok(true),
                Next::Quit => return Ok(false),
            }
        }
    }

    /// The next line of input, or `None` at its end. Invalid UTF-8 is not a move, and does not end the game.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.input.read_until(b'\n', &mut bytes)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn obey(&mut self, line: &str) -> Result<Next, Failure> {
        // Moves come first, since those of a user's own game may have the name of a command.
        let found = self.position.find(line);
        if let Ok(index) = found {
            self.turns.push(self.position.boxed_clone());
            self.play_move(index)?;
            return Ok(Next::Go);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (word, rest.trim()) {
            ("", _) => {}
            ("help" | "?", "") => writeln!(self.out, "{HELP}")?,
            ("moves", "") => {
                let moves = self.position.moves();
                writeln!(self.out, "{}", show::wrapped(&moves.join(" "), 0, 100))?;
            }
            ("board", "") => self.show_board()?,
            ("hint", "") => self.hint()?,
            ("undo", "") => match self.turns.pop() {
                Some(position) => {
                    self.position = position;
                    self.thinker = Thinker::default();
                    self.show_board()?;
                }
                None => self.complain("there is nothing to undo")?,
            },
            ("save", path) => self.save(path)?,
            ("resign", "") => {
                let others = if self.game.players() == 2 {
                    format!(" {} wins.", self.agent.spec())
                } else {
                    String::new()
                };
                writeln!(self.out, "You resign.{others}")?;
                return Ok(Next::Quit);
            }
            ("quit" | "exit", "") => {
                writeln!(self.out, "Goodbye.")?;
                return Ok(Next::Quit);
            }
            _ => {
                if let Err(error) = found {
                    self.complain(&error.to_string())?;
                }
            }
        }
        Ok(Next::Ask)
    }

    /// The agent moves for `player`.
    fn answer(&mut self, player: Player) -> Result<(), Failure> {
        self.out.flush()?;
        let seed = self.rng.bits();
        let report = self.thinker.think(&self.agent, &*self.position, &self.budget, seed)?;
        let Some(best) = report.moves.first() else { return Ok(()) };
        let expected = if report.playouts == 0 {
            String::new()
        } else {
            let playouts = show::count(report.playouts);
            self.paint("2", &format!(" (expects {:.2} after {playouts} playouts)", best.mean))
        };
        let who = if self.game.players() > 2 {
            format!("{} as {player}", self.agent.spec())
        } else {
            self.agent.spec().to_string()
        };
        let mv = self.paint("1;36", &best.mv);
        writeln!(self.out, "{who} plays {mv}{expected}\n")?;
        self.play_move(best.index)
    }

    fn play_move(&mut self, index: usize) -> Result<(), Failure> {
        self.thinker.see(index);
        self.position.play(index)?;
        self.show_board()
    }

    fn roll(&mut self) -> Result<(), Failure> {
        let outcome = self.position.random(&mut self.rng);
        let texts = self.position.moves();
        let Some((index, text)) = outcome.and_then(|index| Some((index, texts.get(index)?))) else {
            return Err(Failure::input("chance has no outcome to choose from"));
        };
        let text = self.paint("1;33", text);
        writeln!(self.out, "chance: {text}\n")?;
        self.play_move(index)
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let seed = self.hints.bits();
        let mut session = self.position.session(&self.agent, seed)?;
        session.advance(&self.budget);
        let report = session.report();
        for found in report.moves.iter().take(3) {
            let (visits, mean) = (show::count(found.visits), found.mean);
            match report.playouts {
                0 => writeln!(self.out, "  {}", found.mv)?,
                _ => writeln!(self.out, "  {:<6} expects {mean:.2}, {visits} visits", found.mv)?,
            }
        }
        Ok(())
    }

    /// Saves a picture. Other paths than pictures are refused, so that a slip overwrites nothing else.
    fn save(&mut self, path: &str) -> Result<(), Failure> {
        if !path.ends_with(".svg") {
            return self.complain("save needs a file name that ends in .svg");
        }
        match std::fs::write(path, self.position.picture()) {
            Ok(()) => writeln!(self.out, "saved {}", one_line(path))?,
            Err(error) => self.complain(&format!("cannot write {path}: {error}"))?,
        }
        Ok(())
    }

    /// A position in which chance moves is not shown, only the one after it.
    fn show_board(&mut self) -> Result<(), Failure> {
        if self.position.turn() == Turn::Chance {
            return Ok(());
        }
        writeln!(self.out, "{}\n", self.position.board().trim_end_matches('\n'))?;
        Ok(())
    }

    fn say_outcome(&mut self) -> Result<(), Failure> {
        let agent = self.agent.spec();
        let words = show::outcome(&self.position.rewards(), |player| {
            if self.seat == Some(player) {
                ("you".to_string(), true)
            } else if self.game.players() == 2 {
                (agent.to_string(), false)
            } else {
                (player.to_string(), false)
            }
        });
        // A spec keeps its spelling.
        let words = if words.starts_with(agent) { words } else { show::sentence(&words) };
        let words = self.paint("1", &format!("{words}."));
        writeln!(self.out, "{words}")?;
        Ok(())
    }

    fn complain(&mut self, what: &str) -> Result<(), Failure> {
        let line = self.paint("31", &one_line(what));
        writeln!(self.out, "{line}")?;
        Ok(())
    }

    /// The text in a style, if the output is a terminal.
    fn paint(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_string() }
    }
}
