use crate::failure::Failure;
use permutree_zoo::{Agent, AnyPosition, Budget, Clock, Report, Session};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// The agent's search, kept from move to move.
#[derive(Default)]
pub(super) struct Thinker {
    session: Option<Box<dyn Session>>,
    /// The moves that the session has not followed yet.
    unseen: Vec<usize>,
    pondering: Option<Pondering>,
}

/// A search in the background that runs until it is stopped.
struct Pondering {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Box<dyn Session>>,
}

impl Thinker {
    /// Records a move.
    pub(super) fn see(&mut self, index: usize) {
        self.rest();
        self.unseen.push(index);
    }

    /// Searches from the current position.
    pub(super) fn think(
        &mut self,
        agent: &Agent,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: u64,
    ) -> Result<Report<String>, Failure> {
        let mut session = self.up_to_date(agent, position, seed)?;
        session.advance(budget);
        let report = session.report();
        self.session = Some(session);
        Ok(report)
    }

    /// Searches from the current position in the background, until the next move.
    pub(super) fn ponder(
        &mut self,
        agent: &Agent,
        position: &dyn AnyPosition,
        seed: u64,
    ) -> Result<(), Failure> {
        let mut session = self.up_to_date(agent, position, seed)?;
        let stop = Arc::new(AtomicBool::new(false));
        let budget = Budget { stop: Some(stop.clone()), clock: Clock::Wall, ..Budget::default() };
        let thread = std::thread::spawn(move || {
            session.advance(&budget);
            session
        });
        self.pondering = Some(Pondering { stop, thread });
        Ok(())
    }

    /// Stops pondering.
    fn rest(&mut self) {
        if let Some(Pondering { stop, thread }) = self.pondering.take() {
            stop.store(true, Ordering::Relaxed);
            self.session = thread.join().ok();
        }
    }

    /// The session at the current position.
    fn up_to_date(
        &mut self,
        agent: &Agent,
        position: &dyn AnyPosition,
        seed: u64,
    ) -> Result<Box<dyn Session>, Failure> {
        self.rest();
        let unseen = std::mem::take(&mut self.unseen);
        Ok(match self.session.take() {
            None => position.session(agent, seed)?,
            Some(mut session) => {
                session.follow(&unseen, seed)?;
                session
            }
        })
    }
}
