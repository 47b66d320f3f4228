use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::sessions::{Built, Setup};
use crate::units::parse_duration;
use permutree_game::{Game, Param, Reach};
use std::time::Duration;

pub(super) const EXTERNAL: AgentFacts = AgentFacts {
    name: "external",
    title: "External engine",
    about: "Any program that speaks the Go Text Protocol, in matches. It needs no budget. An engine that crashes, exceeds its time \
            limit, makes an illegal move or resigns loses the game. GNU Go with the rules of our Go: external:cmd=gnugo --mode gtp \
            --chinese-rules --positional-superko --capture-all-dead",
    advice: "To measure Permutree against other programs.",
    source: "Farnebäck 2002, Specification of the Go Text Protocol, version 2, draft 2",
    searches: false,
    learns: false,
    params: Params {
        own: &[
            Param::text("timeout", "60s", "time limit for an answer, by the wall clock"),
            Param::text(
                "cmd",
                "",
                "the program and its arguments: all the rest of the spec, commas included",
            )
            .reaching(Reach::Machine),
        ],
        shared: &[],
    },
    read: |args| {
        let timeout = parse_duration(args.text("timeout")).map_err(|why| args.refuse("timeout", why))?;
        let command = args.text("cmd").to_string();
        if command.trim().is_empty() {
            let why = "a command is needed, as in external:cmd=gnugo --mode gtp";
            return Err(args.refuse("cmd", why));
        }
        Ok(External { command, timeout }.into())
    },
};

#[derive(Clone, Debug)]
pub(crate) struct External {
    pub(crate) command: String,
    pub(crate) timeout: Duration,
}

impl Algorithm for External {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        Err(Error::NoSearch { agent: setup.agent() })
    }
}
