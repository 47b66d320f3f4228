//! The parameters that say how an agent plays its games to the end.

use crate::units::fraction;
use permutree_game::{Args, Param, ParamError};

/// How playouts choose moves, with their numbers.
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

pub(crate) const PLAYOUT: Param = Param::choice(
    "playout",
    &["uniform", "mast", "nst", "heuristic", "pattern"],
    "uniform",
    "how playouts choose moves: at random; by the means of moves, or of sequences of up to three; wins and blocks first; by lines",
);
pub(crate) const EPSILON: Param = Param::text(
    "epsilon",
    "",
    "probability of a random move, 0..1; if not given the papers' 0.1 for mast and nst, 0.2 for pattern",
);
pub(crate) const KEEP: Param = Param::real(
    "keep",
    0.0,
    1.0,
    "0",
    "part of what mast and nst learned that is kept for the next move (the paper's 0)",
);

impl Playouts {
    /// As the parameters say. What these playouts have no use for is refused.
    pub(crate) fn of(args: &Args) -> Result<Self, ParamError> {
        let (name, keep, given) = (args.text(PLAYOUT.key), args.real(KEEP.key), args.text(EPSILON.key));
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

    /// Whether something is kept from one move of a game to the next.
    pub(crate) fn keep(self) -> bool {
        matches!(self, Self::Mast { keep, .. } | Self::Nst { keep, .. } if keep > 0.0)
    }
}
