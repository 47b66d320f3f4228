//! Games beside the same rules written plainly.

use crate::kit::after;
use permutree_game::{Game, Player, Rng, Turn, Visitor, perft};

/// The rules of a game written the plain way, with moves as text.
pub(crate) trait Plain: Clone {
    /// Who is to move, from 0; `None` when the game is over.
    fn turn(&self) -> Option<u8>;
    /// The legal moves in any order; none when the game is over.
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, text: &str);
    /// What each player gets when the game is over.
    fn rewards(&self) -> Vec<f64>;

    /// The position after these moves.
    fn after(mut self, moves: &str) -> Self {
        moves.split_whitespace().for_each(|text| self.play(text));
        self
    }

    /// Counts move sequences up to this length.
    fn perft(&self, depth: usize) -> Vec<u64> {
        let mut counts = vec![0; depth];
        if depth > 0 {
            for text in self.moves() {
                counts[0] += 1;
                let below = self.clone().after(&text).perft(depth - 1);
                counts[1..].iter_mut().zip(below).for_each(|(count, more)| *count += more);
            }
        }
        counts
    }
}

/// Plays random games of `plain`, from its start or after `opening`, and asks at every ply that the game agrees about
/// turn, moves and rewards.
pub(crate) struct Lockstep<'a, P> {
    pub(crate) plain: P,
    pub(crate) opening: &'a str,
    pub(crate) games: u64,
}

impl<P: Plain> Visitor for Lockstep<'_, P> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let start = (after(&game, self.opening), self.plain.after(self.opening));
        for seed in 0..self.games {
            let mut rng = Rng::new(seed);
            let (mut position, mut plain) = start.clone();
            loop {
                let turn = plain.turn().map_or(Turn::Over, |player| Turn::Player(Player(player)));
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                let mut expected = plain.moves();
                texts.sort_unstable();
                expected.sort_unstable();
                assert_eq!(
                    (game.turn(&position), texts),
                    (turn, expected),
                    "{}",
                    game.board(&position, None)
                );
                let Some(mv) = rng.choose(&moves) else { break };
                plain.play(&game.move_text(&position, mv));
                game.play(&mut position, mv);
            }
            assert_eq!(
                game.rewards(&position).as_slice(),
                plain.rewards(),
                "{}",
                game.board(&position, None)
            );
        }
    }
}

/// Counts the move sequences after `opening` up to `depth` with the game and with the plain rules, which must agree.
pub(crate) struct SamePerft<'a, P> {
    pub(crate) plain: P,
    pub(crate) opening: &'a str,
    pub(crate) depth: usize,
}

impl<P: Plain> Visitor for SamePerft<'_, P> {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, game: G) -> Vec<u64> {
        let counts = perft(&game, &after(&game, self.opening), self.depth);
        assert_eq!(counts, self.plain.after(self.opening).perft(self.depth), "after '{}'", self.opening);
        counts
    }
}
