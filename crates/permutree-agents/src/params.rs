//! The parameters that agents share, each declared once.

pub(crate) use crate::playouts::POLICY;
use permutree_game::{Param, Reach};

/// The coding of the game that statistics use.
pub(crate) const CODING: Param =
    Param::text("coding", "", "the coding that statistics use; by default the game's first");

/// Parameters of every tree search.
pub(crate) const TREE: &[Param] = &[CODING, TRANSPOSITIONS, FINAL, SOLVER, REUSE, THREADS, PARALLEL];
pub(crate) const TRANSPOSITIONS: Param =
    Param::flag("transpositions", "true", "positions reached in several ways share a node");
pub(crate) const FINAL: Param =
    Param::choice("final", &["visits", "mean"], "visits", "the move played: most visited or best mean");
pub(crate) const SOLVER: Param =
    Param::flag("solver", "false", "proven wins and losses are backed up (MCTS-Solver)");
pub(crate) const REUSE: Param =
    Param::flag("reuse", "false", "playouts through the moves played are kept for the next move")
        .reaching(Reach::Games);
pub(crate) const THREADS: Param = Param::int("threads", 1, 64, "1", "parallel searches, one per thread");
pub(crate) const PARALLEL: Param = Param::choice(
    "parallel",
    &["tree", "root"],
    "tree",
    "with threads: searches exchange statistics while they run, or only add up their results at the root",
);

/// Parameters of playout policies.
pub(crate) const PLAYOUT: &[Param] = &[POLICY, EPSILON, KEEP];
pub(crate) const EPSILON: Param = Param::text(
    "epsilon",
    "",
    "probability of a random move, 0..1; by default the papers' 0.1 for mast and nst and 0.2 for pattern",
);
pub(crate) const KEEP: Param = Param::real(
    "keep",
    0.0,
    1.0,
    "0",
    "fraction of the statistics of mast and nst that is kept for the next move (the paper's 0)",
)
.reaching(Reach::Games);

/// Parameters of every agent that searches.
pub(crate) const BUDGET: &[Param] = &[PLAYOUTS, TIME];
pub(crate) const PLAYOUTS: Param = Param::text("playouts", "", "playouts per move, instead of the command's");
pub(crate) const TIME: Param =
    Param::text("time", "", "time per move, such as 20ms, instead of the command's");

/// The memory limit of a search.
pub(crate) const MEMORY: Param = Param::text("memory", "1GB", "memory at which the tree stops growing");
