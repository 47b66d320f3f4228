use crate::playouts::{PLAYOUT, Playouts};
use crate::spec::{Spec, canonical};
use crate::units::{fraction, parse_bytes, parse_duration, parse_playouts};
use crate::{Error, Learned};
use list::{COMMAND, FRACTIONS, TIMEOUT, VALUES};
use permutree_game::{Args, Kind, Param};
use permutree_search::statistics::Values;
use permutree_search::treeless::Scope;
use permutree_search::{Budget, FinalMove, Options};
use std::sync::Arc;
use std::time::Duration;

mod list;

pub(crate) use list::Method;
pub use list::{AGENTS, BEST};

/// An agent in the list.
#[derive(Clone, Copy, Debug)]
pub struct AgentFacts {
    /// What the user types.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it does, in a sentence or two.
    pub about: &'static str,
    /// When to use it.
    pub advice: &'static str,
    /// The paper that it comes from.
    pub source: &'static str,
    /// Its parameters; a bare value in a spec is the first of them.
    pub params: &'static [Param],
    method: fn(&Args) -> Method,
}

/// An agent that can play any game.
#[derive(Clone, Debug)]
pub struct Agent {
    spec: String,
    method: Method,
    coding: String,
    options: Options,
    policy: Playouts,
    threads: usize,
    parallel: Parallel,
    /// The file with learned values that the agent wants, if it is not empty.
    values: String,
    learned: Option<Learned>,
    playouts: Option<u64>,
    time: Option<Duration>,
}

/// What searches side by side share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parallel {
    Tree,
    Root,
}

/// A program that plays in an agent's place. The zoo knows of it and starts nothing: matches do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct External<'a> {
    /// The program and its arguments, parted by spaces; quotes keep spaces.
    pub command: &'a str,
    /// How long it may take to answer, on the wall.
    pub timeout: Duration,
}

/// The agent that a spec names, such as `mcps:ref=100`.
pub fn agent(spec: &str) -> Result<Agent, Error> {
    let spec = Spec::parse(spec)?;
    let facts = AGENTS.iter().find(|facts| facts.name == spec.name).ok_or_else(|| unknown(spec.name))?;
    let args = spec.args(facts.name, facts.params)?;
    let has = |key: &str| facts.params.iter().any(|param| param.key == key);
    let given = |key: &str| {
        Some(key).filter(|key| has(key)).map(|key| args.text(key)).filter(|text| !text.is_empty())
    };
    let refuse =
        |key: &'static str, why: String| Error::Param { name: facts.name, error: args.refuse(key, why) };

    let playouts = match given("playouts") {
        None => None,
        Some(text) => Some(parse_playouts(text).map_err(|why| refuse("playouts", why))?),
    };
    let time = match given("time") {
        None => None,
        Some(text) => Some(parse_duration(text).map_err(|why| refuse("time", why))?),
    };
    if let Some(text) = given(TIMEOUT) {
        parse_duration(text).map_err(|why| refuse(TIMEOUT, why))?;
    }
    for key in FRACTIONS.into_iter().filter(|key| has(key)) {
        fraction(&args, key).map_err(|error| Error::Param { name: facts.name, error })?;
    }
    if has(COMMAND) && given(COMMAND).is_none_or(|command| command.trim().is_empty()) {
        let why = "a command is needed, as in external:cmd=gnugo --mode gtp";
        return Err(refuse(COMMAND, why.to_string()));
    }
    let mut options = Options::default();
    if let Some(text) = given("memory") {
        options.memory = parse_bytes(text).map_err(|why| refuse("memory", why))?;
    }
    let mut threads = 1;
    if has("transpositions") {
        options.transpositions = args.flag("transpositions");
        options.solver = args.flag("solver");
        options.reuse = args.flag("reuse");
        threads = args.int("threads");
    }
    if given("final") == Some("mean") {
        options.final_move = FinalMove::Mean;
    }
    let method = (facts.method)(&args);
    let policy = match method {
        Method::Reflex { policy } => policy,
        _ if has(PLAYOUT.key) => {
            Playouts::of(&args).map_err(|error| Error::Param { name: facts.name, error })?
        }
        _ => Playouts::Uniform,
    };
    if let Method::Vgs { scope } = method
        && !scope.fits()
    {
        let why = format!("w to the power of d must be at most {}", Scope::MOST_SEQUENCES);
        return Err(refuse("w", why));
    }
    Ok(Agent {
        spec: canonical(facts.name, facts.params, &args, false),
        method,
        coding: given("coding").unwrap_or_default().to_string(),
        options,
        policy,
        threads,
        parallel: if given("parallel") == Some("tree") { Parallel::Tree } else { Parallel::Root },
        values: given(VALUES.key).unwrap_or_default().to_string(),
        learned: None,
        playouts,
        time,
    })
}

/// Why there is no agent of this name.
fn unknown(name: &str) -> Error {
    match PLAYOUT.kind {
        Kind::Choice(playouts) if playouts.contains(&name) => Error::Playouts { name: name.to_string() },
        _ => Error::UnknownName {
            what: "agent",
            name: name.to_string(),
            known: AGENTS.iter().map(|facts| facts.name).collect(),
        },
    }
}

impl Agent {
    /// The canonical spec, which identifies the agent in stored results.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// Whether the agent searches, and so needs a budget from its spec or from the command.
    #[must_use]
    pub fn needs_budget(&self) -> bool {
        !matches!(self.method, Method::Reflex { .. } | Method::External { .. })
    }

    /// The program that plays in the agent's place, if one does.
    #[must_use]
    pub fn external(&self) -> Option<External<'_>> {
        match &self.method {
            Method::External { command, timeout } => Some(External { command, timeout: *timeout }),
            _ => None,
        }
    }

    /// Whether the agent learns values of positions.
    #[must_use]
    pub fn learns(&self) -> bool {
        matches!(self.method, Method::Sarsa { .. })
    }

    /// The file with learned values that the agent wants to be [given](Agent::with_values), if it wants one. The zoo opens no
    /// files.
    #[must_use]
    pub fn values_file(&self) -> Option<&str> {
        Some(self.values.as_str()).filter(|file| !file.is_empty())
    }

    /// The agent with these learned values; they mean something only to one that [learns](Agent::learns).
    #[must_use]
    pub fn with_values(self, learned: Learned) -> Self {
        Self { learned: Some(learned), ..self }
    }

    /// What the agent was given.
    #[must_use]
    pub fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// The learned values for a game, if the agent has any.
    pub(crate) fn values_of(&self, game: &str, players: usize) -> Result<Option<Arc<Values>>, Error> {
        match (&self.learned, self.values_file()) {
            (Some(learned), _) => learned.of(game, players).map(Some),
            (None, Some(_)) => Err(Error::NoValues { agent: self.spec.clone() }),
            (None, None) => Ok(None),
        }
    }

    /// Whether the agent's sessions keep something when they start over, so that a game begins with a new session.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.policy.keep()
    }

    /// The agent with no more than this many bytes for a search.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        self.options.memory = self.options.memory.min(bytes);
        self
    }

    /// What the agent may use for a move: its own budget if its spec has one, else the command's.
    #[must_use]
    pub fn budget(&self, command: &Budget) -> Budget {
        if self.playouts.is_none() && self.time.is_none() {
            return command.clone();
        }
        Budget { playouts: self.playouts, time: self.time, game_time: None, ..command.clone() }
    }

    /// The agent with what it finds kept from move to move; none if it cannot keep anything.
    #[must_use]
    pub fn reusing(mut self) -> Option<Self> {
        let tree = matches!(
            self.method,
            Method::Best
                | Method::Uct { .. }
                | Method::Ucb1Tuned
                | Method::Grave { .. }
                | Method::Mcps { .. }
        );
        self.options.reuse = true;
        tree.then_some(self)
    }

    /// How many threads the agent searches on.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) fn parallel(&self) -> Parallel {
        self.parallel
    }

    pub(crate) fn method(&self) -> &Method {
        &self.method
    }

    pub(crate) fn coding(&self) -> &str {
        &self.coding
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    /// How its games are played to the end.
    pub(crate) fn policy(&self) -> Playouts {
        self.policy
    }
}
