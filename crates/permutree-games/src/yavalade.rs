//! Yavalade: three players, each of whom owns two of the three colours of stones.

use crate::parts::bits::Bits;
use crate::parts::hexagon::{Hexagon, Picture, RADIUS};
use crate::parts::lines::longest_open;
use crate::parts::placing::Placed;
use permutree_game::draw::COLOURS;
use permutree_game::{
    Args, Code, Configure, Facts, Game, Param, ParamError, Player, Recorder, Rewards, Rng, Turn, Visitor,
};

/// The rules on a board that fits in `W` words: 1 up to side 4, 2 up to 6, 4 up to 8.
///
/// Every player places stones of one colour and owns the pair of that colour and the one before it: player 1 has colours 1
/// and 3, player 2 has 2 and 1, player 3 has 3 and 2. Five or more stones in a row of only one pair win for its owner, no
/// matter who completes them. If one stone completes rows of two pairs, or five of a single colour, which belongs to two
/// pairs, the first of the owners in the order 1, 2, 3 wins. With `strict`, a row counts only if it has both colours of the
/// pair.
#[derive(Clone, Debug)]
pub struct Yavalade<const W: usize = 2> {
    hexagon: Hexagon<W>,
    strict: bool,
    /// The lines of five.
    fives: Vec<Bits<W>>,
}

/// The players.
const PLAYERS: usize = 3;

/// Stones by colour, as bits of the [`Hexagon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<const W: usize> {
    placed: Placed<W, PLAYERS>,
    winner: Option<Player>,
}

impl Configure for Yavalade {
    const FACTS: Facts = Facts {
        name: "yavalade",
        title: "Yavalade",
        rules: "Three players take turns placing a stone of their colour on an empty cell of a hexagon. Five or more in a \
                row of at most two colours win: colours 1 and 3 for player 1, 2 and 1 for player 2, 3 and 2 for player \
                3, no matter who completes them. A full board is a draw.",
        source: "Néstor Romeral Andrés 2012, after Yavalath; as in the paper Who Invented MCTS?",
        params: &[
            Param::int("side", 3, 8, "5", "cells per side; 5 makes 61 cells, as in the paper"),
            Param::flag("strict", "false", "a row must have both colours to win"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let (side, strict) = (args.int("side"), args.flag("strict"));
        Ok(match side {
            ..=4 => visitor.visit(Yavalade::<1>::new(side, strict)),
            5..=6 => visitor.visit(Yavalade::<2>::new(side, strict)),
            _ => visitor.visit(Yavalade::<4>::new(side, strict)),
        })
    }
}

/// The two colours of a player: the player's own and that of the player before.
fn colours(player: usize) -> [usize; 2] {
    [player, (player + 2) % PLAYERS]
}

impl<const W: usize> Yavalade<W> {
    /// The game on a hexagon of this side; with `strict`, a row wins only if it has both colours of its pair.
    ///
    /// # Panics
    /// If the side is not in 3..=8, or the board's bits do not fit in `W` words.
    #[must_use]
    pub fn new(side: usize, strict: bool) -> Self {
        assert!((3..=8).contains(&side), "side {side}");
        let hexagon = Hexagon::new(side);
        let fives = hexagon.windows(5);
        Self { hexagon, strict, fives }
    }

    /// Whether some pair has a row. Stones never leave, so a row stays.
    #[inline(always)]
    fn has_row(&self, stones: &[Bits<W>; PLAYERS]) -> bool {
        let [a, b, c] = *stones;
        self.hexagon.has_row(&[a | c, b | a, c | b], 5)
            && (!self.strict || (0..PLAYERS).any(|player| self.wins(stones, player)))
    }

    /// Whether the pair of `player` has a row.
    fn wins(&self, stones: &[Bits<W>; PLAYERS], player: usize) -> bool {
        let [own, other] = colours(player).map(|colour| stones[colour]);
        // A longer row of both colours contains five cells with both, so lines of five suffice.
        let mixed = |five: &Bits<W>| {
            let within = |stones: Bits<W>| (*five & !stones).is_empty();
            within(own | other) && !within(own) && !within(other)
        };
        self.hexagon.has_row(&[own | other], 5) && (!self.strict || self.fives.iter().any(mixed))
    }

    /// The first player whose pair has a row.
    #[inline]
    fn winner(&self, stones: &[Bits<W>; PLAYERS]) -> Option<Player> {
        if !self.has_row(stones) {
            return None;
        }
        (0..PLAYERS).find(|&player| self.wins(stones, player)).map(|player| Player(player as u8))
    }
}

impl<const W: usize> Game for Yavalade<W> {
    type Position = Position<W>;
    /// The bit of a cell.
    type Move = u16;

    fn players(&self) -> usize {
        PLAYERS
    }

    fn start(&self) -> Position<W> {
        Position { placed: Placed::none(self.hexagon.cells()), winner: None }
    }

    #[inline]
    fn turn(&self, position: &Position<W>) -> Turn {
        position.placed.turn(position.winner.is_some())
    }

    fn moves(&self, position: &Position<W>, out: &mut Vec<u16>) {
        if position.winner.is_none() {
            out.extend(position.placed.open(self.hexagon.cells()));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position<W>, bit: u16) {
        position.placed.place(bit);
        position.winner = self.winner(&position.placed.stones);
    }

    #[inline]
    fn rewards(&self, position: &Position<W>) -> Rewards {
        Rewards::win_or_draw(PLAYERS, position.winner)
    }

    #[inline]
    fn hash(&self, position: &Position<W>) -> u64 {
        position.placed.hash()
    }

    fn codes(&self, _coding: usize) -> usize {
        PLAYERS * self.hexagon.cells().count()
    }

    #[inline]
    fn code(&self, position: &Position<W>, bit: u16, _coding: usize) -> Code {
        self.hexagon.cells().code(position.placed.player, bit)
    }

    fn move_text(&self, _position: &Position<W>, bit: u16) -> String {
        self.hexagon.name(usize::from(bit))
    }

    fn board(&self, position: &Position<W>, last: Option<u16>) -> String {
        self.hexagon.text(&position.placed.stones, last.map(usize::from), |_| '.')
    }

    /// The board, with the pair of each player below it.
    fn picture(&self, position: &Position<W>, last: Option<u16>) -> String {
        let stones = &position.placed.stones;
        let mut picture =
            Picture::new(&self.hexagon, stones, last.map(usize::from), 1.4 * RADIUS, |_| "#efe3cf");
        let (width, y) = picture.strip();
        for player in 0..PLAYERS {
            let x = width * (player as f64 + 0.5) / PLAYERS as f64;
            picture.svg.text(x - RADIUS, y, 14.0, "#555", format!("P{}", player + 1));
            for (colour, dx) in colours(player).into_iter().zip([0.0, 0.8]) {
                picture.svg.disc(x + dx * RADIUS, y, 0.36 * RADIUS, COLOURS[colour]);
            }
        }
        picture.svg.finish()
    }

    /// The most stones that each player's pair has in a line of five without a stone of the third colour.
    fn evaluate(&self, position: &Position<W>) -> Option<Rewards> {
        let stones = &position.placed.stones;
        let score = |player: usize| {
            let [own, other] = colours(player).map(|colour| stones[colour]);
            longest_open(&self.fives, own | other, stones[(player + 1) % PLAYERS]) as f64
        };
        Some(Rewards::leaning(&[0, 1, 2].map(score)))
    }

    #[inline]
    fn random_move(&self, position: &Position<W>, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Option<u16> {
        if position.winner.is_some() { None } else { position.placed.draw(self.hexagon.cells(), rng) }
    }

    fn move_of_merit(
        &self,
        position: &Position<W>,
        _coding: usize,
        merit: impl Fn(Code) -> f64,
        rng: &mut Rng,
    ) -> Option<u16> {
        if position.winner.is_some() {
            return None;
        }
        position.placed.draw_greatest(self.hexagon.cells(), merit, rng)
    }

    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position<W>,
        _coding: usize,
        rng: &mut Rng,
        _scratch: &mut Vec<u16>,
        recorder: &mut R,
    ) {
        if position.winner.is_none() {
            let cells = self.hexagon.cells();
            cells
                .playout(&mut position.placed, cells.count() / 4, rng, recorder, |sides| self.has_row(sides));
            position.winner = self.winner(&position.placed.stones);
        }
    }
}
