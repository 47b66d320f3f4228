use crate::playouts;
use permutree_game::ParamError;
use std::fmt;

/// Why a spec or a move was refused. Each shows as one line that says what was wrong and what is possible.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// No game or agent of that name.
    UnknownName {
        /// `game` or `agent`.
        what: &'static str,
        /// What was typed.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// Playouts of that name, where an agent was wanted.
    Playouts {
        /// What was typed.
        name: String,
    },
    /// The game or agent has no parameter of that name.
    UnknownKey {
        /// The game or agent.
        name: &'static str,
        /// What was typed.
        key: String,
        /// The parameters there are.
        known: Vec<&'static str>,
    },
    /// A parameter twice, or an empty one.
    Malformed {
        /// The whole spec.
        spec: String,
        /// What is wrong with it.
        why: String,
    },
    /// A parameter has a value that it cannot have.
    Param {
        /// The game or agent.
        name: &'static str,
        /// The parameter and its value.
        error: ParamError,
    },
    /// The game has no coding of that name.
    UnknownCoding {
        /// The game's spec.
        game: String,
        /// What was typed.
        coding: String,
        /// The codings there are.
        known: Vec<&'static str>,
    },
    /// The agent needs an evaluation and the game has none.
    NoEvaluation {
        /// The game's spec.
        game: String,
    },
    /// The game has no patterns for playouts.
    NoPatterns {
        /// The game's spec.
        game: String,
    },
    /// The move is not legal in the position.
    IllegalMove {
        /// What was typed.
        text: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// The list of legal moves is shorter.
    NoMove {
        /// The place that was asked for.
        index: usize,
        /// How many legal moves there are.
        legal: usize,
    },
    /// The agent is a program of its own and no search.
    NoSearch {
        /// The agent's spec.
        agent: String,
    },
    /// Bytes that are no learned values.
    Values {
        /// What is wrong with them.
        why: String,
    },
    /// Learned values for a game in which they were not learned.
    ValuesOfAnotherGame {
        /// The game in which they were.
        values: String,
        /// The game that was asked for.
        game: String,
    },
    /// The agent wants learned values and was not given them.
    NoValues {
        /// The agent's spec.
        agent: String,
    },
    /// A game from outside the zoo cannot be made.
    Outside {
        /// The game's spec.
        spec: String,
        /// What is wrong.
        why: String,
    },
    /// A search was given a position of another game.
    OtherGame,
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownName { what, name, known } => {
                write!(f, "unknown {what} '{name}'")?;
                possible(f, name, known, &format!("{what}s"))
            }
            Self::Playouts { name } => {
                write!(f, "'{name}' is not an agent but a playout policy, for any search: uct:policy={name}")
            }
            Self::UnknownKey { name, key, known } if known.is_empty() => {
                write!(f, "{name} has no parameters, and so no '{key}'")
            }
            Self::UnknownKey { name, key, known } => {
                write!(f, "{name} has no parameter '{key}'")?;
                possible(f, key, known, "parameters")
            }
            Self::Malformed { spec, why } => {
                write!(f, "'{spec}': {why}; a spec is name, name:value or name:key=value,key=value")
            }
            Self::Param { name, error } => write!(f, "{name}: {error}"),
            Self::UnknownCoding { game, coding, known } => {
                write!(f, "{game} has no coding '{coding}'")?;
                possible(f, coding, known, "codings")
            }
            Self::NoEvaluation { game } => {
                write!(
                    f,
                    "ams needs a game with an evaluation, and {game} has none; use ams-playouts or ams-priority"
                )
            }
            Self::NoPatterns { game } => {
                let others: Vec<&str> =
                    playouts::NAMES.iter().copied().filter(|name| *name != "pattern").collect();
                write!(f, "{game} has no patterns for playouts; policies for it: {}", others.join(", "))
            }
            Self::IllegalMove { text, legal } if legal.is_empty() => {
                write!(f, "illegal move '{text}': the game is over")
            }
            Self::IllegalMove { text, legal } => {
                let shown = legal.len().min(12);
                let more = if legal.len() > shown {
                    format!(" and {} more", legal.len() - shown)
                } else {
                    String::new()
                };
                write!(f, "illegal move '{text}'; legal moves: {}{more}", legal[..shown].join(" "))
            }
            Self::NoMove { legal: 0, .. } => f.write_str("the game is over, so there is no move to play"),
            Self::NoMove { index, legal } => {
                write!(f, "there is no legal move {index}; the legal moves are 0..{}", legal - 1)
            }
            Self::NoSearch { agent } => write!(f, "{agent}: external engines play only in matches"),
            Self::Values { why } => f.write_str(why),
            Self::ValuesOfAnotherGame { values, game } => {
                write!(f, "the values were learned in {values}, not in {game}")
            }
            Self::NoValues { agent } => write!(f, "{agent}: its values were not loaded"),
            Self::Outside { spec, why } => write!(f, "{spec}: {why}"),
            Self::OtherGame => f.write_str("the position belongs to another game than the search"),
        }
    }
}

/// Writes the suggestion and the list of what is possible.
fn possible(f: &mut fmt::Formatter<'_>, typed: &str, known: &[&'static str], what: &str) -> fmt::Result {
    match nearest(typed, known) {
        Some(near) => write!(f, "; did you mean '{near}'?")?,
        None => f.write_str(";")?,
    }
    write!(f, " {what}: {}", known.join(", "))
}

/// The known word that is meant, if one is near enough to be meant.
#[must_use]
pub fn nearest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    known
        .iter()
        .map(|word| (distance(&typed, word), *word))
        .filter(|(distance, word)| *distance <= word.len() / 3 + 1 && *distance < word.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// How many letters must be put in, taken out or changed to make `a` of `b` (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
