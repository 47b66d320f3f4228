//! Tic-tac-chess: tic-tac-toe with a king, a queen and a rook each, which are placed and then moved.
//!
//! A player always has a move, so no turn is skipped. Proof: suppose a player has none, with all six pieces on the board.
//! King and queen are on the edge, since from the middle they reach every cell, and all their neighbours are occupied. Six
//! pieces suffice for that only if both are on one side of the square and the opposite side is empty. The rook could slide
//! there from anywhere except the side of the other two, where the three form a line and the game is over.

use crate::parts::nine::{self, FULL, has_line};
use permutree_game::draw::{COLOURS, Svg, column_letter, grid, square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

/// The rules, with a limit of plies after which the game is a draw.
#[derive(Clone, Copy, Debug)]
pub struct TicTacChess {
    plies: u16,
}

/// The pieces. Cells are numbered as in [`nine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The cells of each player's king, queen and rook, or [`HAND`].
    cells: [[u8; 3]; 2],
    /// The cells of each player's pieces.
    taken: [u16; 2],
    player: Player,
    /// Plies played.
    ply: u16,
    over: bool,
}

/// A piece is placed or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// 0 for the king, 1 for the queen, 2 for the rook.
    piece: u8,
    /// A cell, or [`HAND`].
    from: u8,
    to: u8,
}

/// In place of a cell: not yet placed.
const HAND: u8 = 9;
const NAMES: [char; 3] = ['K', 'Q', 'R'];

impl Configure for TicTacChess {
    const FACTS: Facts = Facts {
        name: "tic-tac-chess",
        title: "Tic-tac-chess",
        rules: "Players take turns placing their king, queen and rook on empty cells of a 3x3 board. When all six are placed \
                they move to empty cells, as in chess or by jumping over an adjacent enemy piece in any of the eight \
                directions. There are no captures. Three own pieces in a line win at any time.",
        source: "as in Ludii and the paper Who Invented MCTS?",
        params: &[Param::int("plies", 1, 10_000, "500", "plies after which the game is a draw")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("plies") as u16)))
    }
}

impl TicTacChess {
    /// The game that is a draw after `plies` plies.
    #[must_use]
    pub fn new(plies: u16) -> Self {
        Self { plies }
    }
}

/// The neighbours of each cell, in eight directions or in the four orthogonal ones.
const fn neighbours(directions: usize) -> [u16; 9] {
    let mut sets = [0; 9];
    let mut pair = 0;
    while pair < 81 {
        let (a, b) = (pair / 9, pair % 9);
        let (dx, dy) = ((a % 3_usize).abs_diff(b % 3), (a / 3).abs_diff(b / 3));
        if dx + dy == 1 || directions == 8 && dx == 1 && dy == 1 {
            sets[a] |= 1 << b;
        }
        pair += 1;
    }
    sets
}

/// The single steps of king, queen and rook from each cell.
const STEPS: [[u16; 9]; 3] = [neighbours(8), neighbours(8), neighbours(4)];

/// From each cell, the cells two away in a straight line, with the cell between: at most three such pairs.
const LEAPS: [[(u16, u16); 3]; 9] = {
    let mut leaps = [[(0, 0); 3]; 9];
    let mut pair = 0;
    let mut count = 0;
    while pair < 81 {
        let (a, b) = (pair / 9, pair % 9);
        if b == 0 {
            count = 0;
        }
        let (dx, dy) = ((a % 3_usize).abs_diff(b % 3), (a / 3).abs_diff(b / 3));
        if a != b && dx % 2 == 0 && dy % 2 == 0 {
            leaps[a][count] = (1 << usize::midpoint(a, b), 1 << b);
            count += 1;
        }
        pair += 1;
    }
    leaps
};

impl Position {
    fn empty(&self) -> u16 {
        FULL & !(self.taken[0] | self.taken[1])
    }

    /// The targets of each piece of the player to move.
    #[inline]
    fn targets(&self) -> [u16; 3] {
        let (me, empty) = (self.player.index() & 1, self.empty());
        let (cells, enemies) = (self.cells[me], self.taken[1 - me]);
        let placing = cells.contains(&HAND);
        std::array::from_fn(|piece| {
            let cell = usize::from(cells[piece]);
            if placing {
                return if cells[piece] == HAND { empty } else { 0 };
            }
            let steps = STEPS[piece][cell % 9];
            // Two cells away: behind an enemy or, for queen and rook in their directions, behind an empty cell.
            let through = enemies | if piece == 0 { 0 } else { empty & steps };
            let mut targets = steps;
            for (between, far) in LEAPS[cell % 9] {
                targets |= if between & through == 0 { 0 } else { far };
            }
            targets & empty
        })
    }

    /// The player and the piece on a cell.
    fn piece_on(&self, cell: u8) -> Option<(usize, usize)> {
        let pieces = (0..6).map(|i| (i / 3, i % 3));
        pieces.into_iter().find(|&(player, piece)| self.cells[player][piece] == cell)
    }

    fn in_hand(&self, player: usize) -> impl Iterator<Item = usize> {
        (0..3).filter(move |&piece| self.cells[player][piece] == HAND)
    }

    fn mv(&self, piece: usize, to: u8) -> Move {
        Move { piece: piece as u8, from: self.cells[self.player.index()][piece], to }
    }
}

impl Game for TicTacChess {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { cells: [[HAND; 3]; 2], taken: [0; 2], player: Player(0), ply: 0, over: false }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.over {
            return;
        }
        for (piece, targets) in position.targets().into_iter().enumerate() {
            out.extend(nine::iter(targets).map(|to| position.mv(piece, to)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, Move { piece, from, to }: Move) {
        let me = position.player.index() & 1;
        position.cells[me][usize::from(piece) % 3] = to;
        // The bit of a piece in hand is outside the nine cells.
        position.taken[me] = (position.taken[me] & !(1 << from)) | 1 << to;
        position.ply += 1;
        position.over = has_line(position.taken[me]) || position.ply == self.plies;
        position.player = position.player.other();
    }

    fn rewards(&self, position: &Position) -> Rewards {
        match position.taken.map(has_line) {
            [true, _] => Rewards::win(2, Player(0)),
            [_, true] => Rewards::win(2, Player(1)),
            _ => Rewards::draw(2),
        }
    }

    /// The cell of every piece, and the ply, which determines the player to move and the end of the game.
    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        let cells = position.cells.as_flattened();
        let word = cells.iter().fold(u64::from(position.ply), |word, &cell| word << 4 | u64::from(cell));
        Hasher::new().word(word).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        2 * 3 * 10 * 9
    }

    /// Player, piece, origin (the hand included) and target.
    #[inline]
    fn code(&self, position: &Position, Move { piece, from, to }: Move, _coding: usize) -> Code {
        let piece = u32::from(position.player.0) * 3 + u32::from(piece);
        (piece * 10 + u32::from(from)) * 9 + u32::from(to)
    }

    fn move_text(&self, _position: &Position, Move { piece, from, to }: Move) -> String {
        let name = NAMES[usize::from(piece)];
        match from {
            HAND => format!("{name}{}", cell_name(to)),
            from => format!("{name}{}-{}", cell_name(from), cell_name(to)),
        }
    }

    /// Upper case for player 1, lower case for player 2.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let letter = |player, piece: usize| {
            if player == 0 { NAMES[piece] } else { NAMES[piece].to_ascii_lowercase() }
        };
        let marked = last.map(|mv| (usize::from(mv.to % 3), usize::from(mv.to / 3)));
        let mut out = grid(3, 3, 0, marked, |column, row| {
            let piece = position.piece_on((row * 3 + column) as u8);
            piece.map_or('.', |(player, piece)| letter(player, piece))
        });
        for player in 0..2 {
            let hand: String =
                position.in_hand(player).flat_map(|piece| [' ', letter(player, piece)]).collect();
            if !hand.is_empty() {
                out.push_str(&format!("{} has in hand{hand}\n", Player(player as u8)));
            }
        }
        out
    }

    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        draw(position, last)
    }

    /// One point for each piece of a player's longest open line.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        Some(nine::leaning(position.taken))
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.over {
            return None;
        }
        let targets = position.targets();
        let [king, queen, rook] = targets.map(nine::count);
        let index = rng.below(king + queen + rook);
        let (piece, before) = match index {
            _ if index < king => (0, 0),
            _ if index < king + queen => (1, king),
            _ => (2, king + queen),
        };
        Some(position.mv(piece, nine::nth(targets[piece], index - before)))
    }
}

fn cell_name(cell: u8) -> String {
    square(usize::from(cell % 3), usize::from(cell / 3))
}

/// The side of a cell in pictures, and the margin around the board.
const SIDE: f64 = 64.0;
const MARGIN: f64 = 28.0;

/// The left halves of king, queen and rook from foot to top, in units of half a cell; the right halves mirror them.
const OUTLINES: [&[(f64, f64)]; 3] = [
    &[
        (-0.55, 0.75),
        (-0.55, 0.55),
        (-0.4, 0.45),
        (-0.75, 0.0),
        (-0.62, -0.32),
        (-0.3, -0.38),
        (-0.08, -0.25),
        (-0.08, -0.5),
        (-0.24, -0.5),
        (-0.24, -0.66),
        (-0.08, -0.66),
        (-0.08, -0.82),
    ],
    &[
        (-0.55, 0.75),
        (-0.55, 0.55),
        (-0.45, 0.45),
        (-0.8, -0.4),
        (-0.45, 0.0),
        (-0.38, -0.66),
        (-0.14, -0.08),
        (0.0, -0.78),
    ],
    &[
        (-0.55, 0.75),
        (-0.55, 0.55),
        (-0.38, 0.45),
        (-0.34, -0.18),
        (-0.52, -0.32),
        (-0.52, -0.7),
        (-0.28, -0.7),
        (-0.28, -0.5),
        (-0.12, -0.5),
        (-0.12, -0.7),
    ],
];

/// Draws a chequered board, the pieces in hand beside it, and the cells of the last move in yellow.
fn draw(position: &Position, last: Option<Move>) -> String {
    let board = 3.0 * SIDE;
    let mut svg = Svg::new(board + SIDE + 3.0 * MARGIN, board + 2.0 * MARGIN);
    let corner = |cell: u8| (MARGIN + f64::from(cell % 3) * SIDE, MARGIN + f64::from(2 - cell / 3) * SIDE);
    for cell in 0..9 {
        let (x, y) = corner(cell);
        let fill = match last {
            Some(mv) if mv.to == cell || mv.from == cell => "#f6d860",
            _ if cell % 2 == 0 => "#b98b60",
            _ => "#e6cfa8",
        };
        svg.rect(x, y, SIDE, SIDE, fill);
        svg.place(&cell_name(cell), (x + SIDE / 2.0, y + SIDE / 2.0), SIDE / 2.0);
        if let Some((player, piece)) = position.piece_on(cell) {
            draw_piece(&mut svg, player, piece, (x + SIDE / 2.0, y + SIDE / 2.0), SIDE / 2.0);
        }
    }
    for i in 0..3 {
        let along = MARGIN + (i as f64 + 0.5) * SIDE;
        svg.text(along, 1.5 * MARGIN + board, 13.0, "#555", column_letter(i));
        svg.text(MARGIN / 2.0, 2.0 * MARGIN + board - along, 13.0, "#555", i + 1);
    }
    for player in 0..2 {
        for piece in position.in_hand(player) {
            // Player 1 sits at the bottom of the board.
            let y = MARGIN + SIDE * (0.25 + 0.5 * piece as f64 + if player == 0 { 1.5 } else { 0.0 });
            draw_piece(&mut svg, player, piece, (2.0 * MARGIN + board + SIDE / 2.0, y), SIDE / 4.0);
        }
    }
    svg.finish()
}

fn draw_piece(svg: &mut Svg, player: usize, piece: usize, (x, y): (f64, f64), half: f64) {
    let left = OUTLINES[piece].iter().copied();
    let right = OUTLINES[piece].iter().rev().map(|&(dx, dy)| (-dx, dy));
    let outline: Vec<_> = left.chain(right).map(|(dx, dy)| (x + dx * half, y + dy * half)).collect();
    svg.polygon(&outline, COLOURS[player], "#222");
}
