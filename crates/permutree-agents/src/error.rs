use crate::playouts;
use permutree_game::ParamError;
use std::fmt;

/// Why a spec or a move is invalid. Each error displays as one line, with the valid values where there is a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// There is no game or agent of this name.
    UnknownName {
        /// `game` or `agent`.
        what: &'static str,
        /// The name in the spec.
        name: String,
        /// The valid names.
        known: Vec<&'static str>,
    },
    /// The name of a playout policy in place of an agent.
    Playouts {
        /// The name in the spec.
        name: String,
    },
    /// The game or agent has no parameter of this name.
    UnknownKey {
        /// The game or agent.
        name: &'static str,
        /// The key in the spec.
        key: String,
        /// The valid keys.
        known: Vec<&'static str>,
    },
    /// The syntax of the spec is invalid.
    Malformed {
        /// The whole spec.
        spec: String,
        /// What is wrong with it.
        why: String,
    },
    /// The value of a parameter is invalid.
    Param {
        /// The game or agent.
        name: &'static str,
        /// The parameter and its value.
        error: ParamError,
    },
    /// The game has no coding of this name.
    UnknownCoding {
        /// The game's spec.
        game: String,
        /// The coding in the spec.
        coding: String,
        /// The valid codings.
        known: Vec<&'static str>,
    },
    /// The agent needs an evaluation function, and the game has none.
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
        /// The text of the move.
        text: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// The index is beyond the list of legal moves.
    NoMove {
        /// The index.
        index: usize,
        /// The number of legal moves.
        legal: usize,
    },
    /// The agent is an external program, not a search.
    NoSearch {
        /// The agent's spec.
        agent: String,
    },
    /// A file of learned values is invalid.
    Values {
        /// What is wrong with it.
        why: String,
    },
    /// Values learned in one game were used for another.
    ValuesOfAnotherGame {
        /// The game in which they were learned.
        values: String,
        /// The game they were used for.
        game: String,
    },
    /// The agent's learned values were not loaded.
    NoValues {
        /// The agent's spec.
        agent: String,
    },
    /// A registered game from outside the zoo could not be made.
    Outside {
        /// The game's spec.
        spec: String,
        /// What is wrong with it.
        why: String,
    },
    /// The position belongs to another game than the search.
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
                write!(
                    f,
                    "'{name}' is a playout policy, not an agent; use it in a search, as in uct:policy={name}"
                )
            }
            Self::UnknownKey { name, key, known } if known.is_empty() => {
                write!(f, "{name} has no parameter '{key}'; it takes no parameters")
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
            Self::NoMove { legal: 0, .. } => f.write_str("the game is over; there are no legal moves"),
            Self::NoMove { index, legal } => {
                write!(f, "there is no legal move {index}; the legal moves are 0..{}", legal - 1)
            }
            Self::NoSearch { agent } => write!(f, "{agent}: external engines play only in matches"),
            Self::Values { why } => f.write_str(why),
            Self::ValuesOfAnotherGame { values, game } => {
                write!(f, "the values were learned in {values}, not in {game}")
            }
            Self::NoValues { agent } => write!(f, "{agent}: the values were not loaded"),
            Self::Outside { spec, why } => write!(f, "{spec}: {why}"),
            Self::OtherGame => f.write_str("the position belongs to another game than the search"),
        }
    }
}

/// Writes a suggestion and the list of valid words.
fn possible(f: &mut fmt::Formatter<'_>, typed: &str, known: &[&'static str], what: &str) -> fmt::Result {
    match nearest(typed, known) {
        Some(near) => write!(f, "; did you mean '{near}'?")?,
        None => f.write_str(";")?,
    }
    write!(f, " {what}: {}", known.join(", "))
}

/// The known word that was probably meant, if one is close enough.
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

/// The Levenshtein distance: the insertions, deletions and substitutions that turn `a` into `b`.
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
