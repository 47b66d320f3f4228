//! Knightthrough: Breakthrough with knights, which leap forward only.

use crate::parts::racing::{self, Racing, Rules, Way};
use permutree_game::{Args, Configure, Facts, ParamError, Visitor};

/// The game on one board, such as `Knightthrough::<128, 16>::new(8, 8)`; boards of more than 8 rows or columns need
/// `Knightthrough::<256, 32>`.
pub type Knightthrough<const C: usize = 128, const P: usize = 16> = Racing<Knights, C, P>;

/// How knights move: the forward half of a chess knight's leaps.
#[derive(Clone, Copy, Debug)]
pub struct Knights;

impl Rules for Knights {
    const WAYS: &'static [Way] =
        &[Way::taking(-2, 1), Way::taking(-1, 2), Way::taking(1, 2), Way::taking(2, 1)];
}

impl Configure for Knightthrough {
    const FACTS: Facts = Facts {
        name: "knightthrough",
        title: "Knightthrough",
        rules: "Each side fills its first two rows. A piece leaps like a chess knight, forward only, to an empty cell \
                or an enemy, which it captures. Reaching the last row or capturing every enemy piece wins.",
        source: "Breakthrough (Dan Troyka, 2000) with knights, from general game playing contests",
        params: racing::PARAMS,
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        racing::configure::<Knights, V>(args, visitor)
    }
}
