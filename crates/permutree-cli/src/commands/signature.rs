//! Hashes of what every agent finds in every game, for a commit to pin.

use permutree_zoo::{AGENTS, AnyGame, AnyPosition, Budget, Error, GAMES, Hasher, Rng, Turn, agent};
use serde_json::{Value, json};

/// Games that are also pinned with other parameters.
const MORE_GAMES: &[&str] = &["investment:10,players=3", "nogo:5,players=3", "wargame:10,players=3"];

/// Agents that are also pinned with other parameters.
const MORE_AGENTS: &[&str] = &[
    "grave:form=report",
    "mcps:weights=optimal",
    "uct:policy=heuristic",
    "uct:policy=mast",
    "uct:policy=nst",
    "uct:tuned=true",
];

/// Agents whose defaults need more playouts than [`PLAYOUTS`] to do anything of their own.
const SMALLER_AGENTS: &[(&str, &str)] =
    &[("global", "global:w=4,d=2,g=5,pre=100"), ("vgs", "vgs:w=4,d=2,pre=100")];

/// Playouts of each search.
const PLAYOUTS: u64 = 300;

/// The findings of every agent in every game: a line for each game and a line for each agent.
///
/// A new game does not change the lines of other games, nor a new agent those of other agents. Otherwise a line changes
/// only if a search finds something else, never with the machine, the run or the speed.
pub(crate) struct Signatures {
    games: Vec<(String, u64)>,
    agents: Vec<(String, u64)>,
}

impl Signatures {
    /// Runs every search.
    pub(crate) fn compute() -> Result<Self, Error> {
        let (games, agents) = (games(), agents());
        let mut rows = Vec::new();
        for game in &games {
            let start = first_choice(&*permutree_zoo::game(game)?)?;
            let cells = agents.iter().map(|agent| findings(&*start, agent));
            rows.push(cells.collect::<Result<Vec<Option<u64>>, _>>()?);
        }
        let lines = |names: Vec<String>, cells: &dyn Fn(usize) -> Vec<Option<u64>>| {
            let lines = names.into_iter().enumerate();
            lines.map(|(i, name)| (name, combined(cells(i)))).collect()
        };
        Ok(Self {
            games: lines(games, &|game| rows[game].clone()),
            agents: lines(agents, &|agent| rows.iter().map(|row| row[agent]).collect()),
        })
    }

    /// One number for everything.
    pub(crate) fn whole(&self) -> String {
        text(combined(self.games.iter().map(|&(_, signature)| Some(signature)).collect()))
    }

    /// Every line: a signature by the name of its game or agent.
    pub(crate) fn json(&self) -> Value {
        let object = |lines: &[(String, u64)]| -> Value {
            lines.iter().map(|(name, signature)| (name.clone(), text(*signature))).collect()
        };
        json!({ "games": object(&self.games), "agents": object(&self.agents) })
    }
}

fn text(signature: u64) -> String {
    format!("{signature:016x}")
}

fn games() -> Vec<String> {
    let names = GAMES.iter().map(|entry| entry.facts.name);
    names.chain(MORE_GAMES.iter().copied()).map(str::to_string).collect()
}

fn agents() -> Vec<String> {
    let names = AGENTS.iter().map(|facts| facts.name).filter(|name| *name != "external");
    let specs = names.map(pinned).chain(MORE_AGENTS.iter().copied());
    let mut specs: Vec<String> = specs.map(str::to_string).collect();
    specs.sort_unstable();
    specs
}

/// The spec with which an agent is pinned.
fn pinned(name: &'static str) -> &'static str {
    SMALLER_AGENTS.iter().find(|(known, _)| *known == name).map_or(name, |(_, spec)| spec)
}

/// What an agent finds in a position; `None` if it cannot play the game.
fn findings(start: &dyn AnyPosition, spec: &str) -> Result<Option<u64>, Error> {
    let mut session = match start.session(&agent(spec)?, 1) {
        Err(Error::NoEvaluation { .. } | Error::NoPatterns { .. }) => return Ok(None),
        session => session?,
    };
    session.advance(&Budget::playouts(PLAYOUTS));
    let moves = session.report().moves;
    let hash = moves.iter().fold(Hasher::new(), |hash, found| {
        hash.word(found.index as u64).word(found.visits).word(found.mean.to_bits())
    });
    Ok(Some(hash.finish()))
}

/// Missing findings are skipped, so that an agent that cannot play a game does not change its line.
fn combined(findings: Vec<Option<u64>>) -> u64 {
    findings.into_iter().flatten().fold(Hasher::new(), Hasher::word).finish()
}

/// The first position with a choice: the start, or the one after initial chance outcomes and forced moves.
pub(crate) fn first_choice(game: &dyn AnyGame) -> Result<Box<dyn AnyPosition>, Error> {
    let (mut position, mut rng) = (game.start(), Rng::new(1));
    while position.turn() == Turn::Chance || position.moves().len() == 1 {
        match position.random(&mut rng) {
            Some(outcome) => position.play(outcome)?,
            None => break,
        }
    }
    Ok(position)
}
