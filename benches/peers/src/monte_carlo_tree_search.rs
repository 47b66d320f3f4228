//! The crate `monte-carlo-tree-search`.

use crate::Playout;
use crate::board::{Board, Measured, measure};
use ::monte_carlo_tree_search::{CountWdl, Explorer, GameState, Player, Search, TwoPlayerGame, Ucb};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

impl TwoPlayerGame for Board {
    type Move = u8;

    #[inline]
    fn state<'a>(&self, moves: &'a mut Vec<u8>) -> GameState<'a, u8> {
        moves.clear();
        if !self.is_over() {
            self.moves(moves);
            return GameState::Moves(moves);
        }
        match self.reward() {
            1.0 => GameState::WinPlayerOne,
            0.0 => GameState::WinPlayerTwo,
            _ => GameState::Draw,
        }
    }

    #[inline]
    fn play(&mut self, column: &u8) {
        Board::play(self, *column);
    }

    #[inline]
    fn current_player(&self) -> Player {
        if self.first_to_move() { Player::One } else { Player::Two }
    }
}

/// The crate's plain UCB with our playout in place of its own.
struct Ours(Ucb<Board>);

impl Explorer<Board> for Ours {
    type Evaluation = CountWdl;
    type Delta = CountWdl;

    fn bias(&mut self, board: Board, _: &mut impl Rng) -> CountWdl {
        let mut count = CountWdl::default();
        match board.playout(Playout::Ours) {
            1.0 => count.wins_player_one = 1,
            0.0 => count.wins_player_two = 1,
            _ => count.draws = 1,
        }
        count
    }

    fn unexplored_bias(&self) -> CountWdl {
        self.0.unexplored_bias()
    }

    fn reevaluate(&mut self, board: Board, evaluation: &mut CountWdl) -> CountWdl {
        self.0.reevaluate(board, evaluation)
    }

    fn selected_child_pos<'a>(
        &self,
        parent: &CountWdl,
        children: impl ExactSizeIterator<Item = &'a CountWdl>,
        player: Player,
    ) -> Option<usize> {
        self.0.selected_child_pos(parent, children, player)
    }

    fn update(
        &mut self,
        evaluation: &mut CountWdl,
        siblings: impl Iterator<Item = Option<CountWdl>>,
        delta: CountWdl,
        player: Player,
    ) -> CountWdl {
        self.0.update(evaluation, siblings, delta, player)
    }

    fn initial_delta(&self, evaluation: &CountWdl) -> CountWdl {
        self.0.initial_delta(evaluation)
    }

    fn is_solved(&self, evaluation: &CountWdl) -> bool {
        self.0.is_solved(evaluation)
    }
}

/// Plain UCB and not the crate's solver, which is slower by the proofs that it keeps.
pub fn search(playouts: u32, playout: Playout) -> Measured {
    fn run(playouts: u32, explorer: impl Explorer<Board>) -> Measured {
        let mut rng = SmallRng::seed_from_u64(1);
        measure(
            playouts,
            || Search::with_playouts(Board::start(), explorer, playouts, &mut rng),
            |search| search.best_move(),
        )
    }
    match playout {
        Playout::Theirs => run(playouts, Ucb::new()),
        Playout::Ours => run(playouts, Ours(Ucb::new())),
    }
}
