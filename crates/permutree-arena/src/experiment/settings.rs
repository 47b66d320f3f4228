use super::source::{Node, Source, Word};
use crate::ArenaError;
use permutree_zoo::{Clock, parse_duration};
use std::ops::Range;
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// The keys of a file, a table and a row; the innermost one applies.
pub(super) const KEYS: [&str; 11] = [
    "game",
    "agents",
    "round-robin",
    "codes",
    "searches",
    "playouts",
    "time",
    "clock",
    "games",
    "seed",
    "vary",
];

/// Seeds below this are exact in every program that reads the store.
const MOST: u64 = 1 << 53;
const MOST_GAMES: u64 = 1_000_000_000;
const MOST_PLAYOUTS: u64 = u32::MAX as u64;
const MOST_SEARCHES: u64 = 10_000;

/// The settings of a row, as far as they are given.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    /// The place of the innermost ones.
    pub(super) place: Range<usize>,
    /// The games, as specs or names.
    pub(super) game: Option<Vec<Word>>,
    /// The agents that play, or the codes to count.
    pub(super) work: Option<Work>,
    /// The number of searches for the first move, instead of games.
    pub(super) searches: Option<u64>,
    pub(super) limits: Option<Vec<Limit>>,
    pub(super) clock: Clock,
    pub(super) games: Option<u64>,
    pub(super) seed: Option<u64>,
    /// The values of each `{name}` in games and agents.
    pub(super) vary: Vec<(Word, Vec<String>)>,
}

/// What is done with a game.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Agents play each other; each place has one or more alternatives.
    Agents(Vec<Vec<Word>>),
    /// Every two of the agents play each other.
    RoundRobin(Vec<Word>),
    /// Random games measure the presence of codes.
    Codes(u64),
}

/// The budget per move of agents whose spec has none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Limit {
    Playouts(u64),
    Time(Duration),
}

impl Settings {
    /// These settings, overridden by the table at `place`.
    pub(super) fn with(
        &self,
        source: &Source,
        table: &DeTable<'_>,
        place: Range<usize>,
    ) -> Result<Self, ArenaError> {
        let mut new = Self { place, ..self.clone() };
        if let Some(node) = table.get("game") {
            new.game = Some(words(source, "game", node, "a game such as \"hex:7\", or a list of games")?);
        }
        new.work = work(source, table)?.or(new.work);
        if let Some(node) = table.get("searches") {
            new.searches = Some(source.whole("searches", node, 1..MOST_SEARCHES + 1)?);
        }
        new.limits = limits(source, table)?.or(new.limits);
        if let Some(node) = table.get("clock") {
            new.clock = match node.get_ref().as_str() {
                Some("thread") => Clock::Thread,
                Some("wall") => Clock::Wall,
                _ => return Err(source.wrong("clock", node, "\"thread\" or \"wall\"")),
            };
        }
        if let Some(node) = table.get("games") {
            new.games = Some(source.whole("games", node, 1..MOST_GAMES + 1)?);
        }
        if let Some(node) = table.get("seed") {
            new.seed = Some(source.whole("seed", node, 0..MOST)?);
        }
        if let Some(node) = table.get("vary") {
            new.vary = vary(source, node)?;
        }
        Ok(new)
    }
}

fn words(source: &Source, key: &str, node: &Node<'_>, needed: &str) -> Result<Vec<Word>, ArenaError> {
    source.each(key, node)?.into_iter().map(|item| source.text(key, item, needed)).collect()
}

fn work(source: &Source, table: &DeTable<'_>) -> Result<Option<Work>, ArenaError> {
    const AGENT: &str = "an agent such as \"mcps:ref=100\", or a list of alternatives";
    let kinds = ["agents", "round-robin", "codes"];
    let mut given = kinds.iter().filter_map(|key| table.get(*key).map(|node| (*key, node)));
    let Some((key, node)) = given.next() else { return Ok(None) };
    if let Some((other, node)) = given.next() {
        return Err(source.refuse(node.span(), format!("{key} and {other} cannot be combined")));
    }
    let work = match key {
        "codes" => Work::Codes(source.whole(key, node, 1..MOST_PLAYOUTS + 1)?),
        "agents" => {
            let places = source.each(key, node)?.into_iter().map(|place| words(source, key, place, AGENT));
            Work::Agents(places.collect::<Result<_, _>>()?)
        }
        _ => {
            let agents = words(source, key, node, "a list of agents")?;
            if agents.len() < 2 {
                return Err(source.refuse(node.span(), "round-robin needs at least two agents"));
            }
            Work::RoundRobin(agents)
        }
    };
    Ok(Some(work))
}

/// Playouts first, then times; each is a budget of its own.
fn limits(source: &Source, table: &DeTable<'_>) -> Result<Option<Vec<Limit>>, ArenaError> {
    let mut limits = Vec::new();
    for node in table.get("playouts").map_or(Ok(Vec::new()), |node| source.each("playouts", node))? {
        limits.push(Limit::Playouts(source.whole("playouts", node, 1..MOST_PLAYOUTS + 1)?));
    }
    for node in table.get("time").map_or(Ok(Vec::new()), |node| source.each("time", node))? {
        let needed = "a time such as \"20ms\" or \"1.5s\"";
        let text = source.text("time", node, needed)?.text;
        limits.push(Limit::Time(parse_duration(&text).map_err(|_| source.wrong("time", node, needed))?));
    }
    Ok((!limits.is_empty()).then_some(limits))
}

/// Names with their values, in the order of the file.
fn vary(source: &Source, node: &Node<'_>) -> Result<Vec<(Word, Vec<String>)>, ArenaError> {
    let mut names = Vec::new();
    for (key, node) in source.table("vary", node)? {
        let name = Word { text: key.get_ref().to_string(), span: key.span() };
        let value = |node: &Node<'_>| match node.get_ref() {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            _ => Err(source.wrong(&name.text, node, "a number, a string or a list of them")),
        };
        let values = source.each(&name.text, node)?.into_iter().map(value).collect::<Result<_, _>>()?;
        names.push((name, values));
    }
    names.sort_by_key(|(name, _)| name.span.start);
    Ok(names)
}
