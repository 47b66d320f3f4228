//! The playout policies of agents: the parameter `policy` and the policies that it names.

use crate::Error;
use crate::erased::Shared;
use crate::params::{EPSILON, KEEP};
use crate::units::fraction;
use permutree_game::{Args, Game, Param, ParamError};
use permutree_search::Options;
use permutree_search::playouts::{Greedy, Heuristic, Mast, Merits, Nst, Pattern, PlayoutPolicy, Uniform};

/// The values of `policy`.
pub(crate) const NAMES: &[&str] = &["uniform", "mast", "nst", "heuristic", "pattern"];

/// The parameter.
pub(crate) const POLICY: Param = Param::choice(
    "policy",
    NAMES,
    "uniform",
    "how playouts choose moves: at random; by the means of moves, or of sequences of up to three; wins and blocks first; by \
     lines and neighbours",
)
.formerly("playout");

/// A playout policy and its parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Playouts {
    #[default]
    Uniform,
    Mast {
        epsilon: f64,
        keep: f64,
    },
    Nst {
        epsilon: f64,
        keep: f64,
    },
    Heuristic,
    Pattern {
        epsilon: f64,
    },
}

impl Playouts {
    /// The policy in these arguments. Parameters that it does not have are an error.
    pub(crate) fn of(args: &Args) -> Result<Self, ParamError> {
        let (name, keep, given) = (args.text(POLICY.key), args.real(KEEP.key), args.text(EPSILON.key));
        let unused = |key| Err(args.refuse(key, format!("{name} playouts have no {key}")));
        let learns = matches!(name, "mast" | "nst");
        if keep != 0.0 && !learns {
            return unused(KEEP.key);
        }
        if !given.is_empty() && !learns && name != "pattern" {
            return unused(EPSILON.key);
        }
        let epsilon = |default| fraction(args, EPSILON.key).map(|given| given.unwrap_or(default));
        Ok(match name {
            "mast" => Self::Mast { epsilon: epsilon(0.1)?, keep },
            "nst" => Self::Nst { epsilon: epsilon(0.1)?, keep },
            "heuristic" => Self::Heuristic,
            "pattern" => Self::Pattern { epsilon: epsilon(0.2)? },
            _ => Self::Uniform,
        })
    }

    /// Whether statistics are kept from move to move.
    pub(crate) fn keep(self) -> bool {
        matches!(self, Self::Mast { keep, .. } | Self::Nst { keep, .. } if keep > 0.0)
    }

    /// The policy for a game.
    pub(crate) fn policy<G: Game>(
        self,
        shared: &Shared<G>,
        options: &Options,
    ) -> Result<Box<dyn PlayoutPolicy<G>>, Error> {
        let codes = shared.game.codes(options.coding);
        let greedy = |merits: Box<dyn Merits>, epsilon| Box::new(Greedy::new(merits, epsilon));
        Ok(match self {
            Self::Uniform => Box::new(Uniform::default()),
            Self::Mast { epsilon, keep } => greedy(Box::new(Mast::new(codes, keep)), epsilon),
            // Most of the memory is for the tree.
            Self::Nst { epsilon, keep } => {
                greedy(Box::new(Nst::new(codes, keep, options.memory / 4)), epsilon)
            }
            Self::Heuristic => Box::new(Heuristic::default()),
            Self::Pattern { .. } if !has_patterns(&shared.game) => {
                return Err(Error::NoPatterns { game: shared.spec.clone() });
            }
            Self::Pattern { epsilon } => Box::new(Pattern::new(epsilon)),
        })
    }
}

/// Whether the game scores moves by patterns.
pub(crate) fn has_patterns<G: Game>(game: &G) -> bool {
    game.pattern_scores(&game.start(), &[], &mut Vec::new())
}
