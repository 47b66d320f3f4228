//! The crate `mcts`. It has no playout of its own: the evaluator plays through the crate's game trait, or asks ours.

use crate::Playout;
use crate::board::{Board, Measured, measure};
use ::mcts::tree_policy::UCTPolicy;
use ::mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

impl GameState for Board {
    type Move = u8;
    type Player = bool;
    type MoveList = Vec<u8>;

    fn current_player(&self) -> bool {
        self.first_to_move()
    }

    fn available_moves(&self) -> Vec<u8> {
        let mut moves = Vec::with_capacity(7);
        self.moves(&mut moves);
        moves
    }

    fn make_move(&mut self, column: &u8) {
        self.play(*column);
    }
}

struct Spec;

impl MCTS for Spec {
    type State = Board;
    type Eval = Playout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();
}

impl Evaluator<Spec> for Playout {
    /// What the first player gets.
    type StateEvaluation = f64;

    fn evaluate_new_state(
        &self,
        board: &Board,
        moves: &Vec<u8>,
        _: Option<SearchHandle<'_, Spec>>,
    ) -> (Vec<()>, f64) {
        (vec![(); moves.len()], board.playout(*self))
    }

    fn evaluate_existing_state(&self, board: &Board, _: &f64, _: SearchHandle<'_, Spec>) -> f64 {
        board.playout(*self)
    }

    /// Rewards are whole numbers: 2 for a win, 1 for a draw.
    fn interpret_evaluation_for_player(&self, reward: &f64, first: &bool) -> i64 {
        (2.0 * if *first { *reward } else { 1.0 - *reward }) as i64
    }
}

pub fn search(playouts: u32, playout: Playout) -> Measured {
    measure(
        playouts,
        || {
            // Its formula doubles the constant and its rewards are doubled too.
            let mut search = MCTSManager::new(Board::start(), Spec, playout, UCTPolicy::new(1.4), ());
            search.playout_n(u64::from(playouts));
            search
        },
        |search| search.best_move(),
    )
}
