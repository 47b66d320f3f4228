//! The table of searches, and the threads that run them.

use crate::error::{Answer, Refusal};
use crate::id::Id;
use crate::limits::Limits;
use crate::session::{SearchPlan, SearchSession};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// All searches. They share the threads: each runs for a slice of time and then queues for the next.
pub(crate) struct Searches {
    limits: Arc<Limits>,
    table: Mutex<Table>,
    wake: Condvar,
}

#[derive(Default)]
struct Table {
    sessions: HashMap<Id, Arc<SearchSession>>,
    /// The unfinished ones, the next first.
    queue: VecDeque<Arc<SearchSession>>,
    closed: bool,
}

/// The first slice of a search, which is short so that every search has a report soon.
const FIRST_SLICE: Duration = Duration::from_millis(10);
/// Every other slice.
const SLICE: Duration = Duration::from_millis(40);

/// This many searches take turns; those behind them in the queue wait until one of them ends. This bounds the number of
/// growing trees.
const ACTIVE: usize = 4;

/// A finished search that has been idle for this long makes room for a new one when the table is full.
const IDLE: Duration = Duration::from_secs(60);

/// Locks also after another thread panicked: no lock here is held across a change in two steps.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Searches {
    /// Makes an empty table and starts its threads.
    pub(crate) fn start(limits: Arc<Limits>) -> Arc<Self> {
        let threads = limits.threads.max(1);
        let searches = Arc::new(Self { limits, table: Mutex::default(), wake: Condvar::new() });
        for _ in 0..threads {
            let searches = searches.clone();
            std::thread::spawn(move || while searches.work() {});
        }
        searches
    }

    /// Runs the next search for a slice. False once the table is closed.
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

    /// Drops the trees of finished searches, the longest idle first, until the rest fit into the memory limit.
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

    /// Adds a search to the table and the queue.
    pub(crate) fn add(&self, plan: SearchPlan) -> Answer<Arc<SearchSession>> {
        let mut table = lock(&self.table);
        self.drop_idle(&mut table);
        if table.sessions.len() >= self.limits.sessions {
            let most = self.limits.sessions;
            return Err(Refusal::busy(format!(
                "the limit of {most} searches is reached and all are in use; delete one or try again later"
            )));
        }
        let session = Arc::new(SearchSession::new(Id::fresh(), plan));
        table.sessions.insert(session.id, session.clone());
        // While there is memory, a new search goes first: its visitor has just clicked.
        if memory(&table) < self.limits.memory {
            table.queue.push_front(session.clone());
        } else {
            table.queue.push_back(session.clone());
        }
        self.wake.notify_one();
        Ok(session)
    }

    /// Drops searches past the idle timeout and, if the table is full, the one that has been idle longest.
    fn drop_idle(&self, table: &mut Table) {
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

    /// The search with this identifier. Restarts its idle timeout.
    pub(crate) fn get(&self, name: &str) -> Answer<Arc<SearchSession>> {
        let mut table = lock(&self.table);
        self.drop_idle(&mut table);
        let found = name.parse().ok().and_then(|id: Id| table.sessions.get(&id).cloned());
        let session = found.ok_or_else(|| {
            Refusal::missing("no such search; finished searches are deleted after an idle timeout")
        })?;
        session.touch();
        Ok(session)
    }

    /// Stops a search and deletes it.
    pub(crate) fn remove(&self, session: &SearchSession) {
        session.stop();
        lock(&self.table).sessions.remove(&session.id);
    }

    /// Stops all searches and the threads.
    pub(crate) fn close(&self) {
        let mut table = lock(&self.table);
        table.closed = true;
        table.sessions.values().for_each(|session| session.stop());
        self.wake.notify_all();
    }
}

/// The memory of all trees, in bytes.
fn memory(table: &Table) -> usize {
    table.sessions.values().map(|session| session.memory()).sum()
}
