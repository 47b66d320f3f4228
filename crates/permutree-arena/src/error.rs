use permutree_zoo::{AGENTS, agent};
use std::fmt;

/// Why a match, tournament, training or experiment cannot run. Each displays as one line that says what is wrong and
/// what is valid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ArenaError {
    /// The match has 0 games.
    NoGames,
    /// The agents cannot be seated so that each of them plays.
    Seats {
        /// The game's spec.
        game: String,
        /// How many players it has.
        players: usize,
        /// How many agents there are.
        agents: usize,
    },
    /// A searching agent has no budget, so its first search would never end.
    NoBudget {
        /// The agent's spec.
        agent: String,
    },
    /// A searching agent has a budget of 0.
    EmptyBudget {
        /// The agent's spec.
        agent: String,
    },
    /// The player to move has no legal move: a bug in the rules of the game.
    Stuck {
        /// The game's spec.
        game: String,
        /// How many moves were played.
        plies: u64,
    },
    /// An external engine does not start, or refuses the game.
    Engine {
        /// The agent's spec.
        agent: String,
        /// What happened.
        why: String,
    },
    /// The agent to train does not learn position values.
    NoLearning {
        /// The agent's spec.
        agent: String,
    },
    /// A file cannot be read or written, or its content is invalid.
    File {
        /// Its path.
        path: String,
        /// The line of the error, if it has one.
        line: Option<usize>,
        /// What is wrong.
        why: String,
    },
    /// A tournament of fewer than two agents.
    FewAgents {
        /// How many there are.
        agents: usize,
    },
    /// All rows of the experiment to tune have the same agents.
    NothingToTune,
    /// A tournament in a one-player game.
    OnePlayer {
        /// The game's spec.
        game: String,
    },
    /// An agent that reads a file or starts a program, where neither is allowed.
    Closed {
        /// The agent's spec.
        agent: String,
    },
    /// An error of the registry, such as a coding that the game does not have.
    Zoo(permutree_zoo::Error),
}

impl std::error::Error for ArenaError {}

impl From<permutree_zoo::Error> for ArenaError {
    fn from(error: permutree_zoo::Error) -> Self {
        Self::Zoo(error)
    }
}

impl fmt::Display for ArenaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoGames => f.write_str("a match needs at least 1 game, not 0"),
            Self::Seats { game, players: 1, agents } => {
                write!(f, "{game} takes 1 agent or more, not {agents}")
            }
            Self::Seats { game, players, agents } => {
                write!(f, "{game} takes 1 to {players} agents, not {agents}")
            }
            Self::NoBudget { agent } => {
                let joint = if agent.contains(':') { ',' } else { ':' };
                write!(f, "{agent} has no budget; set playouts or time for all agents, ")?;
                write!(f, "or for this one as {agent}{joint}playouts=1000")
            }
            Self::EmptyBudget { agent } => {
                write!(f, "{agent} has a budget of 0; it needs at least 1 playout or 1us")
            }
            Self::Stuck { game, plies } => {
                write!(f, "{game}: after {plies} moves the game is not over, but there is no legal move")
            }
            Self::Engine { agent, why } => write!(f, "{agent}: {why}"),
            Self::NoLearning { agent } => {
                write!(f, "{agent} learns no values; agents that do: ")?;
                f.write_str(&learners().join(", "))
            }
            Self::FewAgents { agents } => write!(f, "a tournament takes 2 agents or more, not {agents}"),
            Self::NothingToTune => {
                write!(
                    f,
                    "there is nothing to tune: all rows have the same agents; use vary or a list of agents"
                )
            }
            Self::OnePlayer { game } => {
                write!(f, "{game} is for one player; a tournament needs a game for 2 or more, ")?;
                f.write_str("but a match compares any number of agents that play alone")
            }
            Self::File { path, line: Some(line), why } => write!(f, "{path}:{line}: {why}"),
            Self::File { path, line: None, why } => write!(f, "{path}: {why}"),
            Self::Closed { agent } => {
                write!(f, "{agent}: agents that read files or start programs are not allowed here")
            }
            Self::Zoo(error) => error.fmt(f),
        }
    }
}

/// The agents that learn position values.
fn learners() -> Vec<&'static str> {
    let names = AGENTS.iter().map(|facts| facts.name);
    names.filter(|name| agent(name).is_ok_and(|agent| agent.learns())).collect()
}
