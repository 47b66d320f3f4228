use crate::kit::{Perft, after, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Rewards, Turn};
use permutree_games::UltimateTicTacToe;
use std::collections::HashSet;

#[test]
fn kit() {
    golden::<UltimateTicTacToe>(&[], 60, "ultimate-tic-tac-toe");
}

/// The whole grid as characters, and where the last mark was made.
#[derive(Clone)]
struct Grid {
    cells: [[char; 9]; 9],
    marks: Vec<(usize, usize)>,
}

impl Grid {
    const EMPTY: Self = Self { cells: [['.'; 9]; 9], marks: Vec::new() };

    /// The player with a line on a small board, or on the large one with the winners as cells.
    fn line(at: impl Fn(usize, usize) -> char) -> Option<char> {
        let mut lines = vec![[at(0, 0), at(1, 1), at(2, 2)], [at(0, 2), at(1, 1), at(2, 0)]];
        for i in 0..3 {
            lines.push([at(i, 0), at(i, 1), at(i, 2)]);
            lines.push([at(0, i), at(1, i), at(2, i)]);
        }
        lines.iter().find(|[a, b, c]| a == b && b == c && "xo".contains(*a)).map(|line| line[0])
    }

    fn winner_of(&self, column: usize, row: usize) -> Option<char> {
        Self::line(|c, r| self.cells[3 * row + r][3 * column + c])
    }

    fn winner(&self) -> Option<u8> {
        let winner = Self::line(|column, row| self.winner_of(column, row).unwrap_or('.'))?;
        Some(u8::from(winner == 'o'))
    }

    /// The empty cells of a small board that is not won.
    fn free(&self, column: usize, row: usize) -> Vec<String> {
        let cells = (0..9).map(|i| (3 * column + i % 3, 3 * row + i / 3));
        let free = cells.filter(|&(c, r)| self.cells[r][c] == '.' && self.winner_of(column, row).is_none());
        free.map(|(c, r)| square(c, r)).collect()
    }
}

impl Plain for Grid {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.marks.len() % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let named = self.marks.last().map_or(Vec::new(), |(column, row)| self.free(column % 3, row % 3));
        if !named.is_empty() {
            return named;
        }
        (0..9).flat_map(|board| self.free(board % 3, board / 3)).collect()
    }

    fn play(&mut self, text: &str) {
        let (column, row) = parse_square(text).unwrap();
        self.cells[row][column] = ['x', 'o'][self.marks.len() % 2];
        self.marks.push((column, row));
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner(), 2)
    }
}

#[test]
fn plain_rules_agree() {
    with::<UltimateTicTacToe, _>(&[], Lockstep { plain: Grid::EMPTY, opening: "", games: 500 });
}

/// 81 cells; 72 of the first marks send to an empty board and 9 to their own: 72 * 9 + 9 * 8 = 720. All counts agree with
/// the plain rules, to ply 4 here.
#[test]
fn perft_counts() {
    let counts = with::<UltimateTicTacToe, _>(&[], Perft(6));
    assert_eq!(counts, [81, 720, 6336, 55_080, 473_256, 4_020_960]);
    with::<UltimateTicTacToe, _>(&[], SamePerft { plain: Grid::EMPTY, opening: "", depth: 4 });
}

#[test]
fn playouts_agree() {
    with::<UltimateTicTacToe, _>(&[], Playouts::from_start(20_000));
}

/// Player 1 wins the board a1..c3 with the last mark there; g1 then points to it.
const WON: &str = "a1 b2 d4 c2 g4 c3 h7 d1 b1 d2 a5 a4 c1";

#[test]
fn a_board_that_is_won_is_closed() {
    let (game, position) = (UltimateTicTacToe, after(&UltimateTicTacToe, WON));
    let mut moves = Vec::new();
    game.moves(&position, &mut moves);
    assert_eq!(moves.len(), 9, "c1 sends to g1..i3");
    let free = after(&game, &format!("{WON} g1"));
    moves.clear();
    game.moves(&free, &mut moves);
    // 14 marks, and the three empty cells of the won board.
    assert_eq!(moves.len(), 81 - 14 - 3);
    assert_eq!(game.parse_move(&free, "a2"), None);
    // A mark that points to an open board forces play there.
    assert_eq!(game.parse_move(&after(&game, &format!("{WON} h1")), "g1"), None);
    let opening = &format!("{WON} g1");
    with::<UltimateTicTacToe, _>(&[], SamePerft { plain: Grid::EMPTY, opening, depth: 3 });
}

#[test]
fn the_player_with_more_boards_is_ahead() {
    let guess = UltimateTicTacToe.evaluate(&after(&UltimateTicTacToe, WON)).unwrap();
    assert!(guess.of(Player(0)) > 0.7, "{guess:?}");
}

/// The board g1..i3 fills up without a line, by a mark that names it.
#[test]
fn a_board_that_is_full_is_closed() {
    let game = UltimateTicTacToe;
    let full = "f9 i8 g6 a8 c4 i3 h9 e8 f4 i2 h6 e9 d8 b4 d1 c2 i6 i7 g1 b1 d3 c8 e4 f1 h2 e5 d5 c5 h3 e7 d2 a5 a6 b8 \
                d4 c3 g9 h1 g2 b5 h8 b3 g8 g3 i1";
    let position = after(&game, full);
    let boards: HashSet<_> = (0..81)
        .map(|i| (i % 9, i / 9))
        .filter(|&(column, row)| game.parse_move(&position, &square(column, row)).is_some())
        .map(|(column, row)| (column / 3, row / 3))
        .collect();
    assert!(boards.len() > 1 && !boards.contains(&(2, 0)), "{boards:?}");
}

/// Five boards against two, no three of them in a line and no cell left.
#[test]
fn more_boards_do_not_win() {
    let draw = "b2 e4 f2 g5 b5 f6 g8 b4 d3 c9 h8 e6 e9 f9 i9 g9 a8 b6 e7 d2 a5 a4 a1 b1 e2 f5 g4 b3 e8 d6 c7 h2 c4 i1 g2 \
                c5 i6 h7 e3 a6 c8 i5 h4 e1 d1 a2 c6 h9 a9 b7 f1 g3 b9 a3 a7 c1 i4 g7 c3 i8 i7";
    let position = after(&UltimateTicTacToe, draw);
    assert_eq!(UltimateTicTacToe.turn(&position), Turn::Over);
    assert_eq!(UltimateTicTacToe.rewards(&position), Rewards::draw(2));
    assert!(UltimateTicTacToe.evaluate(&position).unwrap().of(Player(0)) > 0.9);
}

/// A cross is two lines, a nought is one ring.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<UltimateTicTacToe>(&[], "e5 d4", &[2, 1]);
}
