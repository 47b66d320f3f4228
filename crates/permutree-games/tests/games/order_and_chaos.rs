use crate::kit::{End, Guess, Perft, conforms, golden, with};
use crate::plain::{Lockstep, Plain, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::{parse_square, square};
use permutree_game::{Player, Rewards};
use permutree_games::OrderAndChaos;

#[test]
fn kit() {
    golden::<OrderAndChaos>(&[], 50, "order-and-chaos");
    for size in ["5", "7", "8", "9"] {
        conforms::<OrderAndChaos>(&[("size", size)], 10);
    }
}

/// The board as characters.
#[derive(Clone)]
struct Board {
    cells: Vec<Vec<char>>,
    ply: usize,
}

impl Board {
    fn new(size: usize) -> Self {
        Self { cells: vec![vec!['.'; size]; size], ply: 0 }
    }

    fn has_five(&self) -> bool {
        let at = |c: isize, r: isize| {
            let row = self.cells.get(usize::try_from(r).ok()?)?;
            row.get(usize::try_from(c).ok()?).copied().filter(|symbol| *symbol != '.')
        };
        let side = self.cells.len() as isize;
        (0..side * side).any(|i| {
            let (c, r) = (i % side, i / side);
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dc, dr)| at(c, r).is_some() && (1..5).all(|i| at(c + i * dc, r + i * dr) == at(c, r)))
        })
    }
}

impl Plain for Board {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.ply % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.has_five() {
            return Vec::new();
        }
        let size = self.cells.len();
        let empty = (0..size * size).map(|i| (i % size, i / size)).filter(|&(c, r)| self.cells[r][c] == '.');
        empty.flat_map(|(c, r)| ['x', 'o'].map(|symbol| format!("{symbol}{}", square(c, r)))).collect()
    }

    fn play(&mut self, text: &str) {
        let (column, row) = parse_square(&text[1..]).unwrap();
        self.cells[row][column] = text.chars().next().unwrap();
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(Some(u8::from(!self.has_five())), 2)
    }
}

#[test]
fn plain_rules_agree() {
    for (size, games) in [(5, 200), (6, 200), (7, 100), (8, 50), (9, 50)] {
        let settings = [("size", &*size.to_string())];
        with::<OrderAndChaos, _>(&settings, Lockstep { plain: Board::new(size), opening: "", games });
    }
}

/// Two symbols times the empty cells: 72 * 70 * 68.
#[test]
fn perft_counts() {
    assert_eq!(with::<OrderAndChaos, _>(&[], Perft(3)), [72, 72 * 70, 72 * 70 * 68]);
    assert_eq!(with::<OrderAndChaos, _>(&[("size", "9")], Perft(2)), [162, 162 * 160]);
}

#[test]
fn order_wins_whoever_makes_the_five() {
    let end = |moves| with::<OrderAndChaos, _>(&[], End(moves));
    let order = Some(Rewards::win(2, Player(0)));
    assert_eq!(end("xa1 xb1 xc1 xd1 xe1"), order);
    assert_eq!(end("oa1 oa2 oa3 oa4 xf6 oa6 xf5 oa5"), order, "six in a column, finished by Chaos");
    assert_eq!(end("xa2 xb3 xc4 xd5 xe6"), order);
    assert_eq!(end("xf1 xe2 xd3 xc4 xb5"), order);
    assert!(end("xa1 xb1 oc1 xd1 xe1 xf1").is_none(), "not equal");
    assert!(end("xb1 xc1 xd1 xe1 xa2").is_none(), "four");
    assert!(end("xd1 xe1 xf1 xa2 xb2").is_none(), "over the edge");
}

/// All cells of a board, row by row, in pairs x x o o x x, and every row the opposite of the one below: nowhere are three
/// equal in a row.
fn mixed(size: usize) -> String {
    let cells = (0..size * size).map(|cell| (cell % size, cell / size));
    let symbol = |column, row| if (column / 2 + row) % 2 == 0 { 'x' } else { 'o' };
    cells.map(|(column, row)| format!("{}{} ", symbol(column, row), square(column, row))).collect()
}

#[test]
fn chaos_wins_a_full_board() {
    let end = |moves: &str| with::<OrderAndChaos, _>(&[("size", "5")], End(moves));
    assert_eq!(end(&mixed(5)), Some(Rewards::win(2, Player(1))));
    assert!(end(&mixed(5)[..4 * 24]).is_none());
}

#[test]
fn four_in_an_open_line_are_ahead_and_a_mixed_board_is_not() {
    let order = |moves: &str| with::<OrderAndChaos, _>(&[], Guess(moves)).of(Player(0));
    assert!((order("") - 0.5).abs() < 1e-9);
    assert!(order("xb1 xc1 xd1 xe1") > 0.8);
    assert!(order("xb1 xc1 xd1 xe1") > order("xb1 xc1 xd1"));
    // Only the last row is left to make five.
    let mixed = mixed(6);
    assert!(order(&mixed[..4 * 30]) < 0.1);
}

/// Games from an odd and an even number of cells, with and without an almost complete line, in one word and in two.
#[test]
fn playouts_agree() {
    for size in ["5", "6", "9"] {
        with::<OrderAndChaos, _>(&[("size", size)], Playouts::from_start(4_000));
    }
    with::<OrderAndChaos, _>(&[], Playouts { opening: "xb1 xc1 xd1 xe1 oa2", games: 10_000 });
}
