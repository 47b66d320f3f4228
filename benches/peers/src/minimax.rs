//! The Monte Carlo strategy of the crate `minimax`.

use crate::Playout;
use crate::board::{Board, Measured, measure};
use ::minimax::{Game, MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

struct Rules;

impl Game for Rules {
    type S = Board;
    type M = u8;

    #[inline]
    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            board.moves(moves);
        }
        winner
    }

    #[inline]
    fn apply(board: &mut Board, column: u8) -> Option<Board> {
        let mut next = *board;
        next.play(column);
        Some(next)
    }

    #[inline]
    fn get_winner(board: &Board) -> Option<Winner> {
        // Only who moved last can have made a line.
        board.is_over().then(|| if board.reward() == 0.5 { Winner::Draw } else { Winner::PlayerJustMoved })
    }
}

/// Our playout in place of the crate's.
struct Ours;

impl RolloutPolicy for Ours {
    type G = Rules;

    fn random_move(&self, board: &mut Board, moves: &mut Vec<u8>, rng: &mut SmallRng) -> Result<u8, Winner> {
        match Rules::generate_moves(board, moves) {
            Some(winner) => Err(winner),
            None => moves.choose(rng).copied().ok_or(Winner::Draw),
        }
    }

    /// 1, 0 or -1 for who moved last; a game that is over already counts as proved.
    fn rollout(&self, _: &MCTSOptions, board: &Board) -> i32 {
        match Rules::get_winner(board) {
            Some(Winner::PlayerJustMoved) => return i32::MAX,
            Some(_) => return 0,
            None => {}
        }
        let reward = board.playout(Playout::Ours);
        let mover = if board.first_to_move() { reward } else { 1.0 - reward };
        (1.0 - 2.0 * mover) as i32
    }
}

pub fn search(playouts: u32, playout: Playout) -> Measured {
    measure(
        playouts,
        || {
            let options = MCTSOptions::default().with_num_threads(1);
            let mut search: MonteCarloTreeSearch<Rules> = match playout {
                Playout::Theirs => MonteCarloTreeSearch::new(options),
                Playout::Ours => MonteCarloTreeSearch::new_with_policy(options, Box::new(Ours)),
            };
            search.set_max_rollouts(playouts);
            search.choose_move(&Board::start())
        },
        |best| *best,
    )
}
