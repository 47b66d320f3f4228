use super::cells::{choices, read_agent, read_game, used};
use super::file::Names;
use super::measurements::Measurement;
use super::settings::Settings;
use super::source::{Node, Source, Word, number};
use super::store::Store;
use crate::ArenaError;
use permutree_zoo::{Agent, AnyGame, Budget};
use std::fmt;
use std::sync::Arc;

/// A measurement of a game.
#[derive(Clone)]
pub struct Probe {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// What is measured.
    pub kind: ProbeKind,
    /// The seed.
    pub seed: u64,
    /// The paper's figures, by quantity.
    pub paper: Vec<(String, f64)>,
}

/// What a probe measures.
#[derive(Clone)]
pub enum ProbeKind {
    /// How often codes occur in this many random games: the quantities of `permutree codes`.
    Codes(u64),
    /// What an agent's search for the first move costs: medians over searches with different seeds.
    Searches {
        /// The agent, with a budget of its own.
        agent: Box<Agent>,
        /// The number of searches.
        count: u64,
    },
}

/// The quantities of searches: CPU time and playouts.
const SPENT: [&str; 2] = ["seconds", "playouts"];

impl fmt::Debug for Probe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Probe").field("key", &self.key()).finish_non_exhaustive()
    }
}

impl Probe {
    /// The agent that searches; `None` where codes are counted.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        match &self.kind {
            ProbeKind::Codes(_) => None,
            ProbeKind::Searches { agent, .. } => Some(agent.spec()),
        }
    }

    /// The number of random games or searches.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self.kind {
            ProbeKind::Codes(count) | ProbeKind::Searches { count, .. } => count,
        }
    }

    /// Everything that the result depends on.
    pub(super) fn key(&self) -> (String, Option<String>, u64, u64) {
        (self.game.spec().to_string(), self.agent().map(String::from), self.count(), self.seed)
    }

    /// The names of the quantities.
    pub(super) fn quantities(&self) -> Vec<&'static str> {
        match self.kind {
            ProbeKind::Codes(_) => {
                ["moves", "plies"].into_iter().chain(self.game.codings().iter().copied()).collect()
            }
            ProbeKind::Searches { .. } => SPENT.to_vec(),
        }
    }

    /// Measures the quantities.
    pub(super) fn measure(&self) -> Result<Vec<Measurement>, ArenaError> {
        let game = self.game.spec();
        match &self.kind {
            ProbeKind::Codes(count) => {
                let presence = self.game.presence(*count, self.seed);
                Ok(Measurement::of_presence(game, *count, self.seed, &presence))
            }
            ProbeKind::Searches { agent, count } => {
                let mut measured = Vec::new();
                for seed in self.seed..self.seed + count {
                    let mut session = self.game.start().session(agent, seed)?;
                    session.advance(&agent.budget(&Budget::default()));
                    let report = session.report();
                    let spent = [report.time.as_secs_f64(), report.playouts as f64];
                    measured.extend(SPENT.iter().zip(spent).map(|(quantity, value)| Measurement {
                        command: "search".to_string(),
                        game: game.to_string(),
                        agent: agent.spec().to_string(),
                        quantity: (*quantity).to_string(),
                        playouts: report.playouts,
                        seed,
                        value,
                        note: String::new(),
                    }));
                }
                Ok(measured)
            }
        }
    }

    /// The stored values, by quantity; empty if not all was measured.
    pub(super) fn found(&self, store: &Store) -> Result<Vec<(String, f64)>, ArenaError> {
        match &self.kind {
            ProbeKind::Codes(count) => store.presence(self.game.spec(), *count, self.seed),
            ProbeKind::Searches { agent, count } => {
                let mut found = Vec::new();
                for quantity in SPENT {
                    let seeds = self.seed..self.seed + count;
                    let values = store.searched(self.game.spec(), agent.spec(), quantity, seeds)?;
                    if values.len() as u64 == *count {
                        found.push((quantity.to_string(), median(values)));
                    }
                }
                Ok(found)
            }
        }
    }
}

/// The median of one or more numbers.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

/// The probes of a row: every combination of a game, one of `searchers` if there are any, and values of `vary`.
pub(super) fn probes(
    source: &Source,
    settings: &Settings,
    names: &Names,
    count: u64,
    searchers: Option<&[Vec<Word>]>,
    paper: Option<&Node<'_>>,
) -> Result<Vec<Probe>, ArenaError> {
    let none = || source.refuse(settings.place.clone(), "a row has no game");
    let games = settings.game.as_ref().ok_or_else(none)?;
    let agents: Vec<&Word> = searchers.unwrap_or_default().iter().flatten().collect();
    used(source, settings, games.iter().chain(agents.iter().copied()), names)?;
    let varied = settings.vary.iter().map(|(_, values)| values.len());
    let sizes = [games.len(), agents.len().max(1)].into_iter().chain(varied);
    source.expect_cells(settings.place.clone(), sizes)?;
    let who: Vec<Option<&Word>> = match searchers {
        None => vec![None],
        Some(_) => agents.into_iter().map(Some).collect(),
    };
    let seed = settings.seed.unwrap_or(0);
    let mut probes = Vec::new();
    for word in games {
        for agent in &who {
            for values in choices(&settings.vary) {
                let game = read_game(source, names, word, &values)?;
                let kind = match agent {
                    None => ProbeKind::Codes(count),
                    Some(word) => {
                        let agent = Box::new(read_agent(source, names, word, &values, &*game)?);
                        let budget = agent.budget(&Budget::default());
                        if agent.external().is_some() || budget.playouts.is_none() && budget.time.is_none() {
                            let why = "searches needs agents with a budget in their specs, such as mcps:playouts=1000";
                            return Err(source.refuse(word.span.clone(), why));
                        }
                        ProbeKind::Searches { agent, count }
                    }
                };
                probes.push(Probe { game, kind, seed, paper: Vec::new() });
            }
        }
    }
    if let Some(node) = paper {
        let [probe] = probes.as_mut_slice() else {
            return Err(source.refuse(node.span(), "paper needs a row with one game and one agent"));
        };
        let table = source.table("paper", node)?;
        let known = probe.quantities();
        source.know(table, &known, "the paper's figures")?;
        for name in known {
            if let Some(node) = table.get(name) {
                let value = number(node).ok_or_else(|| source.wrong(name, node, "a number"))?;
                probe.paper.push((name.to_string(), value));
            }
        }
    }
    Ok(probes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0]), 3.0);
        assert_eq!(median(vec![5.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![5.0, 1.0, 2.0, 4.0]), 3.0);
    }
}
