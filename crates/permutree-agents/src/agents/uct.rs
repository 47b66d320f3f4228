use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, MEMORY, PLAYOUT, TRANSPOSITIONS, TREE};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::policies;

pub(super) const UCT: AgentFacts = AgentFacts {
    name: "uct",
    title: "UCT",
    about: "A move's own mean plus an exploration term, c sqrt(ln N / n).",
    advice: "The baseline that everything is measured against, and the better choice in one-player and dice games.",
    source: "Kocsis and Szepesvári 2006, Bandit based Monte-Carlo planning",
    searches: true,
    learns: false,
    params: Params {
        own: &[
            Param::real("c", 0.0, 1e9, "0.4", "exploration constant, for rewards in [0, 1]"),
            Param::flag("tuned", "false", "UCB1-Tuned (Auer et al. 2002) in place of c"),
            Param { default: "false", ..TRANSPOSITIONS },
        ],
        shared: &[TREE, PLAYOUT, BUDGET, &[MEMORY]],
    },
    read: |args| Ok(Uct { c: args.real("c"), tuned: args.flag("tuned") }.into()),
};

#[derive(Clone, Debug)]
pub(crate) struct Uct {
    c: f64,
    tuned: bool,
}

impl Algorithm for Uct {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        setup.tree(if self.tuned { policies::Uct::tuned() } else { policies::Uct::new(self.c) })
    }
}
