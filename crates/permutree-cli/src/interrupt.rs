use crate::failure::Failure;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets: running games are finished, and the result so far is shown. A second Ctrl-C ends the
/// program at once. Where signals cannot be caught, the first one does.
pub(crate) fn stop_on_interrupt() -> Arc<AtomicBool> {
    on_interrupt("finishing running games; press Ctrl-C again to quit at once")
}

/// The same, with this message.
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
