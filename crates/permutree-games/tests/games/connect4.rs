use crate::kit::{Guess, Perft, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::column_letter;
use permutree_game::{Args, Configure, ParamError, Player};
use permutree_games::Connect4;

#[test]
fn kit() {
    golden::<Connect4>(&[], 200, "connect4");
    for settings in [
        [("columns", "2"), ("rows", "4"), ("connect", "4")],
        [("columns", "3"), ("rows", "2"), ("connect", "3")],
        [("columns", "8"), ("rows", "7"), ("connect", "5")],
        [("columns", "11"), ("rows", "10"), ("connect", "6")],
    ] {
        conforms::<Connect4>(&settings, 40);
    }
}

#[test]
fn a_line_that_does_not_fit_is_refused() {
    let params = Connect4::FACTS.params;
    let mut args = Args::defaults(params);
    for (param, text) in params.iter().zip(["3", "2", "4"]) {
        args.set(param, text).unwrap();
    }
    let error: ParamError = Connect4::configure(&args, Perft(1)).unwrap_err();
    assert_eq!(error.to_string(), "connect=4: no line is that long on 3 columns of 2 rows");
}

/// Lines of every length and both word sizes.
#[test]
fn plain_rules_agree() {
    for (columns, rows, connect, depth) in
        [(4, 4, 3, 8), (2, 6, 4, 12), (4, 4, 4, 8), (5, 2, 5, 10), (6, 2, 6, 7), (11, 10, 3, 5), (7, 6, 4, 5)]
    {
        let texts = [columns, rows, connect].map(|x: usize| x.to_string());
        let settings = [("columns", &*texts[0]), ("rows", &*texts[1]), ("connect", &*texts[2])];
        let plain = Columns { rows, connect, stones: vec![Vec::new(); columns], ply: 0, won: false };
        with::<Connect4, _>(&settings, SamePerft { plain: plain.clone(), opening: "", depth });
        with::<Connect4, _>(&settings, Lockstep { plain, opening: "", games: 50 });
    }
}

/// Columns as lists of stones, lines found by walking from the last stone.
#[derive(Clone)]
struct Columns {
    rows: usize,
    connect: usize,
    stones: Vec<Vec<u8>>,
    ply: u8,
    /// By the last stone.
    won: bool,
}

impl Columns {
    fn wins(&self, column: usize) -> bool {
        let (row, player) = (self.stones[column].len() - 1, self.stones[column].last());
        let arm = |dc: isize, dr: isize| {
            (1..)
                .take_while(|&i| {
                    let at = column.checked_add_signed(dc * i).zip(row.checked_add_signed(dr * i));
                    at.and_then(|(c, r)| self.stones.get(c)?.get(r)) == player
                })
                .count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(c, r)| 1 + arm(c, r) + arm(-c, -r) >= self.connect)
    }
}

impl Plain for Columns {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some(self.ply % 2)
    }

    fn moves(&self) -> Vec<String> {
        let open = |column: &usize| !self.won && self.stones[*column].len() < self.rows;
        (0..self.stones.len()).filter(open).map(column_letter).map(String::from).collect()
    }

    fn play(&mut self, text: &str) {
        let column = (0..).find(|&column| text == String::from(column_letter(column))).unwrap();
        self.stones[column].push(self.ply % 2);
        self.won = self.wins(column);
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.won.then_some((self.ply + 1) % 2), 2)
    }
}

#[test]
fn playouts_agree() {
    let (usual, large) = ([("columns", "7"), ("rows", "6")], [("columns", "11"), ("rows", "10")]);
    for settings in [usual, large] {
        with::<Connect4, _>(&settings, Playouts::from_start(10_000));
    }
    // A column that is full from the start.
    with::<Connect4, _>(&usual, Playouts { opening: "c c c c c c d", games: 10_000 });
}

#[test]
fn the_longer_open_line_is_ahead() {
    for columns in ["7", "11"] {
        let first =
            |moves| with::<Connect4, _>(&[("columns", columns), ("rows", "10")], Guess(moves)).of(Player(0));
        assert!((first("") - 0.5).abs() < 1e-9);
        // Whoever is to move.
        assert!(first("c g d f e") > 0.6);
        assert!(first("c g d f e f") > 0.6);
        assert!(first("g c a d g e") < 0.4);
        // Three stones that cannot become four count less than two that can.
        assert!(first("a d b d c") < 0.5);
    }
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Connect4>(&[], "a a b", &[2, 1]);
}
