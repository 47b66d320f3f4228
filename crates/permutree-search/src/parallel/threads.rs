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
