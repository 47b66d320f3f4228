use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING, PLAYOUT};
use crate::sessions::{Built, Setup};
use permutree_game::Game;
use permutree_search::treeless;

pub(super) const FLAT: AgentFacts = AgentFacts {
    name: "flat",
    title: "Flat Monte Carlo",
    about: "The same number of playouts for every move; the move with the best mean is played.",
    advice: "The simplest baseline: what playouts alone are worth, without a tree.",
    source: "Abramson 1990, Expected-outcome: a general model of static evaluation",
    searches: true,
    learns: false,
    params: Params { own: &[], shared: &[BUDGET, PLAYOUT, &[CODING]] },
    read: |_| Ok(Flat.into()),
};

#[derive(Clone, Debug)]
pub(crate) struct Flat;

impl Algorithm for Flat {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (playouts, coding) = (setup.playouts()?, setup.coding());
        Ok(Built::of(treeless::Flat::new(setup.game(), setup.root(), playouts, coding, setup.rng())))
    }
}
