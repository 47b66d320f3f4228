use crate::kit::{Guess, Perft, Table7, after, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Turn, Visitor};
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

/// Plays the moves, of which only the last may end the game, and tells the reward of player 1 if it does.
struct Line<'a>(&'a str);

impl Visitor for Line<'_> {
    type Output = Option<f64>;

    fn visit<G: Game>(self, game: G) -> Option<f64> {
        let position = after(&game, self.0);
        (game.turn(&position) == Turn::Over).then(|| game.rewards(&position).of(Player(0)))
    }
}

#[test]
fn five_wins_in_every_direction_and_nowhere_else() {
    let reward = |size, moves| with::<Gomoku, _>(&[("size", size)], Line(moves));
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
    assert_eq!(with::<Gomoku, _>(&[], Line(six)), Some(1.0));
    assert_eq!(with::<Gomoku, _>(&[("exact", "true")], Line(six)), None);
    assert_eq!(with::<Gomoku, _>(&[("exact", "true")], Line("a1 a3 b1 b3 c1 c3 e1 f3 d1")), Some(1.0));
}

/// Random games judged by rules written the plain way: the game goes on exactly as long as nobody has five.
struct Judge {
    size: usize,
    exact: bool,
    games: u64,
}

impl Visitor for Judge {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut scratch = Vec::new();
        for seed in 0..self.games {
            let mut rng = permutree_game::Rng::new(seed);
            let mut position = game.start();
            let mut board = vec![vec![2; self.size]; self.size];
            for ply in 0.. {
                let over = self.has_five(&board) || ply == self.size * self.size;
                assert_eq!(game.turn(&position) == Turn::Over, over, "{}", game.board(&position, None));
                let Some(mv) = game.random_move(&position, &mut rng, &mut scratch) else { break };
                let text = game.move_text(&position, mv);
                let (column, row) = permutree_game::draw::parse_square(&text).unwrap();
                board[row][column] = ply % 2;
                game.play(&mut position, mv);
            }
        }
    }
}

impl Judge {
    fn has_five(&self, board: &[Vec<usize>]) -> bool {
        let at = |c: isize, r: isize| {
            let row = board.get(usize::try_from(r).ok()?)?;
            row.get(usize::try_from(c).ok()?).copied().filter(|&owner| owner < 2)
        };
        let side = self.size as isize;
        let starts = (0..side).flat_map(|c| (0..side).map(move |r| (c, r)));
        starts.into_iter().any(|(c, r)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|(dc, dr)| {
                let owner = at(c, r);
                let same = |i: isize| at(c + i * dc, r + i * dr) == owner;
                let five = owner.is_some() && (1..5).all(same);
                five && (!self.exact || !same(-1) && !same(5))
            })
        })
    }
}

#[test]
fn games_end_when_plain_rules_say() {
    for (size, exact, games) in [(5, false, 200), (7, false, 100), (8, true, 100), (13, false, 10)] {
        let texts = [size.to_string(), exact.to_string()];
        let settings = [("size", &*texts[0]), ("exact", &*texts[1])];
        with::<Gomoku, _>(&settings, Judge { size, exact, games });
    }
}

/// Nobody has five before ply 9, so the counts are falling factorials.
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
