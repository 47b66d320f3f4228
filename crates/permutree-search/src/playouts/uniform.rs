use crate::playouts::PlayoutPolicy;
use crate::tree::Record;
use permutree_game::{Game, Ignore, Rng};

/// Random play as the game defines it ([`Game::playout`]).
#[derive(Debug)]
pub struct Uniform<M> {
    scratch: Vec<M>,
}

impl<M> Default for Uniform<M> {
    fn default() -> Self {
        Self { scratch: Vec::new() }
    }
}

impl<G: Game> PlayoutPolicy<G> for Uniform<G::Move> {
    // Never inlined: a game's playout is the largest part of a search, and all searches share it.
    #[inline(never)]
    fn playout(
        &mut self,
        game: &G,
        position: &mut G::Position,
        coding: usize,
        rng: &mut Rng,
        record: Option<&mut Record>,
    ) {
        match record {
            Some(record) => game.playout(position, coding, rng, &mut self.scratch, record),
            None => game.playout(position, coding, rng, &mut self.scratch, &mut Ignore),
        }
    }
}
