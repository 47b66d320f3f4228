use crate::failure::Failure;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets: the games under way are finished, and the result of those played is shown. Ctrl-C a second
/// time ends the program at once. Where signals cannot be caught the first one does.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    on_interrupt("finishing the games under way; Ctrl-C again to quit at once")
}

/// The same, with this to say.
pub(crate) fn on_interrupt(line: &'static str) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = stop.clone();
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(Failure::STOPPED.into());
        }
        let _ = writeln!(io::stderr(), "\n{line}");
    });
    stop
}
