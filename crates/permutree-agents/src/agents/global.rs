use super::vgs::{PLIES, PRE, VGS, WIDTH, scope};
use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::treeless::{self, Scope};

pub(super) const GLOBAL: AgentFacts = AgentFacts {
    name: "global",
    title: "Standard global search",
    about: "The baseline of vgs: the same moves, played to depth d, with g random games from every leaf. It ends when all \
            leaves are done, even if budget is left.",
    advice: "As the baseline of vgs. Give it more playouts than it needs, about pre + 2 g w^(d/2).",
    params: Params {
        own: &[
            WIDTH,
            PLIES,
            Param::int("g", 1, 1_000_000, "100", "playouts from each leaf (the slides' 100)"),
            PRE,
        ],
        ..VGS.params
    },
    read: |args| Ok(Global { scope: scope(args), games: args.int("g") as u32 }.into()),
    ..VGS
};

#[derive(Clone, Debug)]
pub(crate) struct Global {
    scope: Scope,
    games: u32,
}

impl Algorithm for Global {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (playouts, coding) = (setup.playouts()?, setup.coding());
        let Self { scope, games } = *self;
        let search =
            treeless::Global::new(setup.game(), setup.root(), playouts, coding, scope, games, setup.rng());
        Ok(Built::of(search))
    }
}
