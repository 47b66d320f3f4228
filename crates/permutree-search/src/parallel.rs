use crate::budget::Budget;
use crate::policy::Source;
use crate::report::{FinalMove, MoveReport, Report, sort};
use crate::searcher::Searcher;
use crate::values::Values;
use permutree_game::{Game, Rng};

/// Root parallelisation (Cazenave and Jouandeau 2007): several searches from one root, each with a generator of its own and
/// on a thread of its own. What they found of the root's moves is added up; below the root they share nothing.
///
/// A budget in playouts is divided among them, so the result depends on the seed and on their number and on nothing else.
/// A budget in time is for each of them.
pub struct RootParallel<G: Game> {
    searches: Vec<Box<dyn Searcher<G>>>,
    final_move: FinalMove,
}

impl<G: Game> RootParallel<G> {
    /// These searches, which must have the same root.
    ///
    /// # Panics
    ///
    /// If there is no search.
    #[must_use]
    pub fn new(searches: Vec<Box<dyn Searcher<G>>>, final_move: FinalMove) -> Self {
        assert!(!searches.is_empty(), "no searches");
        Self { searches, final_move }
    }

    /// A generator for each search.
    pub fn generators(rng: &mut Rng, searches: usize) -> Vec<Rng> {
        (0..searches).map(|_| Rng::new(rng.bits())).collect()
    }
}

impl<G: Game> Searcher<G> for RootParallel<G> {
    fn advance(&mut self, budget: &Budget) {
        let count = self.searches.len() as u64;
        std::thread::scope(|scope| {
            for (search, i) in self.searches.iter_mut().zip(0..) {
                let share = budget.playouts.map(|all| all / count + u64::from(i < all % count));
                scope.spawn(move || search.advance(&Budget { playouts: share, ..budget.clone() }));
            }
        });
    }

    fn report(&mut self) -> Report<G::Move> {
        let reports = self.searches.iter_mut().map(|search| search.report());
        let mut whole = reports.reduce(add).expect("there is a search");
        sort(&mut whole.moves, self.final_move);
        // The line was that of one search, which may prefer another move.
        if whole.principal_variation.first() != whole.moves.first().map(|found| &found.mv) {
            whole.principal_variation = whole.moves.first().map(|found| found.mv).into_iter().collect();
        }
        whole
    }

    fn learned(&self, into: &mut Values) {
        self.searches.iter().for_each(|search| search.learned(into));
    }

    fn follow(&mut self, moves: &[G::Move], mut rng: Rng) -> bool {
        let generators = Self::generators(&mut rng, self.searches.len());
        self.searches.iter_mut().zip(generators).all(|(search, rng)| search.follow(moves, rng))
    }

    fn restart(&mut self, root: G::Position, mut rng: Rng) {
        let generators = Self::generators(&mut rng, self.searches.len());
        for (search, rng) in self.searches.iter_mut().zip(generators) {
            search.restart(root.clone(), rng);
        }
    }
}

/// What two searches found, together.
fn add<M: Copy>(mut a: Report<M>, mut b: Report<M>) -> Report<M> {
    a.moves.sort_by_key(|found| found.index);
    b.moves.sort_by_key(|found| found.index);
    for (a, b) in a.moves.iter_mut().zip(&b.moves) {
        add_move(a, b);
    }
    a.playouts += b.playouts;
    a.time = a.time.max(b.time);
    a.deterministic &= b.deterministic;
    a.nodes += b.nodes;
    a.memory += b.memory;
    a.full |= b.full;
    a
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
