use crate::budget::Budget;
use crate::report::Report;
use crate::statistics::Values;
use permutree_game::{Game, Rng};

/// Looks for a move from one position. Every algorithm has this face, with a tree or without.
pub trait Searcher<G: Game>: Send {
    /// Searches until the budget is used up, and can be told to go on: it then continues where it stopped. Where there
    /// is no choice there is nothing to find: with one legal move or none it returns at once.
    fn advance(&mut self, budget: &Budget);

    /// What was found so far.
    fn report(&mut self) -> Report<G::Move>;

    /// What was found so far of the position after these moves, if the search grows a tree and has looked at the moves
    /// there; without moves, the whole report. It counts the playouts that went through the position.
    fn look(&mut self, moves: &[G::Move]) -> Option<Report<G::Move>> {
        moves.is_empty().then(|| self.report())
    }

    /// Adds what was learned of positions, if the search learns values of positions.
    fn learned(&self, _into: &mut Values) {}

    /// The game went on by these moves. Keeps what is known and holds from there on, if the search can; false if it cannot,
    /// and it must be restarted.
    fn follow(&mut self, _moves: &[G::Move], _rng: Rng) -> bool {
        false
    }

    /// Forgets everything and starts over from another position. It is as a new search, but the memory is there, and what
    /// a playout policy was made to keep.
    fn restart(&mut self, root: G::Position, rng: Rng);
}
