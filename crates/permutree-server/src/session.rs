use crate::error::{Answer, Refusal};
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

/// What is searched, by whom and for how long, with nothing wrong about it.
pub(crate) struct SearchPlan {
    game: Arc<dyn AnyGame>,
    /// The moves from the start, as places in the lists of their positions.
    moves: Vec<usize>,
    /// The agent as it searches, with the memory that it may have.
    agent: Agent,
    /// The agent as it was asked for, in canonical form.
    pub(crate) spec: String,
    playouts: u64,
    time: Option<Duration>,
    seed: u64,
}

impl SearchPlan {
    /// Refuses what there is not and what is too much.
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
            let line =
                format!("it is chance's turn, so there is no move to search for; outcomes: {outcomes}");
            return Err(Refusal::input(line));
        }
        let time =
            time.map(parse_duration).transpose().map_err(|why| Refusal::input(format!("time {why}")))?;
        let asked = Budget { playouts, time, ..Budget::default() };
        let (agent, spec) = allowed_agent(limits, agent)?;
        let budget = agent.budget(&asked);
        check_budget(limits, &agent, &budget)?;
        // A coding, an evaluation or a pattern that the game does not have.
        position.session(&agent, seed)?;
        let playouts = budget.playouts.unwrap_or(limits.playouts);
        let mut before = game.start();
        let mut moves = Vec::with_capacity(played.len());
        for text in &played {
            let index = before.find(text)?;
            before.play(index);
            moves.push(index);
        }
        Ok(Self { game, moves, agent, spec, playouts, time: budget.time, seed })
    }

    /// What is searched.
    fn position(&self) -> Box<dyn AnyPosition> {
        let mut position = self.game.start();
        self.moves.iter().for_each(|&index| position.play(index));
        position
    }
}

/// The agent that a visitor names, with the memory that a search may have, and its spec without that.
fn allowed_agent(limits: &Limits, spec: &str) -> Answer<(Agent, String)> {
    if spec.len() > LONGEST_SPEC {
        return Err(Refusal::input(format!("a spec may have {LONGEST_SPEC} letters")));
    }
    let agent = closed_agent(spec)?;
    let spec = agent.spec().to_string();
    let most = limits.search_memory();
    if agent.asked_memory().is_some_and(|asked| asked > most) {
        return Err(Refusal::input(format!("memory: a search may use {} MB here", most >> 20)));
    }
    check_threads(limits, &agent)?;
    Ok((agent.within(most), spec))
}

/// Refuses more threads than there are for everybody.
pub(crate) fn check_threads(limits: &Limits, agent: &Agent) -> Answer<()> {
    let most = limits.threads;
    if agent.threads() > most {
        return Err(Refusal::input(format!("{}: a search may have {most} threads here", agent.spec())));
    }
    Ok(())
}

/// Refuses a budget that is none, or more than the limits.
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
        return Err(Refusal::input(format!("{spec}: playouts must be a whole number 1..{most} here")));
    }
    if budget.time.is_some_and(|time| time > limits.time) {
        return Err(Refusal::input(format!("{spec}: a search may take {:?} here", limits.time)));
    }
    Ok(())
}

/// A search under way or finished. It keeps what it found at certain numbers of playouts, so that one can see how it came
/// about. Its tree may be taken away when others need the memory: it grows again when somebody wants to look at it, since
/// the position, the seed and the number of playouts decide it.
pub(crate) struct SearchSession {
    pub(crate) id: u64,
    pub(crate) plan: SearchPlan,
    work: Mutex<Work>,
    seen: Mutex<Seen>,
    memory: AtomicUsize,
    stop: AtomicBool,
    /// Somebody waits to look at the tree.
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

/// What visitors see.
struct Seen {
    state: SearchState,
    /// Reports at growing numbers of playouts, as JSON.
    marks: Vec<String>,
    next_mark: u64,
    /// What was found last, if it is no mark, and how often it has changed.
    live: Option<String>,
    lives: u64,
    playouts: u64,
    touched: Instant,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SearchState {
    /// Others go first.
    Waiting,
    Running,
    Done,
    /// Somebody stopped it; what was found is there.
    Stopped,
    /// Something went wrong here.
    Failed,
}

/// What comes next in the story of a search.
pub(crate) enum Next {
    /// Mark number i.
    Mark(usize, String),
    /// A report between marks.
    Live(u64, String),
    /// Nothing yet.
    Wait,
    /// It is over.
    End(SearchState),
}

impl SearchSession {
    pub(crate) fn new(id: u64, plan: SearchPlan) -> Self {
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

    /// Searches for about so long. False when there is nothing more to do.
    pub(crate) fn run(&self, slice: Duration) -> bool {
        // Who wants to look gets the tree first.
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
            None => match self.plan.position().session(&self.plan.agent, self.plan.seed) {
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
            // A search may do a few more than it was asked to.
            let step = (*chunk).min(wanted.saturating_sub(*done)).min(mark.saturating_sub(*done).max(1));
            let before = Instant::now();
            tree.advance(&Budget::playouts(step));
            let took = before.elapsed();
            *done += step;
            *spent += took;
            // Long enough that looking at clocks and flags costs nothing, short enough that stopping takes no time.
            if took < Duration::from_millis(4) {
                *chunk *= 2;
            } else if took > Duration::from_millis(16) {
                *chunk = (*chunk / 2).max(1);
            }
            let over = *done >= wanted || self.plan.time.is_some_and(|time| *spent >= time);
            let pause = started.elapsed() >= slice;
            if over || pause || *done >= mark {
                let report = tree.report();
                // With one legal move, or when all is proven, a search does less than it was asked to.
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

    /// Shows a report to who looks on.
    fn publish(&self, report: Report<String>) {
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

    /// What comes after `marks` marks and `lives` changes.
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

    /// Tells when there may be something new.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// What was found last, as JSON; nothing before the first playout.
    pub(crate) fn last(&self) -> (SearchState, Option<String>) {
        let seen = lock(&self.seen);
        (seen.state, seen.live.clone())
    }

    /// What was found of the position after these moves.
    pub(crate) fn look(&self, moves: &[String]) -> Answer<Report<String>> {
        if moves.len() > MOST_MOVES {
            return Err(Refusal::input(format!("a game may have {MOST_MOVES} moves")));
        }
        let mut position = self.plan.position();
        let mut path = Vec::with_capacity(moves.len());
        for text in moves {
            let index = position.find(text)?;
            position.play(index);
            path.push(index);
        }
        self.lookers.fetch_add(1, Ordering::Relaxed);
        let mut work = lock(&self.work);
        self.lookers.fetch_sub(1, Ordering::Relaxed);
        if work.tree.is_none() {
            let mut tree = self.plan.position().session(&self.plan.agent, self.plan.seed)?;
            tree.advance(&Budget::playouts(lock(&self.seen).playouts));
            self.memory.store(tree.report().memory, Ordering::Relaxed);
            work.tree = Some(tree);
        }
        let found = work.tree.as_mut().and_then(|tree| tree.look(&path));
        found.ok_or_else(|| {
            Refusal::missing("the search has not looked at the moves there, or it grows no tree")
        })
    }

    /// Ends the search; what was found stays.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Somebody has asked about it.
    pub(crate) fn touch(&self) {
        lock(&self.seen).touched = Instant::now();
    }

    pub(crate) fn touched(&self) -> Instant {
        lock(&self.seen).touched
    }

    /// Whether nothing was done yet.
    pub(crate) fn is_new(&self) -> bool {
        lock(&self.seen).state == SearchState::Waiting
    }

    pub(crate) fn is_finished(&self) -> bool {
        !matches!(lock(&self.seen).state, SearchState::Waiting | SearchState::Running)
    }

    /// Bytes that the tree uses.
    pub(crate) fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }

    /// Takes the tree away, if nobody looks at it. Gives the bytes that it used.
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
