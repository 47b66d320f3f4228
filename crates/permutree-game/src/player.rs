use std::fmt;

/// The most players that a game may have.
pub const MAX_PLAYERS: usize = 8;

/// A player by absolute number: 0 is the first player of the rules, whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player(pub u8);

impl Player {
    /// The number as an index into per-player arrays.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The other player of a two-player game.
    #[inline]
    #[must_use]
    pub fn other(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The next of `players` players in turn order.
    #[inline]
    #[must_use]
    pub fn next(self, players: usize) -> Self {
        let next = self.index() + 1;
        Self(if next == players { 0 } else { next as u8 })
    }
}

/// Displayed numbers start at 1.
impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.0 + 1)
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A player chooses a move.
    Player(Player),
    /// A chance event: a die, a deck.
    Chance,
    /// The game is over and its rewards are final.
    Over,
}

/// The reward of each player when the game is over, in [0, 1].
///
/// ```
/// use permutree_game::{Player, Rewards};
///
/// assert_eq!(Rewards::win(2, Player(1)).as_slice(), [0.0, 1.0]);
/// assert_eq!(Rewards::draw(2).of(Player(0)), 0.5);
/// // Three players, of whom the first and the last have most points.
/// assert_eq!(Rewards::highest(&[12, 7, 12]).as_slice(), [0.5, 0.0, 0.5]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    values: [f64; MAX_PLAYERS],
    players: u8,
}

impl Rewards {
    /// 1 for the winner, 0 for the others.
    #[inline]
    #[must_use]
    pub fn win(players: usize, winner: Player) -> Self {
        Self::share(players, 1 << winner.0)
    }

    /// 1 for the winner; a draw if there is none.
    #[inline]
    #[must_use]
    pub fn win_or_draw(players: usize, winner: Option<Player>) -> Self {
        winner.map_or(Self::draw(players), |winner| Self::win(players, winner))
    }

    /// Equal shares for the players with the highest score, 0 for the others.
    #[inline]
    #[must_use]
    pub fn highest<T: Ord>(scores: &[T]) -> Self {
        let most = scores.iter().max();
        let sharers = scores.iter().enumerate().filter(|(_, score)| Some(*score) == most);
        Self::share(scores.len(), sharers.map(|(player, _)| 1 << player).sum())
    }

    /// Equal shares for all players.
    #[inline]
    #[must_use]
    pub fn draw(players: usize) -> Self {
        Self::share(players, (1 << players) - 1)
    }

    /// 1 / (number of sharers) for each player whose bit is set in `sharers`, 0 for the others.
    #[inline]
    #[must_use]
    pub fn share(players: usize, sharers: u32) -> Self {
        let part = 1.0 / f64::from(sharers.count_ones().max(1));
        let mut values = [0.0; MAX_PLAYERS];
        for (player, value) in values.iter_mut().enumerate().take(players) {
            if sharers >> player & 1 == 1 {
                *value = part;
            }
        }
        Self { values, players: players as u8 }
    }

    /// These rewards, one per player.
    ///
    /// # Panics
    /// If there are more than [`MAX_PLAYERS`].
    #[must_use]
    pub fn from_slice(rewards: &[f64]) -> Self {
        let players = rewards.len();
        assert!(players <= MAX_PLAYERS, "{players} rewards; a game has at most {MAX_PLAYERS} players");
        let mut values = [0.0; MAX_PLAYERS];
        values[..players].copy_from_slice(&rewards[..players]);
        Self { values, players: players as u8 }
    }

    /// Rewards that add up to 1 and favour higher scores: the share of player i is proportional to g(sᵢ - mean) with
    /// g(x) = x + √(1 + x²). Equal scores give equal shares; a lead of one point over a single opponent gives 0.72, of two
    /// 0.85, of five 0.96.
    ///
    /// Like the exponential, g is positive and increasing with g(-x) g(x) = 1, but it is the same on every machine.
    #[must_use]
    pub fn leaning(scores: &[f64]) -> Self {
        let mut rewards = Self::from_slice(scores);
        let values = &mut rewards.values[..usize::from(rewards.players)];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        for value in values.iter_mut() {
            let x = *value - mean;
            // For x < 0 this is 1 / g(-x), which avoids the difference of two nearly equal numbers.
            let g = x.abs() + (1.0 + x * x).sqrt();
            *value = if x < 0.0 { 1.0 / g } else { g };
        }
        let whole: f64 = values.iter().sum();
        values.iter_mut().for_each(|value| *value /= whole);
        rewards
    }

    /// The reward of `player`.
    #[inline]
    #[must_use]
    pub fn of(&self, player: Player) -> f64 {
        self.values[player.index()]
    }

    /// The rewards of all players, in order.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        &self.values[..usize::from(self.players)]
    }
}

/// The rewards in the order of the players.
#[cfg(feature = "serde")]
impl serde::Serialize for Rewards {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_add_up() {
        assert_eq!(Rewards::win(2, Player(1)).as_slice(), [0.0, 1.0]);
        assert_eq!(Rewards::draw(2).as_slice(), [0.5, 0.5]);
        assert_eq!(Rewards::share(3, 0b101).as_slice(), [0.5, 0.0, 0.5]);
        assert_eq!(Rewards::win_or_draw(2, None), Rewards::draw(2));
        assert_eq!(Rewards::win_or_draw(2, Some(Player(0))), Rewards::win(2, Player(0)));
        assert_eq!(Rewards::highest(&[4, 7, 7]), Rewards::share(3, 0b110));
        assert_eq!(Rewards::highest(&[-1, -2]), Rewards::win(2, Player(0)));
        assert_eq!(Rewards::from_slice(&[0.25]).as_slice(), [0.25]);
    }

    #[test]
    fn shares_lean_to_the_higher_scores() {
        let shares = |scores: &[f64]| Rewards::leaning(scores).as_slice().to_vec();
        assert_eq!(shares(&[3.0, 3.0]), [0.5, 0.5]);
        for (ahead, expected) in [(1.0, 0.72), (2.0, 0.85), (5.0, 0.96)] {
            let [more, less] = shares(&[4.0 + ahead, 4.0])[..] else { panic!() };
            assert!((more - expected).abs() < 0.005 && (more + less - 1.0).abs() < 1e-12);
        }
        let three = shares(&[0.0, 1e9, 2.0]);
        assert!(three.iter().all(|share| (0.0..=1.0).contains(share)) && three[1] > 0.999);
        assert!(three[2] > three[0]);
    }

    #[test]
    fn seats_go_round() {
        assert_eq!(Player(2).next(3), Player(0));
        assert_eq!(Player(0).other(), Player(1));
        assert_eq!(Player(0).to_string(), "player 1");
    }
}
