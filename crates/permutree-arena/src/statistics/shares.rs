use super::{Elo, elo, reward_interval, superiority};

/// One player's share of the rewards in games for several players, where an even share is one over their number.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Share {
    /// The mean reward.
    pub share: f64,
    /// Its 95 % interval ([`reward_interval`]).
    pub ci95: (f64, f64),
    /// The Elo difference to the others, if these are all equal ([`share_elo`]).
    pub elo: Elo,
    /// The likelihood of superiority, that the true share is more than even.
    pub superiority: f64,
}

impl Share {
    /// The share in `games` games, from the means of the rewards and of their squares.
    #[must_use]
    pub fn of(players: usize, games: u64, mean: f64, mean_square: f64) -> Self {
        let ci95 = reward_interval(games, mean, mean_square);
        let even = 1.0 / players.max(1) as f64;
        let mean_square_surplus = mean_square - 2.0 * even * mean + even * even;
        let z = if games == 0 || mean_square_surplus <= 0.0 {
            0.0
        } else {
            (mean - even) * (games as f64 / mean_square_surplus).sqrt()
        };
        let difference = |share: f64| share_elo(share, players);
        let elo = Elo { difference: difference(mean), ci95: (difference(ci95.0), difference(ci95.1)) };
        Self { share: mean, ci95, elo, superiority: superiority(z) }
    }
}

/// The Elo difference between a player with this share in an n-player game and the others, all equal: their
/// Bradley-Terry strengths are as s to (1 - s) / (n - 1) (Luce 1959). For two players it is [`elo`], and for an even
/// share 0.
#[must_use]
pub fn share_elo(share: f64, players: usize) -> f64 {
    let others = players.saturating_sub(1).max(1) as f64;
    elo(share) + 400.0 * others.log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Trinomial, interval};

    /// One of three who wins half the games is worth two of the others: 400 log10(2).
    #[test]
    fn shares_of_three() {
        for (share, players, expected) in
            [(1.0 / 3.0, 3, 0.0), (0.5, 3, 120.41), (0.75, 2, 190.85), (0.25, 4, 0.0)]
        {
            assert!((share_elo(share, players) - expected).abs() < 5e-3, "{share} of {players}");
        }
        assert_eq!((share_elo(0.0, 3), share_elo(1.0, 3)), (f64::NEG_INFINITY, f64::INFINITY));
    }

    /// 150 wins in 300 games of three: the squares of what is above a third sum up to 150 (4/9 + 1/9), so z = 50 /
    /// 9.1287.
    #[test]
    fn shares_of_many_games() {
        let share = Share::of(3, 300, 0.5, 0.5);
        assert_eq!(share.ci95, interval(300, 0.5));
        assert!((share.elo.difference - 120.41).abs() < 5e-3 && share.elo.ci95.0 > 0.0, "{share:?}");
        assert_eq!(share.superiority, superiority(50.0 / (750.0f64 / 9.0).sqrt()));
        // Of two players it is what wins and losses show.
        let two = Share::of(2, 15, 10.0 / 15.0, 10.0 / 15.0);
        assert!((two.superiority - Trinomial::from([5, 0, 10]).superiority()).abs() < 1e-12);
        assert_eq!(two.elo.difference, elo(10.0 / 15.0));
    }

    #[test]
    fn no_games_and_all_even() {
        let none = Share::of(3, 0, 0.0, 0.0);
        assert_eq!((none.ci95, none.superiority), ((0.0, 1.0), 0.5));
        let shared = Share::of(3, 9, 1.0 / 3.0, 1.0 / 9.0);
        assert!((shared.superiority - 0.5).abs() < 1e-6 && shared.elo.difference.abs() < 1e-9, "{shared:?}");
        let (all, lost) = (Share::of(3, 9, 1.0, 1.0), Share::of(3, 9, 0.0, 0.0));
        assert!(all.superiority > 0.99 && lost.superiority < 0.01);
        assert!(all.elo.ci95.0.is_finite() && lost.elo.ci95.1.is_finite());
    }
}
