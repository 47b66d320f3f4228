use super::grave::{AMAF, REFERENCE, amaf_moves};
use super::{AgentFacts, Algorithm, Params};
use crate::Error;
use crate::params::{BUDGET, MEMORY, PLAYOUT, TREE};
use crate::sessions::{Built, Setup};
use permutree_game::{Game, Param};
use permutree_search::policies::{self, Weights};
use permutree_search::statistics::AmafMoves;

pub(super) const MCPS: AgentFacts = AgentFacts {
    name: "mcps",
    title: "MCPS",
    about: "Monte Carlo Permutation Search: combines a move's own mean, its AMAF mean, and the mean of all playouts that \
            contain the moves of the path in any order.",
    advice: "Strongest per playout where the value of a move hardly depends on when it is played: Hex, Go-like games, Gomoku. \
             A playout costs 1.3 to 1.8 times one of GRAVE at 5,000 playouts, 1.7 to 3.2 times at 100,000.",
    source: "Cazenave 2025, Monte Carlo Permutation Search, algorithm 2",
    searches: true,
    learns: false,
    params: Params { own: &[REFERENCE, AMAF, WEIGHTS], shared: &[TREE, PLAYOUT, BUDGET, &[MEMORY]] },
    read: |args| {
        let weights = if args.text("weights") == "paper" { Weights::Paper } else { Weights::Optimal };
        Ok(Mcps { reference: args.int("ref") as u32, moves: amaf_moves(args), weights }.into())
    },
};

const WEIGHTS: Param =
    Param::choice("weights", &["paper", "optimal"], "paper", "section 3.2 of the paper, or 3.1 without c1");

#[derive(Clone, Debug)]
pub(crate) struct Mcps {
    reference: u32,
    moves: AmafMoves,
    weights: Weights,
}

impl Algorithm for Mcps {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        setup.tree(policies::Mcps::new(self.reference, self.weights).counting(self.moves))
    }
}
