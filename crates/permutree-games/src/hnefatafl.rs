//! Hnefatafl, the Viking game, by the rules of Fetlar as the Ludii system plays them.
//!
//! What the short form of the rules leaves open: the king takes part in captures as any defender does. The centre is
//! hostile to all, also while the king sits there, so a defender beside it can be taken against it. Only a move of the
//! attackers that ends next to the king takes him; he may step off the centre into a place where all sides are closed.
//! A man may move in between two enemies unharmed. A player without a move is skipped, which is no ply; the other
//! always has one. The king alone, or without attackers, plays on.

use crate::parts::bits::Bits;
use crate::parts::draws::Draws;
use permutree_game::draw::{STONES, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

mod picture;

/// The rules, with the ply at which the game is a draw.
#[derive(Clone, Copy, Debug)]
pub struct Hnefatafl {
    plies: u16,
}

/// The same pieces three times: by cell, to see what stands there; listed by player, to draw one at random; and as bits
/// of rows and columns, to see at once whether a way is free.
///
/// A cell is `16 * (row + 2) + column + 2`: two steps from any cell lead to no other row and not out of 256 cells.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// [`BORDER`], or what is there: [`OWNED`] and the place in the owner's list, [`HOSTILE`], both or nothing.
    cells: [u8; 256],
    /// The king is the first of the defenders.
    pieces: [[u8; 32]; 2],
    counts: [u8; 2],
    /// Whatever stands in the row with this upper half of the cell's number, or the column with this lower half.
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
/// The cells that a piece on an empty board can reach: the others of its row, then those of its column.
const REACH: usize = 2 * (SIZE - 1);

const EMPTY: u8 = 0;
/// Attackers and defenders.
const OWNED: [u8; 2] = [0x80, 0x40];
/// The centre and the corners, for the king alone.
const HOSTILE: u8 = 0x20;
const PLACE: u8 = 0x1F;
/// A place that nobody has.
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
        rules: "Player 1 attacks and moves first, player 2 defends the king. All slide like rooks; only the king may \
                stop on or cross the centre and the corners. A piece other than the king is taken when a move closes \
                it in between two enemies, or an enemy and the centre or a corner, in a line. The king wins on a \
                corner; he is taken when a move of the attackers leaves \
                only them, the centre, a corner or the edge on his four sides.",
        source: "Norse, 11x11 by the rules of Fetlar; the form that the Ludii system plays, in Who Invented MCTS?",
        params: &[Param::int("plies", 1, 10_000, "500", "plies after which the game is a draw")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("plies") as u16)))
    }
}

impl Hnefatafl {
    /// The game that is a draw after so many plies.
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
    /// A position by what is on each column and row, both from 0: `x` an attacker, `o` a defender, `K` the king.
    ///
    /// # Panics
    /// If there is not one king, or a side has more men than it starts with.
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
            assert!(letter != 'K' || position.counts[1] == 1, "not one king");
        }
        assert!(position.counts[0] <= 24 && position.counts[1] <= 13, "too many men");
        position.pass_to(player);
        position
    }

    /// The turn goes to `player` or, if he has no move, to the other. He has one: the cells that are not hostile hang
    /// together, and men do not fill them, so that some man is beside an empty one.
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

    /// Takes a man off the board; the last of his list gets his place in it.
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

    /// Where the piece of `player` with this place would get by way `way` of [`REACH`], if nothing is in between.
    #[inline]
    fn slide(&self, player: usize, place: usize, way: usize) -> Option<Move> {
        let from = self.pieces[player][place % 32];
        let upright = way >= REACH / 2;
        // The way lies in a line, whose number is one half of the cell's and in which the other half changes.
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

    /// Whether a piece of `player` has a step to make, without which there is no slide either.
    #[inline]
    fn can_move(&self, player: usize) -> bool {
        let open = |cell: u8, what: u8| {
            STEPS.iter().any(|&step| self.cells[usize::from(cell.wrapping_add(step))] == what)
        };
        let pieces = &self.pieces[player][..usize::from(self.counts[player])];
        pieces.iter().any(|&cell| open(cell, EMPTY)) || player == 1 && open(pieces[0], HOSTILE)
    }

    /// Whether the king is closed in on all sides that he has.
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
        // Only the king gets to a hostile cell.
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
            // As a set, since the order of the list tells nothing.
            let set: Bits<2> = pieces[..usize::from(count)].iter().map(|&cell| number(cell)).collect();
            hash = set.0.into_iter().fold(hash, Hasher::word);
        }
        hash.finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * SIZE * SIZE * REACH
    }

    /// By player, cell left and cell reached.
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

    /// `+` are the centre and the corners.
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

    /// Men lost count; an attacker is worth half a defender, since there are twice as many.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        let [attackers, defenders] = position.counts.map(f64::from);
        Some(Rewards::leaning(&[attackers / 4.0, (defenders - 1.0) / 2.0]))
    }

    /// Draws a piece and a way until nothing is in between, which is uniform over the moves. It ends, since the player to
    /// move has one.
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

/// The number of a cell when those of the board are counted from a1.
fn number(cell: u8) -> usize {
    let (column, row) = column_and_row(cell);
    row * SIZE + column
}
