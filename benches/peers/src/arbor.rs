//! The crate `arbor`.

use crate::Playout;
use crate::board::{Board, Measured, measure};
use ::arbor::{Action, GameResult, GameState, MCTS, Player};

#[derive(Clone, Copy, Debug)]
struct Column(u8);

impl Action for Column {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct First(bool);

impl Player for First {}

impl GameState<First, Column> for Board {
    #[inline]
    fn actions<F: FnMut(Column)>(&self, f: &mut F) {
        self.each_move(|column| f(Column(column)));
    }

    #[inline]
    fn make(&self, action: Column) -> Self {
        let mut board = *self;
        board.play(action.0);
        board
    }

    #[inline]
    fn gameover(&self) -> Option<GameResult> {
        let of_mover = |reward: f64| if self.first_to_move() { reward } else { 1.0 - reward };
        self.is_over().then(|| match of_mover(self.reward()) {
            1.0 => GameResult::Win,
            0.0 => GameResult::Lose,
            _ => GameResult::Draw,
        })
    }

    #[inline]
    fn player(&self) -> First {
        First(self.first_to_move())
    }

    fn custom_evaluation(&self) -> f32 {
        let reward = self.playout(Playout::Ours) as f32;
        if self.first_to_move() { reward } else { 1.0 - reward }
    }
}

pub fn search(playouts: u32, playout: Playout) -> Measured {
    measure(
        playouts,
        || {
            let search = MCTS::new(Board::start()).with_exploration(1.4);
            let mut search = match playout {
                Playout::Theirs => search,
                Playout::Ours => search.with_custom_evaluation(),
            };
            search.ponder(playouts as usize);
            search
        },
        |search| search.best().map(|column| column.0),
    )
}
