use crate::kit::{End, Guess, Perft, after, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Rewards, Visitor};
use permutree_games::TicTacChess;

#[test]
fn kit() {
    golden::<TicTacChess>(&[], 200, "tic-tac-chess");
    conforms::<TicTacChess>(&[("plies", "1")], 50);
    conforms::<TicTacChess>(&[("plies", "7")], 200);
    conforms::<TicTacChess>(&[("plies", "10000")], 20);
}

/// The board as characters: capital letters for player 1, small ones for player 2.
#[derive(Clone)]
struct Board {
    cells: [[char; 3]; 3],
    ply: usize,
    plies: usize,
}

impl Board {
    fn new(plies: usize) -> Self {
        Self { cells: [['.'; 3]; 3], ply: 0, plies }
    }

    fn at(&self, column: i8, row: i8) -> Option<char> {
        self.cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    }

    fn is_own(&self, c: char) -> bool {
        c != '.' && c.is_uppercase() == self.ply.is_multiple_of(2)
    }

    fn has_line(&self, capital: bool) -> bool {
        let own = |(c, r): (usize, usize)| {
            let piece = self.cells[r][c];
            piece != '.' && piece.is_uppercase() == capital
        };
        (0..3).any(|i| (0..3).all(|j| own((i, j))) || (0..3).all(|j| own((j, i))))
            || (0..3).all(|i| own((i, i)))
            || (0..3).all(|i| own((i, 2 - i)))
    }

    /// The moves of the piece on a cell, in every direction and over every distance that it has.
    fn moves_of(&self, column: i8, row: i8, out: &mut Vec<String>) {
        let piece = self.at(column, row).unwrap();
        let mut add = |c: i8, r: i8| {
            let [from, to] = [(column, row), (c, r)].map(|(c, r)| square(c as usize, r as usize));
            out.push(format!("{}{from}-{to}", piece.to_ascii_uppercase()));
        };
        for (dc, dr) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let reach = match piece.to_ascii_uppercase() {
                'K' => 1,
                'Q' => 2,
                _ => 2 * i8::from(dc == 0 || dr == 0),
            };
            for i in 1..=reach {
                if self.at(column + i * dc, row + i * dr) != Some('.') {
                    break;
                }
                add(column + i * dc, row + i * dr);
            }
            let beside = self.at(column + dc, row + dr).unwrap_or('.');
            let behind = self.at(column + 2 * dc, row + 2 * dr);
            if beside != '.' && !self.is_own(beside) && behind == Some('.') {
                add(column + 2 * dc, row + 2 * dr);
            }
        }
    }
}

impl Plain for Board {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.ply % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        let mut out = Vec::new();
        if self.has_line(true) || self.has_line(false) || self.ply == self.plies {
            return out;
        }
        let cells: Vec<(i8, i8)> = (0..9).map(|i| (i % 3, i / 3)).collect();
        for piece in ['K', 'Q', 'R'] {
            let placed =
                self.cells.as_flattened().iter().any(|&c| self.is_own(c) && c.eq_ignore_ascii_case(&piece));
            for &(column, row) in cells.iter().filter(|(c, r)| !placed && self.at(*c, *r) == Some('.')) {
                out.push(format!("{piece}{}", square(column as usize, row as usize)));
            }
        }
        if self.ply >= 6 {
            for &(column, row) in &cells {
                if self.is_own(self.at(column, row).unwrap()) {
                    self.moves_of(column, row, &mut out);
                }
            }
        }
        out
    }

    fn play(&mut self, text: &str) {
        let (piece, way) = text.split_at(1);
        let (from, to) = way.split_once('-').map_or((None, way), |(from, to)| (parse_square(from), to));
        let (column, row) = parse_square(to).unwrap();
        if let Some((column, row)) = from {
            self.cells[row][column] = '.';
        }
        let piece = piece.chars().next().unwrap();
        self.cells[row][column] = if self.ply.is_multiple_of(2) { piece } else { piece.to_ascii_lowercase() };
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by([true, false].into_iter().position(|capital| self.has_line(capital)).map(|i| i as u8), 2)
    }
}

#[test]
fn plain_rules_agree() {
    with::<TicTacChess, _>(&[], Lockstep { plain: Board::new(500), opening: "", games: 300 });
    with::<TicTacChess, _>(&[("plies", "9")], Lockstep { plain: Board::new(9), opening: "", games: 300 });
}

/// All six stand, two rows of three without a line.
const PLACED: &str = "Ka1 Ka2 Qb1 Qb2 Rc2 Rc1";

/// Pieces times empty cells: 27, 24, 14, 12 and 5. Of the 544,320 sequences of five plies player 1 has won in 48 * 30 * 36:
/// the winner's cells are an ordered line, the opponent's two of the other six, and the pieces come in 3! * (3 * 2) orders.
/// The rest have 4 moves each. Deeper counts are those of the plain rules.
#[test]
fn perft_counts() {
    let counts = with::<TicTacChess, _>(&[], Perft(6));
    assert_eq!(counts, [27, 648, 9072, 108_864, 544_320, 4 * (544_320 - 48 * 30 * 36)]);
    for opening in [PLACED, "Kb2 Ka1 Qa2 Qc2 Rb3 Rc1", "Rb2 Qa1 Qa3 Rc1 Kb3 Kc3"] {
        let counts = with::<TicTacChess, _>(&[], SamePerft { plain: Board::new(500), opening, depth: 4 });
        assert!(counts[3] > 100, "{counts:?}");
    }
}

/// Whether each text is legal after these moves.
struct Legal<'a>(&'a str, &'a [&'a str]);

impl Visitor for Legal<'_> {
    type Output = Vec<bool>;

    fn visit<G: Game>(self, game: G) -> Vec<bool> {
        let position = after(&game, self.0);
        self.1.iter().map(|text| game.parse_move(&position, text).is_some()).collect()
    }
}

#[test]
fn pieces_move_and_hop() {
    let legal = |moves, texts: &[&str]| with::<TicTacChess, _>(&[], Legal(moves, texts));
    // Nothing moves before all six stand, and nothing is placed on a piece.
    assert_eq!(legal("Ka1 Ka2 Qb1", &["Ka2-a3", "Qa3", "Qb1", "Kc3"]), [false, true, false, false]);
    // The top row is empty. The king hops over the enemy king, and over the queen on the slant; the queen hops straight
    // up but not to the corners beyond an empty or a friendly cell.
    let texts = ["Ka1-a3", "Ka1-c3", "Ka1-b3", "Qb1-b3", "Rc2-c3", "Rc2-a2", "Rc2-b3", "Qb1-a3"];
    assert_eq!(legal(PLACED, &texts), [true, true, false, true, true, false, false, false]);
    // No hop over one's own piece, and a rook does not slide on the slant, but hops there.
    let texts = ["Rb2-a3", "Qa2-c2", "Kb3-b1", "Rb2-b1"];
    assert_eq!(legal("Rb2 Qa1 Qa2 Rc1 Kb3 Kc3", &texts), [false, false, false, true]);
    assert_eq!(legal("Ra1 Kb2 Qa2 Qc2 Kc1 Rb1", &["Ra1-c3", "Ra1-b2", "Kc1-a3"]), [true, false, true]);
}

#[test]
fn three_in_a_line_win_at_any_time() {
    let end = |settings: &[(&str, &str)], moves: &str| with::<TicTacChess, _>(settings, End(moves));
    assert_eq!(end(&[], "Ka1 Ka2 Qb1 Qb2 Rc1"), Some(Rewards::win(2, Player(0))));
    assert_eq!(end(&[], "Ka1 Ka2 Qb1 Qb2 Rc3 Rc2"), Some(Rewards::win(2, Player(1))));
    assert_eq!(end(&[], PLACED), None);
    let moved = format!("{PLACED} Ka1-a3 Rc1-a1 Qb1-b3 Ra1-b1 Rc2-c3");
    assert_eq!(end(&[], &moved), Some(Rewards::win(2, Player(0))));
    // The cut-off, and a win on the very last ply.
    assert_eq!(end(&[("plies", "6")], PLACED), Some(Rewards::draw(2)));
    assert_eq!(end(&[("plies", "7")], PLACED), None);
    assert_eq!(end(&[("plies", "5")], "Ka1 Ka2 Qb1 Qb2 Rc1"), Some(Rewards::win(2, Player(0))));
}

/// However the six pieces stand, a player without a line has a move, so that no turn need be skipped.
#[test]
fn the_longer_open_line_is_ahead() {
    let first = |moves| with::<TicTacChess, _>(&[], Guess(moves)).of(Player(0));
    assert!(first("Ka1 Kc2 Qb1") > 0.6);
    assert!(first("Kc2 Ka1 Qa3 Qb1") < 0.4);
    // Closed by the other's piece, the same two count as one.
    assert!((first("Ka1 Kc1 Qb1 Qb3") - 0.5).abs() < 1e-9);
    // And opened again when it goes away.
    assert!(first("Ka1 Kc1 Qb1 Qb3 Rc3 Ra2 Rc3-c2 Kc1-b2") > 0.6);
}

#[test]
fn nobody_is_ever_stuck() {
    fn place(board: &mut Board, pieces: &[char], seen: &mut u32) {
        let Some((&piece, rest)) = pieces.split_first() else {
            if !board.has_line(true) && !board.has_line(false) {
                *seen += 1;
                assert!(!board.moves().is_empty(), "{:?}", board.cells);
            }
            return;
        };
        for cell in 0..9 {
            if board.cells[cell / 3][cell % 3] == '.' {
                board.cells[cell / 3][cell % 3] = piece;
                place(board, rest, seen);
                board.cells[cell / 3][cell % 3] = '.';
            }
        }
    }
    let mut seen = 0;
    let mut board = Board { ply: 6, ..Board::new(500) };
    place(&mut board, &['K', 'Q', 'R', 'k', 'q', 'r'], &mut seen);
    // 9 * 8 * 7 * 6 * 5 * 4 ways, less those in which player 1, player 2 or both have a line: 8 of 84 triples each, and
    // of the pairs of disjoint lines the 3 of rows and the 3 of columns, in either order.
    assert_eq!(seen, 36 * (84 * 20 - 2 * 8 * 20 + 12));
}

#[test]
fn playouts_agree() {
    with::<TicTacChess, _>(&[], Playouts::from_start(10_000));
    with::<TicTacChess, _>(&[("plies", "12")], Playouts { opening: PLACED, games: 10_000 });
}

/// Pieces in hand are drawn too.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<TicTacChess>(&[], "Ka1 Kb2", &[3, 3]);
}
