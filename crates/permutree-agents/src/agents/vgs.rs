use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING, PLAYOUT};
use crate::sessions::{Built, Setup};
use permutree_game::{Args, Game, Param};
use permutree_search::treeless::{self, Scope};

pub(super) const VGS: AgentFacts = AgentFacts {
    name: "vgs",
    title: "Virtual Global Search",
    about: "Keeps the w best moves of each player by AMAF. Every sequence of d of them is worth the mean of all random games that \
            contain it in any order, and a search over these values plays no moves.",
    advice: "To reproduce the slides, and to see permutation statistics in their plainest form. It looks d moves ahead and \
             no further: MCPS is much stronger.",
    source: "Cazenave, Monte Carlo Permutation Search (slides)",
    searches: true,
    learns: false,
    params: Params { own: &[WIDTH, PLIES, PRE], shared: &[PLAYOUT, &[CODING], BUDGET] },
    read: |args| {
        let scope = scope(args);
        if scope.fits() {
            return Ok(Vgs { scope }.into());
        }
        let most = Scope::MOST_SEQUENCES;
        Err(args.refuse(WIDTH.key, format!("w to the power of d must be at most {most}")))
    },
};

pub(super) const WIDTH: Param = Param::int("w", 1, 1000, "8", "moves of each player (the slides' 8)");
pub(super) const PLIES: Param =
    Param::int("d", 1, Scope::MOST_PLIES as i64, "3", "moves in a sequence (the slides' 3)");
pub(super) const PRE: Param = Param::int(
    "pre",
    1,
    1_000_000_000,
    "100",
    "the first playouts, which choose the moves (in the slides 100 and more)",
);

pub(super) fn scope(args: &Args) -> Scope {
    Scope { width: args.int("w"), depth: args.int("d"), pre: args.int("pre") as u64 }
}

#[derive(Clone, Debug)]
pub(crate) struct Vgs {
    scope: Scope,
}

impl Algorithm for Vgs {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (playouts, coding) = (setup.playouts()?, setup.coding());
        Ok(Built::of(treeless::Vgs::new(
            setup.game(),
            setup.root(),
            playouts,
            coding,
            self.scope,
            setup.rng(),
        )))
    }
}
