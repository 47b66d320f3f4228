use crate::kit::{Perft, after, conforms, drawn, golden, texts, with};
use crate::plain::{Plain, agrees, won_by};
use crate::playouts::Playouts;
use permutree_game::draw::{parse_square, square};
use permutree_game::{Args, Configure, Game, Player, Rewards, Turn, perft};
use permutree_games::Reversi;

#[test]
fn kit() {
    golden::<Reversi>(&[], 50, "reversi");
    golden::<Reversi>(&[("size", "4"), ("start", "free")], 200, "reversi-free");
    for (size, games) in [("4", 200), ("6", 50), ("10", 5), ("16", 1)] {
        conforms::<Reversi>(&[("size", size)], games);
    }
    conforms::<Reversi>(&[("size", "12"), ("start", "free")], 2);
}

#[test]
fn odd_sizes_are_refused() {
    let mut args = Args::defaults(Reversi::FACTS.params);
    args.set(&Reversi::FACTS.params[0], "7").unwrap();
    assert_eq!(Reversi::configure(&args, Perft(1)).unwrap_err().to_string(), "size=7: must be even");
}

/// Aart Bik, Perft for Reversi (2009). The first passes are at depth 9. The published 24571284 for depth 10 has 228 more:
/// it counts a further pass after the games that end at ply 9 (listed there as higher leaves of depth 11).
#[test]
fn perft_counts() {
    let counts = with::<Reversi, _>(&[], Perft(10));
    assert_eq!(counts, [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_056]);
}

#[test]
fn the_same_game_in_more_words() {
    fn counts<const W: usize>(size: usize, free: bool, moves: &str) -> Vec<u64> {
        let game = Reversi::<W>::new(size, free);
        perft(&game, &after(&game, moves), 5)
    }
    for (size, free, moves) in [(8, false, "f5 d6 c3 d3 c4 f4 f6"), (6, false, ""), (8, true, "")] {
        assert_eq!(counts::<1>(size, free, moves), counts::<4>(size, free, moves));
    }
}

/// The numbers come from the plain game.
#[test]
fn agrees_with_walking_the_lines() {
    let check = |size: usize, free: bool, counts: &[u64], games: u64| {
        let start = if free { "free" } else { "standard" };
        let settings = [("size", &*size.to_string()), ("start", start)];
        agrees::<Reversi, _>(&settings, Discs::new(size, free), counts, games)
    };
    let ends = [
        check(4, false, &[4, 12, 44, 128, 424, 1256, 3624, 9112], 200),
        check(4, true, &[4, 12, 24, 24, 96, 288], 200),
        check(6, false, &[4, 12, 56, 244, 1364, 7604], 100),
        check(6, true, &[], 50),
        check(8, false, &[], 50),
        check(10, false, &[], 5),
        check(12, true, &[], 5),
        check(16, false, &[], 2),
    ];
    // The special cases have come up: passes, draws, and ends with empty cells.
    let ends: Vec<Discs> = ends.into_iter().flatten().collect();
    assert!(ends.iter().any(|end| end.passes > 0));
    assert!(ends.iter().any(|end| end.count(0) == end.count(1)));
    assert!(ends.iter().any(|end| end.count(0) + end.count(1) < (end.size * end.size) as usize));
}

#[test]
fn playouts_agree() {
    with::<Reversi, _>(&[("size", "4")], Playouts::from_start(10_000));
    with::<Reversi, _>(&[("start", "free")], Playouts::from_start(2_000));
    with::<Reversi, _>(&[("size", "10")], Playouts { opening: "e4 d4", games: 500 });
}

#[test]
fn black_begins_as_in_othello() {
    let game = Reversi::<1>::new(8, false);
    assert_eq!(texts(&game, &game.start()), ["d3", "c4", "f5", "e6"]);
    // The opening known as the tiger.
    assert_eq!(game.board(&after(&game, "f5 d6 c3 d3 c4"), None).lines().nth(4), Some(" 4  . . x x x . . ."));
}

/// The shortest game of Othello: white has no disc left after nine plies.
#[test]
fn a_player_without_discs_has_lost() {
    let game = Reversi::<1>::new(8, false);
    let end = after(&game, "e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!((game.turn(&end), game.rewards(&end)), (Turn::Over, Rewards::win(2, Player(0))));
}

/// In the middle nothing is flipped; after four plies the game goes on as usual.
#[test]
fn a_free_start_fills_the_centre() {
    let game = Reversi::<1>::new(8, true);
    let middle = after(&game, "d4 e4");
    assert_eq!(texts(&game, &middle), ["d5", "e5"]);
    assert_eq!(texts(&game, &after(&game, "d4 d5 e4 e5")), ["c6", "d6", "e6", "f6"]);
    let standard = Reversi::<1>::new(8, false);
    assert_eq!(game.hash(&after(&game, "d5 d4 e4 e5")), standard.hash(&standard.start()));
}

/// Mobility: after d3 c3 white would have one move more, after d3 c3 c4 white has two and black would have six.
#[test]
fn more_moves_are_better() {
    let game = Reversi::<1>::new(8, false);
    let of = |moves| game.evaluate(&after(&game, moves)).unwrap();
    assert_eq!(of(""), Rewards::draw(2));
    assert_eq!(of("d3 c3"), Rewards::leaning(&[0.0, 0.5]));
    assert_eq!(of("d3 c3 c4"), Rewards::leaning(&[2.0, 0.0]));
}

/// Cells by column and row, lines found by walking.
#[derive(Clone)]
struct Discs {
    size: i32,
    free: bool,
    cells: Vec<Vec<Option<u8>>>,
    player: u8,
    passes: usize,
}

impl Discs {
    fn new(size: usize, free: bool) -> Self {
        let mut cells = vec![vec![None; size]; size];
        if !free {
            let (low, high) = (size / 2 - 1, size / 2);
            (cells[low][low], cells[high][high]) = (Some(1), Some(1));
            (cells[low][high], cells[high][low]) = (Some(0), Some(0));
        }
        Self { size: size as i32, free, cells, player: 0, passes: 0 }
    }

    fn at(&self, (x, y): (i32, i32)) -> Option<u8> {
        *self.cells.get(usize::try_from(x).ok()?)?.get(usize::try_from(y).ok()?)?
    }

    fn count(&self, player: u8) -> usize {
        self.cells.iter().flatten().filter(|cell| **cell == Some(player)).count()
    }

    /// Whether the centre is still being filled.
    fn opens(&self) -> bool {
        self.free && self.count(0) + self.count(1) < 4
    }

    fn flips(&self, player: u8, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut flips = Vec::new();
        for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let line = (1..).map(|i| (x + i * dx, y + i * dy));
            let line: Vec<_> = line.take_while(|&at| self.at(at) == Some(1 - player)).collect();
            let end = line.len() as i32 + 1;
            if self.at((x + end * dx, y + end * dy)) == Some(player) {
                flips.extend(line);
            }
        }
        flips
    }

    fn cells_for(&self, player: u8) -> Vec<String> {
        let half = self.size / 2;
        let legal = |at: (i32, i32)| match self.opens() {
            true => [at.0, at.1].iter().all(|&i| i == half || i == half - 1),
            false => !self.flips(player, at).is_empty(),
        };
        let cells = (0..self.size).flat_map(|y| (0..self.size).map(move |x| (x, y)));
        cells
            .filter(|&at| self.at(at).is_none() && legal(at))
            .map(|(x, y)| square(x as usize, y as usize))
            .collect()
    }
}

impl Plain for Discs {
    const IN_ORDER: bool = true;

    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some(self.player)
    }

    fn moves(&self) -> Vec<String> {
        let cells = self.cells_for(self.player);
        let passes = cells.is_empty() && !self.cells_for(1 - self.player).is_empty();
        if passes { vec!["pass".to_string()] } else { cells }
    }

    fn play(&mut self, text: &str) {
        if text == "pass" {
            self.passes += 1;
        } else {
            let (x, y) = parse_square(text).unwrap();
            let at = (x as i32, y as i32);
            let flips = if self.opens() { vec![] } else { self.flips(self.player, at) };
            for (x, y) in flips.into_iter().chain([at]) {
                self.cells[x as usize][y as usize] = Some(self.player);
            }
        }
        self.player = 1 - self.player;
    }

    fn rewards(&self) -> Vec<f64> {
        let (black, white) = (self.count(0), self.count(1));
        won_by((black != white).then_some(u8::from(black < white)), 2)
    }
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Reversi>(&[], "d3", &[4, 1]);
}
