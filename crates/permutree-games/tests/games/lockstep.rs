//! Random games played side by side by a game and by its rules written the plain way.

use crate::kit::after;
use permutree_game::{Game, Player, Rng, Turn, Visitor, perft};

/// The rules of a game written plainly, with moves as text.
pub(crate) trait Plain: Clone {
    /// Whose turn it is, from 0; `None` when the game is over.
    fn turn(&self) -> Option<u8>;
    /// The legal moves, in any order.
    fn moves(&self) -> Vec<String>;
    fn play(&mut self, text: &str);
    /// What each player gets. Asked only when the game is over.
    fn rewards(&self) -> Vec<f64>;
}

/// Plays `games` random games from the start and compares turn and moves at every ply, and the rewards at the end.
pub(crate) struct Lockstep<P> {
    pub(crate) plain: P,
    pub(crate) games: u64,
}

impl<P: Plain> Visitor for Lockstep<P> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        for seed in 0..self.games {
            let (mut rng, mut position, mut plain) = (Rng::new(seed), game.start(), self.plain.clone());
            loop {
                let board = game.board(&position, None);
                let turn = plain.turn().map_or(Turn::Over, |player| Turn::Player(Player(player)));
                assert_eq!(game.turn(&position), turn, "{board}");
                if turn == Turn::Over {
                    assert_eq!(game.rewards(&position).as_slice(), plain.rewards(), "{board}");
                    break;
                }
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                let mut expected = plain.moves();
                texts.sort_unstable();
                expected.sort_unstable();
                assert_eq!(texts, expected, "{board}");
                let Some(mv) = rng.choose(&moves) else { break };
                plain.play(&game.move_text(&position, mv));
                game.play(&mut position, mv);
            }
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

    fn visit<G: Game>(mut self, game: G) -> Vec<u64> {
        let counts = perft(&game, &after(&game, self.opening), self.depth);
        self.opening.split_whitespace().for_each(|text| self.plain.play(text));
        let mut expected = vec![0; self.depth];
        count(&self.plain, &mut expected);
        assert_eq!(counts, expected, "after '{}'", self.opening);
        counts
    }
}

fn count<P: Plain>(plain: &P, counts: &mut [u64]) {
    let Some((first, rest)) = counts.split_first_mut() else { return };
    let moves = plain.moves();
    *first += moves.len() as u64;
    if rest.is_empty() {
        return;
    }
    for text in moves {
        let mut next = plain.clone();
        next.play(&text);
        count(&next, rest);
    }
}
