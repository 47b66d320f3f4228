mod pairings;

pub use pairings::{Round, gauntlet, round_robin, swiss};

use crate::statistics::{Encounter, Rating, Trinomial, holm, ladder, two_sided};
use crate::{ArenaError, Match, MatchResult, Standing};
use permutree_zoo::{Agent, AnyGame, Budget, Rng};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Matches of two between any number of agents. It is deterministic if its matches are.
#[derive(Clone)]
pub struct Tournament {
    /// The game, for two or more players.
    pub game: Arc<dyn AnyGame>,
    /// The agents: at least two.
    pub agents: Vec<Agent>,
    /// How agents are paired.
    pub system: System,
    /// The number of games in each match.
    pub games: u64,
    /// The seed, from which each match derives its own.
    pub seed: u64,
    /// How many games run in parallel; 0 for one per core.
    pub threads: usize,
    /// As in [`Match`].
    pub budget: Budget,
}

/// How agents are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum System {
    /// Every agent meets every other ([`round_robin`]).
    RoundRobin,
    /// The first agent meets every other ([`gauntlet`]).
    Gauntlet,
    /// In each round, agents with about the same points meet ([`swiss`]). A won match is 1 point, a drawn match 1/2, a
    /// bye 1.
    Swiss {
        /// The number of rounds.
        rounds: usize,
    },
}

/// A match of a tournament.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Meeting {
    /// The round, from 1.
    pub round: usize,
    /// The agents, in the order of the result.
    pub agents: (usize, usize),
    /// The result.
    pub result: MatchResult,
}

impl Meeting {
    /// How often the first agent lost, drew and won.
    #[must_use]
    pub fn counts(&self) -> Trinomial {
        let first = &self.result.agents[0];
        Trinomial::from([first.losses, first.draws, first.wins])
    }

    /// The first agent's share of the match point.
    fn point(&self) -> f64 {
        match self.counts().mean() {
            score if score > 0.5 => 1.0,
            score if score < 0.5 => 0.0,
            _ => 0.5,
        }
    }
}

impl Tournament {
    /// Plays the matches, one after the other. After each game, `watch` sees how many matches there are, the index of
    /// the current one and its standing. Once the stop flag of the budget is true, running games are finished and no
    /// more are started.
    ///
    /// All agents are checked before the first game starts.
    pub fn play(&self, watch: &mut dyn FnMut(usize, usize, &Standing)) -> Result<Vec<Meeting>, ArenaError> {
        self.check()?;
        let (rounds, matches) = self.extent();
        let fixed = match self.system {
            System::RoundRobin => round_robin(self.agents.len()),
            System::Gauntlet => gauntlet(self.agents.len()),
            System::Swiss { .. } => Vec::new(),
        };
        let mut points = vec![0.0; self.agents.len()];
        let mut past: Vec<Round> = Vec::new();
        let mut meetings: Vec<Meeting> = Vec::new();
        for number in 0..rounds {
            let round = fixed.get(number).cloned().unwrap_or_else(|| swiss(&points, &past));
            for &(first, second) in &round.pairs {
                let contest = self.contest(&[first, second], meetings.len() as u64);
                let at_hand = meetings.len();
                let result = contest.play(&mut |_, standing| watch(matches, at_hand, standing))?;
                let meeting = Meeting { round: number + 1, agents: (first, second), result };
                points[first] += meeting.point();
                points[second] += 1.0 - meeting.point();
                meetings.push(meeting);
                if self.stopped() {
                    return Ok(meetings);
                }
            }
            round.bye.into_iter().for_each(|agent| points[agent] += 1.0);
            past.push(round);
        }
        Ok(meetings)
    }

    /// The number of rounds and of matches.
    fn extent(&self) -> (usize, usize) {
        let agents = self.agents.len();
        match self.system {
            System::RoundRobin => (round_robin(agents).len(), agents * (agents - 1) / 2),
            System::Gauntlet => (agents - 1, agents - 1),
            System::Swiss { rounds } => (rounds, rounds * (agents / 2)),
        }
    }

    /// Checks each agent alone, so that a mistake in the last one shows before the first have played for hours.
    fn check(&self) -> Result<(), ArenaError> {
        let agents = self.agents.len();
        if self.game.players() < 2 {
            return Err(ArenaError::OnePlayer { game: self.game.spec().to_string() });
        }
        if agents < 2 {
            return Err(ArenaError::FewAgents { agents });
        }
        (0..agents).try_for_each(|agent| self.contest(&[agent], 0).check())
    }

    fn contest(&self, agents: &[usize], number: u64) -> Match {
        Match {
            game: self.game.clone(),
            agents: agents.iter().map(|&agent| self.agents[agent].clone()).collect(),
            games: self.games,
            seed: Rng::stream(self.seed, number).bits(),
            threads: self.threads,
            budget: self.budget.clone(),
        }
    }

    fn stopped(&self) -> bool {
        self.budget.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    /// The ratings of all agents.
    #[must_use]
    pub fn ladder(&self, meetings: &[Meeting]) -> Vec<Rating> {
        let encounter = |meeting: &Meeting| {
            let counts = meeting.counts();
            let (first, second) = meeting.agents;
            Encounter { first, second, games: counts.games(), score: counts.games() * counts.mean() }
        };
        ladder(self.agents.len(), &meetings.iter().map(encounter).collect::<Vec<_>>())
    }
}

/// Two agents that met, and the significance of their difference.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Comparison {
    /// The agents, the smaller number first.
    pub agents: (usize, usize),
    /// How often the first of them lost, drew and won, in all their matches.
    pub counts: Trinomial,
    /// The p-value of the difference, corrected for the number of comparisons ([`holm`]).
    pub p_value: f64,
}

impl Comparison {
    /// All pairs of agents that met, in the order of their numbers.
    #[must_use]
    pub fn all(meetings: &[Meeting]) -> Vec<Self> {
        let mut met: BTreeMap<(usize, usize), Trinomial> = BTreeMap::new();
        for meeting in meetings {
            let (first, second) = meeting.agents;
            let mut counts = meeting.counts();
            if first > second {
                counts.0.reverse();
            }
            let total = met.entry((first.min(second), first.max(second))).or_default();
            total.0.iter_mut().zip(counts.0).for_each(|(total, count)| *total += count);
        }
        let p_values = holm(&met.values().map(|counts| two_sided(counts.z())).collect::<Vec<_>>());
        met.into_iter()
            .zip(p_values)
            .map(|((agents, counts), p_value)| Self { agents, counts, p_value })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::{agent, game};

    fn tournament(game_spec: &str, agents: &[&str], system: System) -> Tournament {
        let agents = agents.iter().map(|spec| agent(spec).unwrap()).collect();
        let budget = Budget::playouts(30);
        Tournament { game: game(game_spec).unwrap(), agents, system, games: 8, seed: 1, threads: 2, budget }
    }

    fn pairs(meetings: &[Meeting]) -> Vec<(usize, usize, usize)> {
        meetings.iter().map(|meeting| (meeting.round, meeting.agents.0, meeting.agents.1)).collect()
    }

    #[test]
    fn the_stronger_is_above() {
        let contest = tournament("tic-tac-toe", &["random", "uct", "random"], System::RoundRobin);
        let mut seen = Vec::new();
        let meetings = contest.play(&mut |matches, at_hand, _| seen.push((matches, at_hand))).unwrap();
        assert_eq!(seen.len(), 24);
        assert_eq!((seen[0], seen[23]), ((3, 0), (3, 2)));
        assert_eq!(meetings.iter().map(|meeting| meeting.result.games).collect::<Vec<_>>(), [8; 3]);
        let ratings = contest.ladder(&meetings);
        assert!(ratings[1].elo > ratings[0].elo.max(ratings[2].elo), "{ratings:?}");
        assert!(ratings.iter().all(|rating| rating.games == 16.0 && rating.group == 0));
    }

    /// 2 of 8, and then 7 of 8 with the seats of the list swapped, are 3 of 16 for the first.
    #[test]
    fn matches_of_the_same_two_are_one_comparison() {
        let contest = tournament("tic-tac-toe", &["random", "random"], System::Gauntlet);
        let mut meetings =
            [contest.play(&mut |_, _, _| ()).unwrap(), contest.play(&mut |_, _, _| ()).unwrap()].concat();
        meetings[1].agents = (1, 0);
        for (meeting, (losses, draws, wins)) in meetings.iter_mut().zip([(6, 0, 2), (0, 2, 6)]) {
            let first = &mut meeting.result.agents[0];
            (first.losses, first.draws, first.wins) = (losses, draws, wins);
        }
        let all = Comparison::all(&meetings);
        assert_eq!((all.len(), all[0].agents, all[0].counts), (1, (0, 1), Trinomial::from([12, 2, 2])));
        // z = -10 / sqrt(14), and there is nothing to correct.
        assert!((all[0].p_value - 0.00753).abs() < 1e-5, "{}", all[0].p_value);
        let ratings = contest.ladder(&meetings);
        assert!(ratings[0].elo < -100.0 && ratings[0].games == 16.0 && ratings[0].score == 3.0 / 16.0);
    }

    #[test]
    fn who_meets_whom() {
        let four = ["random"; 4];
        let played = |system| tournament("nogo:3,players=3", &four, system).play(&mut |_, _, _| ()).unwrap();
        let mut all: Vec<_> =
            pairs(&played(System::RoundRobin)).iter().map(|&(_, a, b)| (a.min(b), a.max(b))).collect();
        all.sort_unstable();
        assert_eq!(all, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(pairs(&played(System::Gauntlet)), [(1, 0, 1), (2, 0, 2), (3, 0, 3)]);
        let swiss = played(System::Swiss { rounds: 2 });
        assert_eq!(pairs(&swiss)[..2], [(1, 0, 1), (1, 2, 3)]);
        assert_eq!(swiss.len(), 4);
        assert_ne!(swiss[0].result.seed, swiss[1].result.seed);
    }

    #[test]
    fn refusals() {
        let refused = |game, agents: &[&str]| {
            tournament(game, agents, System::Gauntlet).play(&mut |_, _, _| ()).unwrap_err()
        };
        assert_eq!(refused("hex:5", &["uct"]), ArenaError::FewAgents { agents: 1 });
        assert!(matches!(refused("tsp:6", &["uct", "random"]), ArenaError::OnePlayer { .. }));
        assert!(matches!(refused("hex:5", &["uct", "random", "mcps:coding=abstract"]), ArenaError::Zoo(_)));
    }
}
