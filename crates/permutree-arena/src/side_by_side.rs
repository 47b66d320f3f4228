use std::sync::mpsc::{Receiver, sync_channel};

/// Does jobs on so many threads, each of which has a state of its own, and gives what comes of them to `finish`, which
/// takes from the queue in whatever order jobs end. `next` gives the jobs until there are no more.
///
/// When `finish` is done, or panics, the threads find nobody listening and end after the job at hand.
pub(crate) fn side_by_side<State: Send, Job, Done: Send, Out>(
    states: Vec<State>,
    next: impl Fn() -> Option<Job> + Sync,
    work: impl Fn(&mut State, Job) -> Done + Sync,
    finish: impl FnOnce(Receiver<Done>) -> Out,
) -> Out {
    // Bounded, so that who is slow to take slows the work down and does not fill the memory.
    let (sender, finished) = sync_channel(4 * states.len());
    let (next, work) = (&next, &work);
    std::thread::scope(|scope| {
        for mut state in states {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(job) = next() {
                    if sender.send(work(&mut state, job)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        finish(finished)
    })
}

/// How many threads are meant: 0 is as many as the machine has cores, and more than there are jobs are never needed.
pub(crate) fn threads(asked: usize, jobs: u64) -> usize {
    let threads = match asked {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        asked => asked,
    };
    usize::try_from(jobs).map_or(threads, |jobs| threads.min(jobs))
}
