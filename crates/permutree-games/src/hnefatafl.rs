//! Hnefatafl, the Viking game, by the rules of Fetlar as the Ludii system plays them.
//!
//! Details that the short rules leave open: the king captures like any defender. The centre is hostile to all, even while
//! the king is on it, so a defender next to it can be captured against it. Only a move of the attackers that ends next to
//! the king captures him; he may move to a cell that is closed on all sides. A piece may safely move between two enemies.
//! A player without a move is skipped, which does not count as a ply; the opponent always has a move. The game goes on
//! when the king is alone, or when there are no attackers.

use crate::parts::bits::Bits;
use crate::parts::draws::Draws;
use permutree_game::draw::{STONES, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

mod picture;

/// The rules, with a limit of plies after which the game is a draw.
#[derive(Clone, Copy, Debug)]
pub struct Hnefatafl {
    plies: u16,
}

/// The pieces in three forms: by cell, for lookup; in a list per player, to draw one at random; and as bits of rows and
/// columns, to test whether a path is free.
///
/// A cell is `16 * (row + 2) + column + 2`: two steps from any cell neither wrap to another row nor leave the 256 cells.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// [`BORDER`], or any of [`HOSTILE`] and [`OWNED`] with the place in the owner's list.
    cells: [u8; 256],
    /// The king is the first of the defenders.
    pieces: [[u8; 32]; 2],
    counts: [u8; 2],
    /// The occupied cells of each row, by the upper half of the cell's number, and of each column, by the lower half.
    lines: [[u16; 16]; 2],
    ply: u16,
    player: Player,
    over: bool,
    winner: Option<Player>,
}

/// A piece slides from a cell to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

const SIZE: usize = 11;
/// The number of cells that a piece can reach on an empty board: first the others of its row, then those of its column.
const REACH: usize = 2 * (SIZE - 1);

const EMPTY: u8 = 0;
/// Attackers and defenders.
const OWNED: [u8; 2] = [0x80, 0x40];
/// The centre and the corners, for the king alone.
const HOSTILE: u8 = 0x20;
const PLACE: u8 = 0x1F;
/// A place that no piece has.
const BORDER: u8 = 0x1F;

const CENTRE: u8 = cell(5, 5);
const HOSTILE_CELLS: [u8; 5] = [cell(0, 0), cell(10, 0), cell(0, 10), cell(10, 10), CENTRE];
/// These in the form of [`Position::lines`], for rows and columns alike.
const HOSTILE_LINES: [u16; 16] = {
    let mut lines = [0; 16];
    let mut i = 0;
    while i < HOSTILE_CELLS.len() {
        lines[(HOSTILE_CELLS[i] >> 4) as usize] |= 1 << (HOSTILE_CELLS[i] & 15);
        i += 1;
    }
    lines
};

const STEPS: [u8; 4] = [1, 16, 1u8.wrapping_neg(), 16u8.wrapping_neg()];

/// `x` attackers, `o` defenders, `K` the king; the highest row first.
const START: [&str; SIZE] = [
    "...xxxxx...",
    ".....x.....",
    "...........",
    "x....o....x",
    "x...ooo...x",
    "xx.ooKoo.xx",
    "x...ooo...x",
    "x....o....x",
    "...........",
    ".....x.....",
    "...xxxxx...",
];

impl Configure for Hnefatafl {
    const FACTS: Facts = Facts {
        name: "hnefatafl",
        title: "Hnefatafl",
        rules: "Player 1 attacks and moves first, player 2 defends the king. All pieces move like rooks; only the king may \
                enter or cross the centre and the corners. A piece other than the king is captured when an enemy move \
                encloses it in a line between two enemies, or between an enemy and the centre or a corner. The king \
                wins on a corner. A move of the attackers captures him if all his four neighbours are attackers, the \
                centre, a corner or the edge.",
        source: "Norse; 11x11 by the rules of Fetlar as in Ludii and the paper Who Invented MCTS?",
        params: &[Param::int("plies", 1, 10_000, "500", "plies after which the game is a draw")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("plies") as u16)))
    }
}

impl Hnefatafl {
    /// The game that is a draw after `plies` plies.
    #[must_use]
    pub fn new(plies: u16) -> Self {
        Self { plies }
    }
}

const fn cell(column: usize, row: usize) -> u8 {
    (16 * (row + 2) + column + 2) as u8
}

fn column_and_row(cell: u8) -> (usize, usize) {
    (usize::from(cell & 15) - 2, usize::from(cell >> 4) - 2)
}

impl Position {
    /// A position by the content of each column and row, both from 0: `x` an attacker, `o` a defender, `K` the king.
    ///
    /// # Panics
    /// If there is not exactly one king, or a side has more pieces than at the start.
    #[must_use]
    pub fn new(at: impl Fn(usize, usize) -> char, player: Player) -> Self {
        let mut position = Self {
            cells: [BORDER; 256],
            pieces: [[0; 32]; 2],
            counts: [0; 2],
            lines: [[0; 16]; 2],
            ply: 0,
            player,
            over: false,
            winner: None,
        };
        board_cells().for_each(|cell| position.cells[usize::from(cell)] = EMPTY);
        HOSTILE_CELLS.iter().for_each(|&cell| position.cells[usize::from(cell)] = HOSTILE);
        // The king comes first.
        for (letter, owner) in [('K', 1), ('o', 1), ('x', 0)] {
            let men = board_cells().filter(|&cell| {
                let (column, row) = column_and_row(cell);
                at(column, row) == letter
            });
            for cell in men {
                position.put(cell, owner, position.counts[owner]);
                position.counts[owner] += 1;
            }
            assert!(letter != 'K' || position.counts[1] == 1, "there must be one king");
        }
        assert!(position.counts[0] <= 24 && position.counts[1] <= 13, "too many pieces");
        position.pass_to(player);
        position
    }

    /// Passes the turn to `player` or, without a move, to the opponent. One of them has a move: the cells that are not
    /// hostile are connected and not all occupied, so some piece is next to an empty one.
    #[inline]
    fn pass_to(&mut self, player: Player) {
        self.player = if self.can_move(player.index()) { player } else { player.other() };
    }

    /// Puts a piece on an empty cell, with `place` in its owner's list.
    #[inline]
    fn put(&mut self, cell: u8, owner: usize, place: u8) {
        self.cells[usize::from(cell)] |= OWNED[owner] | place;
        self.pieces[owner][usize::from(place) % 32] = cell;
        self.flip(cell);
    }

    #[inline]
    fn clear(&mut self, cell: u8) {
        self.cells[usize::from(cell)] &= HOSTILE;
        self.flip(cell);
    }

    #[inline]
    fn flip(&mut self, cell: u8) {
        self.lines[0][usize::from(cell >> 4)] ^= 1 << (cell & 15);
        self.lines[1][usize::from(cell & 15)] ^= 1 << (cell >> 4);
    }

    /// Removes a piece from the board; the last of its list takes its place.
    #[inline]
    fn take(&mut self, cell: u8, owner: usize) {
        let place = self.cells[usize::from(cell)] & PLACE;
        self.clear(cell);
        self.counts[owner] -= 1;
        let last = self.pieces[owner][usize::from(self.counts[owner]) % 32];
        if last != cell {
            self.pieces[owner][usize::from(place) % 32] = last;
            self.cells[usize::from(last)] = self.cells[usize::from(last)] & !PLACE | place;
        }
    }

    /// The slide of a piece of `player` to target number `way` of [`REACH`], if the path is free.
    #[inline]
    fn slide(&self, player: usize, place: usize, way: usize) -> Option<Move> {
        let from = self.pieces[player][place % 32];
        let upright = way >= REACH / 2;
        // Along the line one half of the cell's number is constant; the other half changes.
        let (line, at) = if upright { (from & 15, from >> 4) } else { (from >> 4, from & 15) };
        let other = (way - if upright { REACH / 2 } else { 0 }) as u8 + 2;
        let to = other + u8::from(other >= at);
        let passed = ((2u32 << at.max(to)) - (1 << at.min(to))) & !(1 << at);
        let is_king = player == 1 && place == 0;
        let closed = if is_king { 0 } else { HOSTILE_LINES[usize::from(line)] };
        let taken = self.lines[usize::from(upright)][usize::from(line)] | closed;
        let to = if upright { to << 4 | line } else { line << 4 | to };
        (u32::from(taken) & passed == 0).then_some(Move { from, to })
    }

    /// Whether a piece of `player` can move one step, which any slide begins with.
    #[inline]
    fn can_move(&self, player: usize) -> bool {
        let open = |cell: u8, what: u8| {
            STEPS.iter().any(|&step| self.cells[usize::from(cell.wrapping_add(step))] == what)
        };
        let pieces = &self.pieces[player][..usize::from(self.counts[player])];
        pieces.iter().any(|&cell| open(cell, EMPTY)) || player == 1 && open(pieces[0], HOSTILE)
    }

    /// Whether the king is enclosed on all sides.
    fn king_is_taken(&self, king: u8) -> bool {
        STEPS.iter().all(|&step| {
            let near = self.cells[usize::from(king.wrapping_add(step))];
            near == BORDER || near & (OWNED[0] | HOSTILE) != 0
        })
    }
}

impl Game for Hnefatafl {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position::new(|column, row| char::from(START[SIZE - 1 - row].as_bytes()[column]), Player(0))
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.over {
            return;
        }
        let own = position.player.index();
        let contents = board_cells().map(|cell| position.cells[usize::from(cell)]);
        for content in contents.filter(|content| content & OWNED[own] != 0) {
            let place = usize::from(content & PLACE);
            out.extend((0..REACH).filter_map(|way| position.slide(own, place, way)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        let own = position.player.index() & 1;
        let enemy = own ^ 1;
        let place = position.cells[usize::from(mv.from)] & PLACE;
        position.clear(mv.from);
        position.put(mv.to, own, place);
        for step in STEPS {
            let near = mv.to.wrapping_add(step);
            let content = position.cells[usize::from(near)];
            if content & OWNED[enemy] == 0 {
                continue;
            }
            if own == 0 && content & PLACE == 0 {
                if position.king_is_taken(near) {
                    position.winner = Some(Player(0));
                }
            } else if position.cells[usize::from(near.wrapping_add(step))] & (OWNED[own] | HOSTILE) != 0 {
                position.take(near, enemy);
            }
        }
        // Only the king can be on a hostile cell.
        if position.cells[usize::from(mv.to)] & HOSTILE != 0 && mv.to != CENTRE {
            position.winner = Some(Player(1));
        }

        position.ply += 1;
        position.over = position.winner.is_some() || position.ply >= self.plies;
        position.pass_to(Player(enemy as u8));
    }

    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::win_or_draw(2, position.winner)
    }

    fn hash(&self, position: &Position) -> u64 {
        let king = u64::from(position.pieces[1][0]);
        let rest = u64::from(position.ply) << 16 | king << 8 | u64::from(position.player.0);
        let mut hash = Hasher::new().word(rest);
        for (pieces, &count) in position.pieces.iter().zip(&position.counts) {
            // As a set: the order of the list does not matter.
            let set: Bits<2> = pieces[..usize::from(count)].iter().map(|&cell| number(cell)).collect();
            hash = set.0.into_iter().fold(hash, Hasher::word);
        }
        hash.finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * SIZE * SIZE * REACH
    }

    /// By player, origin and target.
    #[inline]
    fn code(&self, position: &Position, mv: Move, _coding: usize) -> Code {
        let upright = mv.from & 15 == mv.to & 15;
        let (from, to) = if upright { (mv.from >> 4, mv.to >> 4) } else { (mv.from & 15, mv.to & 15) };
        let way = usize::from(to - 2 - u8::from(to > from)) + if upright { REACH / 2 } else { 0 };
        ((position.player.index() * SIZE * SIZE + number(mv.from)) * REACH + way) as Code
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        let [from, to] = [mv.from, mv.to].map(|cell| {
            let (column, row) = column_and_row(cell);
            square(column, row)
        });
        format!("{from}-{to}")
    }

    /// The centre and the corners are `+`.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        grid(SIZE, SIZE, 0, last.map(|mv| column_and_row(mv.to)), |column, row| {
            let cell = cell(column, row);
            match position.cells[usize::from(cell)] {
                EMPTY => '.',
                HOSTILE => '+',
                _ if cell == position.pieces[1][0] => 'K',
                content => STONES[usize::from(content & OWNED[0] == 0)],
            }
        })
    }

    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        picture::draw(position, last)
    }

    /// Material; an attacker is worth half a defender, since there are twice as many.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        let [attackers, defenders] = position.counts.map(f64::from);
        Some(Rewards::leaning(&[attackers / 4.0, (defenders - 1.0) / 2.0]))
    }

    /// Draws a piece and a target until the path is free, which is uniform over the moves. The loop ends, since the player
    /// to move has a move.
    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.over {
            return None;
        }
        let own = position.player.index() & 1;
        loop {
            let mut draws = Draws::new(rng);
            let place = draws.below(position.counts[own].into());
            if let Some(mv) = position.slide(own, place, draws.below(REACH)) {
                return Some(mv);
            }
        }
    }
}

/// The cells of the board from a1 on, row by row.
fn board_cells() -> impl Iterator<Item = u8> {
    (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| cell(column, row)))
}

/// The number of a cell on the board, counted from a1.
fn number(cell: u8) -> usize {
    let (column, row) = column_and_row(cell);
    row * SIZE + column
}
