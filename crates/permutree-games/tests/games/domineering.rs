use crate::kit::{Guess, Perft, after, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft};
use crate::playouts::{Playouts, uniform};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Args, Configure, Game, Player, Rewards, Rng, Turn};
use permutree_games::Domineering;
use std::collections::HashMap;

#[test]
fn kit() {
    golden::<Domineering>(&[], 100, "domineering");
    for (rows, columns, games) in
        [("2", "2", 10), ("2", "16", 50), ("16", "2", 50), ("7", "11", 20), ("16", "16", 2)]
    {
        conforms::<Domineering>(&[("rows", rows), ("columns", columns)], games);
    }
}

/// Which cells are taken, row by row.
#[derive(Clone)]
struct Cells {
    taken: Vec<Vec<bool>>,
    ply: usize,
}

impl Cells {
    fn new(rows: usize, columns: usize) -> Self {
        Self { taken: vec![vec![false; columns]; rows], ply: 0 }
    }

    /// Both cells of a domino of the player to move.
    fn ends(&self, (column, row): (usize, usize)) -> [(usize, usize); 2] {
        [(column, row), if self.ply % 2 == 1 { (column + 1, row) } else { (column, row + 1) }]
    }

    fn is_free(&self, (column, row): (usize, usize)) -> bool {
        self.taken.get(row).and_then(|cells| cells.get(column)) == Some(&false)
    }
}

impl Plain for Cells {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.ply % 2) as u8)
    }

    fn moves(&self) -> Vec<String> {
        let cells =
            (0..self.taken.len()).flat_map(|row| (0..self.taken[row].len()).map(move |column| (column, row)));
        let fits = cells.filter(|&cell| self.ends(cell).iter().all(|&end| self.is_free(end)));
        fits.map(|(column, row)| square(column, row)).collect()
    }

    fn play(&mut self, text: &str) {
        for (column, row) in self.ends(parse_square(text).unwrap()) {
            self.taken[row][column] = true;
        }
        self.ply += 1;
    }

    /// The last to move wins.
    fn rewards(&self) -> Vec<f64> {
        if self.ply % 2 == 1 { vec![1.0, 0.0] } else { vec![0.0, 1.0] }
    }
}

#[test]
fn plain_rules_agree() {
    let boards = [(2, 2, 10), (2, 16, 50), (16, 2, 50), (8, 8, 200), (7, 9, 50), (9, 8, 50), (16, 16, 10)];
    for (rows, columns, games) in boards {
        let texts = [rows, columns].map(|side: usize| side.to_string());
        let settings = [("rows", &*texts[0]), ("columns", &*texts[1])];
        let plain = Cells::new(rows, columns);
        with::<Domineering, _>(&settings, Lockstep { plain, opening: "", games });
    }
}

/// On 8x8 there are 7 * 8 places. An upright domino takes two lying ones away in each of its rows, or one at the side: the
/// 14 places at the sides leave 56 - 2 lying ones and the other 42 leave 56 - 4, which makes 14 * 54 + 42 * 52. The other
/// counts are those of the plain rules.
#[test]
fn perft_counts() {
    let counts = |rows: usize, columns: usize, opening, depth| {
        let texts = [rows, columns].map(|side| side.to_string());
        let settings = [("rows", &*texts[0]), ("columns", &*texts[1])];
        with::<Domineering, _>(&settings, SamePerft { plain: Cells::new(rows, columns), opening, depth })
    };
    assert_eq!(counts(8, 8, "", 3)[..2], [56, 14 * 54 + 42 * 52]);
    // After a1 the other column is left to player 1, and player 2 has no room.
    assert_eq!(counts(2, 2, "", 2), [2, 0]);
    counts(8, 8, "d4 e6 b2 g1 a7 c8 h7 f3", 3);
    counts(4, 4, "", 8);
    counts(3, 6, "", 6);
    counts(9, 8, "h8 a9", 2);
}

/// Whether the player to move wins, by trying everything. `seen` has the positions that are known by their hashes.
fn wins<G: Game>(game: &G, position: &G::Position, seen: &mut HashMap<u64, bool>) -> bool {
    let Turn::Player(player) = game.turn(position) else { return false };
    let hash = game.hash(position);
    if let Some(&known) = seen.get(&hash) {
        return known;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let mut nexts: Vec<(f64, G::Position)> = Vec::new();
    for mv in moves {
        let mut next = position.clone();
        game.play(&mut next, mv);
        nexts.push((game.evaluate(&next).unwrap().of(player), next));
    }
    // What looks best first: one winning move is enough.
    nexts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let found = nexts.iter().any(|(_, next)| !wins(game, next, seen));
    seen.insert(hash, found);
    found
}

/// Who wins square boards: the first player, but on 5x5 the second (Breuker, Uiterwijk and van den Herik, Solving 8x8
/// Domineering, 2000).
#[test]
fn small_boards_have_the_published_winners() {
    for (size, first) in [(2, true), (3, true), (4, true), (5, false), (6, true)] {
        let game = Domineering::<1>::new(size, size);
        assert_eq!(wins(&game, &game.start(), &mut HashMap::new()), first, "{size}x{size}");
    }
}

/// ```text
/// 3 . ^ .
/// 2 . v .     b2 leaves player 2 only the lowest row, and one domino there takes it. Player 1 has two more columns, and
/// 1 < > .     after taking one of them player 2 loses, although player 1 could go on.
/// ```
#[test]
fn a_player_without_a_move_loses_even_if_the_other_has_one() {
    let game = Domineering::<1>::new(3, 3);
    assert_eq!(game.turn(&after(&game, "b2 a1")), Turn::Player(Player(0)));
    let end = after(&game, "b2 a1 a2");
    assert_eq!((game.turn(&end), game.rewards(&end)), (Turn::Over, Rewards::win(2, Player(0))));
    assert!(game.board(&end, None).contains(" 3  ^ ^ .\n 2  v v .\n 1  < > .\n"));
    assert!(game.parse_move(&after(&game, "b2"), "c1").is_none(), "over the edge");
}

#[test]
fn playouts_agree() {
    with::<Domineering, _>(&[], Playouts::from_start(4_000));
    with::<Domineering, _>(&[("rows", "3")], Playouts { opening: "a1", games: 10_000 });
    with::<Domineering, _>(&[("rows", "9"), ("columns", "8")], Playouts::from_start(2_000));
    let game = Domineering::<2>::new(8, 9);
    uniform(&game, &after(&game, "d4 e6 b2"));
}

/// Half of each run of free cells, for dominoes along the lines.
fn room(lines: &[Vec<bool>]) -> usize {
    lines.iter().flat_map(|line| line.split(|free| !free)).map(|run| run.len() / 2).sum()
}

/// The free cells that have no free neighbour on their line.
fn alone(lines: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let is_alone =
        |line: &[bool], i: usize| line[i] && (i == 0 || !line[i - 1]) && line.get(i + 1) != Some(&true);
    lines.iter().map(|line| (0..line.len()).map(|i| is_alone(line, i)).collect()).collect()
}

fn turned(lines: &[Vec<bool>]) -> Vec<Vec<bool>> {
    (0..lines[0].len()).map(|i| lines.iter().map(|line| line[i]).collect()).collect()
}

/// Random positions are judged by their room, counted on the text of the board.
#[test]
fn room_is_judged() {
    for (rows, columns) in [(2, 2), (4, 7), (7, 4), (8, 8)] {
        let game = Domineering::<1>::new(rows, columns);
        for seed in 0..50 {
            let (mut position, mut rng) = (game.start(), Rng::new(seed));
            while let Some(mv) = game.random_move(&position, &mut rng, &mut Vec::new()) {
                let board = game.board(&position, None);
                let cells = |line: &str| line.chars().skip(4).step_by(2).map(|sign| sign == '.').collect();
                let lying: Vec<Vec<bool>> = board.lines().take(rows).map(cells).collect();
                let upright = turned(&lying);
                let safe = [turned(&alone(&lying)), turned(&alone(&upright))];
                let scores = [room(&upright) + room(&safe[0]), room(&lying) + room(&safe[1])];
                let expected = Rewards::leaning(&scores.map(|score| score as f64 / 2.0));
                assert_eq!(game.evaluate(&position), Some(expected), "{board}");
                game.play(&mut position, mv);
            }
        }
    }
    let first = |moves| with::<Domineering, _>(&[("rows", "4")], Guess(moves)).of(Player(0));
    assert!((first("") - 0.5).abs() < 1e-9);
    // b1 makes the lower half of the first column safe for player 1.
    assert!(first("b1") > 0.7 && first("b1 b3") < first("b1"));
}

#[test]
fn a_single_column_is_refused() {
    let mut args = Args::defaults(Domineering::FACTS.params);
    args.set(&Domineering::FACTS.params[1], "1").unwrap();
    let error = Domineering::configure(&args, Perft(1)).unwrap_err();
    assert_eq!(error.to_string(), "columns=1: must be 0 or a whole number 2..16");
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Domineering>(&[], "a1 c1 e1", &[2, 1]);
}
