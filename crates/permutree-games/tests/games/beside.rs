//! Games written a second time in the plainest way, played beside the first.

use crate::kit::after;
use permutree_game::{Game, Player, Rng, Turn, Visitor};

/// A position with its rules, as plain as can be.
pub(crate) trait Plain: Clone {
    /// Who is to move, from 0.
    fn player(&self) -> u8;
    /// The legal moves as texts, none when the game is over.
    fn moves(&self) -> Vec<String>;
    /// Plays one of these texts.
    fn play(&mut self, text: &str);
    /// What each player gets when the game is over.
    fn rewards(&self) -> Vec<f64>;
}

/// Counts move sequences as `perft` does.
pub(crate) fn plain_perft(plain: &impl Plain, depth: usize) -> Vec<u64> {
    fn walk(plain: &impl Plain, counts: &mut [u64]) {
        let Some((count, deeper)) = counts.split_first_mut() else { return };
        let moves = plain.moves();
        *count += moves.len() as u64;
        if deeper.is_empty() {
            return;
        }
        for text in moves {
            let mut next = plain.clone();
            next.play(&text);
            walk(&next, deeper);
        }
    }
    let mut counts = vec![0; depth];
    walk(plain, &mut counts);
    counts
}

/// The plain position after these moves, each of which must be legal.
pub(crate) fn plain_after<P: Plain>(start: P, moves: &str) -> P {
    moves.split_whitespace().fold(start, |mut plain, text| {
        assert!(plain.moves().iter().any(|legal| legal == text), "{text} is not legal");
        plain.play(text);
        plain
    })
}

/// Plays random games after `opening` in both; turns, moves and rewards must be the same at every ply.
pub(crate) struct Beside<'a, P> {
    pub(crate) plain: P,
    pub(crate) opening: &'a str,
    pub(crate) games: u64,
}

impl<P: Plain> Visitor for Beside<'_, P> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        for number in 0..self.games {
            let mut rng = Rng::stream(3, number);
            let mut position = after(&game, self.opening);
            let mut plain = plain_after(self.plain.clone(), self.opening);
            loop {
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let mut texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                let mut expected = plain.moves();
                texts.sort_unstable();
                expected.sort_unstable();
                assert_eq!(texts, expected, "game {number}\n{}", game.board(&position, None));
                let Some(mv) = rng.choose(&moves) else { break };
                assert_eq!(game.turn(&position), Turn::Player(Player(plain.player())));
                plain.play(&game.move_text(&position, mv));
                game.play(&mut position, mv);
            }
            assert_eq!(game.turn(&position), Turn::Over);
            assert_eq!(game.rewards(&position).as_slice(), plain.rewards());
        }
    }
}
