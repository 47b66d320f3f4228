//! Nested Monte Carlo search, plain and lazy.

use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING, PLAYOUT};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::treeless::{self, Lazy};

pub(super) const NMCS: AgentFacts = AgentFacts {
    name: "nmcs",
    title: "NMCS",
    about: "Nested Monte Carlo search: plays a game in which every move is chosen by searches of the level below, where level \
            0 is a playout, and remembers the best sequence. Made for one-player games.",
    advice: "One-player games and small budgets.",
    source: "Cazenave 2009, Nested Monte-Carlo search",
    searches: true,
    learns: false,
    params: Params {
        own: &[Param::int("level", 1, 8, "1", "nesting depth (the Order & Chaos report's 1)")],
        shared: &[PLAYOUT, &[CODING], BUDGET],
    },
    read: |args| Ok(Nmcs { level: args.int("level"), lazy: None }.into()),
};

pub(super) const LNMCS: AgentFacts = AgentFacts {
    name: "lnmcs",
    title: "LNMCS",
    about: "Lazy NMCS: from level 2 on, a few playouts from each move decide which moves are searched.",
    advice: "NMCS of level 2 and above where many moves look bad at once.",
    source: "Roucairol 2024, Monte-Carlo tree search applied to structure generation; figure 1 of the Order & Chaos report",
    params: Params {
        own: &[
            Param::int("level", 1, 8, "2", "nesting depth; the lowest that prunes is 2"),
            Param::int("tries", 1, 1000, "3", "playouts from each move before it is searched"),
            Param::real(
                "ratio",
                -1000.0,
                1.0,
                "0",
                "moves below average + ratio (best - average) are pruned",
            ),
        ],
        ..NMCS.params
    },
    read: |args| {
        let lazy = Lazy { tries: args.int("tries") as u32, ratio: args.real("ratio") };
        Ok(Nmcs { level: args.int("level"), lazy: Some(lazy) }.into())
    },
    ..NMCS
};

#[derive(Clone, Debug)]
pub(crate) struct Nmcs {
    level: usize,
    lazy: Option<Lazy>,
}

impl Algorithm for Nmcs {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let (playouts, coding) = (setup.playouts()?, setup.coding());
        let Self { level, lazy } = *self;
        let search =
            treeless::Nmcs::new(setup.game(), setup.root(), playouts, coding, level, lazy, setup.rng());
        Ok(Built::of(search))
    }
}
