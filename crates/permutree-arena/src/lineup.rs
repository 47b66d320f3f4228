//! How agents play a game, in matches and experiments alike.

use crate::clock::{moves_to_come, share};
use crate::external::Engine;
use crate::record::GameRecord;
use crate::seating::seatings;
use crate::{ArenaError, MAX_PLIES};
use permutree_zoo::{Agent, AnyGame, Budget, Rewards, Rng, Session, Turn};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A game and the agents that play it, checked.
#[derive(Clone)]
pub(crate) struct Lineup {
    game: Arc<dyn AnyGame>,
    agents: Vec<Agent>,
    /// The budget per move of each agent.
    budgets: Vec<Budget>,
    seatings: Vec<Vec<usize>>,
    max_plies: u64,
}

/// What plays for an agent.
pub(crate) enum Member {
    /// A search, restarted for each move, which keeps its allocated memory.
    Search(Box<dyn Session>),
    /// A program, which must be told the moves of the others.
    External(Engine),
}

/// The members of one thread, one per agent.
pub(crate) type Crew = Vec<Member>;

/// Calls `act` for every external engine in a game. Returns the first that fails, and why.
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

impl Lineup {
    /// Refuses agents that cannot all be seated, and searching agents without a budget or with an empty one.
    pub(crate) fn new(
        game: Arc<dyn AnyGame>,
        agents: Vec<Agent>,
        budget: &Budget,
    ) -> Result<Self, ArenaError> {
        let players = game.players();
        let seatings = seatings(players, agents.len());
        if seatings.is_empty() {
            return Err(ArenaError::Seats { game: game.spec().to_string(), players, agents: agents.len() });
        }
        // The stop flag stops the match, not its searches: a game with searches that were cut short must not count.
        let budgets: Vec<Budget> =
            agents.iter().map(|agent| Budget { stop: None, ..agent.budget(budget) }).collect();
        for (agent, budget) in agents.iter().zip(&budgets).filter(|(agent, _)| agent.needs_budget()) {
            check_budget(agent, budget)?;
        }
        Ok(Self { game, agents, budgets, seatings, max_plies: MAX_PLIES })
    }

    /// Changes the time per move of the agents that have no budget of their own.
    pub(crate) fn change_time(&mut self, time: Duration) {
        for (agent, budget) in self.agents.iter().zip(&mut self.budgets) {
            *budget = agent.budget(&Budget { time: Some(time), clock: budget.clock, ..Budget::default() });
        }
    }

    /// The game.
    pub(crate) fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// The specs of the agents.
    pub(crate) fn specs(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().map(Agent::spec)
    }

    /// The notes of the agents.
    pub(crate) fn notes(&self) -> impl Iterator<Item = &str> {
        self.agents.iter().flat_map(Agent::notes).map(String::as_str)
    }

    /// The number of seatings in one round.
    pub(crate) fn rounds(&self) -> u64 {
        self.seatings.len() as u64
    }

    /// How many games share a number: one, or one per agent in a one-player game.
    pub(crate) fn alike(&self) -> u64 {
        if self.game.players() == 1 { self.agents.len() as u64 } else { 1 }
    }

    /// Whether the same seed gives the same games: not with a time budget or an agent that is not deterministic.
    pub(crate) fn is_deterministic(&self) -> bool {
        let counted = |agent: &Agent, budget: &Budget| !agent.needs_budget() || budget.is_deterministic();
        self.agents
            .iter()
            .zip(&self.budgets)
            .all(|(agent, budget)| agent.is_deterministic() && counted(agent, budget))
    }

    /// A crew for one thread, with a member for each agent.
    pub(crate) fn crew(&self) -> Result<Crew, ArenaError> {
        let start = self.game.start();
        let member = |agent: &Agent| match agent.external() {
            None => Ok(Member::Search(start.session(agent, 0)?)),
            Some(external) => Engine::start(external, &*self.game)
                .map(Member::External)
                .map_err(|why| ArenaError::Engine { agent: agent.spec().to_string(), why }),
        };
        self.agents.iter().map(member).collect()
    }

    /// Plays game `index` with a random generator of its own: stream `stream` of `seed`. Nothing is kept from other
    /// games, so it does not matter which were played before. `watch` sees the seating and the moves so far, after
    /// every move.
    pub(crate) fn play(
        &self,
        index: u64,
        seed: u64,
        stream: u64,
        crew: &mut Crew,
        watch: &dyn Fn(&[usize], &[String]),
    ) -> Result<GameRecord, ArenaError> {
        let seating = &self.seatings[(index % self.rounds()) as usize];
        let mut rng = Rng::stream(seed, stream);
        let mut position = self.game.start();
        for (agent, member) in self.agents.iter().zip(crew.iter_mut()).filter(|(agent, _)| agent.keeps()) {
            *member = Member::Search(position.session(agent, 0)?);
        }
        let mut record = GameRecord {
            number: index / self.alike(),
            seating: seating.clone(),
            rewards: Rewards::draw(seating.len()),
            moves: Vec::new(),
            unfinished: true,
            forfeit: None,
            playouts: vec![0; crew.len()],
            time: vec![Duration::ZERO; crew.len()],
        };
        // The moves as indices, and how many of them each agent has been told.
        let mut played: Vec<usize> = Vec::new();
        let mut heard: Vec<Option<usize>> = vec![None; crew.len()];
        // The time that each seat has used. The length of the game is estimated with a separate generator.
        let mut used = vec![Duration::ZERO; seating.len()];
        let mut guesses = Rng::stream(seed, !stream);
        if let Err((agent, why)) = engines(crew, seating, |_, engine| engine.begin()) {
            return Ok(record.forfeited(agent, why));
        }
        while (record.moves.len() as u64) < self.max_plies {
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
                            match heard[agent].replace(played.len()) {
                                Some(heard) => session.follow(&played[heard..], rng.bits())?,
                                None => session.restart(&*position, rng.bits())?,
                            }
                            let mut budget = self.budgets[agent].clone();
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
            position.play(index)?;
            played.push(index);
            record.moves.push(moves.swap_remove(index));
            watch(seating, &record.moves);
            // After the last move an engine has nothing left to do.
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

/// Refuses a missing or empty budget for an agent that searches.
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
        let mut lineup = Lineup::new(game("hex:5").unwrap(), agents, &Budget::default()).unwrap();
        let mut crew = lineup.crew().unwrap();
        let whole = lineup.play(0, 1, 0, &mut crew, &|_, _| {}).unwrap();
        assert!(!whole.unfinished && whole.plies() > 6);
        lineup.max_plies = 6;
        let record = lineup.play(0, 1, 0, &mut crew, &|_, _| {}).unwrap();
        assert!(record.unfinished);
        assert_eq!((record.plies(), record.rewards), (6, Rewards::draw(2)));
        assert_eq!(whole.moves[..6], record.moves);
    }
}
