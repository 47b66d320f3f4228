use super::file::Names;
use super::paper::{Figure, scores};
use super::settings::{Limit, Settings, Work};
use super::source::{Node, Source, Word};
use crate::ArenaError;
use crate::lineup::Lineup;
use permutree_zoo::{Agent, AnyGame, Budget, Clock, game, nearest};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// One cell of a table: a number of games between agents.
#[derive(Clone)]
#[non_exhaustive]
pub struct Cell {
    /// Identifies the cell's games in every store, whatever the file.
    pub key: CellKey,
    /// The number of games; per agent in a one-player game.
    pub games: u64,
    /// The agents as the file names them.
    pub names: Vec<String>,
    /// The paper's figure for the first agent.
    pub paper: Option<Figure>,
    pub(crate) lineup: Lineup,
}

/// Everything that the games of a cell depend on. Game `i` depends only on this and on `i`, so a cell may be played in
/// parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CellKey {
    /// The game's canonical spec.
    pub game: String,
    /// The agents' canonical specs.
    pub agents: Vec<String>,
    /// Playouts per move, for agents whose specs have no budget.
    pub playouts: Option<u64>,
    /// Time per move, for agents whose specs have no budget.
    pub time: Option<Duration>,
    /// Whether times are wall clock and not thread CPU time.
    pub wall: bool,
    /// The seed of the first game; the next one has the next seed.
    pub seed: u64,
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("key", &self.key).field("games", &self.games).finish_non_exhaustive()
    }
}

impl CellKey {
    /// The budget in words; empty if there is none.
    #[must_use]
    pub fn budget(&self) -> String {
        match (self.playouts, self.time) {
            (Some(playouts), _) => format!("{playouts} playouts"),
            (None, Some(time)) => format!("{time:?}{}", if self.wall { " wall clock" } else { "" }),
            (None, None) => String::new(),
        }
    }
}

impl Cell {
    /// The games of all agents together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.games * self.lineup.alike()
    }

    /// How many players the game has.
    #[must_use]
    pub fn players(&self) -> usize {
        self.lineup.game().players()
    }

    /// The number of games in which every seating occurs once.
    pub(super) fn round(&self) -> u64 {
        if self.players() == 1 { 1 } else { self.lineup.rounds() }
    }

    /// Keeps this fraction of the games, in whole rounds of seatings and at least one.
    pub(super) fn shorten(&mut self, part: f64) {
        let wanted = (self.games as f64 * part).round() as u64;
        self.games = wanted.max(1).next_multiple_of(self.round()).min(self.games);
    }

    /// Changes the time per move, if there is one, and returns the old one.
    pub(super) fn change_time(&mut self, time: Duration) -> Option<Duration> {
        self.key.time?;
        self.lineup.change_time(time);
        self.key.time.replace(time)
    }
}

/// A value for each name in `vary`.
pub(super) type Values = Vec<(String, String)>;

/// The cells of a row: every combination of a game, a budget, a group of agents and values of `vary`. The last of these
/// changes fastest.
pub(super) fn cells(
    source: &Source,
    settings: &Settings,
    names: &Names,
    paper: Option<&Node<'_>>,
) -> Result<Vec<Cell>, ArenaError> {
    let lacks = |what: &str| source.refuse(settings.place.clone(), format!("a row has no {what}"));
    let games = settings.game.as_ref().ok_or_else(|| lacks("game"))?;
    let work = settings.work.as_ref().ok_or_else(|| lacks("agents, round-robin or codes"))?;
    let varied = settings.vary.iter().map(|(_, values)| values.len());
    let budgets = settings.limits.as_ref().map_or(1, Vec::len);
    let choices_of = [games.len(), budgets].into_iter().chain(group_choices(work)).chain(varied);
    source.expect_cells(settings.place.clone(), choices_of)?;
    let groups = groups(work);
    used(source, settings, games.iter().chain(groups.iter().flatten().copied()), names)?;
    let limits: Vec<Option<Limit>> = match &settings.limits {
        None => vec![None],
        Some(limits) => limits.iter().copied().map(Some).collect(),
    };
    let mut cells = Vec::new();
    for word in games {
        for limit in &limits {
            for group in &groups {
                for values in choices(&settings.vary) {
                    cells.push(cell(source, settings, names, word, group, *limit, &values)?);
                }
            }
        }
    }
    if let Some(node) = paper {
        let scores = scores(source, "paper", node)?;
        if scores.len() != cells.len() {
            let why = format!("paper has {} figures, but the row has {} cells", scores.len(), cells.len());
            return Err(source.refuse(node.span(), why));
        }
        for (cell, score) in cells.iter_mut().zip(scores) {
            cell.paper = score.map(|score| score.figure(cell.games));
        }
    }
    Ok(cells)
}

/// Factors whose product is the number of groups.
fn group_choices(work: &Work) -> Vec<usize> {
    match work {
        Work::Codes(_) => Vec::new(),
        Work::RoundRobin(all) => vec![all.len() * (all.len() - 1) / 2],
        Work::Agents(places) => places.iter().map(Vec::len).collect(),
    }
}

/// The groups of agents that play each other.
fn groups(work: &Work) -> Vec<Vec<&Word>> {
    match work {
        Work::Codes(_) => Vec::new(),
        Work::RoundRobin(all) => {
            let pairs = (0..all.len()).flat_map(|a| (a + 1..all.len()).map(move |b| vec![&all[a], &all[b]]));
            pairs.collect()
        }
        Work::Agents(places) => product(places.iter().map(|place| place.iter().collect())),
    }
}

/// Every combination of values.
pub(super) fn choices(vary: &[(Word, Vec<String>)]) -> Vec<Values> {
    product(vary.iter().map(|(name, values)| {
        values.iter().map(|value| (name.text.clone(), value.clone())).collect::<Values>()
    }))
}

/// Every way to take one item of each list, the last changing fastest.
fn product<T: Clone>(lists: impl IntoIterator<Item = Vec<T>>) -> Vec<Vec<T>> {
    lists.into_iter().fold(vec![Vec::new()], |all, list| {
        let longer = |some: &Vec<T>, next: &T| some.iter().chain([next]).cloned().collect();
        all.iter().flat_map(|some| list.iter().map(|next| longer(some, next))).collect()
    })
}

fn cell(
    source: &Source,
    settings: &Settings,
    names: &Names,
    game: &Word,
    group: &[&Word],
    limit: Option<Limit>,
    values: &Values,
) -> Result<Cell, ArenaError> {
    let game = read_game(source, names, game, values)?;
    let mut agents = Vec::new();
    for word in group {
        agents.push(read_agent(source, names, word, values, &*game)?);
    }
    let key = CellKey {
        game: game.spec().to_string(),
        agents: agents.iter().map(|agent: &Agent| agent.spec().to_string()).collect(),
        playouts: limit.and_then(|limit| if let Limit::Playouts(n) = limit { Some(n) } else { None }),
        time: limit.and_then(|limit| if let Limit::Time(time) = limit { Some(time) } else { None }),
        wall: settings.clock == Clock::Wall,
        seed: settings.seed.unwrap_or(0),
    };
    let budget =
        Budget { playouts: key.playouts, time: key.time, clock: settings.clock, ..Budget::default() };
    let place = group.first().map_or(0..0, |word| word.span.clone());
    let lineup = Lineup::new(game, agents, &budget).map_err(|error| source.refuse(place, error))?;
    let shown = group.iter().map(|word| filled(source, word, &word.text, values));
    let shown = shown.collect::<Result<_, _>>()?;
    Ok(Cell { key, games: settings.games.unwrap_or(100), names: shown, paper: None, lineup })
}

/// The agent of a word, which must be able to play the game.
pub(super) fn read_agent(
    source: &Source,
    names: &Names,
    word: &Word,
    values: &Values,
    game: &dyn AnyGame,
) -> Result<Agent, ArenaError> {
    let refuse = |error| source.refuse(word.span.clone(), error);
    let agent = (source.agent)(&spec(source, names, word, values)?).map_err(refuse)?;
    // Refuses a coding or an evaluation that the game does not have.
    if agent.external().is_none() {
        game.start().session(&agent, 0).map_err(|error| source.refuse(word.span.clone(), error))?;
    }
    Ok(agent)
}

pub(super) fn read_game(
    source: &Source,
    names: &Names,
    word: &Word,
    values: &Values,
) -> Result<Arc<dyn AnyGame>, ArenaError> {
    game(&spec(source, names, word, values)?).map_err(|error| source.refuse(word.span.clone(), error))
}

/// The most bytes of a spec. Otherwise a few names with long values could fill the memory.
const LONGEST_SPEC: usize = 4096;

/// The spec of a word, with its name expanded and each `{name}` replaced by its value.
fn spec(source: &Source, names: &Names, word: &Word, values: &Values) -> Result<String, ArenaError> {
    filled(source, word, names.get(&word.text).unwrap_or(&word.text), values)
}

/// The text of a word with each `{name}` replaced by its value. A `{name}` inside a value is not replaced.
fn filled(source: &Source, word: &Word, text: &str, values: &Values) -> Result<String, ArenaError> {
    let (mut full, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let value = after.split_once('}').and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| known == name)?;
            Some((value.as_str(), after))
        });
        let (value, after) = value.unwrap_or(("{", after));
        full += before;
        full += value;
        rest = after;
        if full.len() > LONGEST_SPEC {
            break;
        }
    }
    full += rest;
    if full.len() > LONGEST_SPEC {
        return Err(source.refuse(word.span.clone(), format!("a spec may have at most {LONGEST_SPEC} bytes")));
    }
    Ok(full)
}

/// Refuses a `{name}` that is not in `vary`, and a name in `vary` that is not used.
pub(super) fn used<'a>(
    source: &Source,
    settings: &Settings,
    words: impl Iterator<Item = &'a Word> + Clone,
    names: &'a Names,
) -> Result<(), ArenaError> {
    let text = |word: &'a Word| names.get(&word.text).unwrap_or(&word.text);
    let known: Vec<&str> = settings.vary.iter().map(|(name, _)| name.text.as_str()).collect();
    for word in words.clone() {
        for part in text(word).split('{').skip(1) {
            let name = part.split('}').next().unwrap_or(part);
            if !known.contains(&name) {
                let meant = nearest(name, &known)
                    .map_or(String::new(), |near| format!(" did you mean '{{{near}}}'?"));
                let names = if known.is_empty() { "nothing".to_string() } else { known.join(", ") };
                let why = format!("'{{{name}}}' is not in vary;{meant} vary has: {names}");
                return Err(source.refuse(word.span.clone(), why));
            }
        }
    }
    for (name, _) in &settings.vary {
        if !words.clone().any(|word| text(word).contains(&format!("{{{}}}", name.text))) {
            let why = format!("{0} is in vary, but no game or agent uses '{{{0}}}'", name.text);
            return Err(source.refuse(name.span.clone(), why));
        }
    }
    Ok(())
}
