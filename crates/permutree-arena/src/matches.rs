use crate::lineup::Lineup;
use crate::seating::seatings;
use crate::side_by_side::{side_by_side, threads};
use crate::{ArenaError, GameRecord, MatchResult, Standing};
use permutree_zoo::{Agent, AnyGame, Budget};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

impl Match {
    /// In how many ways all the agents can be seated; 0 if they cannot.
    #[must_use]
    pub fn seatings(&self) -> usize {
        seatings(self.game.players(), self.agents.len()).len()
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

    /// Finds everything that can be wrong with the match, and plays nothing.
    pub fn check(&self) -> Result<(), ArenaError> {
        self.lineup()?.crew().map(drop)
    }

    fn lineup(&self) -> Result<Lineup, ArenaError> {
        if self.games == 0 {
            return Err(ArenaError::NoGames);
        }
        Lineup::new(self.game.clone(), self.agents.clone(), &self.budget)
    }

    /// Plays the games and gives each to `take` as it ends, with its place in the match, until there are no more or it
    /// breaks.
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
