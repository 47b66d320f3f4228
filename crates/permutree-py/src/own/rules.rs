use super::faults::{Faults, Mistake, mistake, shown};
use super::keys::key;
use permutree_game::{Code, MAX_PLAYERS, Player, Recorder, Rewards, Rng, Turn};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// What a method of the game gave, or what it did wrong.
pub(super) type Answer<T> = Result<T, Mistake>;

/// What a game written in Python says, checked.
pub(super) struct Rules {
    /// The object of class `permutree.Game`.
    pub(super) object: Py<PyAny>,
    methods: Methods,
    pub(super) players: usize,
    /// The number of codes of each player, if the game promises one.
    pub(super) codes: Option<u32>,
    pub(super) start: Position,
    /// Whether these methods are there or overridden.
    codes_moves: bool,
    pub(super) weighs_chance: bool,
    pub(super) evaluates: bool,
    pub(super) plays_out: bool,
    pub(super) draws: bool,
    pub(super) faults: Arc<Faults>,
    /// States that descents have come through more than once, the oldest first: what Python said of them is not asked again.
    kept: Mutex<VecDeque<Position>>,
}

/// How many states are kept. A state of OpenSpiel's Go takes ten kilobytes.
const KEPT: usize = 1 << 12;

/// The methods that are called all the time, bound to the game.
struct Methods {
    turn: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    code: Py<PyAny>,
    playout: Py<PyAny>,
    /// What a game of the package does in place of `playout`: it says less, for speed.
    brief_playout: Option<Py<PyAny>>,
}

pub(super) type Position = Arc<State>;

pub(super) struct State {
    /// None at the end of a playout that the game played by itself.
    pub(super) object: Option<Py<PyAny>>,
    pub(super) turn: Turn,
    /// Moves and outcomes of chance since the start.
    pub(super) plies: u32,
    pub(super) rewards: Rewards,
    pub(super) moves: OnceLock<Vec<Choice>>,
    /// The probabilities of the moves, at a chance node.
    pub(super) weights: OnceLock<Vec<f64>>,
    pub(super) hash: OnceLock<u64>,
}

/// Which method went wrong and how, and at which state if not at the one that it was asked about.
pub(super) struct Wrong {
    pub(super) method: &'static str,
    pub(super) why: Mistake,
    pub(super) at: Option<Py<PyAny>>,
}

impl Wrong {
    pub(super) fn new(method: &'static str, why: impl Into<Mistake>) -> Self {
        Self { method, why: why.into(), at: None }
    }
}

/// A legal move: its key, which stands for it in the search, and itself.
pub(super) struct Choice {
    pub(super) key: u64,
    pub(super) object: Py<PyAny>,
    pub(super) code: OnceLock<Code>,
    /// The state that it leads to, as long as that is in use or kept; None until the move is played.
    next: Mutex<Option<Weak<State>>>,
}

/// The codes that the players of a game share, at most. A game without a number of its own has so many, so that moves rarely
/// share one.
pub(crate) const CODES: u32 = 1 << 20;

/// A playout in brief: the rewards, the players or None if they take turns, and the codes. A player below 0 is chance.
type Brief<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyList>>, Bound<'py, PyList>);

/// A game longer than this is taken for endless.
const LONGEST: u32 = 100_000;

impl State {
    pub(super) fn end(object: Py<PyAny>, rewards: Rewards) -> Self {
        Self {
            object: Some(object),
            turn: Turn::Over,
            plies: 0,
            rewards,
            moves: OnceLock::new(),
            weights: OnceLock::new(),
            hash: OnceLock::new(),
        }
    }
}

impl Rules {
    /// Asks for everything that can be known at once. What is wrong is raised here.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let refuse = |what: &str, why: Mistake| mistake(py, object, what, None, why);
        let players = object.getattr("players")?.extract::<usize>().ok();
        let players = players
            .filter(|n| (1..=MAX_PLAYERS).contains(n))
            .ok_or_else(|| refuse("players", format!("must be a whole number 1..{MAX_PLAYERS}").into()))?;
        let codes = object.getattr("codes")?.extract::<Option<u32>>().ok();
        let most = CODES / players as u32;
        let codes = codes
            .filter(|codes| codes.is_none_or(|n| (1..=most).contains(&n)))
            .ok_or_else(|| refuse("codes", format!("must be None or a whole number 1..{most}").into()))?;
        let base = py.import("permutree")?.getattr("Game")?;
        let overrides =
            |name: &str| -> PyResult<bool> { Ok(!object.get_type().getattr(name)?.is(&base.getattr(name)?)) };
        let bound = |name: &str| object.getattr(name).map(Bound::unbind);
        let brief_playout = object.getattr("playout")?.getattr("brief").ok();
        let mut rules = Self {
            object: object.clone().unbind(),
            methods: Methods {
                turn: bound("turn")?,
                moves: bound("moves")?,
                play: bound("play")?,
                code: bound("code")?,
                playout: bound("playout")?,
                brief_playout: brief_playout.map(Bound::unbind),
            },
            players,
            codes,
            start: Arc::new(State::end(py.None(), Rewards::draw(players))),
            codes_moves: overrides("code")?,
            weighs_chance: overrides("chance")?,
            evaluates: overrides("evaluate")?,
            plays_out: overrides("playout")?,
            draws: overrides("picture")?,
            faults: Faults::new(),
            kept: Mutex::default(),
        };
        let start =
            object.call_method0("start").map_err(Mistake::from).and_then(|start| match start.is_none() {
                true => Err("returned None, not a state".to_string().into()),
                false => Ok(start),
            });
        let start = start.map_err(|why| refuse("start", why))?;
        let start = rules
            .state(&start)
            .map_err(|Wrong { method, why, at }| mistake(py, object, method, at.as_ref(), why))?;
        rules.start = Arc::new(start);
        Ok(rules)
    }

    fn call<'py>(&self, method: &str, state: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyAny>> {
        Ok(self.object.bind(state.py()).call_method1(method, (state,))?)
    }

    /// The state of an object.
    fn state(&self, object: &Bound<'_, PyAny>) -> Result<State, Wrong> {
        let wrong = |method, why| Wrong { method, why, at: Some(object.clone().unbind()) };
        let turn = self.turn(object).map_err(|why| wrong("turn", why))?;
        let rewards = match turn {
            Turn::Over => self.rewards("rewards", object).map_err(|why| wrong("rewards", why))?,
            _ => Rewards::draw(self.players),
        };
        Ok(State { turn, ..State::end(object.clone().unbind(), rewards) })
    }

    fn turn(&self, state: &Bound<'_, PyAny>) -> Answer<Turn> {
        let answer = self.methods.turn.bind(state.py()).call1((state,))?;
        if answer.is_none() {
            return Ok(Turn::Over);
        }
        match answer.extract::<i64>() {
            Ok(-1) => Ok(Turn::Chance),
            Ok(player) if (0..self.players as i64).contains(&player) => {
                Ok(Turn::Player(Player(player as u8)))
            }
            _ => Err(format!(
                "returned {}; it must be a player 0..{}, permutree.CHANCE, or None when the game is over",
                shown(&answer),
                self.players - 1
            )
            .into()),
        }
    }

    pub(super) fn rewards(&self, method: &str, state: &Bound<'_, PyAny>) -> Answer<Rewards> {
        let answer = self.call(method, state)?;
        self.read_rewards(&answer)
    }

    fn read_rewards(&self, answer: &Bound<'_, PyAny>) -> Answer<Rewards> {
        match answer.extract::<Vec<f64>>() {
            Ok(rewards)
                if rewards.len() == self.players && rewards.iter().all(|r| (0.0..=1.0).contains(r)) =>
            {
                Ok(Rewards::from_slice(&rewards))
            }
            _ => Err(format!(
                "returned {}; it must be {} numbers 0..1, one for each player",
                shown(answer),
                self.players
            )
            .into()),
        }
    }

    /// The legal moves, at least one.
    pub(super) fn listed<'py>(&self, state: &Bound<'py, PyAny>) -> Answer<Bound<'py, PyList>> {
        let answer = self.methods.moves.bind(state.py()).call1((state,))?;
        let moves = match answer.cast_into::<PyList>() {
            Ok(list) => list,
            Err(other) => {
                let other = other.into_inner();
                if other.is_instance_of::<PyString>() || other.is_none() {
                    return Err(format!("returned {}; it must be a list of moves", shown(&other)).into());
                }
                PyList::new(state.py(), other.try_iter()?.collect::<PyResult<Vec<_>>>()?)?
            }
        };
        match moves.is_empty() {
            true => Err("returned no moves, but the game is not over".to_string().into()),
            false => Ok(moves),
        }
    }

    pub(super) fn choices(&self, state: &Bound<'_, PyAny>) -> Answer<Vec<Choice>> {
        let mut choices: Vec<Choice> = Vec::new();
        let mut keys = HashSet::new();
        for object in self.listed(state)? {
            let choice = Choice {
                key: key(&object)?,
                object: object.clone().unbind(),
                code: OnceLock::new(),
                next: Mutex::default(),
            };
            if !keys.insert(choice.key) {
                return Err(format!("lists {} twice", shown(&object)).into());
            }
            choices.push(choice);
        }
        Ok(choices)
    }

    /// The state after a move, by `make` if it is not known. It is kept when the move is played for the second time: states of
    /// playouts come and go, and those of the tree come back.
    pub(super) fn next<E>(
        &self,
        choice: &Choice,
        make: impl FnOnce() -> Result<State, E>,
    ) -> Result<Position, E> {
        let locked = || choice.next.lock().unwrap_or_else(PoisonError::into_inner);
        let known = locked().clone();
        if let Some(next) = known.as_ref().and_then(Weak::upgrade) {
            return Ok(next);
        }
        let next = Arc::new(make()?);
        *locked() = Some(Arc::downgrade(&next));
        if known.is_some() {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_back(next.clone());
            let oldest = if kept.len() > KEPT { kept.pop_front() } else { None };
            drop(kept);
            drop(oldest);
        }
        Ok(next)
    }

    /// The state after a move at a state of so many plies.
    pub(super) fn after(
        &self,
        plies: u32,
        state: &Bound<'_, PyAny>,
        mv: &Bound<'_, PyAny>,
    ) -> Result<State, Wrong> {
        if plies >= LONGEST {
            return Err(Wrong::new("play", format!("the game has not ended after {LONGEST} moves")));
        }
        let next = self.methods.play.bind(state.py()).call1((state, mv));
        let next = next.map_err(|error| Wrong::new("play", error))?;
        if next.is_none() || next.is(state) {
            let what = if next.is_none() { "None" } else { "the state that it was given" };
            let text = format!("returned {what}; it must return a new state and leave the old one as it is");
            return Err(Wrong::new("play", text));
        }
        Ok(State { plies: plies + 1, ..self.state(&next)? })
    }

    /// The code of a player's move.
    pub(super) fn code(
        &self,
        state: &Bound<'_, PyAny>,
        mv: &Bound<'_, PyAny>,
        player: Player,
    ) -> Answer<Code> {
        match self.codes_moves {
            true => self.named(&self.methods.code.bind(state.py()).call1((state, mv))?, player),
            false => self.named(mv, player),
        }
    }

    /// The code of what a game keeps statistics by; without a number of codes, hashes share what there is.
    fn named(&self, named: &Bound<'_, PyAny>, player: Player) -> Answer<Code> {
        let number = named.extract::<u32>().ok();
        let first = |each: u32| u32::from(player.0) * each;
        match self.codes {
            Some(each) => match number.filter(|number| *number < each) {
                Some(number) => Ok(first(each) + number),
                None => Err(format!(
                    "the code {} must be a whole number 0..{}, because codes = {each}",
                    shown(named),
                    each - 1
                )
                .into()),
            },
            // Small numbers are codes of their own, everything else is spread over the other half.
            None => {
                let each = CODES / self.players as u32;
                let half = each / 2;
                let own = match number.filter(|number| *number < half) {
                    Some(number) => number,
                    None => half + (key(named)? % u64::from(half)) as u32,
                };
                Ok(first(each) + own)
            }
        }
    }

    /// The probability of each outcome of chance.
    pub(super) fn weights<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        outcomes: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> Answer<Vec<f64>> {
        let weights = outcomes.map(|outcome| self.probability(state, &outcome));
        let weights = weights.collect::<Answer<Vec<f64>>>()?;
        let total: f64 = weights.iter().sum();
        match (total - 1.0).abs() > 1e-6 {
            true => Err(format!("the probabilities of all outcomes sum to {total}, not to 1").into()),
            false => Ok(weights),
        }
    }

    pub(super) fn probability(&self, state: &Bound<'_, PyAny>, outcome: &Bound<'_, PyAny>) -> Answer<f64> {
        let answer = self.object.bind(state.py()).call_method1("chance", (state, outcome))?;
        match answer.extract::<f64>() {
            Ok(weight) if (0.0..=1.0).contains(&weight) => Ok(weight),
            _ => Err(format!("returned {}; it must be a probability 0..1", shown(&answer)).into()),
        }
    }

    /// What identifies a state, as a hash.
    pub(super) fn key(&self, state: &Bound<'_, PyAny>) -> Answer<u64> {
        Ok(key(&self.call("key", state)?)?)
    }

    /// A text. Moves are one word: files part them by spaces, and people by commas too.
    pub(super) fn text(
        &self,
        method: &str,
        state: &Bound<'_, PyAny>,
        mv: Option<&Bound<'_, PyAny>>,
    ) -> Answer<String> {
        let object = self.object.bind(state.py());
        let answer = match mv {
            Some(mv) => object.call_method1(method, (state, mv))?,
            None => object.call_method1(method, (state,))?,
        };
        let text = answer
            .extract::<String>()
            .map_err(|_| format!("returned {}; it must be a text", shown(&answer)))?;
        Ok(match mv {
            Some(_) => text
                .split(|c: char| c.is_whitespace() || c == ',')
                .filter(|s| !s.is_empty())
                .collect::<Vec<_>>()
                .join("_"),
            None => text,
        })
    }

    /// The end of a playout that the game plays by itself, told to the recorder.
    pub(super) fn own_playout<R: Recorder>(
        &self,
        state: &Bound<'_, PyAny>,
        turn: Turn,
        seed: u64,
        recorder: &mut R,
    ) -> Answer<State> {
        let py = state.py();
        let rewards = match &self.methods.brief_playout {
            Some(playout) => {
                let answer = playout.bind(py).call1((&self.object, state, seed, R::RECORDS))?;
                self.read_brief(&answer, turn, recorder)?
            }
            None => {
                let answer = self.methods.playout.bind(py).call1((state, seed))?;
                self.read_playout(&answer, recorder)?
            }
        };
        Ok(State { object: None, ..State::end(py.None(), rewards) })
    }

    fn read_brief<R: Recorder>(
        &self,
        answer: &Bound<'_, PyAny>,
        turn: Turn,
        recorder: &mut R,
    ) -> Answer<Rewards> {
        let (rewards, players, codes) = answer.extract::<Brief<'_>>()?;
        let first = if let Turn::Player(player) = turn { usize::from(player.0) } else { 0 };
        for (ply, code) in codes.iter().enumerate() {
            let player = match &players {
                Some(players) => players.get_item(ply)?.extract::<i32>()?,
                None => ((first + ply) % self.players) as i32,
            };
            if let Ok(player) = u8::try_from(player).map(Player) {
                recorder.record(player, self.named(&code, player)?);
            }
        }
        self.read_rewards(&rewards)
    }

    fn read_playout<R: Recorder>(&self, answer: &Bound<'_, PyAny>, recorder: &mut R) -> Answer<Rewards> {
        let wrong = || {
            Mistake::from(format!("returned {}; it must be (rewards, [(player, code), ..])", shown(answer)))
        };
        let (rewards, steps): (Bound<'_, PyAny>, Bound<'_, PyList>) =
            answer.extract().map_err(|_| wrong())?;
        let rewards = self.read_rewards(&rewards)?;
        if R::RECORDS {
            for step in steps {
                let (player, code): (usize, Bound<'_, PyAny>) = step.extract().map_err(|_| wrong())?;
                if player >= self.players {
                    return Err(wrong());
                }
                let player = Player(player as u8);
                recorder.record(player, self.named(&code, player)?);
            }
        }
        Ok(rewards)
    }
}

/// An outcome of chance by its probability, as its place in the list.
pub(super) fn drawn(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit() * weights.iter().sum::<f64>();
    let place = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    place.unwrap_or(weights.len() - 1)
}
