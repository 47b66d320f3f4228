use std::sync::OnceLock;

/// Does the work of a thread, once, with what it needs around it.
pub type Around = fn(&mut (dyn FnMut() + Send));

static AROUND: OnceLock<Around> = OnceLock::new();

/// Surrounds the work of all threads that play games and start from now on. The first call counts.
///
/// For games in a language that wants to know the threads that call it, such as Python, where it is slow to make a thread known at
/// every call. No thread may start while its starter holds what `around` waits for.
pub fn surround_threads(around: Around) {
    AROUND.get_or_init(|| around);
}

/// Does the work of a new thread that plays games.
pub fn surrounded(mut work: impl FnMut() + Send) {
    match AROUND.get() {
        Some(around) => around(&mut work),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    static SURROUNDED: AtomicUsize = AtomicUsize::new(0);

    #[test]
    fn work_is_surrounded_and_done_once() {
        surround_threads(|work| {
            SURROUNDED.fetch_add(1, Ordering::Relaxed);
            work();
        });
        let (before, mut done) = (SURROUNDED.load(Ordering::Relaxed), 0);
        surrounded(|| done += 1);
        assert_eq!(done, 1);
        assert!(SURROUNDED.load(Ordering::Relaxed) > before);
    }
}
