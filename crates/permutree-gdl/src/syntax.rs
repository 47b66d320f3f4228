//! Text to expressions: the lexer and parser of KIF, the prefix notation that GDL is written in.

use crate::{Error, Place};
use std::collections::HashMap;

/// Lists nest at most so deep. Terms of real games nest to 5 or so; the limit keeps every recursion over terms short.
const DEEPEST: usize = 64;

/// The longest description that is read, in bytes. The largest description in public collections has 70 kB.
pub const LONGEST: usize = 8 << 20;

/// A name, as its number in [`Symbols`].
pub(crate) type Symbol = u32;

/// Names by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    names: Vec<String>,
    numbers: HashMap<String, Symbol>,
}

impl Symbols {
    /// The number of a name, which is new if it has not occurred.
    pub(crate) fn number(&mut self, name: &str) -> Symbol {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as Symbol;
        self.names.push(name.to_string());
        self.numbers.insert(name.to_string(), number);
        number
    }

    pub(crate) fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol as usize]
    }
}

/// An expression: a name, a variable or a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    Name(Place, String),
    /// A variable, with its question mark.
    Variable(Place, String),
    List(Place, Vec<Expr>),
}

impl Expr {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Name(place, _) | Self::Variable(place, _) | Self::List(place, _) => *place,
        }
    }
}

/// The words of GDL, which are recognised in any case. Other names are taken as written.
const KEYWORDS: [&str; 17] = [
    "<=", "and", "base", "distinct", "does", "goal", "init", "input", "legal", "next", "not", "or", "role",
    "sees", "terminal", "true", "random",
];

/// The expressions of a text, in order.
pub(crate) fn parse(text: &str) -> Result<Vec<Expr>, Error> {
    if text.len() > LONGEST {
        return Err(Error::of(format!("the text has {} bytes; at most {LONGEST} are read", text.len())));
    }
    let mut done = Vec::new();
    let mut open: Vec<(Place, Vec<Expr>)> = Vec::new();
    let tokens = Tokens { rest: text, place: Place { line: 1, column: 1 } };
    for (place, token) in tokens {
        let expr = match token {
            "(" if open.len() == DEEPEST => {
                return Err(Error::at(place, format!("lists are nested more than {DEEPEST} deep")));
            }
            "(" => {
                open.push((place, Vec::new()));
                continue;
            }
            ")" => match open.pop() {
                Some((place, items)) => Expr::List(place, items),
                None => return Err(Error::at(place, "this ')' closes nothing")),
            },
            _ if token.starts_with('?') => Expr::Variable(place, token.to_string()),
            _ => {
                let keyword = KEYWORDS.iter().find(|keyword| keyword.eq_ignore_ascii_case(token));
                Expr::Name(place, keyword.map_or(token, |keyword| keyword).to_string())
            }
        };
        open.last_mut().map_or(&mut done, |(_, items)| items).push(expr);
    }
    match open.first() {
        Some((place, _)) => Err(Error::at(*place, "this '(' is never closed")),
        None => Ok(done),
    }
}

/// The brackets, names and variables of a text with their places. Comments start with a semicolon and end with the line.
struct Tokens<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Tokens<'a> {
    /// Takes the first `bytes` bytes off the rest and moves the place behind them.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Place, &'a str);

    fn next(&mut self) -> Option<(Place, &'a str)> {
        loop {
            let space = |c: char| c.is_whitespace() || c == '\u{feff}';
            let blank = self.rest.len() - self.rest.trim_start_matches(space).len();
            self.take(blank);
            if !self.rest.starts_with(';') {
                break;
            }
            self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
        let place = self.place;
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';');
        let length = match self.rest.chars().next()? {
            '(' | ')' => 1,
            _ => self.rest.find(ends).unwrap_or(self.rest.len()),
        };
        Some((place, self.take(length)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression written back.
    fn text(expr: &Expr) -> String {
        match expr {
            Expr::Name(_, name) | Expr::Variable(_, name) => name.clone(),
            Expr::List(_, items) => format!("({})", items.iter().map(text).collect::<Vec<_>>().join(" ")),
        }
    }

    #[test]
    fn lists_comments_and_keywords() {
        let exprs =
            parse("; a game\n(ROLE white)(<= (Legal ?p (mark ?x)) ; moves\n  (TRUE (cell ?x b)))").unwrap();
        let texts: Vec<String> = exprs.iter().map(text).collect();
        assert_eq!(texts, ["(role white)", "(<= (legal ?p (mark ?x)) (true (cell ?x b)))"]);
        assert_eq!(exprs[1].place(), Place { line: 2, column: 13 });
        assert_eq!(parse("").unwrap(), []);
    }

    #[test]
    fn faults_have_their_place() {
        let fault = |text: &str| parse(text).unwrap_err().to_string();
        assert_eq!(fault("(role a)\n  (init"), "2:3: this '(' is never closed");
        assert_eq!(fault("(role a))"), "1:9: this ')' closes nothing");
        assert_eq!(fault(&"(".repeat(10_000_000)), "the text has 10000000 bytes; at most 8388608 are read");
        assert_eq!(fault(&"(".repeat(1_000_000)), "1:65: lists are nested more than 64 deep");
    }
}
