//! The default agent.

use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, MEMORY, SOLVER, TREE};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::policies::{Mcps, Uct};

pub(super) const BEST: AgentFacts = AgentFacts {
    name: "best",
    title: "Best",
    about: "The agent that plays best over all games at equal time without tuning: MCPS with a solver, and UCT with a solver \
            in one-player games.",
    advice: "The default. [results/best.md](results/best.md) has the matches behind the choice.",
    source: "Cazenave 2025 for MCPS; Winands, Björnsson and Saito 2008 for the solver",
    searches: true,
    learns: false,
    params: Params { own: &[Param { default: "true", ..SOLVER }], shared: &[TREE, BUDGET, &[MEMORY]] },
    read: |_| Ok(Best.into()),
};

#[derive(Clone, Debug)]
pub(crate) struct Best;

impl Algorithm for Best {
    /// Both with default parameters. With one player the best result of a move counts more than the mean, which suits UCT.
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        if setup.game().players() == 1 { setup.tree(Uct::default()) } else { setup.tree(Mcps::default()) }
    }
}
