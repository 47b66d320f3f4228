use crate::lineup::Lineup;
use crate::statistics::{Elo, mean_interval, reward_interval};
use crate::{Forfeit, GameRecord};
use serde::{Serialize, Serializer};
use std::time::Duration;

/// The result of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct MatchResult {
    /// The game's spec.
    pub game: String,
    /// Games played, by all agents together: fewer than requested if the match was stopped. They are always the first
    /// ones.
    pub games: u64,
    /// Games that were stopped at [`MAX_PLIES`](crate::MAX_PLIES) and scored as draws.
    pub unfinished: u64,
    /// The games that external engines forfeited, in order.
    pub forfeits: Vec<ForfeitedGame>,
    /// The seed of the match.
    pub seed: u64,
    /// Whether the same seed and number of games reproduce this result: not with time budgets, external engines or
    /// agents that are not deterministic themselves.
    pub deterministic: bool,
    /// One entry for each agent of the match, in the same order, even where specs repeat.
    pub agents: Vec<AgentResult>,
}

/// The result of one agent.
///
/// Wins, draws and losses compare, game by game, the best reward among an agent's seats with the best among the seats
/// of the other agents: more is a win, equal is a draw, less is a loss. If three players share a game, all three draw;
/// if two of them share it, those two draw and the third loses. An agent that is alone in its match wins with reward 1,
/// loses with reward 0, and draws with anything in between or when its seats differ. A one-player game has only
/// rewards, no wins, draws or losses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AgentResult {
    /// The agent's spec.
    pub spec: String,
    /// The mean over the games of the agent's score in a game, which is the mean reward of its seats.
    pub score: f64,
    /// The 95 % confidence interval of the score: Wilson's, adjusted to the variance of the rewards
    /// ([`reward_interval`]), or Student's ([`mean_interval`]) in a one-player game.
    #[cfg_attr(feature = "openapi", schema(value_type = [f64; 2]))]
    pub ci95: (f64, f64),
    /// The Elo difference of the score, if two agents play a two-player game. Otherwise an even score is not one half.
    pub elo: Option<Elo>,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The result in each seat, since some games favour one.
    pub seats: Vec<SeatResult>,
    /// The agent's playouts.
    pub playouts: u64,
    /// The agent's search time by the clock of the budget, serialised in seconds. It differs from run to run.
    #[serde(rename = "time_s", serialize_with = "seconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = f64))]
    pub time: Duration,
}

/// A game that an external engine forfeited.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct ForfeitedGame {
    /// The game, counted from 1.
    pub game: u64,
    /// The agent's spec.
    pub agent: String,
    /// What happened.
    pub why: String,
}

/// The result of one agent in one seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SeatResult {
    /// The seat, from 1.
    pub seat: usize,
    /// The agent's games in this seat.
    pub games: u64,
    /// The mean reward; 0 without games.
    pub score: f64,
    /// The 95 % confidence interval of the score.
    #[cfg_attr(feature = "openapi", schema(value_type = [f64; 2]))]
    pub ci95: (f64, f64),
}

/// The standing of a match: the games so far, in whatever order they ended.
#[derive(Clone, Debug)]
pub struct Standing {
    game: String,
    total: u64,
    seed: u64,
    deterministic: bool,
    players: usize,
    games: u64,
    unfinished: u64,
    forfeits: Vec<(u64, Forfeit)>,
    agents: Vec<Tally>,
}

/// One agent's games.
#[derive(Clone, Debug)]
struct Tally {
    spec: String,
    scores: Mean,
    seats: Vec<Mean>,
    wins: u64,
    draws: u64,
    losses: u64,
    playouts: u64,
    time: Duration,
}

/// The means of rewards and of their squares, summed in units of 2^-64, so that the order in which games end does not
/// change them.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: u64,
    sum: u128,
    squares: u128,
}

impl Mean {
    const ONE: f64 = (1u128 << 64) as f64;

    fn add(&mut self, count: u64, reward: f64) {
        self.count += count;
        let reward = reward.clamp(0.0, 1.0);
        self.sum += u128::from(count) * (reward * Self::ONE) as u128;
        self.squares += u128::from(count) * (reward * reward * Self::ONE) as u128;
    }

    fn value(&self) -> f64 {
        self.of(self.sum)
    }

    fn of(&self, sum: u128) -> f64 {
        if self.count == 0 { 0.0 } else { sum as f64 / Self::ONE / self.count as f64 }
    }

    fn ci95(&self, players: usize) -> (f64, f64) {
        let interval = if players == 1 { mean_interval } else { reward_interval };
        interval(self.count, self.value(), self.of(self.squares))
    }
}

impl Standing {
    pub(crate) fn new(lineup: &Lineup, total: u64, seed: u64) -> Self {
        let players = lineup.game().players();
        let tally = |spec: &str| Tally {
            spec: spec.to_string(),
            scores: Mean::default(),
            seats: vec![Mean::default(); players],
            wins: 0,
            draws: 0,
            losses: 0,
            playouts: 0,
            time: Duration::ZERO,
        };
        Self {
            game: lineup.game().spec().to_string(),
            total,
            seed,
            deterministic: lineup.is_deterministic(),
            players,
            games: 0,
            unfinished: 0,
            forfeits: Vec::new(),
            agents: lineup.specs().map(tally).collect(),
        }
    }

    pub(crate) fn add(&mut self, record: &GameRecord) {
        let forfeit = record.forfeit.clone().map(|forfeit| (record.number, forfeit));
        self.add_irregular(record.unfinished.into(), forfeit);
        self.add_alike(1, &record.seating, record.rewards.as_slice());
        self.add_effort(&record.playouts, &record.time);
    }

    /// Adds `count` games with this seating and these rewards.
    pub(crate) fn add_alike(&mut self, count: u64, seating: &[usize], rewards: &[f64]) {
        self.games += count;
        let best = |mine: &dyn Fn(usize) -> bool| {
            let held = seating.iter().zip(rewards).filter(|(agent, _)| mine(**agent));
            held.map(|(_, reward)| *reward).fold(0.0, f64::max)
        };
        let alone = self.agents.len() == 1;
        for (number, tally) in self.agents.iter_mut().enumerate() {
            let mut held = Mean::default();
            for (seat, (agent, reward)) in seating.iter().zip(rewards).enumerate() {
                if *agent == number {
                    tally.seats[seat].add(count, *reward);
                    held.add(1, *reward);
                }
            }
            // In a one-player game, the game of another agent.
            if held.count == 0 {
                continue;
            }
            let score = held.value();
            tally.scores.add(count, score);
            if self.players == 1 {
                continue;
            }
            let (own, other) = if alone {
                (score, lone_par(score))
            } else {
                (best(&|a| a == number), best(&|a| a != number))
            };
            tally.wins += count * u64::from(own > other);
            tally.draws += count * u64::from(own == other);
            tally.losses += count * u64::from(own < other);
        }
    }

    /// Adds the playouts and the search time of each agent, which are 0 for agents that did not play.
    pub(crate) fn add_effort(&mut self, playouts: &[u64], time: &[Duration]) {
        for (tally, (playouts, time)) in self.agents.iter_mut().zip(playouts.iter().zip(time)) {
            tally.playouts += playouts;
            tally.time += *time;
        }
    }

    /// Adds a number of unfinished games, and forfeits with the numbers of their games.
    pub(crate) fn add_irregular(
        &mut self,
        unfinished: u64,
        forfeits: impl IntoIterator<Item = (u64, Forfeit)>,
    ) {
        self.unfinished += unfinished;
        self.forfeits.extend(forfeits);
    }

    /// Games finished.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games requested, of all agents together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The mean reward of an agent so far, and its 95 % confidence interval.
    ///
    /// # Panics
    /// If the match has no agent with that number.
    #[must_use]
    pub fn score(&self, agent: usize) -> (f64, (f64, f64)) {
        let scores = &self.agents[agent].scores;
        (scores.value(), scores.ci95(self.players))
    }

    fn forfeited(&self, number: u64, Forfeit { agent, why }: Forfeit) -> ForfeitedGame {
        ForfeitedGame { game: number + 1, agent: self.agents[agent].spec.clone(), why }
    }

    /// The result, if the match ended here.
    #[must_use]
    pub fn result(&self) -> MatchResult {
        let even = self.players == 2 && self.agents.len() == 2;
        let mut forfeits = self.forfeits.clone();
        forfeits.sort_by_key(|(number, forfeit)| (*number, forfeit.agent));
        MatchResult {
            game: self.game.clone(),
            games: self.games,
            unfinished: self.unfinished,
            forfeits: forfeits.into_iter().map(|(number, forfeit)| self.forfeited(number, forfeit)).collect(),
            seed: self.seed,
            deterministic: self.deterministic,
            agents: self.agents.iter().map(|tally| tally.result(self.players, even)).collect(),
        }
    }
}

/// Serialises a time in seconds.
fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    time.as_secs_f64().serialize(serializer)
}

/// The score that makes a lone agent's score a win, a loss or a draw: 0.5 for 1 and 0, otherwise the score itself.
fn lone_par(score: f64) -> f64 {
    if score == 1.0 || score == 0.0 { 0.5 } else { score }
}

impl Tally {
    fn result(&self, players: usize, even: bool) -> AgentResult {
        let seats = self.seats.iter().enumerate().map(|(seat, rewards)| SeatResult {
            seat: seat + 1,
            games: rewards.count,
            score: rewards.value(),
            ci95: rewards.ci95(players),
        });
        let (score, ci95) = (self.scores.value(), self.scores.ci95(players));
        AgentResult {
            spec: self.spec.clone(),
            score,
            ci95,
            elo: even.then(|| Elo::between(score, ci95)),
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            seats: seats.collect(),
            playouts: self.playouts,
            time: self.time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutree_zoo::{Budget, Rewards, agent, game};

    fn standing(game_spec: &str, agents: &[&str]) -> Standing {
        let agents = agents.iter().map(|spec| agent(spec).unwrap()).collect();
        let game = game(game_spec).unwrap();
        let lineup = Lineup::new(game, agents, &Budget::playouts(1)).unwrap();
        Standing::new(&lineup, 9 * lineup.alike(), 1)
    }

    fn add(standing: &mut Standing, seating: &[usize], rewards: &[f64]) {
        standing.add(&GameRecord {
            number: 0,
            seating: seating.to_vec(),
            rewards: Rewards::from_slice(rewards),
            moves: Vec::new(),
            unfinished: false,
            forfeit: None,
            playouts: (0..standing.agents.len())
                .map(|agent| 3 * u64::from(seating.contains(&agent)))
                .collect(),
            time: vec![Duration::from_millis(1); standing.agents.len()],
        });
    }

    fn counts(result: &AgentResult) -> (u64, u64, u64) {
        (result.wins, result.draws, result.losses)
    }

    #[test]
    fn two_players() {
        let mut standing = standing("tic-tac-toe", &["mcps", "uct"]);
        add(&mut standing, &[0, 1], &[1.0, 0.0]);
        add(&mut standing, &[1, 0], &[0.0, 1.0]);
        add(&mut standing, &[0, 1], &[0.5, 0.5]);
        add(&mut standing, &[1, 0], &[1.0, 0.0]);
        assert_eq!((standing.games(), standing.total()), (4, 9));
        let result = standing.result();
        let [a, b] = &result.agents[..] else { panic!("two agents") };
        assert_eq!((a.score, counts(a)), (0.625, (2, 1, 1)));
        assert_eq!((b.score, counts(b)), (0.375, (1, 1, 2)));
        let ci95 = reward_interval(4, 0.625, 0.5625);
        assert_eq!((a.ci95, a.elo), (ci95, Some(Elo::between(0.625, ci95))));
        let seats: Vec<_> = a.seats.iter().map(|seat| (seat.seat, seat.games, seat.score)).collect();
        assert_eq!(seats, [(1, 2, 0.75), (2, 2, 0.5)]);
        assert_eq!((a.playouts, a.time), (12, Duration::from_millis(4)));
    }

    /// An agent with two of three seats gets their mean, and a shared game is a draw.
    #[test]
    fn agents_with_several_seats() {
        let mut standing = standing("nogo:5,players=3", &["mcps", "uct"]);
        add(&mut standing, &[0, 0, 1], &[1.0, 0.0, 0.0]);
        add(&mut standing, &[0, 1, 0], &[0.0, 1.0, 0.0]);
        add(&mut standing, &[1, 0, 0], &[0.5, 0.5, 0.0]);
        add(&mut standing, &[0, 1, 1], &[0.0, 0.5, 0.5]);
        let result = standing.result();
        let [a, b] = &result.agents[..] else { panic!("two agents") };
        assert_eq!((a.score, counts(a)), (0.75 / 4.0, (1, 1, 2)));
        assert_eq!((b.score, counts(b)), (2.0 / 4.0, (2, 1, 1)));
        assert_eq!(a.seats.iter().map(|seat| seat.games).collect::<Vec<_>>(), [3, 2, 2]);
        assert_eq!(a.elo, None);
    }

    #[test]
    fn three_agents() {
        let mut standing = standing("nogo:5,players=3", &["mcps", "uct", "random"]);
        add(&mut standing, &[0, 1, 2], &[0.5, 0.5, 0.0]);
        add(&mut standing, &[1, 2, 0], &[0.0, 0.0, 1.0]);
        add(&mut standing, &[2, 0, 1], &[1.0 / 3.0; 3]);
        let result = standing.result();
        let all: Vec<_> = result.agents.iter().map(counts).collect();
        assert_eq!(all, [(1, 2, 0), (0, 2, 1), (0, 1, 2)]);
    }

    #[test]
    fn an_agent_alone() {
        let mut standing = standing("tic-tac-toe", &["mcps"]);
        add(&mut standing, &[0, 0], &[1.0, 0.0]);
        add(&mut standing, &[0, 0], &[1.0, 1.0]);
        add(&mut standing, &[0, 0], &[0.0, 0.0]);
        assert_eq!(counts(&standing.result().agents[0]), (1, 1, 1));
    }

    /// Each agent has its own games, and there are no wins.
    #[test]
    fn agents_in_a_game_for_one() {
        let mut standing = standing("tree:([0.5])", &["mcps", "uct"]);
        assert_eq!(standing.total(), 18);
        for (agent, reward) in [(0, 0.2), (1, 1.0), (0, 0.4), (0, 0.6), (0, 0.8)] {
            add(&mut standing, &[agent], &[reward]);
        }
        let result = standing.result();
        let [a, b] = &result.agents[..] else { panic!("two agents") };
        assert_eq!((result.games, a.seats[0].games, b.seats[0].games), (5, 4, 1));
        assert_eq!((counts(a), counts(b), a.elo), ((0, 0, 0), (0, 0, 0), None));
        assert_eq!((a.playouts, b.playouts), (12, 3));
        assert_eq!(b.ci95, (0.0, 1.0), "one game says nothing of the spread");
        assert!((a.score - 0.5).abs() < 1e-15 && (a.ci95.0 - 0.08915).abs() < 1e-5, "{a:?}");
    }

    /// Thirds have no exact sum in floating point; here any order gives the same result.
    #[test]
    fn means_have_no_order() {
        let rewards = [1.0, 1.0 / 3.0, 0.1, 0.0, 2.0 / 3.0, 0.7];
        let (mut there, mut back) = (Mean::default(), Mean::default());
        rewards.iter().for_each(|&reward| there.add(1, reward));
        rewards.iter().rev().for_each(|&reward| back.add(1, reward));
        assert_eq!(there.value(), back.value());
        assert!((there.value() - 2.8 / 6.0).abs() < 1e-15);
        let mut won = Mean::default();
        won.add(7, 1.0);
        assert_eq!((won.value(), Mean::default().value()), (1.0, 0.0));
    }
}
