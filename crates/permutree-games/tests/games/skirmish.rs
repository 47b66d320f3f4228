use crate::kit::{after, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, won_by};
use crate::playouts::{Playouts, uniform};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Rewards, Turn};
use permutree_games::Skirmish;
use std::collections::BTreeSet;

#[test]
fn kit() {
    golden::<Skirmish>(&[], 10, "skirmish");
    conforms::<Skirmish>(&[("plies", "1")], 3);
    let summary = conforms::<Skirmish>(&[("plies", "10000")], 2);
    assert!(summary.plies < 5000.0, "games end because a player cannot move");
}

/// After this nothing is between kings and rooks.
const OPEN: &str = "b1c3 b8c6 g1f3 g8f6 e2e4 e7e5 d2d3 d7d6 c1e3 c8e6 d1d2 d8d7 f1e2 f8e7";
/// Each side has a pawn on the row before the last.
const PROMOTING: &str = "a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 h3g2";
/// A white pawn on e5 and a black one on d4.
const PASSING: &str = "e2e4 d7d5 e4e5 d5d4";

#[test]
fn plain_rules() {
    for (plies, opening, games) in [(100, "", 150), (2000, "", 10), (100, OPEN, 50), (60, PROMOTING, 50)] {
        let plain = Board::start(plies);
        with::<Skirmish, _>(&[("plies", &plies.to_string())], Lockstep { plain, opening, games });
    }
}

/// Chess has the same 20, 400 and 8902 sequences; from the fourth ply on checks would matter. The rest is as the plain rules
/// count.
#[test]
fn perft_counts() {
    let counts =
        |opening, depth| with::<Skirmish, _>(&[], SamePerft { plain: Board::start(100), opening, depth });
    assert_eq!(counts("", 4), [20, 400, 8902, 197_742]);
    for opening in [OPEN, PROMOTING, PASSING] {
        counts(opening, 3);
    }
}

/// Whether each of `moves` is legal after `opening`.
fn legal(opening: &str, moves: &str) -> Vec<bool> {
    let game = Skirmish::new(100);
    let position = after(&game, opening);
    moves.split_whitespace().map(|text| game.parse_move(&position, text).is_some()).collect()
}

#[test]
fn castling() {
    assert_eq!(legal(OPEN, "e1g1 e1c1"), [true, true]);
    assert_eq!(legal(&format!("{OPEN} e1c1"), "e8g8 e8c8"), [true, true]);
    assert_eq!(legal("", "e1g1 e1c1"), [false, false], "pieces stand between");
    // The king has been to f1 and back, then a rook to g1 and back.
    assert_eq!(legal(&format!("{OPEN} e1f1 a7a6 f1e1 a6a5"), "e1g1 e1c1"), [false, false]);
    assert_eq!(legal(&format!("{OPEN} h1g1 a7a6 g1h1 a6a5"), "e1g1 e1c1"), [false, true]);
    // The rook on a8 is captured; a white rook there does not castle.
    let taken = "a2a4 b7b5 a4b5 a7a6 a1a6 b8c6 a6a8 c8b7 h2h3 e7e6 h3h4 d8h4";
    assert_eq!(legal(&format!("{taken} g2g3"), "e8c8"), [false]);
    // A knight on c2 attacks the king, one on g3 the cell that it crosses: neither matters.
    assert_eq!(legal(&format!("{OPEN} a2a3 c6b4 a3a4 b4c2"), "e1g1 e1c1"), [true, true]);
    assert_eq!(legal(&format!("{OPEN} a2a3 f6h5 a3a4 h5g3"), "e1g1"), [true]);
    // The rook goes to the other side of the king.
    let game = Skirmish::new(100);
    let board = game.board(&after(&game, &format!("{OPEN} e1c1 e8g8")), None);
    assert!(board.contains(" 1  . . K R . . . R") && board.contains(" 8  r . . . . r k ."), "{board}");
}

#[test]
fn taking_in_passing() {
    // Only a pawn, only at once, only after a double step.
    assert_eq!(legal(&format!("{PASSING} c2c4"), "d4c3"), [true]);
    assert_eq!(legal(&format!("{PASSING} c2c4 a7a6 a2a3"), "d4c3"), [false]);
    assert_eq!(legal(&format!("{PASSING} c2c3 a7a6 c3c4"), "d4c3"), [false]);
    let game = Skirmish::new(100);
    let taken = after(&game, &format!("{PASSING} c2c4 d4c3"));
    assert!(game.board(&taken, None).contains(" 4  . . . . . . . ."));
    // A knight that goes to the cell passed takes nothing.
    let knight = after(&game, "a2a3 b8c6 a3a4 c6b4 h2h3 b4d5 c2c4 d5c3");
    assert!(game.board(&knight, None).contains(" 4  P . P . . . . ."));
}

#[test]
fn promotion() {
    assert_eq!(
        legal(PROMOTING, "b7a8q b7a8r b7c8b b7c8n b7b8q b7a8 b7a8k"),
        [true, true, true, true, false, false, false]
    );
    let game = Skirmish::new(100);
    let board = game.board(&after(&game, &format!("{PROMOTING} b7a8n g2h1q")), None);
    assert!(board.contains(" 8  N n b") && board.contains("B N q"), "{board}");
}

#[test]
fn the_king_is_a_piece_like_any_other() {
    // White's queen takes the king, and the game goes on.
    let game = Skirmish::new(100);
    let taken = after(&game, "e2e4 f7f6 d1h5 a7a6 h5e8");
    assert_eq!(game.turn(&taken), Turn::Player(Player(1)));
    assert!(game.parse_move(&taken, "d8e8").is_some());
    // The king may move into attack, and captures are not forced.
    assert_eq!(legal("e2e4 e7e5 d1h5", "e8e7 g7g6"), [true, true]);
}

#[test]
fn pieces_are_counted() {
    let rewards = |plies, moves| {
        let game = Skirmish::new(plies);
        let end = after(&game, moves);
        assert_eq!(game.turn(&end), Turn::Over);
        game.rewards(&end)
    };
    assert_eq!(rewards(2, "e2e4 d7d5"), Rewards::draw(2));
    assert_eq!(rewards(3, "e2e4 d7d5 e4d5"), Rewards::win(2, Player(0)));
    assert_eq!(rewards(4, "e2e4 d7d5 a2a3 d5e4"), Rewards::win(2, Player(1)));
}

/// Whether there is a move is not looked at by the playout until one is drawn.
#[test]
fn playouts_agree() {
    with::<Skirmish, _>(&[], Playouts::from_start(3_000));
    with::<Skirmish, _>(&[("plies", "30")], Playouts { opening: PROMOTING, games: 5_000 });
    with::<Skirmish, _>(&[("plies", "1000")], Playouts::from_start(300));
}

/// Promotions, castling and slides.
#[test]
fn random_moves_are_uniform() {
    let game = Skirmish::new(100);
    let position = after(&game, &format!("{OPEN} a2a4 h7h5 a4a5 h5h4 a5a6 h4h3 a6b7 a7a6"));
    for text in ["b7a8q", "b7a8n", "e1g1", "e1c1"] {
        assert!(game.parse_move(&position, text).is_some(), "{text}");
    }
    uniform(&game, &position);
}

#[test]
fn material_is_judged() {
    let game = Skirmish::new(100);
    let judge = |moves: &str| game.evaluate(&after(&game, moves)).unwrap().of(Player(0));
    assert_eq!(judge("e2e4 d7d5"), 0.5);
    let (pawn, queen) = (judge("e2e4 d7d5 e4d5"), judge("e2e4 d7d5 e4d5 a7a6 d5d6 a6a5 d6c7 a5a4 c7d8q"));
    assert!(0.5 < pawn && pawn < 0.7 && 0.9 < queen, "{pawn} {queen}");
    assert!(judge("e2e4 d7d5 a2a3 d5e4") < 0.5);
}

/// Two ways to one position at one ply meet; the same board with other rights or another ply does not.
#[test]
fn hashes() {
    let game = Skirmish::new(100);
    let hash = |moves: &str| game.hash(&after(&game, moves));
    assert_eq!(hash("g1f3 g8f6 b1c3 b8c6"), hash("b1c3 b8c6 g1f3 g8f6"));
    assert_ne!(hash(""), hash("g1f3 g8f6 f3g1 f6g8"));
    let moved = |from: &str| hash(&format!("{OPEN} {from}"));
    assert_ne!(moved("e1f1 a7a6 f1e1 a6a5"), moved("h1g1 a7a6 g1h1 a6a5"));
    assert_eq!(moved("e1f1 a7a6 f1e1 a6a5"), moved("e1d1 a7a6 d1e1 a6a5"));
    // The same board at the same ply, but only after a double step may the pawn of d4 take in passing.
    let [double, single] = ["e2d3 a6a5 d3f1 a5a4 c2c4", "e2f1 a6a5 c2c3 a5a4 c3c4"]
        .map(|last| after(&game, &format!("{PASSING} f1e2 a7a6 {last}")));
    assert_eq!(game.board(&double, None), game.board(&single, None));
    assert_ne!(game.hash(&double), game.hash(&single));
    // A double step that no pawn can answer so is a move like any other.
    assert_eq!(hash("g1f3 a7a6 e2e4"), hash("e2e4 a7a6 g1f3"));
}

/// A board of letters, capitals white, row 0 first.
#[derive(Clone)]
struct Board {
    cells: Vec<Vec<char>>,
    /// Every cell that a move has left or reached.
    touched: BTreeSet<(usize, usize)>,
    last: String,
    ply: usize,
    plies: usize,
}

const SLIDES: [(isize, isize); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(isize, isize); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The first cell that the text names.
fn cell(text: &str) -> (usize, usize) {
    parse_square(&text[..2]).unwrap()
}

impl Board {
    fn start(plies: usize) -> Self {
        let rows =
            ["RNBQKBNR", "PPPPPPPP", "........", "........", "........", "........", "pppppppp", "rnbqkbnr"];
        let cells = rows.map(|row| row.chars().collect()).to_vec();
        Self { cells, touched: BTreeSet::new(), last: String::new(), ply: 0, plies }
    }

    fn at(&self, column: isize, row: isize) -> Option<char> {
        self.cells.get(usize::try_from(row).ok()?)?.get(usize::try_from(column).ok()?).copied()
    }

    fn is_own(&self, piece: char) -> bool {
        piece.is_alphabetic() && piece.is_uppercase() == self.ply.is_multiple_of(2)
    }

    /// Whether the last move was a double step over this cell.
    fn passed(&self, column: isize, row: isize) -> bool {
        if self.last.is_empty() {
            return false;
        }
        let (from, to) = (cell(&self.last), cell(&self.last[2..]));
        let double = from.0 == to.0 && from.1.abs_diff(to.1) == 2;
        double
            && self.cells[to.1][to.0].eq_ignore_ascii_case(&'p')
            && (from.0 as isize, ((from.1 + to.1) / 2) as isize) == (column, row)
    }

    fn pawn(&self, column: isize, row: isize, out: &mut Vec<(isize, isize)>) {
        let (ahead, home) = if self.ply.is_multiple_of(2) { (1, 1) } else { (-1, 6) };
        if self.at(column, row + ahead) == Some('.') {
            out.push((column, row + ahead));
            if row == home && self.at(column, row + 2 * ahead) == Some('.') {
                out.push((column, row + 2 * ahead));
            }
        }
        for side in [column - 1, column + 1] {
            match self.at(side, row + ahead) {
                Some('.') if self.passed(side, row + ahead) => out.push((side, row + ahead)),
                Some(piece) if piece != '.' && !self.is_own(piece) => out.push((side, row + ahead)),
                _ => {}
            }
        }
    }

    fn castles(&self, out: &mut Vec<(isize, isize)>) {
        let row = if self.ply.is_multiple_of(2) { 0 } else { 7 };
        for (rook, to, between) in [(0, 2, 1..4), (7, 6, 5..7)] {
            let unmoved = [4, rook].iter().all(|&column| !self.touched.contains(&(column, row)));
            if unmoved && between.clone().all(|column| self.cells[row][column] == '.') {
                out.push((to, row as isize));
            }
        }
    }
}

impl Plain for Board {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.ply % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        let mut texts = Vec::new();
        if self.ply == self.plies {
            return texts;
        }
        for from in 0..64 {
            let (column, row) = (from % 8, from / 8);
            let piece = self.cells[row][column];
            if !self.is_own(piece) {
                continue;
            }
            let piece = piece.to_ascii_lowercase();
            let (c, r) = (column as isize, row as isize);
            let mut reached = Vec::new();
            let (ways, far) = match piece {
                'p' => (&SLIDES[..0], 0),
                'n' => (&LEAPS[..], 1),
                'b' => (&SLIDES[4..], 7),
                'r' => (&SLIDES[..4], 7),
                'q' => (&SLIDES[..], 7),
                _ => (&SLIDES[..], 1),
            };
            for (dc, dr) in ways {
                for distance in 1..=far {
                    let to = (c + dc * distance, r + dr * distance);
                    let Some(target) = self.at(to.0, to.1).filter(|&target| !self.is_own(target)) else {
                        break;
                    };
                    reached.push(to);
                    if target != '.' {
                        break;
                    }
                }
            }
            match piece {
                'p' => self.pawn(c, r, &mut reached),
                'k' => self.castles(&mut reached),
                _ => {}
            }
            for (to_column, to_row) in reached {
                let text = square(column, row) + &square(to_column as usize, to_row as usize);
                if piece == 'p' && (to_row == 0 || to_row == 7) {
                    texts.extend(["q", "r", "b", "n"].map(|kind| text.clone() + kind));
                } else {
                    texts.push(text);
                }
            }
        }
        texts
    }

    fn play(&mut self, text: &str) {
        let (from, to) = (cell(text), cell(&text[2..]));
        let piece = std::mem::replace(&mut self.cells[from.1][from.0], '.');
        if piece.eq_ignore_ascii_case(&'p') && from.0 != to.0 && self.cells[to.1][to.0] == '.' {
            self.cells[from.1][to.0] = '.';
        }
        if piece.eq_ignore_ascii_case(&'k') && from.0.abs_diff(to.0) == 2 {
            let (rook, beside) = if to.0 == 6 { (7, 5) } else { (0, 3) };
            self.cells[to.1][beside] = std::mem::replace(&mut self.cells[to.1][rook], '.');
        }
        self.cells[to.1][to.0] = match text.chars().nth(4) {
            Some(kind) if piece.is_uppercase() => kind.to_ascii_uppercase(),
            Some(kind) => kind,
            None => piece,
        };
        self.touched.extend([from, to]);
        self.last = text.to_string();
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        let count = |white: bool| {
            let pieces = self.cells.iter().flatten().filter(|piece| piece.is_alphabetic());
            pieces.filter(|piece| piece.is_uppercase() == white).count()
        };
        let (white, black) = (count(true), count(false));
        won_by((white != black).then_some(u8::from(white < black)), 2)
    }
}

/// The 16 white pieces have black outlines, and one black piece is gone.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Skirmish>(&[], "e2e4 d7d5 e4d5", &[16, 31]);
}
