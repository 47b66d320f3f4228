//! Breakthrough and Knightthrough once more, in the plainest way.

use crate::kit::after;
use crate::plain::{Plain, won_by};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Visitor};

/// A board by rows and columns, and how pieces move.
#[derive(Clone)]
pub(crate) struct Race<'a> {
    cells: Vec<Vec<Option<u8>>>,
    /// Columns, rows and whether it takes.
    ways: &'a [(isize, isize, bool)],
    player: u8,
    won: bool,
}

impl<'a> Race<'a> {
    pub(crate) fn new(rows: usize, columns: usize, ways: &'a [(isize, isize, bool)]) -> Self {
        let mut cells = vec![vec![None; columns]; rows];
        for row in [0, 1] {
            cells[row].fill(Some(0));
            cells[rows - 1 - row].fill(Some(1));
        }
        Self { cells, ways, player: 0, won: false }
    }

    fn moves_from(&self, column: usize, row: usize, texts: &mut Vec<String>) {
        for &(across, ahead, takes) in self.ways {
            let ahead = if self.player == 0 { ahead } else { -ahead };
            let Some(to) = column.checked_add_signed(across).zip(row.checked_add_signed(ahead)) else {
                continue;
            };
            let between = match self.cells.get(to.1).and_then(|row| row.get(to.0)) {
                Some(None) => "",
                Some(Some(owner)) if *owner != self.player && takes => "x",
                _ => continue,
            };
            texts.push(square(column, row) + between + &square(to.0, to.1));
        }
    }
}

impl Plain for Race<'_> {
    fn turn(&self) -> Option<u8> {
        (!self.won).then_some(self.player)
    }

    fn moves(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for (row, cells) in self.cells.iter().enumerate().filter(|_| !self.won) {
            for (column, _) in cells.iter().enumerate().filter(|(_, cell)| **cell == Some(self.player)) {
                self.moves_from(column, row, &mut texts);
            }
        }
        texts
    }

    fn play(&mut self, text: &str) {
        let second = text.rfind(|letter: char| letter.is_alphabetic()).unwrap();
        let from = parse_square(text[..second].trim_end_matches('x')).unwrap();
        let to = parse_square(&text[second..]).unwrap();
        self.cells[from.1][from.0] = None;
        self.cells[to.1][to.0] = Some(self.player);
        let arrived = to.1 == if self.player == 0 { self.cells.len() - 1 } else { 0 };
        let alone = !self.cells.iter().flatten().any(|cell| *cell == Some(1 - self.player));
        self.won = arrived || alone;
        self.player = 1 - self.player;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(Some(1 - self.player), 2)
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
