use crate::kit::{Guess, Perft, conforms, golden, with};
use crate::playouts::Playouts;
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
    assert_eq!(error.to_string(), "connect=4: no such line on 3 columns of 2 rows");
}

/// The counts of move sequences agree with rules written the plain way, for lines of every length and both word sizes.
#[test]
fn perft_agrees_with_plain_rules() {
    for (columns, rows, connect, depth) in
        [(4, 4, 3, 8), (2, 6, 4, 12), (4, 4, 4, 8), (5, 2, 5, 10), (6, 2, 6, 7), (11, 10, 3, 5)]
    {
        let texts = [columns, rows, connect].map(|x: usize| x.to_string());
        let settings = [("columns", &*texts[0]), ("rows", &*texts[1]), ("connect", &*texts[2])];
        let mut plain =
            Plain { rows, connect, board: vec![Vec::new(); columns], counts: vec![0; depth], depth };
        plain.walk(0);
        assert_eq!(with::<Connect4, _>(&settings, Perft(depth)), plain.counts, "{settings:?}");
    }
}

/// Columns as lists of stones, lines found by walking from the last stone.
struct Plain {
    rows: usize,
    connect: usize,
    board: Vec<Vec<usize>>,
    counts: Vec<u64>,
    depth: usize,
}

impl Plain {
    fn walk(&mut self, ply: usize) {
        if ply == self.depth {
            return;
        }
        for column in 0..self.board.len() {
            if self.board[column].len() < self.rows {
                self.counts[ply] += 1;
                self.board[column].push(ply % 2);
                if !self.wins(column, ply % 2) {
                    self.walk(ply + 1);
                }
                self.board[column].pop();
            }
        }
    }

    fn wins(&self, column: usize, player: usize) -> bool {
        let row = self.board[column].len() - 1;
        let arm = |dc: isize, dr: isize| {
            (1..)
                .take_while(|&i| {
                    let at = column.checked_add_signed(dc * i).zip(row.checked_add_signed(dr * i));
                    at.and_then(|(c, r)| self.board.get(c)?.get(r)) == Some(&player)
                })
                .count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(c, r)| 1 + arm(c, r) + arm(-c, -r) >= self.connect)
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
