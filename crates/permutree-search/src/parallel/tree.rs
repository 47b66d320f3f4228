use super::{Job, add, finish, generators, shares, side_by_side};
use crate::budget::Budget;
use crate::report::{FinalMove, Report};
use crate::searcher::Searcher;
use crate::tree::{Exchange, Search};
use permutree_game::{Game, Rng};

/// The "slow" tree parallelisation of Bourki et al. (2010): several searches of the same root, each with its own tree on its
/// own thread, which periodically send each other the statistics of their most visited nodes. Near the root each knows
/// almost what a single search with all playouts would know, without locks. AMAF statistics are shared too; permutation
/// statistics and those of playout policies are not.
///
/// A budget in playouts is divided among the searches; a budget in time applies to each. Which messages arrive when depends
/// on the timing of threads, and so does the result.
pub struct TreeParallel<G: Game> {
    searches: Vec<(Search<G>, Exchange)>,
    final_move: FinalMove,
}

impl<G: Game> TreeParallel<G> {
    /// Runs these searches, which must have the same root and the same settings and differ only in their generators.
    ///
    /// # Panics
    ///
    /// If there is no search.
    #[must_use]
    pub fn new(searches: Vec<Search<G>>, final_move: FinalMove) -> Self {
        assert!(!searches.is_empty(), "no searches");
        let exchanges = Exchange::between(searches.len());
        Self { searches: searches.into_iter().zip(exchanges).collect(), final_move }
    }

    /// Discards all messages, since the searches have a new root.
    fn reconnect(&mut self) {
        let exchanges = Exchange::between(self.searches.len());
        self.searches.iter_mut().zip(exchanges).for_each(|((_, old), new)| *old = new);
    }
}

impl<G: Game> Searcher<G> for TreeParallel<G> {
    fn advance(&mut self, budget: &Budget) {
        let shares = shares(budget, self.searches.len());
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for ((search, exchange), budget) in self.searches.iter_mut().zip(shares) {
            jobs.push(Box::new(move || search.advance_beside(&budget, exchange)));
        }
        side_by_side(jobs);
        self.searches.iter_mut().for_each(|(search, exchange)| search.listen(exchange));
    }

    /// The report of the first search, which at the root has received everything, with the proofs of all searches.
    fn report(&mut self) -> Report<G::Move> {
        let mut reports = self.searches.iter_mut().map(|(search, _)| search.report());
        let mut whole = reports.next().expect("there is a search");
        for report in reports {
            add(&mut whole, &report, |a, b| a.proven = a.proven.or(b.proven));
        }
        finish(&mut whole, self.final_move);
        whole
    }

    /// The report of the first search.
    fn look(&mut self, moves: &[G::Move]) -> Option<Report<G::Move>> {
        if moves.is_empty() { Some(self.report()) } else { self.searches[0].0.look(moves) }
    }

    fn follow(&mut self, moves: &[G::Move], mut rng: Rng) -> bool {
        self.reconnect();
        let generators = generators(&mut rng, self.searches.len());
        self.searches.iter_mut().zip(generators).all(|((search, _), rng)| search.follow(moves, rng))
    }

    fn restart(&mut self, root: G::Position, mut rng: Rng) {
        self.reconnect();
        let generators = generators(&mut rng, self.searches.len());
        for ((search, _), rng) in self.searches.iter_mut().zip(generators) {
            search.restart(root.clone(), rng);
        }
    }
}
