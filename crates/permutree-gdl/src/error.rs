use std::fmt;

/// A place in a text, both numbers from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// What is wrong with a description, in one line, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Where, if it is at one place.
    pub place: Option<Place>,
    /// What.
    pub what: String,
}

impl Error {
    pub(crate) fn at(place: Place, what: impl Into<String>) -> Self {
        Self { place: Some(place), what: what.into() }
    }

    pub(crate) fn of(what: impl Into<String>) -> Self {
        Self { place: None, what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}
