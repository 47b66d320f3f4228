use permutree_zoo::{AGENTS, agent};
use std::fmt;

/// Why a match cannot be played. Each shows as one line that says what was wrong and what is possible.
#[derive(Clone, Debug, PartialEq)]
pub enum ArenaError {
    /// No games were asked for.
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
    /// An agent that searches has no limit, and would search its first move for ever.
    NoBudget {
        /// The agent's spec.
        agent: String,
    },
    /// An agent that searches may do nothing.
    EmptyBudget {
        /// The agent's spec.
        agent: String,
    },
    /// A player is to move and has no move: a mistake in the rules of the game.
    Stuck {
        /// The game's spec.
        game: String,
        /// The moves so far.
        plies: u64,
    },
    /// An external engine does not start, or does not take the game.
    Engine {
        /// The agent's spec.
        agent: String,
        /// What happened.
        why: String,
    },
    /// An agent was to learn values of positions and does not.
    NoLearning {
        /// The agent's spec.
        agent: String,
    },
    /// A file cannot be read or written, or has something else in it.
    File {
        /// Where it is.
        path: String,
        /// The line, if one is to blame.
        line: Option<usize>,
        /// What is wrong.
        why: String,
    },
    /// A tournament of fewer than two agents.
    FewAgents {
        /// How many there are.
        agents: usize,
    },
    /// An experiment has nothing to choose from.
    NothingToTune,
    /// A tournament in a game in which nobody meets anybody.
    OnePlayer {
        /// The game's spec.
        game: String,
    },
    /// An agent that reads a file or starts a program, for somebody who may do neither.
    Closed {
        /// The agent's spec.
        agent: String,
    },
    /// The zoo refused: a coding that the game does not have.
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
            Self::NoGames => f.write_str("a match of 0 games; it needs at least 1"),
            Self::Seats { game, players: 1, agents } => {
                write!(f, "{game} takes 1 agent or more, not {agents}")
            }
            Self::Seats { game, players, agents } => {
                write!(f, "{game} takes 1 to {players} agents, not {agents}")
            }
            Self::NoBudget { agent } => {
                let joint = if agent.contains(':') { ',' } else { ':' };
                write!(f, "{agent} has no budget; give playouts or time to all agents, ")?;
                write!(f, "or to this one as {agent}{joint}playouts=1000")
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
                write!(f, "{game} is for one player; a tournament takes games for 2 or more, ")?;
                f.write_str("and a match compares any number of agents that play alone")
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

/// The agents that learn values of positions.
fn learners() -> Vec<&'static str> {
    let names = AGENTS.iter().map(|facts| facts.name);
    names.filter(|name| agent(name).is_ok_and(|agent| agent.learns())).collect()
}
