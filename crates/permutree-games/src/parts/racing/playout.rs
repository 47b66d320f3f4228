//! Random games, fast.

use super::{Drawn, MAX_WAYS, Move, Position, Racing, Rules};
use crate::parts::bits::Bits;
use permutree_game::{Code, Player, Recorder, Rng};
use std::hint::select_unpredictable;

impl<L: Rules, const C: usize, const P: usize> Racing<L, C, P> {
    /// Draws a piece and a way until they are a legal move: uniform over the legal moves without listing them.
    ///
    /// The loop ends, since there is a legal move: no own piece is ahead of the most advanced one, and one of its capturing
    /// ways by one row stays on the board, to an empty cell or an enemy.
    ///
    /// Two draws are tested together, because computing both costs less than a mispredicted branch. Each has 32 random bits:
    /// the bias is below 128 / 2^32.
    #[inline(always)]
    pub(super) fn draw<const OWN: usize>(
        &self,
        position: &Position<C, P>,
        count: u64,
        rng: &mut Rng,
    ) -> Drawn {
        let look = |bits: u64| {
            let product = bits * count;
            let place = (product >> 32) as usize % P;
            let way = (((product & 0xFFFF_FFFF) * L::WAYS.len() as u64) >> 32) as usize % MAX_WAYS;
            let step = self.steps[OWN][way];
            let target = usize::from(position.pieces[OWN][place].wrapping_add(step.by)) % C;
            let held = position.cells[target];
            (held & step.onto != 0, Drawn { way, place, target, held })
        };
        loop {
            let bits = rng.bits();
            let (first_fits, first) = look(bits >> 32);
            let (second_fits, second) = look(bits & 0xFFFF_FFFF);
            if first_fits | second_fits {
                return Drawn {
                    way: select_unpredictable(first_fits, first.way, second.way),
                    place: select_unpredictable(first_fits, first.place, second.place),
                    target: select_unpredictable(first_fits, first.target, second.target),
                    held: select_unpredictable(first_fits, first.held, second.held),
                };
            }
        }
    }

    /// A move of `OWN` with the greatest merit, without branches on what is legal or greater, which would be unpredictable.
    #[inline(always)]
    pub(super) fn greatest<const OWN: usize>(
        &self,
        position: &Position<C, P>,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<Move> {
        let pieces = &position.pieces[OWN][..usize::from(position.counts[OWN]).min(P)];
        // The bits of non-negative floats sort like the floats; -1, for illegal moves, is below all of them.
        let mut keys = [[-1; MAX_WAYS]; P];
        let mut most = [-1; MAX_WAYS];
        for (&from, keys) in pieces.iter().zip(&mut keys) {
            for way in 0..L::WAYS.len() {
                let step = self.steps[OWN][way];
                let held = position.cells[usize::from(from.wrapping_add(step.by)) % C];
                let merit = merit(self.code_of(OWN, from, way, held)).to_bits() as i64;
                let key = select_unpredictable(held & step.onto != 0, merit, -1);
                keys[way] = key;
                most[way] = select_unpredictable(key > most[way], key, most[way]);
            }
        }
        let most = most.into_iter().fold(-1, i64::max);
        let keys = &keys.as_flattened()[..pieces.len() * MAX_WAYS];
        let count = keys.iter().filter(|&&key| key == most).count();
        // Ties are in the order of the list of moves.
        let place = |at: usize| usize::from(pieces[at / MAX_WAYS]) * MAX_WAYS + at % MAX_WAYS;
        let mut found = keys.iter().enumerate().filter(|&(_, &key)| key == most).map(|(at, _)| place(at));
        let at = if count == 1 { found.next() } else { found.collect::<Bits<16>>().draw(rng) }?;
        Some(Move { from: (at / MAX_WAYS) as u8, way: (at % MAX_WAYS) as u8 })
    }

    /// One ply of a playout; returns whether the game is over.
    #[inline(always)]
    fn ply<const OWN: usize, R: Recorder>(
        &self,
        position: &mut Position<C, P>,
        counts: &mut [u64; 2],
        rng: &mut Rng,
        recorder: &mut R,
    ) -> bool {
        let drawn = self.draw::<OWN>(position, counts[OWN], rng);
        if R::RECORDS {
            let from = position.pieces[OWN][drawn.place];
            recorder.record(Player(OWN as u8), self.code_of(OWN, from, drawn.way, drawn.held));
        }
        self.make(position, OWN, &mut counts[OWN ^ 1], &drawn)
    }

    /// Plays to the end. The plies of the two players alternate in the code, so that the player is a constant in each.
    #[inline]
    pub(super) fn run<R: Recorder>(&self, position: &mut Position<C, P>, rng: &mut Rng, recorder: &mut R) {
        if position.over {
            return;
        }
        let mut counts = position.counts.map(u64::from);
        let mut second = position.player == Player(1);
        let winner = loop {
            if !second && self.ply::<0, R>(position, &mut counts, rng, recorder) {
                break Player(0);
            }
            second = false;
            if self.ply::<1, R>(position, &mut counts, rng, recorder) {
                break Player(1);
            }
        };
        position.counts = counts.map(|count| count as u8);
        position.player = winner.other();
        position.over = true;
    }
}
