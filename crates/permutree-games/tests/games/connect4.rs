use crate::kit::{conforms, golden, with};
use permutree_game::{Args, Configure, Game, Ignore, ParamError, Player, Rng, Turn, Visitor, perft};
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
    struct Nothing;
    impl Visitor for Nothing {
        type Output = ();
        fn visit<G: Game>(self, _game: G) {}
    }
    let params = Connect4::FACTS.params;
    let mut args = Args::defaults(params);
    for (param, text) in params.iter().zip(["3", "2", "4"]) {
        args.set(param, text).unwrap();
    }
    let error: ParamError = Connect4::configure(&args, Nothing).unwrap_err();
    assert_eq!(error.to_string(), "connect=4: no such line on 3 columns of 2 rows");
}

/// The counts of move sequences agree with rules written the plain way, for lines of every length and both word sizes.
#[test]
fn perft_agrees_with_plain_rules() {
    for (columns, rows, connect, depth) in
        [(4, 4, 3, 9), (2, 6, 4, 12), (5, 4, 4, 9), (6, 2, 5, 12), (6, 3, 6, 7), (11, 10, 3, 5)]
    {
        let texts = [columns, rows, connect].map(|x: usize| x.to_string());
        let settings = [("columns", &*texts[0]), ("rows", &*texts[1]), ("connect", &*texts[2])];
        let mut plain =
            Plain { rows, connect, board: vec![Vec::new(); columns], counts: vec![0; depth], depth };
        plain.walk(0);
        assert_eq!(with::<Connect4, _>(&settings, Perft(depth)), plain.counts, "{settings:?}");
    }
}

struct Perft(usize);

impl Visitor for Perft {
    type Output = Vec<u64>;
    fn visit<G: Game>(self, game: G) -> Vec<u64> {
        perft(&game, &game.start(), self.0)
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

/// The game's own playout and one move by move agree in length and reward, from the start and from a position with a
/// full column.
#[test]
fn playouts_agree_with_single_moves() {
    for settings in [[("columns", "7"), ("rows", "6")], [("columns", "11"), ("rows", "10")]] {
        with::<Connect4, _>(&settings, Playouts { opening: "" });
        with::<Connect4, _>(&settings, Playouts { opening: "ccccccccccdd" });
    }
}

struct Playouts {
    opening: &'static str,
}

impl Visitor for Playouts {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut start = game.start();
        for column in self.opening.chars() {
            if let Some(mv) = game.parse_move(&start, &column.to_string()) {
                game.play(&mut start, mv);
            }
        }
        let (mut fast, mut slow) = (Means::default(), Means::default());
        let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
        for _ in 0..20_000 {
            let mut position = start.clone();
            let mut steps: Vec<(Player, u32)> = Vec::new();
            game.playout(&mut position, 0, &mut rng, &mut scratch, &mut steps);
            fast.add(steps.len() as f64, game.rewards(&position).of(Player(0)));

            let (mut position, mut plies) = (start.clone(), 0.0);
            while let Some(mv) = game.random_move(&position, &mut rng, &mut scratch) {
                game.play(&mut position, mv);
                plies += 1.0;
            }
            slow.add(plies, game.rewards(&position).of(Player(0)));
        }
        fast.agrees_with(&slow);
    }
}

/// Sums of length and reward and of their squares.
#[derive(Default)]
pub(crate) struct Means {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
}

impl Means {
    pub(crate) fn add(&mut self, plies: f64, reward: f64) {
        self.count += 1.0;
        for (i, value) in [plies, reward].into_iter().enumerate() {
            self.sums[i] += value;
            self.squares[i] += value * value;
        }
    }

    /// Both means differ by less than four standard errors of their difference.
    pub(crate) fn agrees_with(&self, other: &Self) {
        for i in 0..2 {
            let mean = |m: &Self| m.sums[i] / m.count;
            let variance = |m: &Self| (m.squares[i] / m.count - mean(m) * mean(m)) / m.count;
            let error = (variance(self) + variance(other)).sqrt();
            assert!((mean(self) - mean(other)).abs() < 4.0 * error, "{} {}", mean(self), mean(other));
        }
    }
}

/// Playouts that record and playouts that do not are the same games; recorded codes replay to the same end.
#[test]
fn records_are_the_game() {
    let game = Connect4::default();
    for seed in 0..500 {
        let (mut silent, mut heard) = (game.start(), game.start());
        let mut steps: Vec<(Player, u32)> = Vec::new();
        game.playout(&mut silent, 0, &mut Rng::new(seed), &mut Vec::new(), &mut Ignore);
        game.playout(&mut heard, 0, &mut Rng::new(seed), &mut Vec::new(), &mut steps);
        assert_eq!(silent, heard);
        let mut replayed = game.start();
        for &(player, code) in &steps {
            assert_eq!(game.turn(&replayed), Turn::Player(player));
            let mut moves = Vec::new();
            game.moves(&replayed, &mut moves);
            let mv = moves.into_iter().find(|&mv| game.code(&replayed, mv, 0) == code).unwrap();
            game.play(&mut replayed, mv);
        }
        assert_eq!(replayed, heard);
    }
}
