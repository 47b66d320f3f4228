use crate::lineup::check_budget;
use crate::{ArenaError, MAX_PLIES};
use permutree_zoo::{
    Agent, AnyGame, AnyPosition, Budget, Learned, MoveReport, Report, Rng, Session, Turn, Values,
};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Games in which an agent learns position values.
///
/// The position values found by the agent's searches are merged after each game, and serve as V_init in the next one.
/// The agent samples its moves in proportion to visits, so that games differ.
#[derive(Clone)]
pub struct Training {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The agent that learns, starting from its learned values if it has any.
    pub agent: Agent,
    /// The opponents, which take turns from game to game: one of them has all other seats, and meets the agent in every
    /// seat. Without opponents the agent plays itself.
    pub opponents: Vec<Agent>,
    /// The number of games.
    pub games: u64,
    /// The seed of the whole training.
    pub seed: u64,
    /// The budget per move of agents whose spec has none; a time for whole games is ignored. Once the stop flag is
    /// true, the running game is finished and no more are started.
    pub budget: Budget,
}

impl Training {
    /// Plays the games. After each, `watch` sees how many were played and the values learned so far.
    pub fn run(&self, watch: &mut dyn FnMut(u64, &Learned)) -> Result<Learned, ArenaError> {
        if !self.agent.learns() {
            return Err(ArenaError::NoLearning { agent: self.agent.spec().to_string() });
        }
        if self.games == 0 {
            return Err(ArenaError::NoGames);
        }
        for agent in self.opponents.iter().chain([&self.agent]).filter(|agent| agent.needs_budget()) {
            check_budget(agent, &self.budget_of(agent))?;
        }
        let stopped = || self.budget.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        let mut learned = self.agent.learned().cloned().unwrap_or_else(|| Learned::new(&*self.game));
        for number in (0..self.games).take_while(|_| !stopped()) {
            let found = self.play_game(number, &learned)?;
            learned.add(&found);
            watch(number + 1, &learned);
        }
        Ok(learned)
    }

    fn budget_of(&self, agent: &Agent) -> Budget {
        Budget { stop: None, game_time: None, ..agent.budget(&self.budget) }
    }

    fn player(&self, agent: &Agent) -> Result<Player, ArenaError> {
        Ok((self.game.start().session(agent, 0)?, self.budget_of(agent)))
    }

    /// The opponent of game `number`, and the agent's seat against it.
    fn opponent(&self, number: u64) -> Option<(&Agent, usize)> {
        let count = self.opponents.len() as u64;
        let turn = number.checked_rem(count)?;
        Some((&self.opponents[turn as usize], (number / count) as usize % self.game.players()))
    }

    /// Plays game `number` with the values known before it, and returns the values found in it.
    fn play_game(&self, number: u64, known: &Learned) -> Result<Values, ArenaError> {
        let mut rng = Rng::stream(self.seed, number);
        let mut position = self.game.start();
        let mut learner = self.player(&self.agent.clone().with_values(known.clone()))?;
        let mut opponent = match self.opponent(number) {
            Some((agent, seat)) => Some((self.player(agent)?, seat)),
            None => None,
        };
        let mut found = Values::new(self.game.players());
        for plies in 0..MAX_PLIES {
            let index = match (position.turn(), &mut opponent) {
                (Turn::Over, _) => break,
                (Turn::Chance, _) => position.random(&mut rng),
                (Turn::Player(player), Some((opponent, seat))) if player.index() != *seat => {
                    let report = think(opponent, &*position, &mut rng)?;
                    report.moves.first().map(|found| found.index)
                }
                (Turn::Player(_), _) => {
                    let report = think(&mut learner, &*position, &mut rng)?;
                    learner.0.learned(&mut found);
                    drawn(&report.moves, &mut rng)
                }
            };
            let Some(index) = index else {
                return Err(ArenaError::Stuck { game: self.game.spec().to_string(), plies });
            };
            position.play(index)?;
        }
        Ok(found)
    }
}

/// A search, and its budget per move.
type Player = (Box<dyn Session>, Budget);

fn think(
    player: &mut Player,
    position: &dyn AnyPosition,
    rng: &mut Rng,
) -> Result<Report<String>, ArenaError> {
    let (session, budget) = player;
    session.restart(position, rng.bits())?;
    session.advance(budget);
    Ok(session.report())
}

/// A move sampled in proportion to visits; the first if there are no visits.
fn drawn(moves: &[MoveReport<String>], rng: &mut Rng) -> Option<usize> {
    let visits: u64 = moves.iter().map(|found| found.visits).sum();
    let mut skip = rng.below(visits.max(1) as usize) as u64;
    let mut chosen = |found: &&MoveReport<String>| match skip.checked_sub(found.visits) {
        Some(rest) => {
            skip = rest;
            false
        }
        None => true,
    };
    moves.iter().find(|found| chosen(found)).or(moves.first()).map(|found| found.index)
}
