use crate::agents::{AGENTS, AgentFacts, AnyAlgorithm};
use crate::params::{CODING, MEMORY, PARALLEL, POLICY, REUSE, THREADS, TIME};
use crate::params::{FINAL, PLAYOUTS, SOLVER, TRANSPOSITIONS};
use crate::playouts::{self, Playouts};
use crate::spec::{Spec, canonical};
use crate::units::{parse_bytes, parse_duration, parse_playouts};
use crate::{Error, Learned};
use permutree_game::{Args, ParamError};
use permutree_search::statistics::Values;
use permutree_search::{Budget, FinalMove, Options};
use std::sync::Arc;
use std::time::Duration;

/// An agent that can play any game.
#[derive(Clone, Debug)]
pub struct Agent {
    facts: &'static AgentFacts,
    spec: String,
    notes: Vec<String>,
    algorithm: AnyAlgorithm,
    settings: Settings,
    learned: Option<Learned>,
}

/// The values of the parameters that agents share; those that an agent does not have are at their defaults.
#[derive(Clone, Debug)]
struct Settings {
    coding: String,
    options: Options,
    /// The memory that the spec asks for.
    memory: Option<usize>,
    playouts_by: Playouts,
    threads: usize,
    parallel: Parallel,
    reusable: bool,
    /// The file with learned values that the agent wants, if it is not empty.
    values: String,
    playouts: Option<u64>,
    time: Option<Duration>,
}

/// What searches side by side share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parallel {
    Tree,
    Root,
}

/// A program that plays in an agent's place. This crate knows of it and starts nothing: matches do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct External<'a> {
    /// The program and its arguments, separated by spaces; quotes keep spaces.
    pub command: &'a str,
    /// How long it may take to answer, by the wall clock.
    pub timeout: Duration,
}

/// The agent that a spec names, such as `mcps:ref=100`.
pub fn agent(spec: &str) -> Result<Agent, Error> {
    let spec = Spec::parse(spec)?;
    let facts = AGENTS.iter().find(|facts| facts.name == spec.name).ok_or_else(|| unknown(spec.name))?;
    let params = facts.params.list();
    let args = spec.args(facts.name, &params)?;
    let refused = |error| Error::Param { name: facts.name, error };
    Ok(Agent {
        facts,
        spec: canonical(facts.name, &params, &args, false),
        notes: spec.notes(&params),
        algorithm: (facts.read)(&args).map_err(refused)?,
        settings: Settings::of(&args).map_err(refused)?,
        learned: None,
    })
}

/// Why there is no agent of this name.
fn unknown(name: &str) -> Error {
    if playouts::NAMES.contains(&name) {
        return Error::Playouts { name: name.to_string() };
    }
    let known = AGENTS.iter().map(|facts| facts.name).collect();
    Error::UnknownName { what: "agent", name: name.to_string(), known }
}

impl Settings {
    fn of(args: &Args) -> Result<Self, ParamError> {
        let text = |key| if args.has(key) { args.text(key) } else { "" };
        let flag = |key, default| if args.has(key) { args.flag(key) } else { default };
        let mut options = Options::default();
        let memory = read(args, MEMORY.key, parse_bytes)?;
        options.memory = memory.unwrap_or(options.memory);
        options.transpositions = flag(TRANSPOSITIONS.key, options.transpositions);
        options.solver = flag(SOLVER.key, options.solver);
        options.reuse = flag(REUSE.key, options.reuse);
        if text(FINAL.key) == "mean" {
            options.final_move = FinalMove::Mean;
        }
        Ok(Self {
            coding: text(CODING.key).to_string(),
            options,
            memory: memory.filter(|_| args.is_given(&MEMORY)),
            playouts_by: if args.has(POLICY.key) { Playouts::of(args)? } else { Playouts::default() },
            threads: if args.has(THREADS.key) { args.int(THREADS.key) } else { 1 },
            parallel: if text(PARALLEL.key) == "tree" { Parallel::Tree } else { Parallel::Root },
            reusable: args.has(REUSE.key),
            values: text("values").to_string(),
            playouts: read(args, PLAYOUTS.key, parse_playouts)?,
            time: read(args, TIME.key, parse_duration)?,
        })
    }
}

/// The value of a parameter that is read from text, if the agent has it and it is given.
fn read<T>(
    args: &Args,
    key: &'static str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, ParamError> {
    if !args.has(key) || args.text(key).is_empty() {
        return Ok(None);
    }
    parse(args.text(key)).map(Some).map_err(|why| args.refuse(key, why))
}

impl Agent {
    /// The canonical spec, which identifies the agent in stored results.
    #[must_use]
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// The facts of its entry in [`AGENTS`].
    #[must_use]
    pub fn facts(&self) -> &'static AgentFacts {
        self.facts
    }

    /// What to tell the user about the spec: parameters that have another name now.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether the agent searches, and so needs a budget from its spec or from the command.
    #[must_use]
    pub fn needs_budget(&self) -> bool {
        self.facts.searches
    }

    /// Whether the same seed and number of playouts give the same moves: not if searches tell each other what they have found
    /// while they run, or another program plays.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let talking = self.settings.threads > 1 && self.settings.parallel == Parallel::Tree;
        !talking && self.external().is_none()
    }

    /// How many threads a search runs on.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.settings.threads
    }

    /// The bytes that a search may use, over all its threads.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.settings.options.memory
    }

    /// The bytes that the spec asks for, if it does.
    #[must_use]
    pub fn asked_memory(&self) -> Option<usize> {
        self.settings.memory
    }

    /// The program that plays in the agent's place, if one does.
    #[must_use]
    pub fn external(&self) -> Option<External<'_>> {
        match &self.algorithm {
            AnyAlgorithm::External(engine) => {
                Some(External { command: &engine.command, timeout: engine.timeout })
            }
            _ => None,
        }
    }

    /// Whether the agent learns values of positions.
    #[must_use]
    pub fn learns(&self) -> bool {
        self.facts.learns
    }

    /// The file with learned values that the agent wants to be [given](Agent::with_values), if it wants one. This crate opens no
    /// files.
    #[must_use]
    pub fn values_file(&self) -> Option<&str> {
        Some(self.settings.values.as_str()).filter(|file| !file.is_empty())
    }

    /// The agent with these learned values; only one that [learns](Agent::learns) uses them.
    #[must_use]
    pub fn with_values(self, learned: Learned) -> Self {
        Self { learned: Some(learned), ..self }
    }

    /// The learned values that the agent was given.
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
        self.settings.playouts_by.keep()
    }

    /// The agent with no more than this many bytes for a search.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let memory = &mut self.settings.options.memory;
        *memory = bytes.min(*memory);
        self
    }

    /// What the agent may use for a move: its own budget if its spec has one, else the command's.
    #[must_use]
    pub fn budget(&self, command: &Budget) -> Budget {
        let Settings { playouts, time, .. } = self.settings;
        if playouts.is_none() && time.is_none() {
            return command.clone();
        }
        Budget { playouts, time, game_time: None, ..command.clone() }
    }

    /// The agent with `reuse=true`: what it finds is kept from move to move. `None` if it has no such parameter.
    #[must_use]
    pub fn reusing(mut self) -> Option<Self> {
        self.settings.options.reuse = true;
        self.settings.reusable.then_some(self)
    }

    pub(crate) fn parallel(&self) -> Parallel {
        self.settings.parallel
    }

    pub(crate) fn algorithm(&self) -> &AnyAlgorithm {
        &self.algorithm
    }

    pub(crate) fn coding(&self) -> &str {
        &self.settings.coding
    }

    pub(crate) fn options(&self) -> &Options {
        &self.settings.options
    }

    /// How its games are played to the end.
    pub(crate) fn playouts(&self) -> Playouts {
        self.settings.playouts_by
    }
}
