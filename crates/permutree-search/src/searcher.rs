use crate::budget::Budget;
use crate::report::Report;
use crate::statistics::Values;
use permutree_game::{Game, Rng};

/// A search of one position. Every algorithm implements this trait, with a tree or without.
pub trait Searcher<G: Game>: Send {
    /// Searches until the budget is used up. Another call continues where the last one stopped. Returns at once if there
    /// is at most one legal move.
    fn advance(&mut self, budget: &Budget);

    /// The result so far.
    fn report(&mut self) -> Report<G::Move>;

    /// The result so far for the position after these moves, if the search has a tree and the node there is expanded. Its
    /// playouts are those that went through the node. Without moves it is the report of the root.
    fn look(&mut self, moves: &[G::Move]) -> Option<Report<G::Move>> {
        moves.is_empty().then(|| self.report())
    }

    /// Adds the values of positions that the search has learned, if it learns any.
    fn learned(&self, _into: &mut Values) {}

    /// Moves the root along these moves and keeps what is still valid. Returns false if the search cannot do that and must be
    /// restarted.
    fn follow(&mut self, _moves: &[G::Move], _rng: Rng) -> bool {
        false
    }

    /// Starts over from another position, as a new search would. Reuses allocations, and keeps what a playout policy carries
    /// over from move to move.
    fn restart(&mut self, root: G::Position, rng: Rng);
}
