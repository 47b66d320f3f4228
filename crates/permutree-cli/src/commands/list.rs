//! `games` and `agents`: the two lists of the registry.

use crate::failure::Failure;
use crate::show::wrapped;
use clap::Args;
use permutree_zoo::{AGENTS, AgentFacts, Error, GameListing, Param, gdl, listing};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The line width.
const WIDTH: usize = 100;

#[derive(Args)]
pub(crate) struct ListArgs {
    /// Show only this one, in full detail
    name: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game or an agent.
struct Item {
    name: &'static str,
    title: &'static str,
    /// The rules of a game, or what an agent does.
    text: &'static str,
    source: &'static str,
    params: Vec<Param>,
    /// The codings of a game.
    codings: Option<&'static [&'static str]>,
    json: Value,
}

pub(crate) fn games(args: &ListArgs, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(described) = args.name.as_deref().and_then(|name| name.strip_prefix("gdl:")) {
        return about(described, args.json, out);
    }
    let item = |game: GameListing| Item {
        name: game.facts.name,
        title: game.facts.title,
        text: game.facts.rules,
        source: game.facts.source,
        params: game.facts.params.to_vec(),
        codings: Some(game.codings),
        json: json!(game),
    };
    list("game", listing().into_iter().map(item).collect(), args, out)
}

/// What a game in the Game Description Language is like.
fn about(described: &str, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let about = gdl::about(described).map_err(Failure::input)?;
    let terms = |terms: &[(usize, String)]| -> Vec<Value> {
        terms.iter().map(|(count, first)| json!({ "count": count, "example": first })).collect()
    };
    if json {
        let about = json!({
            "spec": about.spec,
            "roles": about.roles,
            "simultaneous": about.simultaneous,
            "choices": about.choices,
            "fluents": terms(&about.fluents),
            "moves": terms(&about.moves),
            "warnings": about.warnings,
        });
        writeln!(out, "{about}")?;
        return Ok(());
    }
    writeln!(out, "{}", about.spec)?;
    writeln!(out, "  roles: {}", about.roles.join(", "))?;
    let players = about.roles.iter().filter(|role| *role != "random").count();
    let kind = match (players, about.simultaneous) {
        (1, _) => "a puzzle for one player",
        (_, true) => "players choose at the same time",
        (_, false) => "players take turns",
    };
    let chance = if players < about.roles.len() { ", with chance" } else { "" };
    writeln!(out, "  kind: {kind}{chance}; {:.1} choices in a random game", about.choices)?;
    for (what, terms) in [("fluents", &about.fluents), ("moves", &about.moves)] {
        let each = terms.iter().map(|(count, first)| match count {
            1 => first.clone(),
            _ => format!("{count} like {first}"),
        });
        let line = format!("{what}: {}", each.collect::<Vec<_>>().join(", "));
        writeln!(out, "{}", wrapped(&line, 2, WIDTH))?;
    }
    for warning in &about.warnings {
        writeln!(out, "  warning: {warning}")?;
    }
    Ok(())
}

pub(crate) fn agents(args: &ListArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let item = |facts: &AgentFacts| Item {
        name: facts.name,
        title: facts.title,
        text: facts.about,
        source: facts.source,
        params: facts.params.list(),
        codings: None,
        json: json!(facts),
    };
    list("agent", AGENTS.iter().map(item).collect(), args, out)
}

/// Lists `items`, or the one requested. `what` is `game` or `agent`.
fn list(
    what: &'static str,
    mut items: Vec<Item>,
    args: &ListArgs,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if let Some(spec) = &args.name {
        // A spec such as hex:7 stands for its name.
        let name = spec.split(':').next().unwrap_or_default().trim().to_string();
        let known = items.iter().map(|item| item.name).collect();
        items.retain(|item| item.name == name);
        if items.is_empty() {
            return Err(Error::UnknownName { what, name, known }.into());
        }
    }
    if args.json {
        let items: Vec<Value> = items.into_iter().map(|item| item.json).collect();
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
            "\n`permutree {what}s NAME` shows all about one. A value without a key is the first parameter."
        )?;
    }
    Ok(())
}

impl Item {
    fn write(&self, all: bool, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.name, self.title)?;
        // Agents have a line or two; the rules of a game are shown only on request.
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
}

/// A parameter with its default, as typed in a spec.
fn key_text(param: &Param) -> String {
    match param.default {
        "" => param.key.to_string(),
        default => format!("{}={default}", param.key),
    }
}
