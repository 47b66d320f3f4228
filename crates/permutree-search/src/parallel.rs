//! Several searches of the same position in parallel, one per thread.
//!
//! [`RootParallel`] runs any searches independently and adds up their results at the root: deterministic.
//! [`TreeParallel`] runs tree searches that also exchange the statistics of their most visited nodes, so that its result
//! depends on the timing of threads.

mod root;
mod threads;
mod tree;

pub use root::RootParallel;
pub use threads::{Around, surround_threads, surrounded};
pub use tree::TreeParallel;

use crate::budget::Budget;
use crate::report::{FinalMove, MoveReport, Report, sort};
use permutree_game::Rng;

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs all jobs, one per thread.
fn side_by_side(jobs: Vec<Job<'_>>) {
    std::thread::scope(|scope| {
        for job in jobs {
            let mut job = Some(job);
            scope.spawn(move || surrounded(move || job.take().into_iter().for_each(|job| job())));
        }
    });
}

/// A random number generator for each search.
#[must_use]
pub fn generators(rng: &mut Rng, searches: usize) -> Vec<Rng> {
    (0..searches).map(|_| Rng::new(rng.bits())).collect()
}

/// A budget for each search: playouts are divided among them, time is the same for all.
fn shares(budget: &Budget, searches: usize) -> impl Iterator<Item = Budget> {
    let count = searches as u64;
    (0..count).map(move |i| {
        let playouts = budget.playouts.map(|all| all / count + u64::from(i < all % count));
        Budget { playouts, ..budget.clone() }
    })
}

/// Adds another search's report to `whole`, with the moves added by `add_move`.
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

/// Sorts the moves again, the one to play first.
fn finish<M: Copy + PartialEq>(report: &mut Report<M>, final_move: FinalMove) {
    sort(&mut report.moves, final_move);
    // The line comes from one search, which may prefer another move.
    if report.principal_variation.first() != report.moves.first().map(|found| &found.mv) {
        report.principal_variation = report.moves.first().map(|found| found.mv).into_iter().collect();
    }
}
