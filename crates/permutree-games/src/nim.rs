//! Nim: players take from one heap at a time, and the last to take wins.

use permutree_game::draw::{Svg, column_letter};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

/// The rules and the heaps at the start.
#[derive(Clone, Copy, Debug)]
pub struct Nim {
    start: [u8; MOST],
    heaps: usize,
    misere: bool,
    /// The code of taking one from each heap, for player 1.
    codes: [u16; MOST],
}

/// What is left of each heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    heaps: [u8; MOST],
    player: Player,
}

/// Take this many from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    heap: u8,
    take: u8,
}

/// The largest number of heaps, and of matches in a heap.
const MOST: usize = 8;
const LARGEST: u8 = 99;

impl Configure for Nim {
    const FACTS: Facts = Facts {
        name: "nim",
        title: "Nim",
        rules: "Players take turns taking one or more from one heap. Taking the last one wins, or loses with misere=true.",
        source: "traditional; solved by Charles Bouton 1901",
        params: &[
            Param::text("heaps", "3-4-5", "the heaps at the start: 1 to 8 numbers 1..99"),
            Param::flag("misere", "false", "taking the last one loses"),
        ],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        let heap = |text: &str| text.parse().ok().filter(|heap| (1..=LARGEST).contains(heap));
        let heaps: Option<Vec<u8>> = args.text("heaps").split('-').map(heap).collect();
        match heaps {
            Some(heaps) if heaps.len() <= MOST => Ok(visitor.visit(Self::new(&heaps, args.flag("misere")))),
            _ => {
                Err(args.refuse("heaps", format!("must be 1 to {MOST} numbers 1..{LARGEST}, such as 3-4-5")))
            }
        }
    }
}

impl Nim {
    /// The game with these heaps; with `misere`, taking the last one loses.
    ///
    /// # Panics
    /// If there are not 1 to 8 heaps, or one is not in 1..=99.
    #[must_use]
    pub fn new(heaps: &[u8], misere: bool) -> Self {
        let fits = (1..=MOST).contains(&heaps.len()) && heaps.iter().all(|heap| (1..=LARGEST).contains(heap));
        assert!(fits, "heaps {heaps:?}");
        let (mut start, mut codes, mut before) = ([0; MOST], [0; MOST], 0);
        for (i, &heap) in heaps.iter().enumerate() {
            (start[i], codes[i]) = (heap, before);
            before += u16::from(heap);
        }
        Self { start, heaps: heaps.len(), misere, codes }
    }
}

/// The sum of the heaps.
fn total(heaps: &[u8; MOST]) -> usize {
    heaps.iter().map(|&heap| usize::from(heap)).sum()
}

impl Game for Nim {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { heaps: self.start, player: Player(0) }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.heaps == [0; MOST] { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        for (heap, &left) in position.heaps.iter().enumerate() {
            out.extend((1..=left).map(|take| Move { heap: heap as u8, take }));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, Move { heap, take }: Move) {
        position.heaps[usize::from(heap)] -= take;
        position.player = position.player.other();
    }

    fn rewards(&self, position: &Position) -> Rewards {
        let last = position.player.other();
        Rewards::win(2, if self.misere { last.other() } else { last })
    }

    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        Hasher::new().bytes(&position.heaps).word(u64::from(position.player.0)).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * total(&self.start)
    }

    #[inline]
    fn code(&self, position: &Position, Move { heap, take }: Move, _coding: usize) -> Code {
        let player = position.player.index() * total(&self.start);
        (player + usize::from(self.codes[usize::from(heap)]) + usize::from(take) - 1) as Code
    }

    /// The letter of the heap and how many are taken, such as `b2`.
    fn move_text(&self, _position: &Position, Move { heap, take }: Move) -> String {
        format!("{}{take}", column_letter(heap.into()))
    }

    /// A row for each heap; dots mark what the last move took.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let mut out = String::new();
        for (heap, &left) in position.heaps[..self.heaps].iter().enumerate() {
            let taken = last.filter(|mv| usize::from(mv.heap) == heap).map_or(0, |mv| mv.take);
            let (matches, dots) = ("|".repeat(left.into()), ".".repeat(taken.into()));
            let row = format!("{} {left:>2} {matches}{dots}", column_letter(heap));
            out.extend([row.trim_end(), "\n"]);
        }
        out
    }

    /// Rows of matches. Those taken are shadows, darker for the last move.
    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        let (step, row) = (16.0, 76.0);
        let most = self.start.iter().max().map_or(0.0, |&heap| f64::from(heap));
        let mut svg = Svg::new((most + 1.0) * step + 80.0, self.heaps as f64 * row + 16.0);
        for (heap, &left) in position.heaps[..self.heaps].iter().enumerate() {
            let y = heap as f64 * row + 16.0;
            svg.text(20.0, y + 30.0, 18.0, "#333", column_letter(heap));
            svg.text((most + 1.0) * step + 52.0, y + 30.0, 15.0, "#777", left);
            let taken = last.filter(|mv| usize::from(mv.heap) == heap).map_or(0, |mv| mv.take);
            for i in 0..self.start[heap] {
                let (stick, head) = match i {
                    _ if i < left => ("#d9ae6b", "#b3261e"),
                    _ if i < left + taken => ("#cfc6b6", "#a8a092"),
                    _ => ("#eae3d6", "#e2dacb"),
                };
                let x = 44.0 + f64::from(i) * step;
                svg.rect(x, y + 8.0, 5.0, 52.0, stick);
                svg.rect(x - 1.0, y, 7.0, 12.0, head);
                if i < left {
                    // A click on a match takes it and all to its right.
                    let name = format!("{}{}", column_letter(heap), left - i);
                    svg.place(&name, (x + 2.5, y + 30.0), step / 2.0);
                }
            }
        }
        svg.finish()
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        let mut index = rng.below(total(&position.heaps));
        for (heap, &left) in position.heaps.iter().enumerate() {
            if index < usize::from(left) {
                return Some(Move { heap: heap as u8, take: index as u8 + 1 });
            }
            index -= usize::from(left);
        }
        None
    }
}
