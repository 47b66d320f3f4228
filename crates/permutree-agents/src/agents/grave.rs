//! GRAVE, and RAVE, which is GRAVE with every node as its own reference.

use super::{AgentFacts, Algorithm, AnyAlgorithm, Params};
use crate::Error;
use crate::params::{BUDGET, MEMORY, PLAYOUT, TREE};
use crate::sessions::{Built, Setup};
use permutree_game::{Args, Game, Param, ParamError};
use permutree_search::policies;
use permutree_search::statistics::AmafMoves;

pub(super) const GRAVE: AgentFacts = AgentFacts {
    name: "grave",
    title: "GRAVE",
    about: "Combines a move's own mean with the AMAF mean of its code at the nearest ancestor with more than ref visits.",
    advice: "Short time limits, and games where a move's value depends on when it is played, such as Breakthrough; the \
             standard of general game playing.",
    source: "Cazenave 2015, Generalized Rapid Action Value Estimation; algorithm 1 of the MCPS paper",
    searches: true,
    learns: false,
    params: Params { own: &[REFERENCE, AMAF, BIAS, FORM, B, C], shared: &[TREE, PLAYOUT, BUDGET, &[MEMORY]] },
    read: |args| grave(args.int("ref") as u32, args),
};

pub(super) const RAVE: AgentFacts = AgentFacts {
    name: "rave",
    title: "RAVE",
    about: "Combines a move's own mean with the AMAF mean of its code at the same node: GRAVE with ref 0.",
    advice: "As a baseline for GRAVE: the same with the node's own AMAF statistics.",
    source: "Gelly and Silver 2011, Monte-Carlo tree search and rapid action value estimation in computer Go",
    params: Params { own: &[AMAF, BIAS, FORM, B, C], ..GRAVE.params },
    read: |args| grave(0, args),
    ..GRAVE
};

pub(super) const REFERENCE: Param = Param::int(
    "ref",
    0,
    1_000_000_000,
    "50",
    "visits above which a node's AMAF statistics are used (the papers' 50)",
);
pub(super) const AMAF: Param = Param::choice(
    "amaf",
    &["node", "playout"],
    "node",
    "the moves that AMAF counts at a node: those of the playout from the node on, or those before it too",
);
const BIAS: Param =
    Param::real("bias", 0.0, 1e9, "1e-5", "how soon a move's own mean takes over (the papers' 1e-5)");
const FORM: Param = Param::choice(
    "form",
    &["paper", "report"],
    "paper",
    "the formula: the GRAVE paper's, or the Order & Chaos report's with b and c in place of bias",
);
const B: Param = Param::real("b", 0.0, 1e4, "0.5", "form=report: bias is 4 b² (the report's 0.5)");
const C: Param = Param::real(
    "c",
    0.0,
    1e9,
    "0.4",
    "form=report: exploration constant (the report gives none; uct's default)",
);

/// The value of [`AMAF`].
pub(super) fn amaf_moves(args: &Args) -> AmafMoves {
    if args.text("amaf") == "node" { AmafMoves::FromNode } else { AmafMoves::WholePlayout }
}

fn grave(reference: u32, args: &Args) -> Result<AnyAlgorithm, ParamError> {
    let moves = amaf_moves(args);
    let grave = if args.text("form") == "report" {
        let b = args.real("b");
        Grave { reference, moves, bias: 4.0 * b * b, c: Some(args.real("c")) }
    } else {
        Grave { reference, moves, bias: args.real("bias"), c: None }
    };
    Ok(grave.into())
}

#[derive(Clone, Debug)]
pub(crate) struct Grave {
    reference: u32,
    moves: AmafMoves,
    bias: f64,
    c: Option<f64>,
}

impl Algorithm for Grave {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let grave = policies::Grave::new(self.reference, self.bias).counting(self.moves);
        setup.tree(if let Some(c) = self.c { grave.exploring(c) } else { grave })
    }
}
