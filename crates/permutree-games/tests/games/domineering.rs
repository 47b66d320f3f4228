use crate::kit::{Guess, after, conforms, golden, with};
use crate::lockstep::{Lockstep, Plain, SamePerft};
use crate::playouts::{Playouts, uniform};
use permutree_game::draw::{parse_square, square};
use permutree_game::{Game, Player, Rewards, Turn};
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

/// The cells as characters, highest row last.
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
        [(column, row), if self.ply % 2 == 0 { (column, row + 1) } else { (column + 1, row) }]
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
    assert_eq!(counts(8, 8, "d4 e6 b2 g1 a7 c8 h7 f3", 3).len(), 3);
    counts(4, 4, "", 8);
    counts(3, 6, "", 9);
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
        let t = std::time::Instant::now();
        let mut seen = HashMap::new();
        assert_eq!(wins(&game, &game.start(), &mut seen), first, "{size}x{size}");
        eprintln!("{size} {} {:?}", seen.len(), t.elapsed());
    }
}
