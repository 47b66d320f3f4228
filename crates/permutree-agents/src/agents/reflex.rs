//! Agents that play as playout policies do, without a search.

use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::EPSILON;
use crate::playouts::Playouts;
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::treeless;

pub(super) const HEURISTIC: AgentFacts = AgentFacts {
    name: "heuristic",
    title: "Heuristic",
    about: "Takes a win, blocks a loss, otherwise plays at random, as heuristic playouts do. It needs no budget.",
    advice: "An instant opponent for line games that sees one move ahead.",
    source: "Aalabou and Delar 2025, Monte Carlo Search algorithms for Order & Chaos",
    searches: false,
    learns: false,
    params: Params { own: &[], shared: &[] },
    read: |_| Ok(Reflex { playouts: Playouts::Heuristic }.into()),
};

pub(super) const PATTERN: AgentFacts = AgentFacts {
    name: "pattern",
    title: "Pattern",
    about: "Plays the move with the best lines and neighbours, as pattern playouts do. It needs no budget.",
    advice: "An instant opponent for line games that builds lines.",
    params: Params {
        own: &[Param::real(EPSILON.key, 0.0, 1.0, "0.2", "probability of a random move (the report's 0.2)")],
        ..HEURISTIC.params
    },
    read: |args| Ok(Reflex { playouts: Playouts::Pattern { epsilon: args.real(EPSILON.key) } }.into()),
    ..HEURISTIC
};

pub(super) const RANDOM: AgentFacts = AgentFacts {
    name: "random",
    title: "Random",
    about: "Plays as random playouts do. It needs no budget.",
    advice: "The weakest opponent, and the first one to beat.",
    source: "",
    read: |_| Ok(Reflex { playouts: Playouts::Uniform }.into()),
    ..HEURISTIC
};

#[derive(Clone, Debug)]
pub(crate) struct Reflex {
    playouts: Playouts,
}

impl Algorithm for Reflex {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let playouts = setup.playouts_of(self.playouts)?;
        Ok(Built::of(treeless::Reflex::new(setup.game(), setup.root(), playouts, setup.rng())))
    }
}
