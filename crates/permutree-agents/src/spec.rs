//! The syntax of specs, which name a game or an agent with its parameters.
//!
//! A spec is `name`, `name:value` or `name:key=value,key=value`. A bare value sets the first parameter and must come first.
//! Commas inside brackets belong to the value. The parameter `cmd` takes the rest of the spec, whatever it contains. Two
//! specs are equivalent if their [`canonical`] forms are equal.

use crate::Error;
use permutree_game::{Args, Kind, Param};

/// A parsed spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec<'a> {
    /// The name before the colon.
    pub name: &'a str,
    items: Vec<(Option<&'a str>, &'a str)>,
    text: &'a str,
}

impl<'a> Spec<'a> {
    /// Parses `text`.
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        let malformed = |why: &str| Error::Malformed { spec: text.to_string(), why: why.to_string() };
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let mut items: Vec<(Option<&str>, &str)> = Vec::new();
        let (listed, command) = match rest {
            Some(rest) => before_command(rest),
            None => (None, None),
        };
        for item in listed.into_iter().flat_map(split).chain(command) {
            let key = item.split_once('=').filter(|(key, _)| is_key(key));
            let (key, value) = match key {
                Some((key, value)) => (Some(key), value),
                None if items.is_empty() => (None, item),
                None => return Err(malformed(&format!("'{item}' is not key=value"))),
            };
            if value.is_empty() {
                return Err(malformed("a value is missing"));
            }
            if command != Some(item) && !balanced(value) {
                return Err(malformed("unbalanced brackets"));
            }
            items.push((key, value));
        }
        Ok(Self { name: name.trim(), items, text })
    }

    /// The values of `params`, with defaults for those not given. `name` is the game or agent in error messages.
    pub fn args(&self, name: &'static str, params: &[Param]) -> Result<Args, Error> {
        let mut args = Args::defaults(params);
        let mut seen = Vec::new();
        for (key, value) in &self.items {
            let param = match key {
                None => params.first(),
                Some(key) => params.iter().find(|param| param.is_called(key)),
            };
            let Some(param) = param else {
                let known = params.iter().map(|param| param.key).collect();
                return Err(Error::UnknownKey { name, key: key.unwrap_or(value).to_string(), known });
            };
            if seen.contains(&param.key) {
                let why = format!("'{}' is given twice", param.key);
                return Err(Error::Malformed { spec: self.text.to_string(), why });
            }
            seen.push(param.key);
            args.set(param, value).map_err(|error| Error::Param { name, error })?;
        }
        Ok(args)
    }

    /// A note for each parameter that is given by its former key.
    #[must_use]
    pub fn notes(&self, params: &[Param]) -> Vec<String> {
        let old = |key: &str| params.iter().find(|param| param.formerly == Some(key));
        let renamed = self.items.iter().filter_map(|(key, value)| Some(((*key)?, value, old((*key)?)?)));
        renamed.map(|(key, value, param)| format!("{key}={value} is now {}={value}", param.key)).collect()
    }
}

/// The start of the parameter whose value is the rest of the spec: a command line.
const COMMAND: &str = "cmd=";

/// The text before that parameter, and the parameter.
fn before_command(text: &str) -> (Option<&str>, Option<&str>) {
    if text.starts_with(COMMAND) {
        return (None, Some(text));
    }
    match text.find(&format!(",{COMMAND}")) {
        Some(comma) => (Some(&text[..comma]), Some(&text[comma + 1..])),
        None => (Some(text), None),
    }
}

/// Splits at the commas that are not inside brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c: char| {
        depth += nesting(c);
        c == ',' && depth <= 0
    })
}

/// Whether brackets are balanced. Otherwise a value could absorb the parameters after it in the canonical form, which has
/// another order.
fn balanced(text: &str) -> bool {
    let mut depth = 0;
    let never_below = text.chars().all(|c| {
        depth += nesting(c);
        depth >= 0
    });
    never_below && depth == 0
}

/// The change of the bracket depth at a character.
fn nesting(c: char) -> i32 {
    i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'))
}

/// Whether the text before an equals sign can be a key, and is not part of a value.
fn is_key(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'))
}

/// The unique form that identifies a game or an agent in stored results: the parameters that differ from their defaults, in
/// the order of the list. With `bare` the first parameter is written without its key, and always if it is an integer, so that
/// the size of a board shows.
#[must_use]
pub fn canonical(name: &str, params: &[Param], args: &Args, bare: bool) -> String {
    let defaults = Args::defaults(params);
    let mut items = Vec::new();
    for (i, (param, (key, value))) in params.iter().zip(args.iter()).enumerate() {
        let first = bare && i == 0;
        let always = first && matches!(param.kind, Kind::Int { .. });
        if always || value != defaults.get(key) {
            items.push(if first { value.to_string() } else { format!("{key}={value}") });
        }
    }
    if items.is_empty() { name.to_string() } else { format!("{name}:{}", items.join(",")) }
}
