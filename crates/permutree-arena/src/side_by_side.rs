use permutree_zoo::surrounded;
use std::sync::mpsc::{Receiver, sync_channel};

/// Runs jobs on one thread for each state, and passes their results to `finish`, which receives them in the order in
/// which the jobs end. `next` returns the jobs until there are no more.
///
/// When `finish` returns or panics, the channel closes and the threads end after their current job.
pub(crate) fn side_by_side<State: Send, Job, Done: Send, Out>(
    states: Vec<State>,
    next: impl Fn() -> Option<Job> + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    finish: impl FnOnce(Receiver<Done>) -> Out,
) -> Out {
    // Bounded, so that a slow receiver slows the work down instead of filling the memory.
    let (sender, finished) = sync_channel(4 * states.len());
    let (next, work) = (&next, &work);
    std::thread::scope(|scope| {
        for mut state in states {
            let sender = sender.clone();
            scope.spawn(move || {
                surrounded(|| {
                    while let Some(job) = next() {
                        if sender.send(work(&mut state, job)).is_err() {
                            break;
                        }
                    }
                });
            });
        }
        drop(sender);
        finish(finished)
    })
}

/// The number of threads to start: 0 means one per core, and there are never more than jobs.
pub(crate) fn threads(asked: usize, jobs: u64) -> usize {
    let threads = match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    };
    usize::try_from(jobs).map_or(threads, |jobs| threads.min(jobs))
}
