//! Breakthrough: pawns race to the opposite side.

use crate::parts::racing::{self, Racing, Rules, Way};
use permutree_game::{Args, Configure, Facts, ParamError, Visitor};

/// The game on one board, such as `Breakthrough::<128, 16>::new(8, 8)`; boards of more than 8 rows or columns need
/// `Breakthrough::<256, 32>`.
pub type Breakthrough<const C: usize = 128, const P: usize = 16> = Racing<Pawns, C, P>;

/// How pawns move: a step forward, straight or diagonally, and capture diagonally.
#[derive(Clone, Copy, Debug)]
pub struct Pawns;

impl Rules for Pawns {
    const WAYS: &'static [Way] = &[Way::quiet(0, 1), Way::taking(-1, 1), Way::taking(1, 1)];
}

impl Configure for Breakthrough {
    const FACTS: Facts = Facts {
        name: "breakthrough",
        title: "Breakthrough",
        rules: "Each side fills its first two rows. A piece steps one cell forward: straight to an empty cell, or \
                diagonally to an empty cell or an enemy, which it captures. Reaching the last row or capturing every \
                enemy piece wins.",
        source: "Dan Troyka, 2000",
        params: racing::PARAMS,
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        racing::configure::<Pawns, V>(args, visitor)
    }
}
