use super::{Job, add, finish, generators, shares, side_by_side};
use crate::budget::Budget;
use crate::report::{FinalMove, MoveReport, Report, Source};
use crate::searcher::Searcher;
use crate::statistics::Values;
use permutree_game::{Game, Rng};

/// Root parallelisation (Cazenave and Jouandeau 2007): several searches of the same root, each with its own generator on its
/// own thread. Their statistics of the root's moves are added up; they share nothing else.
///
/// A budget in playouts is divided among the searches, so the result depends only on the seed and on their number. A budget
/// in time applies to each of them.
pub struct RootParallel<G: Game> {
    searches: Vec<Box<dyn Searcher<G>>>,
    final_move: FinalMove,
}

impl<G: Game> RootParallel<G> {
    /// Runs these searches, which must have the same root.
    ///
    /// # Panics
    ///
    /// If there is no search.
    #[must_use]
    pub fn new(searches: Vec<Box<dyn Searcher<G>>>, final_move: FinalMove) -> Self {
        assert!(!searches.is_empty(), "no searches");
        Self { searches, final_move }
    }
}

impl<G: Game> Searcher<G> for RootParallel<G> {
    fn advance(&mut self, budget: &Budget) {
        let shares = shares(budget, self.searches.len());
        let mut jobs: Vec<Job<'_>> = Vec::new();
        for (search, budget) in self.searches.iter_mut().zip(shares) {
            jobs.push(Box::new(move || search.advance(&budget)));
        }
        side_by_side(jobs);
    }

    fn report(&mut self) -> Report<G::Move> {
        let reports = self.searches.iter_mut().map(|search| search.report());
        together(reports, self.final_move).expect("there is a search")
    }

    /// The sum of the reports of those searches that have expanded the node.
    fn look(&mut self, moves: &[G::Move]) -> Option<Report<G::Move>> {
        together(self.searches.iter_mut().filter_map(|search| search.look(moves)), self.final_move)
    }

    fn learned(&self, into: &mut Values) {
        self.searches.iter().for_each(|search| search.learned(into));
    }

    fn follow(&mut self, moves: &[G::Move], mut rng: Rng) -> bool {
        let generators = generators(&mut rng, self.searches.len());
        self.searches.iter_mut().zip(generators).all(|(search, rng)| search.follow(moves, rng))
    }

    fn restart(&mut self, root: G::Position, mut rng: Rng) {
        let generators = generators(&mut rng, self.searches.len());
        for (search, rng) in self.searches.iter_mut().zip(generators) {
            search.restart(root.clone(), rng);
        }
    }
}

/// The sum of the reports of independent searches, if there are any.
fn together<M: Copy + PartialEq>(
    mut reports: impl Iterator<Item = Report<M>>,
    final_move: FinalMove,
) -> Option<Report<M>> {
    let mut whole = reports.next()?;
    reports.for_each(|report| add(&mut whole, &report, add_move));
    finish(&mut whole, final_move);
    Some(whole)
}

fn add_move<M>(a: &mut MoveReport<M>, b: &MoveReport<M>) {
    let mean = |(n, a): (u64, f64), (m, b): (u64, f64)| {
        if n + m == 0 { 0.0 } else { (n as f64 * a + m as f64 * b) / (n + m) as f64 }
    };
    let source = |a: Option<Source>, b: Option<Source>| {
        let (a, b) = (a?, b?);
        let mean = mean((a.count, a.mean), (b.count, b.mean));
        Some(Source { count: a.count + b.count, mean })
    };
    for (a_weight, b_weight) in a.weights.iter_mut().zip(b.weights) {
        *a_weight = mean((a.visits + 1, *a_weight), (b.visits + 1, b_weight));
    }
    a.mean = mean((a.visits, a.mean), (b.visits, b.mean));
    a.visits += b.visits;
    a.amaf = source(a.amaf, b.amaf);
    a.permutation = source(a.permutation, b.permutation);
    a.proven = a.proven.or(b.proven);
}
