use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a search may run. It stops at the first limit that it reaches.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// The number of playouts.
    pub playouts: Option<u64>,
    /// The time, by `clock`.
    pub time: Option<Duration>,
    /// The time for all moves of a game. Searches ignore it: the code that plays the game gives each move its share as
    /// `time`.
    pub game_time: Option<Duration>,
    /// How time is measured.
    pub clock: Clock,
    /// Stops the search when it becomes true, within a millisecond or the time of one playout.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// This many playouts and no other limit.
    #[must_use]
    pub fn playouts(playouts: u64) -> Self {
        Self { playouts: Some(playouts), ..Self::default() }
    }

    /// This much time and no other limit.
    #[must_use]
    pub fn time(time: Duration, clock: Clock) -> Self {
        Self { time: Some(time), clock, ..Self::default() }
    }

    /// Whether the same seed gives the same result, which holds if only the number of playouts can end the search.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.game_time.is_none() && self.stop.is_none()
    }
}

/// How time is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Clock {
    /// CPU time of the searching thread, so that parallel games do not take time from each other. Wall time on platforms
    /// without such a clock.
    #[default]
    Thread,
    /// Wall time.
    Wall,
}

/// Measures time by a [`Clock`].
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    clock: Clock,
    wall: Instant,
    thread: Duration,
}

impl Stopwatch {
    /// Starts now. For [`Clock::Thread`] it must be read on the thread that started it.
    #[must_use]
    pub fn start(clock: Clock) -> Self {
        Self { clock, wall: Instant::now(), thread: thread_time() }
    }

    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        match self.clock {
            Clock::Thread if cfg!(unix) => thread_time().saturating_sub(self.thread),
            _ => self.wall.elapsed(),
        }
    }
}

#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    Duration::ZERO
}

/// Tells a running search when its budget is used up. Reading a clock costs as much as a short playout, so it is read only
/// every few playouts: about every fiftieth of the time limit, and at least every half millisecond.
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    watch: Stopwatch,
    /// The time used before the watch was started.
    spent: Duration,
    /// The time between two readings of the clock.
    apart: Duration,
    last: Duration,
    done: u64,
    next: u64,
    interval: u64,
}

impl<'a> Meter<'a> {
    /// Starts now.
    #[must_use]
    pub fn start(budget: &'a Budget) -> Self {
        Self::resume(budget, Duration::ZERO)
    }

    /// Starts when this much of the budget's time is already used.
    #[must_use]
    pub fn resume(budget: &'a Budget, spent: Duration) -> Self {
        let most = Duration::from_micros(500);
        Self {
            budget,
            watch: Stopwatch::start(budget.clock),
            spent,
            apart: budget.time.map_or(most, |time| (time / 50).min(most)),
            last: spent,
            done: 0,
            next: 0,
            interval: 1,
        }
    }

    /// Whether the budget allows another playout. Counts it if so.
    #[inline]
    pub fn go_on(&mut self) -> bool {
        if self.budget.playouts.is_some_and(|limit| self.done >= limit) {
            return false;
        }
        if self.done >= self.next && !self.budget.is_deterministic() && !self.check() {
            return false;
        }
        self.done += 1;
        true
    }

    fn check(&mut self) -> bool {
        if self.budget.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return false;
        }
        let now = self.elapsed();
        if self.budget.time.is_some_and(|limit| now >= limit) {
            return false;
        }
        if now - self.last < self.apart / 2 {
            self.interval *= 2;
        } else if now - self.last > self.apart {
            self.interval = (self.interval / 2).max(1);
        }
        self.last = now;
        self.next = self.done + self.interval;
        true
    }

    /// The time used so far.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.spent + self.watch.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spin(budget: &Budget) -> (u64, Duration) {
        let wall = Instant::now();
        let mut meter = Meter::start(budget);
        let mut playouts = 0;
        while meter.go_on() {
            playouts += 1;
        }
        (playouts, wall.elapsed())
    }

    #[test]
    fn playouts_are_exact() {
        assert_eq!(spin(&Budget::playouts(0)).0, 0);
        assert_eq!(spin(&Budget::playouts(1000)).0, 1000);
        let both = Budget { playouts: Some(7), ..Budget::time(Duration::from_secs(60), Clock::Wall) };
        assert_eq!(spin(&both).0, 7);
    }

    #[test]
    fn time_and_stop_end_it() {
        let (playouts, time) = spin(&Budget::time(Duration::from_millis(5), Clock::Wall));
        assert!(playouts > 0 && time >= Duration::from_millis(5), "{playouts} {time:?}");
        let stop = Arc::new(AtomicBool::new(true));
        assert_eq!(spin(&Budget { stop: Some(stop), ..Budget::default() }).0, 0);
    }
}
