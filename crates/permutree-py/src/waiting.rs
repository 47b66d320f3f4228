use crate::errors::broken;
use crate::own::{Watch, known_to_python};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often Python is asked whether somebody pressed Ctrl-C.
const ASK: Duration = Duration::from_millis(20);

/// Does long work while other threads of Python run, and ends it when somebody presses Ctrl-C: `stop` becomes true, and
/// when the work has ended what came of it is thrown away. A second Ctrl-C does not wait for that; the work then ends by
/// itself. A mistake in the games written in Python that the work plays ends it too, and is raised.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    watch: &Watch,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (watch, flag) = (watch.clone(), stop.clone());
    // Python hears of Ctrl-C on its first thread only, so there the work is done beside it.
    if !is_main_thread(py)? {
        return py.detach(move || safely(&watch, Some(&flag), work));
    }
    let (sender, mut receiver) = channel();
    let worker = move || {
        let done = match watch.is_empty() {
            true => safely(&watch, Some(&flag), work),
            false => known_to_python(|| safely(&watch, Some(&flag), work)),
        };
        // Results that nobody waits for any more are no mistake.
        drop(sender.send(done));
    };
    thread::Builder::new().name("permutree".to_string()).spawn(worker)?;
    let mut interrupt: Option<PyErr> = None;
    loop {
        let answer = &mut receiver;
        match py.detach(move || answer.recv_timeout(ASK)) {
            Ok(done) => return interrupt.map_or(done, Err),
            Err(RecvTimeoutError::Disconnected) => return Err(broken()),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = py.check_signals() {
            stop.store(true, Ordering::Relaxed);
            if interrupt.replace(raised).is_some() {
                return Err(PyKeyboardInterrupt::new_err(()));
            }
        }
    }
}

/// Does something short here and now. Only a game written in Python lets other threads run meanwhile.
pub(crate) fn at_once<T: Send>(
    py: Python<'_>,
    watch: &Watch,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if watch.is_empty() { safely(watch, None, work) } else { py.detach(|| safely(watch, None, work)) }
}

/// Whatever happens in the work, Python goes on.
fn safely<T>(watch: &Watch, stop: Option<&Arc<AtomicBool>>, work: impl FnOnce() -> T) -> PyResult<T> {
    watch.iter().for_each(|faults| faults.enter(stop));
    let done = catch_unwind(AssertUnwindSafe(work));
    let raised = watch.iter().map(|faults| faults.leave(stop)).fold(None, Option::or);
    match (raised, done) {
        (Some(raised), _) => Err(raised),
        (None, Ok(done)) => Ok(done),
        (None, Err(_)) => Err(broken()),
    }
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let (current, main) = (threading.call_method0("current_thread")?, threading.call_method0("main_thread")?);
    Ok(current.is(&main))
}
