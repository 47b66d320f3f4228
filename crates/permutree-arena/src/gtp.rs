//! The Go Text Protocol (GTP, version 2), which GUIs and other engines speak, for every game.
//!
//! A move that is a square is written as a GTP vertex, such as `D4` (the letter I is skipped), so that GoGui can play
//! it; a column is written as the vertex where its stone falls, and every other move in the notation of the game.
//! `black` and `white` are the first two players; players may also be given by their numbers from 1, and `chance` rolls
//! the dice.

mod diagram;
mod gogui;
mod wire;

pub(crate) use diagram::Diagram;
pub(crate) use wire::{find_move, move_texts, player_name};

use crate::clock::Clocks;
use permutree_zoo::{
    Agent, AnyGame, AnyPosition, Budget, Clock, Error, Player, Rewards, Rng, Session, Turn, Value, game_args,
    game_with,
};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use wire::Command;

/// An agent that plays a game by GTP commands.
///
/// ```
/// use permutree_arena::GtpEngine;
/// use permutree_zoo::{agent, game};
///
/// let mut engine = GtpEngine::new(game("go:5").unwrap(), agent("random").unwrap(), None, 1).unwrap();
/// let mut answers = Vec::new();
/// engine.serve(&mut "1 play b C3\nfinal_score\nquit\n".as_bytes(), &mut answers).unwrap();
/// assert_eq!(String::from_utf8(answers).unwrap(), "=1\n\n= B+17.5\n\n=\n\n");
/// ```
pub struct GtpEngine {
    game: Arc<dyn AnyGame>,
    agent: Agent,
    /// The budget of each move; without one the clock decides.
    budget: Option<Budget>,
    clocks: Clocks,
    rng: Rng,
    session: Box<dyn Session>,
    /// The moves to the position that was searched last.
    searched: Option<Vec<usize>>,
    position: Box<dyn AnyPosition>,
    /// For each turn its move, after any pass that was inserted before it.
    turns: Vec<Vec<usize>>,
}

/// The result of a command: a response, or why it failed.
type Answer = Result<String, String>;

/// The implementation of a command, given its arguments.
type Act = fn(&mut GtpEngine, &[&str]) -> Answer;

/// Every command.
const COMMANDS: &[(&str, Act)] = &[
    ("protocol_version", |_, _| Ok("2".to_string())),
    ("name", |_, _| Ok("Permutree".to_string())),
    ("version", |engine, _| Ok(format!("{} ({})", env!("CARGO_PKG_VERSION"), engine.agent.spec()))),
    ("known_command", |engine, args| {
        Ok(args.first().is_some_and(|name| engine.command(name).is_some()).to_string())
    }),
    ("list_commands", |engine, _| Ok(engine.commands().collect::<Vec<_>>().join("\n"))),
    ("quit", |_, _| done()),
    ("boardsize", GtpEngine::boardsize),
    ("clear_board", |engine, _| engine.restart(engine.game.clone())),
    (KOMI, GtpEngine::komi),
    ("play", GtpEngine::play),
    ("genmove", |engine, args| engine.genmove(args, true)),
    ("reg_genmove", |engine, args| engine.genmove(args, false)),
    ("undo", |engine, _| engine.undo()),
    ("time_settings", GtpEngine::time_settings),
    ("time_left", GtpEngine::time_left),
    ("final_score", |engine, _| engine.final_score()),
    ("showboard", |engine, _| Ok(format!("\n{}", engine.position.board()))),
    ("gogui-analyze_commands", |_, _| Ok(gogui::ANALYZE_COMMANDS.to_string())),
    ("gogui-rules_game_id", |engine, _| Ok(gogui::game_id(engine.game.spec()))),
    ("gogui-rules_board", |engine, _| gogui::board(&*engine.position)),
    ("gogui-rules_board_size", |engine, _| gogui::board_size(&*engine.position)),
    ("gogui-rules_legal_moves", |engine, _| Ok(move_texts(&*engine.position).join(" "))),
    ("gogui-rules_side_to_move", |engine, _| Ok(gogui::side_to_move(engine.position.turn()))),
    ("gogui-rules_final_result", |engine, _| Ok(gogui::final_result(&*engine.position))),
];

/// Offered only if the game has a parameter of this name, because GoGui sends it to every engine that offers it.
const KOMI: &str = "komi";

fn done() -> Answer {
    Ok(String::new())
}

impl GtpEngine {
    /// An engine at the start of a game. Without a budget it follows the clock that GTP commands set, or takes one
    /// second per move if none is set.
    pub fn new(
        game: Arc<dyn AnyGame>,
        agent: Agent,
        budget: Option<Budget>,
        seed: u64,
    ) -> Result<Self, Error> {
        let position = game.start();
        let session = position.session(&agent, 0)?;
        let (clocks, searched, turns) = (Clocks::default(), None, Vec::new());
        Ok(Self { game, agent, budget, clocks, rng: Rng::new(seed), session, searched, position, turns })
    }

    /// Answers commands until `quit` or the end of the input.
    pub fn serve(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut line = Vec::new();
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let line = String::from_utf8_lossy(&line);
            let Some(command) = Command::read(&line) else { continue };
            out.write_all(self.respond(&command).as_bytes())?;
            out.flush()?;
            if command.name() == "quit" {
                return Ok(());
            }
        }
    }

    fn respond(&mut self, command: &Command) -> String {
        let answer = match self.command(command.name()) {
            Some(act) => act(self, &command.args()),
            None => Err("unknown command".to_string()),
        };
        command.response(answer)
    }

    fn commands(&self) -> impl Iterator<Item = &'static str> {
        let komi = self.parameter(KOMI).is_some();
        COMMANDS.iter().map(|(name, _)| *name).filter(move |name| komi || *name != KOMI)
    }

    fn command(&self, name: &str) -> Option<Act> {
        let known = self.commands().any(|known| known == name);
        COMMANDS.iter().find(|(known_name, _)| known && *known_name == name).map(|(_, act)| *act)
    }

    /// The value of a parameter of the game, if the game has it.
    fn parameter(&self, key: &str) -> Option<Value> {
        let args = game_args(self.game.spec()).ok()?;
        args.iter().find(|(name, _)| *name == key).map(|(_, value)| value.clone())
    }

    fn restart(&mut self, game: Arc<dyn AnyGame>) -> Answer {
        self.position = game.start();
        // In the same game the search keeps its allocated memory, but none of its results.
        if self.agent.keeps() || game.spec() != self.game.spec() {
            self.session = self.position.session(&self.agent, 0).map_err(|error| error.to_string())?;
        }
        self.searched = None;
        self.game = game;
        self.turns.clear();
        self.clocks.restart();
        done()
    }

    /// Restarts with a board of this size: the current game if it fits, otherwise the game with that `size`.
    fn boardsize(&mut self, args: &[&str]) -> Answer {
        let size = args.first().and_then(|size| size.parse::<usize>().ok());
        let size = size.ok_or("syntax error: boardsize SIZE")?;
        let has_size = |game: &Arc<dyn AnyGame>| {
            Diagram::read(&game.start().board()).is_some_and(|board| board.size() == size)
        };
        let game = if has_size(&self.game) {
            Some(self.game.clone())
        } else {
            game_with(self.game.spec(), "size", &size.to_string()).ok().filter(has_size)
        };
        self.restart(game.ok_or("unacceptable size")?)
    }

    /// Sets komi and replays the moves.
    fn komi(&mut self, args: &[&str]) -> Answer {
        let komi = args.first().ok_or("syntax error: komi KOMI")?;
        let game =
            game_with(self.game.spec(), KOMI, komi).map_err(|error| format!("syntax error: {error}"))?;
        let (turns, clocks) = (std::mem::take(&mut self.turns), self.clocks.clone());
        self.restart(game)?;
        self.clocks = clocks;
        self.replay(turns)?;
        done()
    }

    fn replay(&mut self, turns: Vec<Vec<usize>>) -> Result<(), String> {
        self.position = self.game.start();
        for &index in turns.iter().flatten() {
            play(&mut *self.position, index)?;
        }
        self.turns = turns;
        Ok(())
    }

    fn undo(&mut self) -> Answer {
        let mut turns = std::mem::take(&mut self.turns);
        turns.pop().ok_or("cannot undo")?;
        self.replay(turns)?;
        done()
    }

    fn play(&mut self, args: &[&str]) -> Answer {
        let [colour, text] = args else { return Err("syntax error: play COLOUR MOVE".to_string()) };
        let (before, position) = self.turn_of(colour)?;
        let index = find_move(&*position, text).ok_or_else(|| format!("illegal move: {text}"))?;
        self.make(before, position, index)?;
        done()
    }

    /// Plays the move at `index` in `position`, which is the current position after the moves `before`.
    fn make(
        &mut self,
        mut before: Vec<usize>,
        mut position: Box<dyn AnyPosition>,
        index: usize,
    ) -> Result<(), String> {
        play(&mut *position, index)?;
        self.position = position;
        before.push(index);
        self.turns.push(before);
        Ok(())
    }

    fn genmove(&mut self, args: &[&str], plays: bool) -> Answer {
        let colour = args.first().ok_or("syntax error: genmove COLOUR")?;
        let (before, position) = self.turn_of(colour)?;
        let index = match position.turn() {
            Turn::Player(player) => self.search(&before, &*position, player)?,
            _ => position.random(&mut self.rng),
        };
        let index = index.ok_or("there is no move to choose")?;
        let text = move_texts(&*position).into_iter().nth(index).ok_or("there is no move to choose")?;
        if plays {
            self.make(before, position, index)?;
        }
        Ok(text)
    }

    /// The agent's move in `position`, which is the current position after the moves `before`. It keeps its previous
    /// results if the game continued from the position that it searched last.
    fn search(
        &mut self,
        before: &[usize],
        position: &dyn AnyPosition,
        player: Player,
    ) -> Result<Option<usize>, String> {
        let budget =
            self.budget.clone().unwrap_or_else(|| Budget::time(self.clocks.allowance(player), Clock::Wall));
        let started = std::time::Instant::now();
        let seed = self.rng.bits();
        let moves: Vec<usize> = self.turns.iter().flatten().chain(before).copied().collect();
        let since = self.searched.as_ref().and_then(|searched| moves.strip_prefix(&searched[..]));
        match since {
            Some(since) => self.session.follow(since, seed),
            None => self.session.restart(position, seed),
        }
        .map_err(|error| error.to_string())?;
        self.searched = Some(moves);
        self.session.advance(&self.agent.budget(&budget));
        let best = self.session.report().moves.first().map(|found| found.index);
        self.clocks.spend(player, started.elapsed());
        Ok(best)
    }

    /// The position in which it is this colour's turn, and the moves inserted to reach it: the current position, or the
    /// one after a pass of the player to move, if that is legal.
    fn turn_of(&self, colour: &str) -> Result<(Vec<usize>, Box<dyn AnyPosition>), String> {
        let wanted = self.colour(colour)?;
        let mut position = self.position.boxed_clone();
        let turn = position.turn();
        if turn == Turn::Over {
            return Err("illegal move: the game is over".to_string());
        }
        if turn == wanted {
            return Ok((Vec::new(), position));
        }
        if let Some(pass) = find_move(&*position, "pass") {
            play(&mut *position, pass)?;
            if position.turn() == wanted {
                return Ok((vec![pass], position));
            }
        }
        Err(format!("illegal move: it is the turn of {}", gogui::side_to_move(turn)))
    }

    /// The turn that a colour names: `b`, `black`, `w`, `white`, the number of a player, or `chance`.
    fn colour(&self, text: &str) -> Result<Turn, String> {
        let players = self.game.players();
        let number = match text.to_ascii_lowercase().as_str() {
            "chance" => return Ok(Turn::Chance),
            "b" | "black" => 1,
            "w" | "white" => 2,
            number => number.parse().unwrap_or(0),
        };
        match number {
            1.. if number <= players => Ok(Turn::Player(Player(number as u8 - 1))),
            _ => Err(format!("invalid color: {text}; {} has players 1..{players}", self.game.spec())),
        }
    }

    fn time_settings(&mut self, args: &[&str]) -> Answer {
        let [main, extra, stones] =
            numbers(args).ok_or("syntax error: time_settings MAIN BYO_YOMI STONES")?;
        self.clocks.set(main, extra, stones);
        done()
    }

    fn time_left(&mut self, args: &[&str]) -> Answer {
        let wrong = "syntax error: time_left COLOUR TIME STONES";
        let (colour, rest) = args.split_first().ok_or(wrong)?;
        let [left, stones] = numbers(rest).ok_or(wrong)?;
        match self.colour(colour)? {
            Turn::Player(player) => self.clocks.left(player, left, stones),
            _ => return Err(wrong.to_string()),
        }
        done()
    }

    /// `B+3.5`, `W+3.5` or `0`: the margin in komi if the game has komi, otherwise the difference of the rewards. If
    /// there are not two players, the rewards.
    fn final_score(&self) -> Answer {
        if let Some(Value::Real(komi)) = self.parameter(KOMI)
            && let Some(even) = self.even_komi()
        {
            return Ok(score(even - komi));
        }
        if self.position.turn() != Turn::Over {
            return Err("the game is not over".to_string());
        }
        let rewards = self.position.rewards();
        Ok(match rewards.as_slice() {
            [black, white] => score(black - white),
            rewards => rewards.iter().map(f64::to_string).collect::<Vec<_>>().join(" "),
        })
    }

    /// The komi with which the current position would be a draw.
    fn even_komi(&self) -> Option<f64> {
        // More komi is never better for the first player, so this is the smallest with which they do not win.
        let (mut low, mut high) = (-MOST_KOMI, MOST_KOMI);
        while low < high {
            let middle = low + (high - low).div_euclid(2);
            if self.rewards_with(f64::from(middle) / 2.0)?.of(Player(0)) > 0.5 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Some(f64::from(low) / 2.0)
    }

    fn rewards_with(&self, komi: f64) -> Option<Rewards> {
        let mut position = game_with(self.game.spec(), KOMI, &komi.to_string()).ok()?.start();
        self.turns.iter().flatten().try_for_each(|&index| position.play(index)).ok()?;
        Some(position.rewards())
    }
}

/// Plays a move of the list.
fn play(position: &mut dyn AnyPosition, index: usize) -> Result<(), String> {
    position.play(index).map_err(|error| error.to_string())
}

/// Twice the largest komi on a 19x19 board.
const MOST_KOMI: i32 = 2 * 361;

/// The margin of the first player in GTP notation.
fn score(ahead: f64) -> String {
    match ahead {
        0.0 => "0".to_string(),
        ahead if ahead > 0.0 => format!("B+{ahead}"),
        behind => format!("W+{}", -behind),
    }
}

/// Exactly `N` whole numbers.
fn numbers<const N: usize>(args: &[&str]) -> Option<[u32; N]> {
    let numbers: Option<Vec<u32>> = args.iter().map(|arg| arg.parse().ok()).collect();
    numbers?.try_into().ok()
}
