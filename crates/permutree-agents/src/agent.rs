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

/// An agent, which can play any game.
#[derive(Clone, Debug)]
pub struct Agent {
    facts: &'static AgentFacts,
    spec: String,
    notes: Vec<String>,
    algorithm: AnyAlgorithm,
    settings: Settings,
    learned: Option<Learned>,
}

/// The values of shared parameters, with defaults for those that the agent does not have.
#[derive(Clone, Debug)]
struct Settings {
    coding: String,
    options: Options,
    /// The memory limit in the spec, if it has one.
    memory: Option<usize>,
    playouts_by: Playouts,
    threads: usize,
    parallel: Parallel,
    reusable: bool,
    /// The file with learned values; empty for none.
    values: String,
    playouts: Option<u64>,
    time: Option<Duration>,
}

/// What parallel searches share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parallel {
    Tree,
    Root,
}

/// An external program that plays as the agent. Matches start it; this crate does not.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct External<'a> {
    /// The program and its arguments, separated by spaces; quotes keep spaces.
    pub command: &'a str,
    /// The time limit for an answer, in wall time.
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

/// The error for an unknown agent name.
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

/// The parsed value of a text parameter, if the agent has it and it is given.
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

    /// Notes on the spec for the user: parameters that were renamed.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether the agent searches, and so needs a budget, from its spec or from the command.
    #[must_use]
    pub fn needs_budget(&self) -> bool {
        self.facts.searches
    }

    /// Whether the same seed and number of playouts give the same moves. Not for tree-parallel search and external programs.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        let talking = self.settings.threads > 1 && self.settings.parallel == Parallel::Tree;
        !talking && self.external().is_none()
    }

    /// The number of threads of a search.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.settings.threads
    }

    /// The memory limit of a search in bytes, over all its threads.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.settings.options.memory
    }

    /// The memory limit in the spec, if it has one.
    #[must_use]
    pub fn asked_memory(&self) -> Option<usize> {
        self.settings.memory
    }

    /// The external program that plays as the agent, if there is one.
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

    /// The file with learned values in the spec, if there is one. The caller loads it and passes it to
    /// [`with_values`](Agent::with_values): this crate opens no files.
    #[must_use]
    pub fn values_file(&self) -> Option<&str> {
        Some(self.settings.values.as_str()).filter(|file| !file.is_empty())
    }

    /// The agent with these learned values. Only agents that [learn](Agent::learns) use them.
    #[must_use]
    pub fn with_values(self, learned: Learned) -> Self {
        Self { learned: Some(learned), ..self }
    }

    /// The learned values of the agent, if it has any.
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

    /// Whether [`Session::restart`](crate::Session::restart) keeps statistics for the next move, so that every game needs a new
    /// session.
    #[must_use]
    pub fn keeps(&self) -> bool {
        self.settings.playouts_by.keep()
    }

    /// The agent with a memory limit of at most this many bytes.
    #[must_use]
    pub fn within(mut self, bytes: usize) -> Self {
        let memory = &mut self.settings.options.memory;
        *memory = bytes.min(*memory);
        self
    }

    /// The budget per move: the one in the spec, if there is one, otherwise the command's.
    #[must_use]
    pub fn budget(&self, command: &Budget) -> Budget {
        let Settings { playouts, time, .. } = self.settings;
        if playouts.is_none() && time.is_none() {
            return command.clone();
        }
        Budget { playouts, time, game_time: None, ..command.clone() }
    }

    /// The agent with `reuse=true`: playouts are kept from move to move. `None` if it has no such parameter.
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

    /// Its playout policy.
    pub(crate) fn playouts(&self) -> Playouts {
        self.settings.playouts_by
    }
}
