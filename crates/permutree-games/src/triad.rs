//! Triad: three players slide, capture and drop, and the cell where a slide ends determines who moves next.

mod board;
#[cfg(test)]
mod tests;

use crate::parts::hexagon::{Picture, RADIUS};
use board::{ALL, Board, CELLS, PAIRS, cells};
use permutree_game::draw::{COLOURS, STONES, parse_square};
use permutree_game::{
    Args, Code, Configure, Facts, Game, Hasher, Param, ParamError, Player, Rewards, Rng, Turn, Visitor,
};

/// The rules.
///
/// A turn is two plies of one player, a slide and a drop. Details that the rules leave open: a player who cannot slide is
/// skipped in favour of the next in the order 1, 2, 3, 1 who can; if no player can, the game is over. Play can cycle, so the
/// game also ends after the turn that reaches a limit of plies. However it ends, most pieces win and ties share.
#[derive(Clone, Debug)]
pub struct Triad {
    board: Board,
    /// The limit of plies.
    plies: u16,
}

const PLAYERS: usize = 3;

/// Each player's pieces, and the state of the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// One bit for each cell.
    pieces: [u64; PLAYERS],
    player: Player,
    /// After a slide, the opponent whose piece must be dropped.
    bunny: Option<Player>,
    /// The number of plies so far.
    plies: u16,
    over: bool,
}

/// A slide or a drop, with cells by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A piece slides from one cell to another.
    Slide(u8, u8),
    /// A piece of the bunny is dropped on a cell.
    Drop(u8),
}

impl Configure for Triad {
    const FACTS: Facts = Facts {
        name: "triad",
        title: "Triad",
        rules: "Slide a piece along a line of empty cells to an empty cell of an opponent's colour and remove all enemy \
                pieces next to it; the slide must capture as many as possible. Then drop a piece of the other opponent \
                on any empty cell. The owner of the target cell's colour moves next. When a player has no pieces left, \
                most pieces win.",
        source: "Cameron Browne 2002; as in the paper Who Invented MCTS?",
        params: &[Param::int("plies", 1, 10_000, "500", "plies after which pieces are counted")],
    };

    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError> {
        Ok(visitor.visit(Self::new(args.int("plies") as u16)))
    }
}

/// The initial cells of each player's pieces.
const START: [[&str; 9]; PLAYERS] = [
    ["a3", "a4", "a5", "b4", "b5", "b6", "c5", "c6", "c7"],
    ["g7", "g8", "g9", "h7", "h8", "h9", "i7", "i8", "i9"],
    ["c1", "d1", "d2", "e1", "e2", "e3", "f2", "f3", "g3"],
];

impl Triad {
    /// The game that ends after the turn that reaches `plies` plies.
    #[must_use]
    pub fn new(plies: u16) -> Self {
        Self { board: Board::new(), plies }
    }

    /// The slides of the player to move, regardless of captures: the cell and the targets of each piece.
    #[inline]
    fn slides(&self, position: &Position) -> impl Iterator<Item = (usize, u64)> {
        let player = position.player.index();
        let taken = position.taken();
        cells(position.pieces[player])
            .map(move |from| (from, self.board.reach(from, taken) & !self.board.colours[player]))
    }

    /// The `targets` where a slide captures most.
    #[inline]
    fn best(&self, position: &Position, targets: u64) -> u64 {
        let enemies = position.taken() & !position.pieces[position.player.index()];
        // The number of enemies next to each cell, in binary: a word holds one digit for all cells.
        let [mut ones, mut twos, mut fours] = [0; 3];
        for enemy in cells(enemies) {
            let next = self.board.neighbours[enemy];
            let carry = ones & next;
            ones ^= next;
            fours |= twos & carry;
            twos ^= carry;
        }
        [fours, twos, ones].into_iter().fold(
            targets,
            |best, digit| {
                if best & digit == 0 { best } else { best & digit }
            },
        )
    }

    /// Passes the turn to the first player from `first` on who can slide.
    #[inline]
    fn pass_to(&self, position: &mut Position, first: Player) {
        position.player = first;
        for _ in 0..PLAYERS {
            if self.slides(position).any(|(_, targets)| targets != 0) {
                return;
            }
            position.player = position.player.next(PLAYERS);
        }
        position.over = true;
    }
}

impl Position {
    #[inline]
    fn taken(&self) -> u64 {
        self.pieces.iter().fold(0, |taken, pieces| taken | pieces)
    }

    fn count(&self, player: usize) -> u32 {
        self.pieces[player].count_ones()
    }
}

/// Cell number `index` of a set.
#[inline]
fn nth(mut set: u64, index: usize) -> u8 {
    for _ in 0..index {
        set &= set - 1;
    }
    set.trailing_zeros() as u8
}

/// The player who is neither `a` nor `b`.
#[inline]
fn third(a: Player, b: Player) -> Player {
    Player(3 - a.0 - b.0)
}

impl Game for Triad {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        PLAYERS
    }

    fn start(&self) -> Position {
        let pieces = START.map(|names| {
            let bits =
                names.into_iter().filter_map(parse_square).map(|(c, r)| r * self.board.hexagon.width() + c);
            bits.fold(0, |pieces, bit| pieces | 1 << self.board.cell(bit))
        });
        Position { pieces, player: Player(0), bunny: None, plies: 0, over: false }
    }

    #[inline]
    fn turn(&self, position: &Position) -> Turn {
        if position.over { Turn::Over } else { Turn::Player(position.player) }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.over {
            return;
        }
        if position.bunny.is_some() {
            out.extend(cells(ALL & !position.taken()).map(|cell| Move::Drop(cell as u8)));
            return;
        }
        let best = self.best(position, self.slides(position).fold(0, |all, (_, targets)| all | targets));
        for (from, targets) in self.slides(position) {
            out.extend(cells(targets & best).map(|to| Move::Slide(from as u8, to as u8)));
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        let player = position.player;
        position.plies += 1;
        match mv {
            Move::Slide(from, to) => {
                let captured = self.board.neighbours[usize::from(to)];
                for (other, pieces) in position.pieces.iter_mut().enumerate() {
                    if other == player.index() {
                        *pieces ^= 1 << from | 1 << to;
                    } else {
                        *pieces &= !captured;
                    }
                }
                position.bunny = Some(third(player, self.board.owner(to)));
                position.over = position.pieces.contains(&0);
            }
            Move::Drop(cell) => {
                if let Some(bunny) = position.bunny.take() {
                    position.pieces[bunny.index()] |= 1 << cell;
                    self.pass_to(position, third(player, bunny));
                    position.over |= position.plies >= self.plies;
                }
            }
        }
    }

    fn rewards(&self, position: &Position) -> Rewards {
        Rewards::highest(&position.pieces.map(u64::count_ones))
    }

    #[inline]
    fn hash(&self, position: &Position) -> u64 {
        let bunny = position.bunny.map_or(PLAYERS as u8, |bunny| bunny.0);
        let turn = u64::from(position.plies) << 16 | u64::from(bunny) << 8 | u64::from(position.player.0);
        position.pieces.iter().fold(Hasher::new().word(turn), |hash, &pieces| hash.word(pieces)).finish()
    }

    fn codes(&self, _coding: usize) -> usize {
        PLAYERS * PAIRS + PLAYERS * 2 * CELLS
    }

    /// Slides by player and pair of cells; then drops by player, bunny and cell.
    #[inline]
    fn code(&self, position: &Position, mv: Move, _coding: usize) -> Code {
        let player = position.player;
        let code = match mv {
            Move::Slide(from, to) => {
                let (line, before) = self.board.lines[usize::from(from)];
                let pair = usize::from(before) + (line & ((1 << to) - 1)).count_ones() as usize;
                player.index() * PAIRS + pair
            }
            Move::Drop(cell) => {
                let next = position.bunny == Some(player.next(PLAYERS));
                PLAYERS * PAIRS + (player.index() * 2 + usize::from(next)) * CELLS + usize::from(cell)
            }
        };
        code as Code
    }

    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Slide(from, to) => format!("{}-{}", self.board.name(from), self.board.name(to)),
            Move::Drop(cell) => self.board.name(cell),
        }
    }

    /// An empty cell is the number of the player whose colour it has. The last line names the next ply.
    fn board(&self, position: &Position, last: Option<Move>) -> String {
        let mut text =
            self.board.hexagon.text(&self.board.stones(position.pieces), self.target(last), |bit| {
                char::from(b'1' + self.board.owner(self.board.cell(bit)).0)
            });
        let stone = |player: Player| STONES[player.index()];
        let player = stone(position.player);
        text.push_str(&match position.bunny {
            _ if position.over => String::new(),
            None => format!("{player} slides\n"),
            Some(bunny) => format!("{player} drops {}\n", stone(bunny)),
        });
        text
    }

    /// The board, and under it the number of each player's pieces, with the player to move in yellow and the piece to drop
    /// beside it.
    fn picture(&self, position: &Position, last: Option<Move>) -> String {
        let tint = |bit| TINTS[self.board.owner(self.board.cell(bit)).index()];
        let (stones, target) = (self.board.stones(position.pieces), self.target(last));
        let mut picture = Picture::new(&self.board.hexagon, &stones, target, 2.0 * RADIUS, tint);
        if let Some(Move::Slide(from, to)) = last {
            let ends = [from, to].map(|cell| picture.centre(self.board.bit(cell)));
            picture.svg.line(ends[0], ends[1], "#222", 2.0);
        }
        let (width, y) = picture.strip();
        for (player, colour) in COLOURS.into_iter().enumerate().take(PLAYERS) {
            let x = width * (player as f64 + 0.5) / PLAYERS as f64;
            if self.turn(position) == Turn::Player(Player(player as u8)) {
                picture.svg.disc(x, y, 0.8 * RADIUS, "#ffe08a");
                if let Some(bunny) = position.bunny {
                    picture.svg.disc(x + 1.2 * RADIUS, y, 0.3 * RADIUS, COLOURS[bunny.index()]);
                }
            }
            picture.svg.disc(x, y, 0.62 * RADIUS, colour);
            picture.svg.text(x, y, 14.0, "#fff", position.count(player));
        }
        picture.svg.finish()
    }

    /// The number of each player's pieces.
    fn evaluate(&self, position: &Position) -> Option<Rewards> {
        Some(Rewards::leaning(&[0, 1, 2].map(|player| f64::from(position.count(player)))))
    }

    #[inline]
    fn random_move(&self, position: &Position, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Option<Move> {
        if position.over {
            return None;
        }
        if position.bunny.is_some() {
            let empty = ALL & !position.taken();
            return Some(Move::Drop(nth(empty, rng.below(empty.count_ones() as usize))));
        }
        let (mut slides, mut pieces, mut all) = ([(0, 0); CELLS], 0, 0);
        for (from, targets) in self.slides(position) {
            slides[pieces] = (from, targets);
            pieces += 1;
            all |= targets;
        }
        let best = self.best(position, all);
        let slides = slides[..pieces].iter().map(|&(from, targets)| (from, targets & best));
        let mut index = rng.below(slides.clone().map(|(_, targets)| targets.count_ones() as usize).sum());
        for (from, targets) in slides {
            let count = targets.count_ones() as usize;
            if index < count {
                return Some(Move::Slide(from as u8, nth(targets, index)));
            }
            index -= count;
        }
        None
    }
}

impl Triad {
    /// The bit of the cell where a move ends.
    fn target(&self, mv: Option<Move>) -> Option<usize> {
        mv.map(|(Move::Slide(_, cell) | Move::Drop(cell))| self.board.bit(cell))
    }
}

/// The colours of each player's cells in pictures.
const TINTS: [&str; PLAYERS] = ["#f2cfcf", "#c9dce8", "#cfe5d3"];
