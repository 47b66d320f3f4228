//! Skirmish: chess without check, won by having more pieces.
//!
//! The king is a piece like any other: it may move into attack, may be captured, and counts as one piece. Castling requires
//! that king and rook have not moved and that the cells between them are empty; attacks do not matter. En passant is as in
//! chess. The game ends when the player to move has no move, even with pieces left, and pieces are counted then too: that
//! player may have more and win.

use permutree_game::draw::{CELL, SquareBoard, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Recorder, Rewards, Rng, Turn,
    Visitor,
};
use targets::Targets;

mod targets;

/// The rules, with a limit of plies after which pieces are counted.
#[derive(Clone, Copy, Debug)]
pub struct Skirmish {
    plies: u16,
}

/// Bitboards; the bit of a cell is `row * 8 + column`. Player 1 has the white pieces.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The pieces of both players by kind.
    kinds: [u64; KINDS],
    owners: [u64; 2],
    /// The kings and rooks that have never moved.
    unmoved: u64,
    /// The en passant target: the cell that the last ply's double step passed, if a pawn can capture there.
    passed: u64,
    ply: u16,
    over: bool,
}

/// A piece moves; castling is the king's move by two cells. `promotion` is the new kind of a pawn, or `PAWN`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: u8,
    to: u8,
    promotion: u8,
}

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;
const KINDS: usize = 6;

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;

const LETTERS: [char; KINDS] = ['p', 'n', 'b', 'r', 'q', 'k'];
/// The black pieces of Unicode; [`OUTLINES`] are the white ones. U+FE0E selects text instead of a coloured emoji.
const SHAPES: [&str; KINDS] = ["♟\u{FE0E}", "♞\u{FE0E}", "♝\u{FE0E}", "♜\u{FE0E}", "♛\u{FE0E}", "♚\u{FE0E}"];
const OUTLINES: [&str; KINDS] =
    ["♙\u{FE0E}", "♘\u{FE0E}", "♗\u{FE0E}", "♖\u{FE0E}", "♕\u{FE0E}", "♔\u{FE0E}"];
/// White and black. White pieces have black outlines.
const PIECES: [&str; 2] = ["#fff", "#222"];
/// Values in pawns, as usual; a king fights a little better than a knight.
const WORTH: [f64; KINDS] = [1.0, 3.0, 3.0, 5.0, 9.0, 4.0];

impl Configure for Skirmish {
    const FACTS: Facts = Facts {
        name: "skirmish",
        title: "Skirmish",
        rules: "Chess without check: kings may be captured and may move into attack; castling requires only that king and \
                rook have not moved and nothing is between them. The game ends when the player to move has no move, or \
                after 100 plies; the player with more pieces wins. Castling is written as the king's move, e1g1.",
        source: "traditional chess without check, as in Ludii and the paper Who Invented MCTS?",
        params: &[Param::int("plies", 1, 10_000, "100", "plies after which pieces are counted")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("plies") as u16)))
    }
}

impl Skirmish {
    /// The game in which pieces are counted after at most `plies` plies.
    #[must_use]
    pub fn new(plies: u16) -> Self {
        Self { plies }
    }
}

impl Position {
    #[inline]
    fn player(&self) -> usize {
        usize::from(self.ply % 2)
    }

    fn kind(&self, cell: usize) -> Option<usize> {
        (0..KINDS).find(|&kind| self.kinds[kind] >> cell & 1 == 1)
    }

    /// Moves the piece on `from` to `to` and captures any piece there.
    #[inline]
    fn shift(&mut self, from: u8, to: u8) {
        let both = 1 << from | 1 << to;
        for cells in &mut self.kinds {
            *cells = *cells & !both | (*cells >> from & 1) << to;
        }
        let own = self.player();
        self.owners[own] ^= both;
        self.owners[own ^ 1] &= !both;
        self.unmoved &= !both;
    }

    /// Makes a move without updating whether the game is over.
    #[inline]
    fn make(&mut self, Move { from, to, promotion }: Move) {
        let passed = std::mem::take(&mut self.passed);
        self.shift(from, to);
        let arrived = 1 << to;
        if self.kinds[PAWN] & arrived != 0 {
            if usize::from(promotion) != PAWN {
                self.kinds[PAWN] ^= arrived;
                self.kinds[usize::from(promotion) % KINDS] |= arrived;
            }
            // `behind` maps the cell passed to the one where the pawn stopped, and back.
            let behind = 1 << (to ^ 8);
            let enemy = self.player() ^ 1;
            if passed == arrived {
                self.kinds[PAWN] &= !behind;
                self.owners[enemy] &= !behind;
            } else if from.abs_diff(to) == 16 {
                let beside = (arrived & !LAST_COLUMN) << 1 | (arrived & !FIRST_COLUMN) >> 1;
                if beside & self.kinds[PAWN] & self.owners[enemy] != 0 {
                    self.passed = behind;
                }
            }
        } else if self.kinds[KING] & arrived != 0 && from.abs_diff(to) == 2 {
            // No other move of a king leads two columns away.
            let (corner, beside) = if to > from { (to + 1, to - 1) } else { (to - 2, to + 1) };
            self.shift(corner, beside);
        }
        self.ply += 1;
    }

    /// The four castling rights. Different sets of unmoved pieces may give the same rights.
    fn rights(&self) -> u64 {
        [0x11, 0x90, 0x11 << 56, 0x90 << 56]
            .into_iter()
            .fold(0, |rights, both| rights << 1 | u64::from(self.unmoved & both == both))
    }
}

impl Game for Skirmish {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let both = |first_row: u64| first_row | first_row << 56;
        Position {
            kinds: [0xFF << 8 | 0xFF << 48, both(0x42), both(0x24), both(0x81), both(0x08), both(0x10)],
            owners: [0xFFFF, 0xFFFF << 48],
            unmoved: both(0x91),
            passed: 0,
            ply: 0,
            over: false,
        }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(Player(position.player() as u8)) }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if !position.over {
            Targets::new(position).list(position, out);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        position.make(mv);
        position.over = position.ply >= self.plies || Targets::new(position).is_empty();
    }

    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::highest(&position.owners.map(u64::count_ones))
    }

    fn hash(&self, position: &Position) -> u64 {
        let rest = u64::from(position.ply) << 4 | position.rights();
        let words = position.kinds.into_iter().chain([position.owners[0], position.passed, rest]);
        words.fold(Hasher::new(), Hasher::word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * (PAIRS + PROMOTIONS)
    }

    /// By player, origin, target and promotion.
    #[inline]
    fn code(&self, position: &Position, mv: Move, _coding: usize) -> Code {
        let (from, to) = (usize::from(mv.from) % 64, usize::from(mv.to) % 64);
        let code = match usize::from(mv.promotion) {
            PAWN => usize::from(PAIR_CODES[from][to]),
            // From column c a pawn reaches columns c - 1 to c + 1, so 2c plus the target column has no gaps.
            kind => PAIRS + (kind - KNIGHT) * (PROMOTIONS / 4) + 2 * (from % 8) + to % 8,
        };
        (position.player() * (PAIRS + PROMOTIONS) + code) as Code
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        let [from, to] = [mv.from, mv.to].map(|cell| square(usize::from(cell % 8), usize::from(cell / 8)));
        match usize::from(mv.promotion) {
            PAWN => format!("{from}{to}"),
            kind => format!("{from}{to}{}", LETTERS[kind]),
        }
    }

    /// Capitals are white.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let marked = last.map(|mv| (usize::from(mv.to % 8), usize::from(mv.to / 8)));
        grid(8, 8, 0, marked, |column, row| {
            let cell = row * 8 + column;
            match position.kind(cell).map(|kind| LETTERS[kind]) {
                None => '.',
                Some(letter) if position.owners[0] >> cell & 1 == 1 => letter.to_ascii_uppercase(),
                Some(letter) => letter,
            }
        })
    }

    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        let mut board = SquareBoard::new(8, 8, true);
        for cell in last.iter().flat_map(|mv| [mv.from, mv.to]) {
            board.fill(usize::from(cell % 8), usize::from(cell / 8), "#d9c94a");
        }
        for cell in 0..64 {
            let Some(kind) = position.kind(cell) else { continue };
            let (x, y) = board.centre(cell % 8, cell / 8);
            let size = CELL * 0.85;
            if position.owners[0] >> cell & 1 == 1 {
                board.svg.text(x, y, size, PIECES[0], SHAPES[kind]);
                board.svg.text(x, y, size, PIECES[1], OUTLINES[kind]);
            } else {
                board.svg.text(x, y, size, PIECES[1], SHAPES[kind]);
            }
        }
        board.svg.finish()
    }

    fn colours(&self) -> &'static [&'static str] {
        &PIECES
    }

    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        let material = position.owners.map(|own| {
            let counts = position.kinds.map(|cells| f64::from((cells & own).count_ones()));
            counts.iter().zip(WORTH).map(|(count, worth)| count * worth).sum::<f64>()
        });
        // Two pawns are a point.
        Some(Rewards::leaning(&material.map(|pawns| pawns / 2.0)))
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.ply < self.plies { Targets::new(position).draw(position, rng) } else { None }
    }

    /// Plays move by move, but finds that there is no move only when drawing the next one.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Position,
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<Move>,
        recorder: &mut R,
    ) {
        while let Some(mv) = self.random_move(position, rng, scratch) {
            if R::RECORDS {
                let player = Player(position.player() as u8);
                recorder.record(player, self.code(position, mv, coding));
            }
            position.make(mv);
        }
        position.over = true;
    }
}

/// The moves of a queen and a knight on the empty board. Every move, castling included, is one of them or a promotion.
const PAIRS: usize = 1792;
/// A pawn reaches the last row in 22 ways and promotes to one of four pieces.
const PROMOTIONS: usize = 4 * 22;

/// The number of a move among the [`PAIRS`], by origin and target.
static PAIR_CODES: [[u16; 64]; 64] = {
    let mut codes = [[0; 64]; 64];
    let (mut count, mut pair) = (0, 0usize);
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let (columns, rows) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
        if from != to && (columns == 0 || rows == 0 || columns == rows || columns * rows == 2) {
            codes[from][to] = count;
            count += 1;
        }
        pair += 1;
    }
    assert!(count as usize == PAIRS);
    codes
};
