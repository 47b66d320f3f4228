use crate::kit::{End, Guess, Perft, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::{parse_square, square};
use permutree_game::{Player, Rewards};
use permutree_games::TicTacMo;

#[test]
fn kit() {
    golden::<TicTacMo>(&[], 500, "tic-tac-mo");
}

/// Who marked each cell, by its name.
#[derive(Clone)]
struct Marks(Vec<String>);

impl Marks {
    fn winner(&self) -> Option<u8> {
        let owner = |column: isize, row: isize| {
            let cell = (column >= 0 && row >= 0).then(|| square(column as usize, row as usize))?;
            self.0.iter().position(|marked| *marked == cell).map(|ply| (ply % 3) as u8)
        };
        let cells = (0..15).map(|i: isize| (i % 5, i / 5));
        cells.into_iter().find_map(|(column, row)| {
            let first = owner(column, row)?;
            let line = |(dc, dr): (isize, isize)| {
                (1..3).all(|i| owner(column + i * dc, row + i * dr) == Some(first))
            };
            [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(line).then_some(first)
        })
    }
}

impl Plain for Marks {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.0.len() % 3) as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let cells = (0..15).map(|i| square(i % 5, i / 5));
        cells.filter(|cell| !self.0.contains(cell)).collect()
    }

    fn play(&mut self, text: &str) {
        assert!(parse_square(text).is_some());
        self.0.push(text.to_string());
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner(), 3)
    }
}

#[test]
fn plain_rules_agree() {
    with::<TicTacMo, _>(&[], Lockstep { plain: Marks(Vec::new()), opening: "", games: 500 });
}

/// 15 * 14 * 13 * 12 * 11, since no player has three before ply 7. Deeper counts are those of the plain rules.
#[test]
fn perft_counts() {
    assert_eq!(with::<TicTacMo, _>(&[], Perft(5)), [15, 210, 2730, 32_760, 360_360]);
    let opening = "a1 b1 c1 a2 b2 c2 d1 e1";
    with::<TicTacMo, _>(&[], SamePerft { plain: Marks(Vec::new()), opening, depth: 4 });
}

#[test]
fn who_makes_three_wins_alone() {
    let end = |moves| with::<TicTacMo, _>(&[], End(moves));
    assert_eq!(end("a1 a2 a3 b1 b2 b3 c1"), Some(Rewards::win(3, Player(0))));
    assert_eq!(end("a1 c1 a3 b1 c2 b3 d3 c3"), Some(Rewards::win(3, Player(1))));
    assert_eq!(end("a1 e1 a3 b1 d2 b3 d3 c3"), Some(Rewards::win(3, Player(1))));
    assert_eq!(end("a1 a2 e1 b1 b2 e2 d3 d2 e3"), Some(Rewards::win(3, Player(2))));
    // From the end of one row to the start of the next is no line.
    assert_eq!(end("d1 a3 b3 e1 c3 d3 a2"), None);
    assert_eq!(
        end("c2 b1 e2 a1 a3 a2 e3 d1 b3 d3 c3 c1 b2 d2 e1"),
        Some(Rewards::share(3, 0b111)),
        "a full board without a line"
    );
}

#[test]
fn two_in_an_open_line_are_ahead() {
    let guess = |moves| with::<TicTacMo, _>(&[], Guess(moves));
    let guessed = guess("a1 a2 a3 b1 d1 e3");
    let [first, second, third] = guessed.as_slice() else { panic!() };
    assert!(first > second && first > third, "{guessed:?}");
    // Not if the line is closed.
    let guessed = guess("a1 c1 a3 b1 e2 e3");
    let [first, second, third] = guessed.as_slice() else { panic!() };
    assert!((first - second).abs() < 1e-9 && (first - third).abs() < 1e-9, "{guessed:?}");
}

#[test]
fn playouts_agree() {
    with::<TicTacMo, _>(&[], Playouts::from_start(20_000));
    with::<TicTacMo, _>(&[], Playouts { opening: "a1 b1 c1 a2 b2", games: 10_000 });
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<TicTacMo>(&[], "a1 b1 c1 d1", &[2, 1, 1]);
}
