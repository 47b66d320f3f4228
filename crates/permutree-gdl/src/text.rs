//! Terms as text, and their order.

use crate::rules::Program;
use crate::slices::Slices;
use crate::tables::TermId;
use std::cmp::Ordering;

/// An atom as KIF, from its words.
pub(crate) fn atom(program: &Program, terms: &Slices, words: &[u32]) -> String {
    let mut text = format!("({}", program.name(words[0]));
    for &arg in &words[1..] {
        text += " ";
        text += &term(program, terms, terms.get(arg));
    }
    text + ")"
}

/// A term as KIF, from its words: its name and the numbers of its arguments.
pub(crate) fn term(program: &Program, terms: &Slices, words: &[u32]) -> String {
    write(&|symbol| program.symbols.name(symbol), terms, words, ["(", " ", ")"])
}

/// A term with these signs before, between and after the parts of terms with arguments.
pub(crate) fn write<'a>(
    name: &impl Fn(u32) -> &'a str,
    terms: &Slices,
    words: &[u32],
    signs: [&str; 3],
) -> String {
    let Some((&symbol, args)) = words.split_first() else { return String::new() };
    if args.is_empty() {
        return name(symbol).to_string();
    }
    let mut text = format!("{}{}", signs[0], name(symbol));
    for &arg in args {
        text += signs[1];
        text += &write(name, terms, terms.get(arg), signs);
    }
    text + signs[2]
}

/// A ground term as it stands in rules.
#[cfg(test)]
pub(crate) fn read_back(terms: &Slices, term: TermId) -> crate::rules::Term {
    let [symbol, args @ ..] = terms.get(term) else { panic!("a term without a name") };
    crate::rules::Term::Fun(*symbol, args.iter().map(|&arg| read_back(terms, arg)).collect())
}

/// The order of terms: by name, numbers by value, then by arguments.
pub(crate) fn order(program: &Program, terms: &Slices, a: TermId, b: TermId) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let ([a, first @ ..], [b, second @ ..]) = (terms.get(a), terms.get(b)) else { return Ordering::Equal };
    let args = || {
        let pairs = first.iter().zip(second).map(|(&a, &b)| order(program, terms, a, b));
        pairs.fold(Ordering::Equal, Ordering::then)
    };
    names(program.symbols.name(*a), program.symbols.name(*b))
        .then(first.len().cmp(&second.len()))
        .then_with(args)
}

/// The order of names: numbers first, by value, then by letters, with numbers at the end by value: `c2` before `c10`.
pub(crate) fn names(a: &str, b: &str) -> Ordering {
    let split = |text: &str| {
        let letters = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        (text[..letters].to_string(), text[letters..].parse::<u64>().ok())
    };
    split(a).cmp(&split(b)).then_with(|| a.cmp(b))
}
