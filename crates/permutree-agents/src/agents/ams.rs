//! Adaptive multi-stage sampling and its variants, which differ in the value of leaves and in the allocation of samples.

use super::{AgentFacts, Algorithm, AnyAlgorithm, Params};
use crate::Error;
use crate::params::{BUDGET, CODING, MEMORY, PLAYOUT, POLICY};
use crate::sessions::{Built, Setup};
use permutree_game::{Args, Game, Param, ParamError};
use permutree_search::treeless::{self, Plan, Samples};

pub(super) const AMS: AgentFacts = AgentFacts {
    name: "ams",
    title: "AMS",
    about: "Adaptive multi-stage sampling: a recursion to a fixed depth that samples moves by UCB1 and returns the mean. \
            Leaves are valued by the game's evaluation, so it plays only games that have one.",
    advice: "To reproduce its paper; strong in games with a good evaluation, such as Breakthrough.",
    source: "Chang, Fu, Hu and Marcus 2005, An adaptive sampling algorithm for solving Markov decision processes; Debets, \
             Gade, Negura and Tello, Who Invented MCTS?",
    searches: true,
    learns: false,
    params: Params {
        own: &[DEPTH, SHARE],
        shared: &[BUDGET, &[Param { help: "memory limit for cached values", ..MEMORY }]],
    },
    read: |args| Ok(Ams { plan: shared_plan(args), evaluates: true }.into()),
};

pub(super) const AMS_PLAYOUTS: AgentFacts = AgentFacts {
    name: "ams-playouts",
    title: "AMS-Play-outs",
    about: "AMS with a playout from each leaf.",
    advice: "To reproduce its paper.",
    params: Params { own: &[DEPTH, SHARE], shared: &[PLAYOUT, &[CODING], BUDGET] },
    read: |args| Ok(Ams { plan: shared_plan(args), evaluates: false }.into()),
    ..AMS
};

pub(super) const AMS_PRIORITY: AgentFacts = AgentFacts {
    name: "ams-priority",
    title: "AMS-Priority",
    about: "AMS with playouts and a fixed number of samples for each position below the root.",
    params: Params { own: &[DEPTH, SAMPLES], ..AMS_PLAYOUTS.params },
    read: priority,
    ..AMS_PLAYOUTS
};

pub(super) const AMS_MAST: AgentFacts = AgentFacts {
    name: "ams-mast",
    title: "AMS-MAST",
    about: "AMS-Priority with MAST playouts.",
    params: Params { own: &[DEPTH, SAMPLES, Param { default: "mast", ..POLICY }], ..AMS_PRIORITY.params },
    ..AMS_PRIORITY
};

pub(super) const AMS_NST: AgentFacts = AgentFacts {
    name: "ams-nst",
    title: "AMS-NST",
    about: "AMS-Priority with NST playouts.",
    advice: "To reproduce its paper; the best of the AMS family without an evaluation.",
    params: Params { own: &[DEPTH, SAMPLES, Param { default: "nst", ..POLICY }], ..AMS_PRIORITY.params },
    ..AMS_PRIORITY
};

const DEPTH: Param = Param::int("depth", 1, 8, "2", "moves from the root to a leaf (the paper's 2)");
const SHARE: Param = Param::choice(
    "budget",
    &["shared", "published"],
    "shared",
    "two samples for each move below the root, or as in the paper's program, where the first move gets the whole budget",
);
const SAMPLES: Param =
    Param::int("samples", 0, 1_000_000, "50", "samples beyond one for each move (the paper's 50)");

fn shared_plan(args: &Args) -> Plan {
    let samples = if args.text("budget") == "shared" { Samples::Moves } else { Samples::All };
    Plan { depth: args.int("depth"), samples }
}

fn priority(args: &Args) -> Result<AnyAlgorithm, ParamError> {
    let samples = Samples::Fixed(args.int("samples") as u32);
    Ok(Ams { plan: Plan { depth: args.int("depth"), samples }, evaluates: false }.into())
}

#[derive(Clone, Debug)]
pub(crate) struct Ams {
    plan: Plan,
    /// Whether leaves are evaluated instead of played out.
    evaluates: bool,
}

impl Algorithm for Ams {
    fn search<G: Game>(&self, setup: Setup<'_, G>) -> Result<Built<G>, Error> {
        let game = setup.game();
        if !self.evaluates {
            let (playouts, coding) = (setup.playouts()?, setup.coding());
            let search = treeless::Ams::playing(game, setup.root(), playouts, coding, self.plan, setup.rng());
            return Ok(Built::of(search));
        }
        if game.evaluate(&game.start()).is_none() {
            return Err(Error::NoEvaluation { game: setup.spec().to_string() });
        }
        Ok(Built::of(treeless::Ams::evaluating(game, setup.root(), setup.memory(), self.plan, setup.rng())))
    }
}
