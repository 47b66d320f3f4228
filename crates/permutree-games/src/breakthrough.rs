//! Breakthrough: pawns race to the far side.

use crate::parts::racing::{self, Rules, Way};
use permutree_game::{Args, Configure, Facts, ParamError, Visitor};

/// The family of Breakthrough boards.
#[derive(Clone, Copy, Debug)]
pub struct Breakthrough;

impl Rules for Breakthrough {
    const WAYS: &'static [Way] = &[Way::quiet(0, 1), Way::taking(-1, 1), Way::taking(1, 1)];
}

impl Configure for Breakthrough {
    const FACTS: Facts = Facts {
        name: "breakthrough",
        title: "Breakthrough",
        rules: "Each side fills its first two rows. A piece steps one cell forward: straight to an empty cell, or \
                diagonally to a cell that is empty or holds an enemy, which is taken. Reaching the last row or taking \
                every enemy piece wins.",
        source: "Dan Troyka, 2000",
        params: racing::PARAMS,
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        racing::configure::<Self, V>(args, visitor)
    }
}
