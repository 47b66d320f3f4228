//! Breakthrough and Knightthrough once more, in the plainest way.

use crate::kit::after;
use permutree_game::{Game, Player, Rng, Turn, Visitor};
use std::collections::BTreeSet;

/// Plays random games beside a board that is written and read in the plainest way.
pub(crate) struct AgainstNaive<'a> {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Columns, rows and whether it takes.
    pub(crate) ways: &'a [(isize, isize, bool)],
    pub(crate) games: u64,
}

impl Visitor for AgainstNaive<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let name = |(column, row): (usize, usize)| format!("{}{}", (b'a' + column as u8) as char, row + 1);
        for number in 0..self.games {
            let mut rng = Rng::stream(3, number);
            let mut position = game.start();
            let mut board = vec![vec![None; self.columns]; self.rows];
            for row in [0, 1] {
                board[row].fill(Some(0));
                board[self.rows - 1 - row].fill(Some(1));
            }
            let mut player = 0;
            loop {
                let mut expected = BTreeSet::new();
                for row in 0..self.rows {
                    for column in 0..self.columns {
                        for &(across, ahead, takes) in self.ways {
                            let ahead = if player == 0 { ahead } else { -ahead };
                            let (c, r) = (column as isize + across, row as isize + ahead);
                            let inside = (0..self.columns as isize).contains(&c)
                                && (0..self.rows as isize).contains(&r);
                            if board[row][column] != Some(player) || !inside {
                                continue;
                            }
                            let (from, to) = ((column, row), (c as usize, r as usize));
                            match board[to.1][to.0] {
                                None => {
                                    expected.insert((format!("{}{}", name(from), name(to)), from, to));
                                }
                                Some(owner) if owner != player && takes => {
                                    expected.insert((format!("{}x{}", name(from), name(to)), from, to));
                                }
                                Some(_) => {}
                            }
                        }
                    }
                }
                assert_eq!(game.turn(&position), Turn::Player(Player(player)));
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let listed: BTreeSet<String> =
                    moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                let texts: BTreeSet<String> = expected.iter().map(|(text, ..)| text.clone()).collect();
                assert_eq!(listed, texts);

                let mv = rng.choose(&moves).unwrap();
                let text = game.move_text(&position, mv);
                let &(_, from, to) = expected.iter().find(|(name, ..)| *name == text).unwrap();
                game.play(&mut position, mv);
                board[from.1][from.0] = None;
                board[to.1][to.0] = Some(player);
                let arrived = to.1 == if player == 0 { self.rows - 1 } else { 0 };
                let alone = !board.iter().flatten().any(|cell| *cell == Some(1 - player));
                player = 1 - player;
                if arrived || alone {
                    assert_eq!(game.turn(&position), Turn::Over);
                    assert_eq!(game.rewards(&position).of(Player(1 - player)), 1.0);
                    break;
                }
            }
        }
    }
}

/// Whoever has more pieces is judged ahead: moves that take nothing, one of player 1 that takes, and
/// one of player 2 that takes back.
pub(crate) struct Material<'a> {
    pub(crate) even: &'a str,
    pub(crate) taking: &'a str,
    pub(crate) back: &'a str,
}

impl Visitor for Material<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let judge = |moves: &[&str]| {
            let guess = game.evaluate(&after(&game, &moves.join(" "))).unwrap();
            guess.of(Player(0))
        };
        assert_eq!(judge(&[self.even]), 0.5);
        assert!(judge(&[self.even, self.taking]) > 0.5);
        assert_eq!(judge(&[self.even, self.taking, self.back]), 0.5);
    }
}
