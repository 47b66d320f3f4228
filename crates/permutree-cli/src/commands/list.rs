//! `games` and `agents`: what there is, from the two lists of the zoo.

use crate::failure::Failure;
use crate::show::wrapped;
use clap::Args;
use permutree_zoo::{AGENTS, Error, GAMES, Kind, Param, game};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Where lines are broken.
const WIDTH: usize = 100;

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Only this one, with all there is to say about it
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game or an agent.
struct Item {
    name: &'static str,
    title: &'static str,
    /// The rules of a game, what an agent does.
    text: &'static str,
    source: &'static str,
    params: &'static [Param],
    /// The codings of a game.
    codings: Option<&'static [&'static str]>,
}

pub(crate) fn games(args: &ListArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let items = GAMES.iter().map(|entry| Item {
        name: entry.facts.name,
        title: entry.facts.title,
        text: entry.facts.rules,
        source: entry.facts.source,
        params: entry.facts.params,
        codings: game(entry.facts.name).ok().map(|game| game.codings()),
    });
    list("game", "rules", items.collect(), args, out)
}

pub(crate) fn agents(args: &ListArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let items = AGENTS.iter().map(|facts| Item {
        name: facts.name,
        title: facts.title,
        text: facts.about,
        source: facts.source,
        params: facts.params,
        codings: None,
    });
    list("agent", "about", items.collect(), args, out)
}

/// Lists `items`, or the one that was asked for. `what` they are, and `text` the key of their text in JSON.
fn list(
    what: &'static str,
    text: &str,
    mut items: Vec<Item>,
    args: &ListArgs,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(spec) = &args.name {
        // Whoever asks about hex:7 wants to know about hex.
        let name = spec.split(':').next().unwrap_or_default().trim().to_string();
        let known = items.iter().map(|item| item.name).collect();
        items.retain(|item| item.name == name);
        if items.is_empty() {
            return Err(Error::UnknownName { what, name, known }.into());
        }
    }
    if args.json {
        let items: Vec<Value> = items.iter().map(|item| item.json(text)).collect();
        writeln!(out, "{}", Value::from(items))?;
        return Ok(());
    }
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            writeln!(out)?;
        }
        item.write(args.name.is_some(), out)?;
    }
    if args.name.is_none() {
        writeln!(
            out,
            "\n`permutree {what}s NAME` says more about one. A bare value is the first parameter."
        )?;
    }
    Ok(())
}

impl Item {
    fn write(&self, all: bool, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.name, self.title)?;
        // What an agent does takes a line or two; rules are for who asks.
        if all || self.codings.is_none() {
            writeln!(out, "{}", wrapped(self.text, 2, WIDTH))?;
        }
        let kinds: Vec<String> = self.params.iter().map(|param| param.kind.to_string()).collect();
        let longest = |lengths: &mut dyn Iterator<Item = usize>| lengths.max().unwrap_or(0);
        let keys = longest(&mut self.params.iter().map(key_text).map(|text| text.len()));
        let width = longest(&mut kinds.iter().map(String::len));
        for (param, kind) in self.params.iter().zip(&kinds) {
            let line = format!("  {:<keys$}  {kind:<width$}  {}", key_text(param), param.help);
            writeln!(out, "{}", line.trim_end())?;
        }
        if let Some(codings) = self.codings.filter(|codings| all || codings.len() > 1) {
            writeln!(out, "  codings: {}", codings.join(", "))?;
        }
        if !self.source.is_empty() {
            writeln!(out, "  source: {}", self.source)?;
        }
        Ok(())
    }

    fn json(&self, text: &str) -> Value {
        let params: Vec<Value> = self.params.iter().map(param_json).collect();
        let mut item = json!({
            "name": self.name, "title": self.title, text: self.text, "source": self.source, "params": params,
        });
        if let Some(codings) = self.codings {
            item["codings"] = json!(codings);
        }
        item
    }
}

/// A parameter as it would be typed to have its default.
fn key_text(param: &Param) -> String {
    match param.default {
        "" => param.key.to_string(),
        default => format!("{}={default}", param.key),
    }
}

/// A parameter with its range.
fn param_json(param: &Param) -> Value {
    let mut value = json!({ "key": param.key, "kind": "text", "default": param.default, "help": param.help });
    match param.kind {
        Kind::Int(min, max) => {
            value["kind"] = json!("int");
            value["min"] = json!(min);
            value["max"] = json!(max);
        }
        Kind::Real(min, max) => {
            value["kind"] = json!("real");
            value["min"] = json!(min);
            value["max"] = json!(max);
        }
        Kind::Flag => value["kind"] = json!("flag"),
        Kind::Choice(words) => {
            value["kind"] = json!("choice");
            value["choices"] = json!(words);
        }
        Kind::Text => {}
    }
    value
}
