use crate::lineup::Lineup;
use crate::seating::seatings;
use crate::side_by_side::{side_by_side, threads};
use crate::{ArenaError, GameRecord, MatchResult, Standing};
use permutree_zoo::{Agent, AnyGame, Budget};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A game that reaches this many moves and chance outcomes is stopped and scored as a draw. No built-in game comes near
/// it; the limit is for games that may never end.
pub const MAX_PLIES: u64 = 100_000;

/// A number of games between agents.
///
/// Every seating of all agents is played equally often, in a fixed order: in a two-player game the agents swap seats
/// after every game. Game `i` depends only on the seed and on `i`, so the result does not depend on the number of
/// threads.
///
/// In a one-player game each agent plays all games alone, and game `i` has the same seed for every agent.
#[derive(Clone)]
pub struct Match {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The agents: at least one and at most one per player, or any number in a one-player game. A single agent takes
    /// all seats.
    pub agents: Vec<Agent>,
    /// The number of games; per agent in a one-player game. A multiple of [`Match::seatings`] balances the seats.
    pub games: u64,
    /// The seed of the whole match.
    pub seed: u64,
    /// How many games run in parallel; 0 for one per core.
    pub threads: usize,
    /// The budget per move of agents whose spec has none. The stop flag does not cut searches short: once it is true,
    /// running games are finished and no more are started.
    pub budget: Budget,
}

impl Match {
    /// In how many ways all agents can be seated; 0 if they cannot.
    #[must_use]
    pub fn seatings(&self) -> usize {
        seatings(self.game.players(), self.agents.len()).len()
    }

    /// Plays the games. `watch` sees each game as it ends, in any order, and the standing that includes it.
    ///
    /// The whole match is checked before the first game starts.
    pub fn play(&self, watch: &mut dyn FnMut(&GameRecord, &Standing)) -> Result<MatchResult, ArenaError> {
        self.run(&mut |_, record, standing| {
            standing.add(&record);
            watch(&record, standing);
            ControlFlow::Continue(())
        })
    }

    /// Plays the games until `watch` breaks or all are played. It sees them in the order of their numbers, and games
    /// after the last that it saw do not count, so that the result does not depend on the number of threads.
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

    /// Checks the whole match without playing.
    pub fn check(&self) -> Result<(), ArenaError> {
        self.lineup()?.crew().map(drop)
    }

    fn lineup(&self) -> Result<Lineup, ArenaError> {
        if self.games == 0 {
            return Err(ArenaError::NoGames);
        }
        Lineup::new(self.game.clone(), self.agents.clone(), &self.budget)
    }

    /// Plays the games and passes each to `take` as it ends, with its index in the match, until all are played or
    /// `take` breaks.
    fn run(
        &self,
        take: &mut dyn FnMut(u64, GameRecord, &mut Standing) -> ControlFlow<()>,
    ) -> Result<MatchResult, ArenaError> {
        let lineup = self.lineup()?;
        let total = self.games.saturating_mul(lineup.alike());
        let crews =
            (0..threads(self.threads, total)).map(|_| lineup.crew()).collect::<Result<Vec<_>, _>>()?;

        let next = AtomicU64::new(0);
        let index =
            || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < total && !self.stopped());
        let mut standing = Standing::new(&lineup, total, self.seed);
        side_by_side(
            crews,
            index,
            |crew, index| (index, lineup.play(index, self.seed, index / lineup.alike(), crew, &|_, _| {})),
            |finished| {
                for (index, game) in finished {
                    if take(index, game?, &mut standing).is_break() {
                        break;
                    }
                }
                Ok(standing.result())
            },
        )
    }

    fn stopped(&self) -> bool {
        self.budget.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
