use crate::errors::{GameError, broken};
use permutree_zoo::surround_threads;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};

/// What a game written in Python did wrong while somebody was at work with it.
///
/// A mistake ends the work at once: the call unwinds to where the work was begun ([`crate::waiting`]), and there the
/// exception is raised. Nothing that was found with a broken game is kept.
#[derive(Debug, Default)]
pub(crate) struct Faults(Mutex<Inside>);

#[derive(Debug, Default)]
struct Inside {
    /// How many are at work with the game.
    working: usize,
    /// What ends their work.
    stops: Vec<Arc<AtomicBool>>,
    /// The first mistake. It stands until nobody is at work.
    raised: Option<Arc<PyErr>>,
}

/// The faults of the games that a work is about; none for games of the zoo.
pub(crate) type Watch = Vec<Arc<Faults>>;

/// How many mistakes stand. While there are some, threads that unwind print nothing.
static STANDING: AtomicUsize = AtomicUsize::new(0);

impl Faults {
    /// Faults that who [watches](watching) hears of.
    pub(super) fn new() -> Arc<Self> {
        static QUIET: Once = Once::new();
        QUIET.call_once(|| {
            let loud = take_hook();
            set_hook(Box::new(move |panic| {
                if STANDING.load(Ordering::Relaxed) == 0 {
                    loud(panic);
                }
            }));
            surround_threads(|work| known_to_python(work));
        });
        let faults = Arc::new(Self::default());
        WATCHED.with_borrow_mut(|watched| watched.push(faults.clone()));
        faults
    }

    /// Somebody begins to work with the game. A mistake sets `stop`.
    pub(crate) fn enter(&self, stop: Option<&Arc<AtomicBool>>) {
        let mut inside = self.inside();
        inside.working += 1;
        inside.stops.extend(stop.cloned());
    }

    /// The work is over. Gives the mistake if there was one.
    pub(crate) fn leave(&self, stop: Option<&Arc<AtomicBool>>) -> Option<PyErr> {
        let mut inside = self.inside();
        inside.working -= 1;
        inside.stops.retain(|known| stop.is_none_or(|stop| !Arc::ptr_eq(known, stop)));
        let raised = inside.raised.clone();
        if inside.working == 0 && inside.raised.take().is_some() {
            STANDING.fetch_sub(1, Ordering::Relaxed);
        }
        // Python is not waited for with the lock held.
        drop(inside);
        raised.map(|raised| Python::attach(|py| raised.clone_ref(py)))
    }

    /// Ends the work: unwinds to where it was begun.
    pub(super) fn fail(&self, error: PyErr) -> ! {
        let mut inside = self.inside();
        inside.stops.iter().for_each(|stop| stop.store(true, Ordering::Relaxed));
        if inside.raised.is_none() {
            inside.raised = Some(Arc::new(error));
            STANDING.fetch_add(1, Ordering::Relaxed);
        }
        drop(inside);
        resume_unwind(Box::new("a mistake in a game written in Python"))
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Does the work of a thread that plays games written in Python. Python knows the thread all the while: to make it known and forget
/// it again at every call would take microseconds.
pub(crate) fn known_to_python<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}

thread_local! {
    static WATCHED: RefCell<Watch> = const { RefCell::new(Vec::new()) };
}

/// Does something that may make games, and gives the faults of those that it made in Python. A mistake that they made
/// meanwhile is raised.
pub(crate) fn watching<T>(make: impl FnOnce() -> T) -> PyResult<(T, Watch)> {
    let before = WATCHED.take();
    let made = catch_unwind(AssertUnwindSafe(make));
    let watch = WATCHED.replace(before);
    let raised = watch.iter().map(|faults| {
        faults.enter(None);
        faults.leave(None)
    });
    match (raised.fold(None, Option::or), made) {
        (Some(raised), _) => Err(raised),
        (None, Ok(made)) => Ok((made, watch)),
        (None, Err(_)) => Err(broken()),
    }
}

/// The exception for a mistake in a method. Exceptions that are no mistakes, such as Ctrl-C, stay what they are.
pub(super) fn mistake(
    py: Python<'_>,
    rules: &Bound<'_, PyAny>,
    method: &str,
    state: Option<&Py<PyAny>>,
    why: Mistake,
) -> PyErr {
    let (text, cause) = match why {
        Mistake::Raised(error) if !error.is_instance_of::<PyException>(py) => return error,
        Mistake::Raised(error) => (in_words(py, &error), Some(error)),
        Mistake::Wrong(text) => (text, None),
    };
    let class = rules.get_type().name().map_or_else(|_| "Game".to_string(), |name| name.to_string());
    let place = state.map_or(String::new(), |state| format!("; the position is {}", shown(state.bind(py))));
    let error = GameError::new_err(format!("{class}.{method}: {text}{place}"));
    error.set_cause(py, cause);
    error
}

/// What a method did wrong.
pub(super) enum Mistake {
    Raised(PyErr),
    Wrong(String),
}

impl From<PyErr> for Mistake {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<String> for Mistake {
    fn from(text: String) -> Self {
        Self::Wrong(text)
    }
}

/// An exception in one line.
pub(super) fn in_words(py: Python<'_>, error: &PyErr) -> String {
    let name = error.get_type(py).name().map_or_else(|_| "an exception".to_string(), |name| name.to_string());
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    if text.is_empty() { name } else { format!("{name}: {}", text.replace('\n', " ")) }
}

/// An object as Python shows it, in one line that is not too long.
pub(super) fn shown(object: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 300;
    let text = object.repr().map_or_else(|_| "one that cannot be shown".to_string(), |text| text.to_string());
    let text = text.replace('\n', " ");
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
