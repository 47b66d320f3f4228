use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::treeless::{self, Noise};

pub(super) const GOBBLE: AgentFacts = AgentFacts {
    name: "gobble",
    title: "Gobble",
    about: "A move has one value whenever it is played, the mean of all games that contain it; games follow the order of these \
            values, with noise that decreases.",
    advice: "For its place in history: the first Monte Carlo Go program, and the origin of AMAF.",
    source: "Brügmann 1993, Monte Carlo Go",
    searches: true,
    learns: false,
    params: Params {
        own: &[
            Param::real(
                "swap",
                0.0,
                1.0,
                "0.5",
                "initial probability that a move changes places with the next",
            ),
            Param::real("cool", 1.0, 1e12, "1000", "playouts after which that probability is halved"),
        ],
        shared: &[&[CODING], BUDGET],
    },
    read: |args| Ok(Gobble { noise: Noise { swap: args.real("swap"), cool: args.real("cool") } }.into()),
};

#[derive(Clone, Debug)]
pub(crate) struct Gobble {
    noise: Noise,
}

impl Algorithm for Gobble {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (coding, rng) = (setup.coding(), setup.rng());
        Ok(Built::of(treeless::Gobble::new(setup.game(), setup.root(), coding, self.noise, rng)))
    }
}
