use crate::error::{Answer, Refusal};
use crate::id::Id;
use crate::limits::{LONGEST_SPEC, Limits, MOST_MOVES};
use crate::position::{game_of, replay};
use crate::searches::lock;
use permutree_arena::closed_agent;
use permutree_zoo::{Agent, AnyGame, AnyPosition, Budget, Report, Session, Turn, parse_duration};
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use utoipa::ToSchema;

/// A valid search within the limits: position, agent, budget and seed.
pub(crate) struct SearchPlan {
    game: Arc<dyn AnyGame>,
    /// The moves from the start, each as an index into the legal moves.
    moves: Vec<usize>,
    /// The agent, with its memory bounded by the limit.
    agent: Agent,
    /// The canonical spec of the requested agent.
    pub(crate) spec: String,
    playouts: u64,
    time: Option<Duration>,
    seed: u64,
}

impl SearchPlan {
    /// Refuses unknown games, agents and moves, and budgets over the limits.
    pub(crate) fn new(
        limits: &Limits,
        game: &str,
        moves: &[String],
        agent: &str,
        (playouts, time): (Option<u64>, Option<&str>),
        seed: u64,
    ) -> Answer<Self> {
        let game = game_of(game)?;
        let (position, played) = replay(&*game, moves)?;
        if position.turn() == Turn::Chance {
            let outcomes = position.moves().join(" ");
            let line = format!(
                "chance is to move, so there is no move to search for; possible outcomes: {outcomes}"
            );
            return Err(Refusal::input(line));
        }
        let time =
            time.map(parse_duration).transpose().map_err(|why| Refusal::input(format!("time {why}")))?;
        let asked = Budget { playouts, time, ..Budget::default() };
        let (agent, spec) = allowed_agent(limits, agent)?;
        let budget = agent.budget(&asked);
        check_budget(limits, &agent, &budget)?;
        // Fails if the game lacks the coding, evaluation or patterns that the agent needs.
        position.session(&agent, seed)?;
        let playouts = budget.playouts.unwrap_or(limits.playouts);
        let mut before = game.start();
        let mut moves = Vec::with_capacity(played.len());
        for text in &played {
            let index = before.find(text)?;
            before.play(index)?;
            moves.push(index);
        }
        Ok(Self { game, moves, agent, spec, playouts, time: budget.time, seed })
    }

    /// Whether another run gives the same result. Slices end by the clock, and threads share out each slice, so results on
    /// several threads differ.
    fn is_deterministic(&self) -> bool {
        self.time.is_none() && self.agent.threads() == 1
    }

    /// The root of the search.
    fn position(&self) -> Answer<Box<dyn AnyPosition>> {
        let mut position = self.game.start();
        self.moves.iter().try_for_each(|&index| position.play(index))?;
        Ok(position)
    }

    /// The search before its first playout.
    fn session(&self) -> Answer<Box<dyn Session>> {
        Ok(self.position()?.session(&self.agent, self.seed)?)
    }
}

/// The agent with this spec, with its memory bounded by the limit, and its canonical spec.
fn allowed_agent(limits: &Limits, spec: &str) -> Answer<(Agent, String)> {
    if spec.len() > LONGEST_SPEC {
        return Err(Refusal::input(format!("a spec may have at most {LONGEST_SPEC} bytes")));
    }
    let agent = closed_agent(spec)?;
    let spec = agent.spec().to_string();
    let most = limits.search_memory();
    if agent.asked_memory().is_some_and(|asked| asked > most) {
        return Err(Refusal::input(format!("{spec}: the limit is {} MB of memory per search", most >> 20)));
    }
    check_threads(limits, &agent)?;
    Ok((agent.within(most), spec))
}

/// Refuses more threads per search than the limit.
pub(crate) fn check_threads(limits: &Limits, agent: &Agent) -> Answer<()> {
    let most = limits.threads;
    if agent.threads() > most {
        return Err(Refusal::input(format!("{}: the limit is {most} threads per search", agent.spec())));
    }
    Ok(())
}

/// Refuses a missing budget and one over the limits.
pub(crate) fn check_budget(limits: &Limits, agent: &Agent, budget: &Budget) -> Answer<()> {
    let spec = agent.spec();
    if !agent.needs_budget() {
        return Ok(());
    }
    if budget.playouts.is_none() && budget.time.is_none() {
        return Err(Refusal::input(format!("{spec} needs a budget: playouts or time")));
    }
    if let Some(playouts) = budget.playouts
        && !(1..=limits.playouts).contains(&playouts)
    {
        let most = limits.playouts;
        return Err(Refusal::input(format!("{spec}: playouts must be a whole number 1..{most}")));
    }
    if budget.time.is_some_and(|time| time > limits.time) {
        return Err(Refusal::input(format!("{spec}: the limit is {:?} per search", limits.time)));
    }
    Ok(())
}

/// A search, running or finished, with its reports at growing numbers of playouts, which the page replays. When other
/// searches need the memory, it drops its tree and rebuilds it on request from the position, the seed and the number of
/// playouts.
pub(crate) struct SearchSession {
    pub(crate) id: Id,
    pub(crate) plan: SearchPlan,
    work: Mutex<Work>,
    seen: Mutex<Seen>,
    memory: AtomicUsize,
    stop: AtomicBool,
    /// The number of requests that wait for the tree.
    lookers: AtomicUsize,
    changed: watch::Sender<()>,
}

#[derive(Default)]
struct Work {
    tree: Option<Box<dyn Session>>,
    done: u64,
    spent: Duration,
    chunk: u64,
}

/// What requests read without waiting for the search.
struct Seen {
    state: SearchState,
    /// The reports at growing numbers of playouts, as JSON.
    marks: Vec<String>,
    next_mark: u64,
    /// The latest report, as JSON.
    live: Option<String>,
    /// The number of reports that are not marks.
    lives: u64,
    playouts: u64,
    touched: Instant,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchState {
    /// Queued before its first slice.
    Waiting,
    Running,
    /// The budget is used up, or the result is certain.
    Done,
    /// Stopped by request; its reports are kept.
    Stopped,
    /// Ended by an internal error.
    Failed,
}

/// The next event of a search for one client.
pub(crate) enum Next {
    /// The report with this mark number.
    Mark(usize, String),
    /// A report between marks, and its number.
    Live(u64, String),
    /// Nothing new yet.
    Wait,
    /// The search has ended in this state.
    End(SearchState),
}

impl SearchSession {
    pub(crate) fn new(id: Id, plan: SearchPlan) -> Self {
        Self {
            id,
            plan,
            work: Mutex::new(Work { chunk: 1, ..Work::default() }),
            seen: Mutex::new(Seen {
                state: SearchState::Waiting,
                marks: Vec::new(),
                next_mark: 1,
                live: None,
                lives: 0,
                playouts: 0,
                touched: Instant::now(),
            }),
            memory: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            lookers: AtomicUsize::new(0),
            changed: watch::Sender::new(()),
        }
    }

    /// Searches for about this long. False when the search has ended.
    pub(crate) fn run(&self, slice: Duration) -> bool {
        // Requests that wait for the tree go first.
        for _ in 0..100 {
            if self.lookers.load(Ordering::Relaxed) == 0 {
                break;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let state = catch_unwind(AssertUnwindSafe(|| self.slice(slice))).unwrap_or(SearchState::Failed);
        lock(&self.seen).state = state;
        self.changed.send_replace(());
        state == SearchState::Running
    }

    fn slice(&self, slice: Duration) -> SearchState {
        lock(&self.seen).state = SearchState::Running;
        let mut work = lock(&self.work);
        let Work { tree, done, spent, chunk } = &mut *work;
        let tree = match tree {
            Some(tree) => tree,
            None => match self.plan.session() {
                Ok(session) => tree.insert(session),
                Err(_) => return SearchState::Failed,
            },
        };
        let started = Instant::now();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                self.publish(tree.report());
                return SearchState::Stopped;
            }
            let (mark, wanted) = (lock(&self.seen).next_mark, self.plan.playouts);
            // A search may exceed its budget by a few playouts.
            let step = (*chunk).min(wanted.saturating_sub(*done)).min(mark.saturating_sub(*done).max(1));
            let before = Instant::now();
            tree.advance(&Budget::playouts(step));
            let took = before.elapsed();
            *done += step;
            *spent += took;
            // Between 4 and 16 ms: checking the clock and the flags costs little, and stopping is prompt.
            if took < Duration::from_millis(4) {
                *chunk *= 2;
            } else if took > Duration::from_millis(16) {
                *chunk = (*chunk / 2).max(1);
            }
            let over = *done >= wanted || self.plan.time.is_some_and(|time| *spent >= time);
            let pause = started.elapsed() >= slice;
            if over || pause || *done >= mark {
                let report = tree.report();
                // With a single legal move, or once all is proven, a search ends early.
                let ended = over || report.playouts < *done;
                *done = report.playouts;
                self.publish(report);
                if ended {
                    return SearchState::Done;
                }
                if pause {
                    return SearchState::Running;
                }
            }
        }
    }

    /// Stores a report and wakes the event streams.
    fn publish(&self, mut report: Report<String>) {
        report.deterministic &= self.plan.is_deterministic();
        self.memory.store(report.memory, Ordering::Relaxed);
        let json = serde_json::to_string(&report).unwrap_or_default();
        let mut seen = lock(&self.seen);
        seen.playouts = report.playouts;
        if report.playouts >= seen.next_mark || seen.marks.is_empty() {
            seen.marks.push(json.clone());
            seen.next_mark = (report.playouts + 1).max(report.playouts.saturating_mul(5) / 4);
        } else {
            seen.lives += 1;
        }
        seen.live = Some(json);
        drop(seen);
        self.changed.send_replace(());
    }

    /// The next event for a client that has received `marks` marks and `lives` of the other reports.
    pub(crate) fn next(&self, marks: usize, lives: u64) -> Next {
        let mut seen = lock(&self.seen);
        seen.touched = Instant::now();
        let over = !matches!(seen.state, SearchState::Waiting | SearchState::Running);
        match (seen.marks.get(marks), &seen.live) {
            (Some(mark), _) => Next::Mark(marks, mark.clone()),
            (None, Some(live)) if seen.lives > lives => Next::Live(seen.lives, live.clone()),
            _ if over => Next::End(seen.state),
            _ => Next::Wait,
        }
    }

    /// Changes with every new report or state.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The latest report, as JSON; none before the first playout.
    pub(crate) fn last(&self) -> (SearchState, Option<String>) {
        let seen = lock(&self.seen);
        (seen.state, seen.live.clone())
    }

    /// The report of the position after these moves.
    pub(crate) fn look(&self, moves: &[String]) -> Answer<Report<String>> {
        if moves.len() > MOST_MOVES {
            return Err(Refusal::input(format!("a game may have at most {MOST_MOVES} moves")));
        }
        let mut position = self.plan.position()?;
        let mut path = Vec::with_capacity(moves.len());
        for text in moves {
            let index = position.find(text)?;
            position.play(index)?;
            path.push(index);
        }
        self.lookers.fetch_add(1, Ordering::Relaxed);
        let mut work = lock(&self.work);
        self.lookers.fetch_sub(1, Ordering::Relaxed);
        if work.tree.is_none() {
            let mut tree = self.plan.session()?;
            tree.advance(&Budget::playouts(lock(&self.seen).playouts));
            self.memory.store(tree.report().memory, Ordering::Relaxed);
            work.tree = Some(tree);
        }
        let found = work.tree.as_mut().and_then(|tree| tree.look(&path));
        found.ok_or_else(|| {
            Refusal::missing(
                "no statistics there: the search has not expanded this position, or it keeps no tree",
            )
        })
    }

    /// Stops the search and keeps its reports.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Restarts the idle timeout.
    pub(crate) fn touch(&self) {
        lock(&self.seen).touched = Instant::now();
    }

    pub(crate) fn touched(&self) -> Instant {
        lock(&self.seen).touched
    }

    /// Whether its first slice is still to come.
    pub(crate) fn is_new(&self) -> bool {
        lock(&self.seen).state == SearchState::Waiting
    }

    pub(crate) fn is_finished(&self) -> bool {
        !matches!(lock(&self.seen).state, SearchState::Waiting | SearchState::Running)
    }

    /// The memory of the tree, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// Drops the tree, unless a request is reading it. Returns the bytes freed.
    pub(crate) fn forget(&self) -> usize {
        match self.work.try_lock() {
            Ok(mut work) => {
                work.tree = None;
                self.memory.swap(0, Ordering::Relaxed)
            }
            Err(_) => 0,
        }
    }
}
