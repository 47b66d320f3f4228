//! Searches that visitors started: the table of them, and the threads that run them.

use crate::error::{Answer, Refusal};
use crate::limits::Limits;
use crate::session::{SearchPlan, SearchSession};
use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All searches. A few run at a moment, a slice of time each, and the others wait for their turn.
pub(crate) struct Searches {
    limits: Arc<Limits>,
    table: Mutex<Table>,
    wake: Condvar,
}

#[derive(Default)]
struct Table {
    sessions: HashMap<u64, Arc<SearchSession>>,
    /// Those that want to go on, the next one first.
    queue: VecDeque<Arc<SearchSession>>,
    closed: bool,
}

/// A new search shows something after a slice of this length, before it waits like the others.
const FIRST_SLICE: Duration = Duration::from_millis(10);
const SLICE: Duration = Duration::from_millis(40);

/// A search that goes on lets so many others pass before its next slice; those behind wait until one of them is done. So
/// only these have trees that grow.
const ACTIVE: usize = 4;

/// A finished session that nobody has asked about for so long makes room for a new one.
const IDLE: Duration = Duration::from_secs(60);

/// What another thread left behind when it panicked is still whole: nothing here is changed in two steps.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that nobody can guess.
pub(crate) fn fresh_id() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl Searches {
    /// An empty table, and the threads that run what comes into it.
    pub(crate) fn start(limits: Arc<Limits>) -> Arc<Self> {
        let threads = limits.threads.max(1);
        let searches = Arc::new(Self { limits, table: Mutex::default(), wake: Condvar::new() });
        for _ in 0..threads {
            let searches = searches.clone();
            std::thread::spawn(move || while searches.work() {});
        }
        searches
    }

    /// Takes the next search and runs it for a slice. False when there will be no more.
    fn work(&self) -> bool {
        let session = {
            let mut table = lock(&self.table);
            loop {
                if table.closed {
                    return false;
                }
                match table.queue.pop_front() {
                    Some(session) => break session,
                    None => table = self.wake.wait(table).unwrap_or_else(PoisonError::into_inner),
                }
            }
        };
        let slice = if session.is_new() { FIRST_SLICE } else { SLICE };
        let more = session.run(slice);
        let mut table = lock(&self.table);
        if more {
            let place = table.queue.len().min(ACTIVE - 1);
            table.queue.insert(place, session);
            self.wake.notify_one();
        } else {
            self.make_room(&table);
        }
        true
    }

    /// Takes trees away that nobody has asked about for longest, until all that are left fit.
    fn make_room(&self, table: &Table) {
        let mut used = memory(table);
        let mut finished: Vec<_> = table.sessions.values().filter(|session| session.is_finished()).collect();
        finished.sort_by_key(|session| session.touched());
        for session in finished {
            if used <= self.limits.memory {
                return;
            }
            used -= session.forget();
        }
    }

    /// Begins a search.
    pub(crate) fn add(&self, plan: SearchPlan) -> Answer<Arc<SearchSession>> {
        let mut table = lock(&self.table);
        self.drop_old(&mut table);
        if table.sessions.len() >= self.limits.sessions {
            let most = self.limits.sessions;
            return Err(Refusal::busy(format!(
                "{most} searches are kept at a time and all are in use; delete one or try later"
            )));
        }
        let id =
            std::iter::repeat_with(fresh_id).find(|id| !table.sessions.contains_key(id)).unwrap_or_default();
        let session = Arc::new(SearchSession::new(id, plan));
        table.sessions.insert(id, session.clone());
        // While there is room a new search goes first, so that who has just clicked sees something.
        if memory(&table) < self.limits.memory {
            table.queue.push_front(session.clone());
        } else {
            table.queue.push_back(session.clone());
        }
        self.wake.notify_one();
        Ok(session)
    }

    /// Drops sessions that are over their time and, if the table is full, the one that has been idle for longest.
    fn drop_old(&self, table: &mut Table) {
        let now = Instant::now();
        let idle = |session: &SearchSession| now.saturating_duration_since(session.touched());
        let timeout = self.limits.session_timeout;
        table.sessions.retain(|_, session| !session.is_finished() || idle(session) < timeout);
        if table.sessions.len() >= self.limits.sessions {
            let finished = table.sessions.values().filter(|session| session.is_finished());
            let oldest = finished.max_by_key(|session| idle(session)).filter(|session| idle(session) >= IDLE);
            if let Some(id) = oldest.map(|session| session.id) {
                table.sessions.remove(&id);
            }
        }
    }

    /// The search of this name.
    pub(crate) fn get(&self, name: &str) -> Answer<Arc<SearchSession>> {
        let mut table = lock(&self.table);
        self.drop_old(&mut table);
        let found = u64::from_str_radix(name, 16).ok().and_then(|id| table.sessions.get(&id).cloned());
        let session = found.ok_or_else(|| {
            Refusal::missing("there is no such search; searches that nobody asks about are dropped in time")
        })?;
        session.touch();
        Ok(session)
    }

    /// Stops a search and drops it.
    pub(crate) fn remove(&self, name: &str) -> Answer<()> {
        let session = self.get(name)?;
        session.stop();
        lock(&self.table).sessions.remove(&session.id);
        Ok(())
    }

    /// Ends the threads.
    pub(crate) fn close(&self) {
        let mut table = lock(&self.table);
        table.closed = true;
        table.sessions.values().for_each(|session| session.stop());
        self.wake.notify_all();
    }
}

/// Bytes that all trees use.
fn memory(table: &Table) -> usize {
    table.sessions.values().map(|session| session.memory()).sum()
}
