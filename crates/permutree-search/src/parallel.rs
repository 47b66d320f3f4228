use crate::budget::Budget;
use crate::policy::Source;
use crate::report::{FinalMove, MoveReport, Report, sort};
use crate::search::{Exchange, Search};
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
}

/// Tree parallelisation in the form that Bourki et al. (2010) call slow: several searches from one root, each with a tree of
/// its own on a thread of its own, that now and then tell each other what they have counted in the nodes visited most. So near
/// the root all know what one search with all playouts would know, and nobody waits for a lock. AMAF statistics are told
/// too; permutation statistics and those of playout policies are each search's own.
///
/// A budget in playouts is divided among them, a budget in time is for each. Who hears what depends on when threads run, and
/// so does the result.
pub struct TreeParallel<G: Game> {
    searches: Vec<(Search<G>, Exchange)>,
    final_move: FinalMove,
}

impl<G: Game> TreeParallel<G> {
    /// These searches, which must be alike but for their generators and have the same root.
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

    /// Forgets what was told: the searches have another root.
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

    /// What the first search knows, which at the root is everything, and what any of them has proven.
    fn report(&mut self) -> Report<G::Move> {
        let mut reports = self.searches.iter_mut().map(|(search, _)| search.report());
        let mut whole = reports.next().expect("there is a search");
        for report in reports {
            add(&mut whole, &report, |a, b| a.proven = a.proven.or(b.proven));
        }
        finish(&mut whole, self.final_move);
        whole
    }

    /// What the first search knows.
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

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does all of them, each on a thread of its own.
fn side_by_side(jobs: Vec<Job<'_>>) {
    std::thread::scope(|scope| jobs.into_iter().for_each(|job| drop(scope.spawn(job))));
}

/// A generator for each of several searches.
#[must_use]
pub fn generators(rng: &mut Rng, searches: usize) -> Vec<Rng> {
    (0..searches).map(|_| Rng::new(rng.bits())).collect()
}

/// A budget for each of several searches: playouts are divided, time is for all.
fn shares(budget: &Budget, searches: usize) -> impl Iterator<Item = Budget> {
    let count = searches as u64;
    (0..count).map(move |i| {
        let playouts = budget.playouts.map(|all| all / count + u64::from(i < all % count));
        Budget { playouts, ..budget.clone() }
    })
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

    /// What those searches know together that have been there.
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

/// What searches that share nothing found, if there are any.
fn together<M: Copy + PartialEq>(
    mut reports: impl Iterator<Item = Report<M>>,
    final_move: FinalMove,
) -> Option<Report<M>> {
    let mut whole = reports.next()?;
    reports.for_each(|report| add(&mut whole, &report, add_move));
    finish(&mut whole, final_move);
    Some(whole)
}

/// Adds what another search found to `whole`, and of each move by `add_move`.
fn add<M>(whole: &mut Report<M>, other: &Report<M>, add_move: impl Fn(&mut MoveReport<M>, &MoveReport<M>)) {
    for found in &mut whole.moves {
        let same = other.moves.iter().find(|same| same.index == found.index);
        same.into_iter().for_each(|same| add_move(found, same));
    }
    whole.playouts += other.playouts;
    whole.time = whole.time.max(other.time);
    whole.deterministic &= other.deterministic;
    whole.nodes += other.nodes;
    whole.memory += other.memory;
    whole.full |= other.full;
}

/// Puts the move to play first.
fn finish<M: Copy + PartialEq>(report: &mut Report<M>, final_move: FinalMove) {
    sort(&mut report.moves, final_move);
    // The line was that of one search, which may prefer another move.
    if report.principal_variation.first() != report.moves.first().map(|found| &found.mv) {
        report.principal_variation = report.moves.first().map(|found| found.mv).into_iter().collect();
    }
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
