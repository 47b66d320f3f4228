//! Time management: the time for a move when a limit covers several.

use permutree_zoo::{AnyPosition, Player, Rng};
use std::time::Duration;

/// The time for a move if no limit is set.
const UNHURRIED: Duration = Duration::from_secs(1);

/// The number of moves that a time for the rest of the game is divided by.
const MOVES_TO_COME: u32 = 30;

/// The shortest time for a move.
const LEAST: Duration = Duration::from_millis(1);

/// The time to search for one of `moves` moves. A tenth is reserved for overhead.
pub(crate) fn share(time: Duration, moves: u32) -> Duration {
    (time / moves * 9 / 10).max(LEAST)
}

/// An estimate of how many more moves the player to move will make, at least a few: the mean of random games from here,
/// which have about the right length in every game.
pub(crate) fn moves_to_come(position: &dyn AnyPosition, rng: &mut Rng) -> u32 {
    const GAMES: u32 = 4;
    const FEWEST: u32 = 5;
    let (me, mut moves) = (position.turn(), 0);
    for _ in 0..GAMES {
        let mut position = position.boxed_clone();
        for _ in 0..1000 {
            let Some(index) = position.random(rng) else { break };
            moves += u32::from(position.turn() == me);
            if position.play(index).is_err() {
                break;
            }
        }
    }
    (moves / GAMES).max(FEWEST)
}

/// The clocks of a game, as set by `time_settings` and `time_left`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clocks {
    settings: Option<Settings>,
    /// The time that each player has left, and for how many moves; 0 for the rest of the game.
    left: Vec<Option<(Duration, u32)>>,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    main: Duration,
    /// Byo-yomi, after the main time: a time and the number of moves that it is for.
    extra: (Duration, u32),
}

impl Clocks {
    /// Sets the main time, and then `extra` for every `stones` moves, in seconds. Extra time for 0 moves means no
    /// limit.
    pub(crate) fn set(&mut self, main: u32, extra: u32, stones: u32) {
        let [main, extra] = [main, extra].map(|seconds| Duration::from_secs(seconds.into()));
        let limited = extra.is_zero() || stones > 0;
        self.settings = limited.then_some(Settings { main, extra: (extra, stones) });
        self.left.clear();
    }

    /// Resets the clocks for a new game.
    pub(crate) fn restart(&mut self) {
        self.left.clear();
    }

    /// Sets the clock of a player.
    pub(crate) fn left(&mut self, player: Player, seconds: u32, stones: u32) {
        self.put(player, (Duration::from_secs(seconds.into()), stones));
    }

    /// How long a player should think about the next move.
    pub(crate) fn allowance(&self, player: Player) -> Duration {
        let Some((time, stones)) = self.of(player) else { return UNHURRIED };
        share(time, if stones == 0 { MOVES_TO_COME } else { stones })
    }

    /// Deducts the time that a player took for a move. A later `time_left` overrides it.
    pub(crate) fn spend(&mut self, player: Player, time: Duration) {
        let Some((left, stones)) = self.of(player) else { return };
        let left = left.saturating_sub(time);
        let extra = self.settings.map_or((Duration::ZERO, 0), |settings| settings.extra);
        let next = match stones {
            0 if left.is_zero() && extra.1 > 0 => extra,
            0 => (left, 0),
            1 => {
                if extra.1 > 0 {
                    extra
                } else {
                    (left, 0)
                }
            }
            more => (left, more - 1),
        };
        self.put(player, next);
    }

    fn of(&self, player: Player) -> Option<(Duration, u32)> {
        let start =
            self.settings.map(|Settings { main, extra }| if main.is_zero() { extra } else { (main, 0) });
        self.left.get(player.index()).copied().flatten().or(start)
    }

    fn put(&mut self, player: Player, left: (Duration, u32)) {
        if self.left.len() <= player.index() {
            self.left.resize(player.index() + 1, None);
        }
        self.left[player.index()] = Some(left);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_games_tell_how_many_moves_come() {
        let mut rng = Rng::new(1);
        let mut position = permutree_zoo::game("gomoku:15").unwrap().start();
        let long = moves_to_come(&*position, &mut rng);
        assert!((20..=112).contains(&long), "{long}");
        position = permutree_zoo::game("tic-tac-toe").unwrap().start();
        assert_eq!(moves_to_come(&*position, &mut rng), 5);
    }

    #[test]
    fn shares() {
        let (black, white) = (Player(0), Player(1));
        let ms = Duration::from_millis;
        let mut clocks = Clocks::default();
        assert_eq!(clocks.allowance(black), UNHURRIED);
        clocks.set(300, 0, 0);
        assert_eq!(clocks.allowance(black), ms(9000), "300 s for 30 moves, less a tenth");
        clocks.spend(black, ms(150_000));
        assert_eq!((clocks.allowance(black), clocks.allowance(white)), (ms(4500), ms(9000)));
        clocks.left(white, 10, 5);
        assert_eq!(clocks.allowance(white), ms(1800), "10 s for 5 moves");
        clocks.spend(black, ms(999_000));
        assert_eq!(clocks.allowance(black), LEAST);
        clocks.restart();
        assert_eq!(clocks.allowance(white), ms(9000));
    }

    #[test]
    fn extra_time() {
        let player = Player(0);
        let mut clocks = Clocks::default();
        clocks.set(0, 20, 2);
        assert_eq!(clocks.allowance(player), Duration::from_secs(9));
        clocks.spend(player, Duration::from_secs(15));
        assert_eq!(clocks.allowance(player), Duration::from_millis(4500));
        clocks.spend(player, Duration::from_secs(1));
        assert_eq!(clocks.allowance(player), Duration::from_secs(9), "a new period");
        clocks.set(0, 10, 0);
        assert_eq!(clocks.allowance(player), UNHURRIED, "GTP's notation for no limit");
    }
}
