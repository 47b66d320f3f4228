use std::fmt;

/// One parameter of a game or an agent, such as `size` of `hex` or `ref` of `mcps`.
///
/// Games and agents list their parameters in constants; [`Args`] holds the values.
///
/// ```
/// use permutree_game::{Args, Param};
///
/// const PARAMS: &[Param] = &[
///     Param::int("size", 3, 19, "7", "cells per side"),
///     Param::flag("swap", "false", "pie rule"),
/// ];
/// let mut args = Args::defaults(PARAMS);
/// args.set(&PARAMS[0], "11")?;
/// assert_eq!((args.int("size"), args.flag("swap")), (11, false));
///
/// let error = args.set(&PARAMS[0], "99").unwrap_err();
/// assert_eq!(error.to_string(), "size=99: must be a whole number 3..19");
/// # Ok::<(), permutree_game::ParamError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Param {
    /// What the user types before the equals sign.
    pub key: &'static str,
    /// The values that it accepts.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub kind: Kind,
    /// The default, as a user would type it.
    pub default: &'static str,
    /// One line for help texts, with the source of the default where there is one.
    pub help: &'static str,
    /// The key that it had before, which is still read.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub formerly: Option<&'static str>,
    /// Where it means something.
    pub reach: Reach,
}

/// Where a parameter means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Reach {
    /// In every search.
    Anywhere,
    /// From move to move of a game, but not in the search of a single position.
    Games,
    /// On the machine of the program: it names a file or a command there, so a server does not offer it.
    Machine,
}

/// The values that a parameter accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "lowercase"))]
pub enum Kind {
    /// A whole number in this range, both ends included.
    Int {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// A finite number in this range, both ends included.
    Real {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Choice {
        /// The words.
        choices: &'static [&'static str],
    },
    /// Any text, which the game or agent itself checks.
    Text,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Of [`Kind::Int`].
    Int(i64),
    /// Of [`Kind::Real`].
    Real(f64),
    /// Of [`Kind::Flag`].
    Flag(bool),
    /// Of [`Kind::Choice`] and [`Kind::Text`].
    Text(String),
}

/// The text that [`Param::read`] turns into the same value.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(x) => write!(f, "{x}"),
            // The shorter of 0.00001 and 1e-5; both read back exactly.
            Self::Real(x) => {
                let (plain, scientific) = (x.to_string(), format!("{x:e}"));
                f.write_str(if scientific.len() < plain.len() { &scientific } else { &plain })
            }
            Self::Flag(x) => write!(f, "{x}"),
            Self::Text(x) => f.write_str(x),
        }
    }
}

/// The range in words, for help texts and errors.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int { min, max: i64::MAX } => write!(f, "a whole number from {min}"),
            Self::Int { min, max } => write!(f, "a whole number {min}..{max}"),
            Self::Real { min, max } if *max == f64::MAX => write!(f, "a number from {min}"),
            Self::Real { min, max } => write!(f, "a number {min}..{max}"),
            Self::Flag => f.write_str("true or false"),
            Self::Choice { choices } => f.write_str(&choices.join(" or ")),
            Self::Text => f.write_str("text"),
        }
    }
}

impl Param {
    const fn new(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Self {
        Self { key, kind, default, help, formerly: None, reach: Reach::Anywhere }
    }

    /// The same with a key that it had before, which is still read.
    #[must_use]
    pub const fn formerly(self, key: &'static str) -> Self {
        Self { formerly: Some(key), ..self }
    }

    /// The same with this reach.
    #[must_use]
    pub const fn reaching(self, reach: Reach) -> Self {
        Self { reach, ..self }
    }

    /// Whether the user may call it that.
    #[must_use]
    pub fn is_called(&self, key: &str) -> bool {
        self.key == key || self.formerly == Some(key)
    }

    /// A whole number in `min..=max`.
    #[must_use]
    pub const fn int(
        key: &'static str,
        min: i64,
        max: i64,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self::new(key, Kind::Int { min, max }, default, help)
    }

    /// A number in `min..=max`.
    #[must_use]
    pub const fn real(
        key: &'static str,
        min: f64,
        max: f64,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self::new(key, Kind::Real { min, max }, default, help)
    }

    /// `true` or `false`.
    #[must_use]
    pub const fn flag(key: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(key, Kind::Flag, default, help)
    }

    /// One of `words`.
    #[must_use]
    pub const fn choice(
        key: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self::new(key, Kind::Choice { choices: words }, default, help)
    }

    /// Any text.
    #[must_use]
    pub const fn text(key: &'static str, default: &'static str, help: &'static str) -> Self {
        Self::new(key, Kind::Text, default, help)
    }

    /// Parses a value as the user typed it and checks its range.
    pub fn read(&self, text: &str) -> Result<Value, ParamError> {
        let wrong = || ParamError::Value { key: self.key, text: text.to_string(), kind: self.kind };
        match self.kind {
            Kind::Int { min, max } => match text.parse::<i64>() {
                Ok(x) if (min..=max).contains(&x) => Ok(Value::Int(x)),
                _ => Err(wrong()),
            },
            Kind::Real { min, max } => match text.parse::<f64>() {
                // Adding 0 makes 0 of -0, which would be another value in the same canonical spec.
                Ok(x) if (min..=max).contains(&x) => Ok(Value::Real(x + 0.0)),
                _ => Err(wrong()),
            },
            Kind::Flag => text.parse().map(Value::Flag).map_err(|_| wrong()),
            Kind::Choice { choices } if choices.contains(&text) => Ok(Value::Text(text.to_string())),
            Kind::Choice { .. } => Err(wrong()),
            Kind::Text => Ok(Value::Text(text.to_string())),
        }
    }
}

/// Why a value of a parameter is refused.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ParamError {
    /// The text is not a value of the parameter's kind.
    Value {
        /// The parameter.
        key: &'static str,
        /// What was typed.
        text: String,
        /// The values that the parameter accepts.
        kind: Kind,
    },
    /// The value is of the right kind, but this game or agent cannot use it.
    Refused {
        /// The parameter.
        key: &'static str,
        /// What was typed.
        text: String,
        /// The reason, which should list the valid values.
        why: String,
    },
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { key, text, kind } => write!(f, "{key}={text}: must be {kind}"),
            Self::Refused { key, text, why } => write!(f, "{key}={text}: {why}"),
        }
    }
}

impl std::error::Error for ParamError {}

/// The checked values of a list of parameters. See [`Param`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Args {
    values: Vec<(&'static str, Value)>,
}

impl Args {
    /// The defaults of `params`.
    ///
    /// # Panics
    /// If a parameter does not accept its own default, which is a bug in the list.
    #[must_use]
    pub fn defaults(params: &[Param]) -> Self {
        let value = |p: &Param| p.read(p.default).unwrap_or_else(|e| panic!("default of {e}"));
        Self { values: params.iter().map(|p| (p.key, value(p))).collect() }
    }

    /// Parses `text` as the new value of `param`.
    ///
    /// # Panics
    /// If the list has no such parameter, which is a bug in the caller.
    pub fn set(&mut self, param: &Param, text: &str) -> Result<(), ParamError> {
        let value = param.read(text)?;
        match self.values.iter_mut().find(|(key, _)| *key == param.key) {
            Some(entry) => entry.1 = value,
            None => panic!("no parameter {}", param.key),
        }
        Ok(())
    }

    /// All keys and values, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Value)> {
        self.values.iter().map(|(key, value)| (*key, value))
    }

    /// Whether the parameter list has this key.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.values.iter().any(|(known, _)| *known == key)
    }

    /// Whether this parameter has another value than its default.
    #[must_use]
    pub fn is_given(&self, param: &Param) -> bool {
        self.values
            .iter()
            .any(|(key, value)| *key == param.key && param.read(param.default).as_ref() != Ok(value))
    }

    /// The value of `key`.
    ///
    /// # Panics
    /// If the list has no parameter `key`, which is a bug in the caller. The typed getters below also panic if the
    /// parameter is of another kind.
    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        match self.values.iter().find(|(k, _)| *k == key) {
            Some((_, value)) => value,
            None => panic!("no parameter {key}"),
        }
    }

    /// The value of an [`Kind::Int`] parameter whose range starts at 0 or above.
    #[must_use]
    pub fn int(&self, key: &str) -> usize {
        match self.get(key) {
            Value::Int(x) => usize::try_from(*x).unwrap_or(0),
            other => panic!("{key} is not a whole number: {other}"),
        }
    }

    /// The value of a [`Kind::Real`] parameter.
    #[must_use]
    pub fn real(&self, key: &str) -> f64 {
        match self.get(key) {
            Value::Real(x) => *x,
            other => panic!("{key} is not a number: {other}"),
        }
    }

    /// The value of a [`Kind::Flag`] parameter.
    #[must_use]
    pub fn flag(&self, key: &str) -> bool {
        match self.get(key) {
            Value::Flag(x) => *x,
            other => panic!("{key} is not true or false: {other}"),
        }
    }

    /// The value of a [`Kind::Choice`] or [`Kind::Text`] parameter.
    #[must_use]
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Value::Text(x) => x,
            other => panic!("{key} is not text: {other}"),
        }
    }

    /// The error for a value that is in its range, but that this game or agent cannot use.
    #[must_use]
    pub fn refuse(&self, key: &'static str, why: impl Into<String>) -> ParamError {
        ParamError::Refused { key, text: self.get(key).to_string(), why: why.into() }
    }
}

/// What help texts and documentation say about a game. Games write it as a constant, [`crate::Configure::FACTS`].
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facts {
    /// The name in specs, such as `tic-tac-toe`.
    pub name: &'static str,
    /// The name in titles, such as `Tic-tac-toe`.
    pub title: &'static str,
    /// The rules in a few sentences.
    pub rules: &'static str,
    /// Where the game comes from: inventor, year, paper.
    pub source: &'static str,
    /// The parameters; a bare value in a spec, as in `hex:11`, sets the first.
    pub params: &'static [Param],
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &[Param] = &[
        Param::int("size", 3, 19, "7", "cells per side"),
        Param::real("bias", 0.0, 1.0, "1e-5", "bias"),
        Param::flag("swap", "false", "pie rule"),
        Param::choice("form", &["paper", "report"], "paper", "formula"),
        Param::text("opening", "", "first stone"),
    ];

    #[test]
    fn defaults_and_values() {
        let mut args = Args::defaults(PARAMS);
        assert_eq!((args.int("size"), args.real("bias"), args.flag("swap")), (7, 1e-5, false));
        args.set(&PARAMS[0], "11").unwrap();
        args.set(&PARAMS[4], "b2").unwrap();
        assert_eq!((args.int("size"), args.text("form"), args.text("opening")), (11, "paper", "b2"));
    }

    #[test]
    fn errors_say_what_is_possible() {
        let error = |i: usize, text: &str| PARAMS[i].read(text).unwrap_err().to_string();
        assert_eq!(error(0, "2"), "size=2: must be a whole number 3..19");
        assert_eq!(error(0, "x"), "size=x: must be a whole number 3..19");
        assert_eq!(error(1, "NaN"), "bias=NaN: must be a number 0..1");
        assert_eq!(error(1, "inf"), "bias=inf: must be a number 0..1");
        assert_eq!(error(2, "yes"), "swap=yes: must be true or false");
        assert_eq!(error(3, "new"), "form=new: must be paper or report");
    }

    #[test]
    fn values_read_back() {
        for text in ["1e-5", "0.4", "3", "0", "1e300"] {
            let param = Param::real("x", 0.0, f64::MAX, "0", "");
            let value = param.read(text).unwrap();
            assert_eq!(value.to_string(), text);
            assert_eq!(param.read(&value.to_string()), Ok(value));
        }
        let zero = Param::real("x", 0.0, 1.0, "0", "").read("-0").unwrap();
        assert_eq!(zero.to_string(), "0");
    }
}
