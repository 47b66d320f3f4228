use crate::kit::{End, Guess, Perft, Table7, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, won_by};
use crate::playouts::{OrderChangesNothing, Playouts};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Player, Rewards};
use permutree_games::Gomoku;

#[test]
fn kit() {
    golden::<Gomoku>(&[("size", "6")], 20, "gomoku-6");
    conforms::<Gomoku>(&[], 20);
    conforms::<Gomoku>(&[("size", "10"), ("exact", "true")], 5);
    conforms::<Gomoku>(&[("size", "11")], 3);
    conforms::<Gomoku>(&[("size", "19")], 1);
    conforms::<Gomoku>(&[("size", "19"), ("exact", "true")], 1);
}

#[test]
fn table7() {
    with::<Gomoku, _>(&[], Table7 { moves: 81, plies: 53.426, presence: &[("exact", 0.333)] });
}

#[test]
fn playouts_agree() {
    for (settings, games) in [
        ([("size", "9"), ("exact", "false")], 10_000),
        ([("size", "5"), ("exact", "false")], 10_000),
        ([("size", "9"), ("exact", "true")], 10_000),
        ([("size", "19"), ("exact", "false")], 2_000),
    ] {
        with::<Gomoku, _>(&settings, Playouts::from_start(games));
    }
    // The second player to move, with a threat on the board.
    with::<Gomoku, _>(&[], Playouts { opening: "e5 a1 e6 a2 e7 a3 e8", games: 10_000 });
}

#[test]
fn five_wins_in_every_direction_and_nowhere_else() {
    let reward =
        |size, moves| with::<Gomoku, _>(&[("size", size)], End(moves)).map(|rewards| rewards.of(Player(0)));
    for size in ["9", "19"] {
        assert_eq!(reward(size, "a1 a3 b1 b3 c1 c3 d1 d3 e1"), Some(1.0));
        assert_eq!(reward(size, "a1 b1 a2 b2 a3 b3 a4 b4 a5"), Some(1.0));
        assert_eq!(reward(size, "a1 b1 b2 b3 c3 b4 e5 b5 d4"), Some(1.0));
        assert_eq!(reward(size, "h9 a5 h8 b4 h7 c3 h6 d2 g1 e1"), Some(0.0));
        assert_eq!(reward(size, "a1 a3 b1 b3 c1 c3 d1 d3"), None);
    }
    // From the end of one row to the start of the next, straight and slanting.
    assert_eq!(reward("9", "g1 a9 h1 b9 i1 c9 a2 d9 b2"), None);
    assert_eq!(reward("9", "h1 a9 i2 b9 a4 c9 b5 d9 c6"), None);
    assert_eq!(reward("9", "b1 a9 a2 b9 i2 c9 h3 d9 g4"), None);
}

#[test]
fn six_wins_in_the_free_style_only() {
    let six = "a1 a3 b1 b3 c1 c3 e1 f3 f1 g3 d1";
    let win = Some(Rewards::win(2, Player(0)));
    assert_eq!(with::<Gomoku, _>(&[], End(six)), win);
    assert_eq!(with::<Gomoku, _>(&[("exact", "true")], End(six)), None);
    assert_eq!(with::<Gomoku, _>(&[("exact", "true")], End("a1 a3 b1 b3 c1 c3 e1 f3 d1")), win);
}

/// The board by rows and columns, searched as a whole for five.
#[derive(Clone)]
struct Board {
    cells: Vec<Vec<Option<u8>>>,
    ply: usize,
    exact: bool,
}

impl Plain for Board {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.ply % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let size = self.cells.len();
        let cells = (0..size * size).map(|i| (i % size, i / size));
        cells.filter(|&(c, r)| self.cells[r][c].is_none()).map(|(c, r)| square(c, r)).collect()
    }

    fn play(&mut self, text: &str) {
        let (column, row) = parse_square(text).unwrap();
        self.cells[row][column] = Some((self.ply % 2) as u8);
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner(), 2)
    }
}

impl Board {
    fn new(size: usize, exact: bool) -> Self {
        Self { cells: vec![vec![None; size]; size], ply: 0, exact }
    }

    fn winner(&self) -> Option<u8> {
        let at =
            |c: isize, r: isize| *self.cells.get(usize::try_from(r).ok()?)?.get(usize::try_from(c).ok()?)?;
        let side = self.cells.len() as isize;
        (0..side * side).map(|i| (i % side, i / side)).find_map(|(c, r)| {
            let owner = at(c, r)?;
            let five = |(dc, dr): &(isize, isize)| {
                let same = |i: isize| at(c + i * dc, r + i * dr) == Some(owner);
                (1..5).all(same) && (!self.exact || !same(-1) && !same(5))
            };
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(five).then_some(owner)
        })
    }
}

#[test]
fn games_follow_plain_rules() {
    for (size, exact, games) in [(5, false, 200), (7, false, 100), (8, true, 100), (13, false, 10)] {
        let texts = [size.to_string(), exact.to_string()];
        let settings = [("size", &*texts[0]), ("exact", &*texts[1])];
        with::<Gomoku, _>(&settings, Lockstep { plain: Board::new(size, exact), opening: "", games });
    }
}

/// No player has five before ply 9, so the counts are falling factorials.
#[test]
fn perft_counts() {
    assert_eq!(with::<Gomoku, _>(&[("size", "5")], Perft(3)), [25, 600, 13_800]);
    assert_eq!(with::<Gomoku, _>(&[("size", "11")], Perft(3)), [121, 14_520, 1_727_880]);
}

#[test]
fn the_longer_open_line_is_ahead() {
    for size in ["9", "19"] {
        let first = |moves| with::<Gomoku, _>(&[("size", size)], Guess(moves)).of(Player(0));
        assert!((first("") - 0.5).abs() < 1e-9);
        assert!(first("e5 a9 e6 c1 e7") > 0.6);
        assert!(first("e5 a9 a1 b9 g7 c9") < 0.4);
        // Four between two of the other's stones never become five.
        assert!(first("b1 a1 c1 f1 d1 f2 e1 f3") < 0.4);
    }
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Gomoku>(&[], "c3 d4 e5", &[2, 1]);
}

#[test]
fn order_changes_nothing() {
    with::<Gomoku, _>(&[], OrderChangesNothing);
}
