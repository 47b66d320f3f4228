use crate::clock::{moves_to_come, share};
use crate::external::Engine;
use crate::seating::seatings;
use crate::{ArenaError, MatchResult, Standing};
use permutree_zoo::{Agent, AnyGame, Budget, Rewards, Rng, Session, Turn};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// A game that has not ended after so many moves and outcomes of chance is shared by all players. No game of the zoo
/// comes near it; it is here so that a game that can go on for ever does not hold up a match.
pub const MAX_PLIES: u64 = 100_000;

/// A number of games between agents.
///
/// Every seating that has all agents is played equally often, in a fixed order: in a two-player game the agents swap
/// seats from game to game. Game `i` depends on the seed and on `i` and on nothing else, so the result does not depend
/// on the number of threads.
///
/// A game for one player is played by each agent alone, so many times, and the games of one number have one seed.
#[derive(Clone)]
pub struct Match {
    /// What is played.
    pub game: Arc<dyn AnyGame>,
    /// Who plays: at least one agent, and at most as many as the game has players, but any number if it has one player.
    /// One agent takes all seats.
    pub agents: Vec<Agent>,
    /// How many games; of each agent if the game is for one player. A multiple of [`Match::seatings`] makes it fair.
    pub games: u64,
    /// The seed of the whole match.
    pub seed: u64,
    /// How many games run side by side; 0 for as many as the machine has cores.
    pub threads: usize,
    /// What an agent may use for a move if its spec has no budget of its own. The stop flag does not cut searches short:
    /// when it becomes true the games under way are finished and no more are begun.
    pub budget: Budget,
}

/// One finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The number of the game in its match, from 0. In a game for one player each agent has a game of every number.
    pub number: u64,
    /// The agent of each seat.
    pub seating: Vec<usize>,
    /// What each seat got.
    pub rewards: Rewards,
    /// The moves and outcomes of chance.
    pub moves: Vec<String>,
    /// Whether the game was stopped at [`MAX_PLIES`] and shared by all.
    pub unfinished: bool,
    /// Who lost by other means than the rules, if somebody did.
    pub forfeit: Option<Forfeit>,
    /// Playouts that each agent did.
    pub playouts: Vec<u64>,
    /// Time that each agent searched, by the clock of the budget; for external engines by the clock on the wall.
    pub time: Vec<Duration>,
}

/// An external engine that lost its game because it crashed, was late, made an illegal move or resigned. Its seats get
/// nothing, and the others share the win.
#[derive(Clone, Debug, PartialEq)]
pub struct Forfeit {
    /// The number of the agent.
    pub agent: usize,
    /// What happened.
    pub why: String,
}

impl GameRecord {
    /// How many moves and outcomes of chance there were.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The game ends here, and `agent` has lost it.
    fn forfeited(mut self, agent: usize, why: String) -> Self {
        let others = self.seating.iter().enumerate().filter(|(_, held)| **held != agent);
        let winners = others.fold(0, |winners, (seat, _)| winners | 1 << seat);
        self.rewards = Rewards::share(self.seating.len(), winners);
        self.unfinished = false;
        self.forfeit = Some(Forfeit { agent, why });
        self
    }
}

/// Who plays for an agent.
enum Member {
    /// A search, started over for each move, which keeps its memory.
    Search(Box<dyn Session>),
    /// A program that has to be told what the others play.
    External(Engine),
}

/// The members of one thread, one for each agent.
type Crew = Vec<Member>;

/// Does something with every engine that plays in a game. Gives the first that fails, and why.
fn engines(
    crew: &mut Crew,
    seating: &[usize],
    mut act: impl FnMut(usize, &mut Engine) -> Result<(), String>,
) -> Result<(), (usize, String)> {
    for (agent, member) in crew.iter_mut().enumerate().filter(|(agent, _)| seating.contains(agent)) {
        if let Member::External(engine) = member {
            act(agent, engine).map_err(|why| (agent, why))?;
        }
    }
    Ok(())
}

impl Match {
    /// In how many ways all the agents can be seated; 0 if they cannot.
    #[must_use]
    pub fn seatings(&self) -> usize {
        seatings(self.game.players(), self.agents.len()).len()
    }

    /// Finds everything that can be wrong with the match, and plays nothing.
    pub fn check(&self) -> Result<(), ArenaError> {
        self.checked_seatings()?;
        self.crew().map(drop)
    }

    /// Plays the games. `watch` sees each as it ends, in whatever order that is, and how things stand with it.
    ///
    /// Everything that can be wrong with the match is found before the first game begins.
    pub fn play(&self, watch: &mut dyn FnMut(&GameRecord, &Standing)) -> Result<MatchResult, ArenaError> {
        self.run(&mut |_, record, standing| {
            standing.add(&record);
            watch(&record, standing);
            ControlFlow::Continue(())
        })
    }

    /// Plays the games until `watch` has seen enough, or all of them. It sees them in the order of their numbers, and
    /// games after the last that it saw do not count, so that the result does not depend on the number of threads.
    pub fn play_until(
        &self,
        watch: &mut dyn FnMut(&GameRecord, &Standing) -> ControlFlow<()>,
    ) -> Result<MatchResult, ArenaError> {
        let mut early = BTreeMap::new();
        let mut next = 0;
        self.run(&mut |index, record, standing| {
            early.insert(index, record);
            while let Some(record) = early.remove(&next) {
                next += 1;
                standing.add(&record);
                watch(&record, standing)?;
            }
            ControlFlow::Continue(())
        })
    }

    /// Plays the games and gives each to `take` as it ends, with its place in the match, until there are no more or it
    /// breaks.
    fn run(
        &self,
        take: &mut dyn FnMut(u64, GameRecord, &mut Standing) -> ControlFlow<()>,
    ) -> Result<MatchResult, ArenaError> {
        let seatings = self.checked_seatings()?;
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let (total, alike) = (self.total(), self.alike());
        let threads = usize::try_from(total).map_or(threads, |total| threads.min(total));
        let crews = (0..threads).map(|_| self.crew()).collect::<Result<Vec<Crew>, ArenaError>>()?;

        let next = AtomicU64::new(0);
        let budgets: Vec<Budget> = self.agents.iter().map(|agent| self.budget_of(agent)).collect();
        let work = |mut crew: Crew, send: &dyn Fn(u64, Result<GameRecord, ArenaError>) -> bool| {
            while !self.stopped() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= total {
                    break;
                }
                let seating = &seatings[(index % seatings.len() as u64) as usize];
                if !send(index, self.play_game(index / alike, seating, &mut crew, &budgets, MAX_PLIES)) {
                    break;
                }
            }
        };

        let mut standing = Standing::new(self);
        // Bounded, so that a slow watcher slows the match down and does not fill the memory.
        let (sender, finished) = sync_channel(4 * threads);
        std::thread::scope(|scope| {
            for crew in crews {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || work(crew, &|index, game| sender.send((index, game)).is_ok()));
            }
            drop(sender);
            // Used up here: after an error, a break or a panic the threads find nobody listening and end.
            for (index, game) in finished {
                if take(index, game?, &mut standing).is_break() {
                    break;
                }
            }
            Ok(standing.result())
        })
    }

    /// The games of all agents.
    pub(crate) fn total(&self) -> u64 {
        self.games.saturating_mul(self.alike())
    }

    /// How many games have the same number: one, or in a game for one player one of each agent.
    fn alike(&self) -> u64 {
        if self.game.players() == 1 { self.agents.len() as u64 } else { 1 }
    }

    /// Whether the same seed gives the same games: not if any agent's budget is in time or an agent is a program that knows
    /// nothing of the seed.
    pub(crate) fn is_deterministic(&self) -> bool {
        let certain = |agent: &Agent| !agent.needs_budget() || self.budget_of(agent).is_deterministic();
        self.agents.iter().all(|agent| agent.external().is_none() && certain(agent))
    }

    fn stopped(&self) -> bool {
        self.budget.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// What an agent may use for a move. The stop flag is for the match and not for its searches: games that end in moves
    /// of searches cut short must not count.
    fn budget_of(&self, agent: &Agent) -> Budget {
        Budget { stop: None, ..agent.budget(&self.budget) }
    }

    /// The seatings, if nothing about games, agents and budgets is wrong.
    fn checked_seatings(&self) -> Result<Vec<Vec<usize>>, ArenaError> {
        if self.games == 0 {
            return Err(ArenaError::NoGames);
        }
        let (players, agents) = (self.game.players(), self.agents.len());
        let seatings = seatings(players, agents);
        if seatings.is_empty() {
            return Err(ArenaError::Seats { game: self.game.spec().to_string(), players, agents });
        }
        for agent in self.agents.iter().filter(|agent| agent.needs_budget()) {
            check_budget(agent, &self.budget_of(agent))?;
        }
        Ok(seatings)
    }

    fn crew(&self) -> Result<Crew, ArenaError> {
        let start = self.game.start();
        let member = |agent: &Agent| match agent.external() {
            None => Ok(Member::Search(start.session(agent, 0)?)),
            Some(external) => Engine::start(external, &*self.game)
                .map(Member::External)
                .map_err(|why| ArenaError::Engine { agent: agent.spec().to_string(), why }),
        };
        self.agents.iter().map(member).collect()
    }

    /// Plays game `number`. Chance and the seeds of the searches are drawn from the game's own generator, and nothing is
    /// kept from another game, so that it does not matter which were played before.
    fn play_game(
        &self,
        number: u64,
        seating: &[usize],
        crew: &mut Crew,
        budgets: &[Budget],
        max_plies: u64,
    ) -> Result<GameRecord, ArenaError> {
        let mut rng = Rng::stream(self.seed, number);
        let mut position = self.game.start();
        for (agent, member) in self.agents.iter().zip(crew.iter_mut()).filter(|(agent, _)| agent.keeps()) {
            *member = Member::Search(position.session(agent, 0)?);
        }
        let mut record = GameRecord {
            number,
            seating: seating.to_vec(),
            rewards: Rewards::draw(seating.len()),
            moves: Vec::new(),
            unfinished: true,
            forfeit: None,
            playouts: vec![0; crew.len()],
            time: vec![Duration::ZERO; crew.len()],
        };
        // The moves as places in their lists, and how many of them each agent has seen.
        let mut played: Vec<usize> = Vec::new();
        let mut seen: Vec<Option<usize>> = vec![None; crew.len()];
        // The time that each seat has used. How long the game will be is guessed with a generator of its own.
        let mut used = vec![Duration::ZERO; seating.len()];
        let mut guesses = Rng::stream(self.seed, !number);
        if let Err((agent, why)) = engines(crew, seating, |_, engine| engine.begin()) {
            return Ok(record.forfeited(agent, why));
        }
        while (record.moves.len() as u64) < max_plies {
            let mut moves = position.moves();
            let mut chooser = None;
            let index = match position.turn() {
                Turn::Over => {
                    record.rewards = position.rewards();
                    record.unfinished = false;
                    break;
                }
                Turn::Chance => position.random(&mut rng),
                Turn::Player(_) if moves.len() == 1 => Some(0),
                Turn::Player(player) => {
                    let agent = seating[player.index()];
                    chooser = Some(agent);
                    match &mut crew[agent] {
                        Member::Search(session) => {
                            match seen[agent].replace(played.len()) {
                                Some(seen) => session.follow(&played[seen..], rng.bits())?,
                                None => session.restart(&*position, rng.bits())?,
                            }
                            let mut budget = budgets[agent].clone();
                            if let Some(whole) = budget.game_time {
                                let left = whole.saturating_sub(used[player.index()]);
                                budget.time = Some(share(left, moves_to_come(&*position, &mut guesses)));
                            }
                            session.advance(&budget);
                            let report = session.report();
                            record.playouts[agent] += report.playouts;
                            record.time[agent] += report.time;
                            used[player.index()] += report.time;
                            report.moves.first().map(|found| found.index)
                        }
                        Member::External(engine) => {
                            let started = Instant::now();
                            let choice = engine.choose(player, &*position);
                            record.time[agent] += started.elapsed();
                            match choice {
                                Ok(index) => Some(index),
                                Err(why) => return Ok(record.forfeited(agent, why)),
                            }
                        }
                    }
                }
            };
            let Some(index) = index.filter(|&index| index < moves.len()) else {
                let plies = record.moves.len() as u64;
                return Err(ArenaError::Stuck { game: self.game.spec().to_string(), plies });
            };
            let before = position.boxed_clone();
            position.play(index);
            played.push(index);
            record.moves.push(moves.swap_remove(index));
            // The last move decides nothing that an engine could still do.
            if position.turn() != Turn::Over
                && let Err((agent, why)) = engines(crew, seating, |agent, engine| match chooser {
                    Some(chooser) if chooser == agent => Ok(()),
                    _ => engine.tell(&*before, index),
                })
            {
                return Ok(record.forfeited(agent, why));
            }
        }
        Ok(record)
    }
}

/// Refuses a budget with which an agent that searches would never end, or not begin.
pub(crate) fn check_budget(agent: &Agent, budget: &Budget) -> Result<(), ArenaError> {
    let &Budget { playouts, time, game_time, .. } = budget;
    let agent = agent.spec().to_string();
    if playouts.is_none() && time.is_none() && game_time.is_none() {
        return Err(ArenaError::NoBudget { agent });
    }
    if playouts == Some(0) || [time, game_time].contains(&Some(Duration::ZERO)) {
        return Err(ArenaError::EmptyBudget { agent });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::{agent, game};

    #[test]
    fn games_without_end_are_shared() {
        let agents = vec![agent("random").unwrap()];
        let game = game("hex:5").unwrap();
        let contest = Match { game, agents, games: 1, seed: 1, threads: 1, budget: Budget::default() };
        let mut crew = contest.crew().unwrap();
        let record = contest.play_game(0, &[0, 0], &mut crew, &[Budget::default()], 6).unwrap();
        assert!(record.unfinished);
        assert_eq!((record.plies(), record.rewards), (6, Rewards::draw(2)));
        let whole = contest.play_game(0, &[0, 0], &mut crew, &[Budget::default()], MAX_PLIES).unwrap();
        assert!(!whole.unfinished && whole.plies() > 6);
        assert_eq!(whole.moves[..6], record.moves);
    }
}
