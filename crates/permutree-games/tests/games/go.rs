use crate::kit::{Perft, after, conforms, drawn, golden, with};
use crate::plain::{Plain, agrees, won_by};
use crate::playouts::{OwnPlayouts, Playouts, uniform_among};
use crate::stones::{After, Seen, Stones};
use permutree_game::draw::go_letter;
use permutree_game::{Args, Configure, Game, Player, Rng, Turn, Visitor};
use permutree_games::Go;
use std::collections::HashSet;

#[test]
fn kit() {
    golden::<Go>(&[("size", "5")], 50, "go");
    for (size, games) in [("2", 200), ("3", 100), ("7", 3), ("9", 1), ("13", 1)] {
        conforms::<Go>(&[("size", size)], games);
    }
    conforms::<Go>(&[("size", "19"), ("plies", "200")], 1);
    conforms::<Go>(&[("size", "3"), ("plies", "1"), ("komi", "-3")], 20);
}

/// The numbers come from the plain game.
#[test]
fn agrees_with_flood_fill() {
    let check = |size: usize, komi: f64, counts: &[u64], games: u64| {
        let (naive, size, komi) = (Naive::new(size, komi), size.to_string(), komi.to_string());
        agrees::<Go, _>(&[("size", &size), ("komi", &komi)], naive, counts, games)
    };
    let ends = [
        check(2, 0.0, &[5, 21, 68, 156, 316], 300),
        check(3, 3.0, &[10, 91, 738, 5281], 200),
        check(4, 7.5, &[17, 273], 50),
        check(5, -0.5, &[], 20),
        check(6, 7.5, &[], 5),
        check(9, 7.5, &[], 1),
        check(13, 7.5, &[], 1),
    ];
    // The special cases have come up: superko beyond the ko that takes back at once, draws, games that were cut off.
    let ends: Vec<Naive> = ends.into_iter().flatten().collect();
    assert!(ends.iter().any(|end| end.bans > 0));
    assert!(ends.iter().any(|end| end.rewards() == [0.5, 0.5]));
    assert!(ends.iter().any(|end| end.passes < 2));
    assert!(ends.iter().any(|end| end.passes == 2));
}

/// Every legal board of the smallest sizes is reached: 57 and 12675 (Tromp and Farneback, Combinatorics of Go, 2007).
#[test]
fn all_legal_boards_are_reached() {
    for (size, boards) in [("2", 57), ("3", 12_675)] {
        assert_eq!(with::<Go, _>(&[("size", size), ("plies", "100000")], Boards), boards);
    }
}

/// Counts the boards that moves lead to. A board that has not been met is no repetition, whatever the way to it.
struct Boards;

impl Visitor for Boards {
    type Output = usize;

    fn visit<G: Game>(self, game: G) -> usize {
        let (start, mut moves) = (game.start(), Vec::new());
        let mut seen = HashSet::from([game.board(&start, None)]);
        let mut queue = vec![start];
        while let Some(position) = queue.pop() {
            let mut passed = position.clone();
            game.play(&mut passed, game.parse_move(&position, "pass").unwrap());
            for mover in [position, passed] {
                moves.clear();
                game.moves(&mover, &mut moves);
                for &mv in moves.iter().filter(|&&mv| game.move_text(&mover, mv) != "pass") {
                    let mut next = mover.clone();
                    game.play(&mut next, mv);
                    if seen.insert(game.board(&next, None)) {
                        queue.push(next);
                    }
                }
            }
        }
        seen.len()
    }
}

#[test]
fn playouts_agree() {
    with::<Go, _>(&[("size", "3")], OwnPlayouts(Playouts::from_start(10_000)));
    with::<Go, _>(&[("size", "5"), ("komi", "0")], OwnPlayouts(Playouts { opening: KO, games: 5_000 }));
    with::<Go, _>(&[], OwnPlayouts(Playouts::from_start(1_000)));
}

/// Random play chooses among the legal points that are no eyes, all equally likely, and passes when there is none.
#[test]
fn random_play_fills_no_eyes() {
    struct Draws;
    impl Visitor for Draws {
        type Output = ();

        fn visit<G: Game>(self, game: G) {
            let mut rng = Rng::new(9);
            let (mut passes, mut spared) = (0, 0);
            for _ in 0..20 {
                let (mut position, mut naive) = (game.start(), Naive::new(5, 7.5));
                while let Some(mv) = game.random_move(&position, &mut rng, &mut Vec::new()) {
                    let (eyes, sensible): (Vec<_>, Vec<_>) = naive.points().partition(|&p| naive.is_eye(p));
                    spared += eyes.len();
                    passes += usize::from(sensible.is_empty());
                    let stones =
                        sensible.iter().map(|&p| game.parse_move(&position, &naive.name(p)).unwrap());
                    uniform_among(&game, &position, &stones.collect::<Vec<_>>(), 100, &mut rng);
                    let text = game.move_text(&position, mv);
                    assert_eq!(text == "pass", sensible.is_empty());
                    naive.play(&text);
                    game.play(&mut position, mv);
                }
            }
            assert!(passes > 20 && spared > 100, "{passes} {spared}");
        }
    }
    with::<Go, _>(&[("size", "5")], Draws);
}

/// . x o .    Black has just taken a stone on b2 by c2.
/// x . x o
/// . x o .
const KO: &str = "b1 c1 a2 d2 b3 c3 e5 b2 c2";

fn legal(size: &str, moves: &str) -> String {
    with::<Go, _>(&[("size", size)], After(moves)).moves
}

fn may(size: &str, moves: &str, point: &str) -> bool {
    legal(size, moves).split(' ').any(|text| text == point)
}

#[test]
fn a_ko_is_not_taken_back_at_once() {
    assert!(!may("5", KO, "b2"));
    assert!(may("5", &format!("{KO} e4 d5"), "b2"));
    // Two passes would end the game, one does not lift the ban: the board is the same.
    assert!(!may("5", &format!("{KO} pass e4 pass d5 pass pass"), "b2"));
}

/// o o o .    White sacrifices stones on a1 and b1, and black captures them by c1. White's recapture on b1 would repeat the
/// x x o .    board before the second sacrifice.
/// . o . o
#[test]
fn superko_forbids_longer_cycles() {
    let sent = "a2 c2 b2 d1 d4 b1 pass a1 c1";
    assert!(!may("4", sent, "b1"));
    assert!(may("4", &format!("{sent} d3 a4"), "b1"));
}

/// The same cycle entered elsewhere: now the board with both stones came first, and the stone that would bring it back
/// captures nothing.
#[test]
fn superko_forbids_stones_that_capture_nothing() {
    let sent = "a2 c2 b2 d1 d4 a1 pass b1 c1 b1 pass";
    assert!(!may("4", sent, "a1"));
    assert!(may("4", "a2 c2 b2 d1 d4 b1 pass", "a1"));
}

/// Black throws in at a1, white takes the stone by b1, and black takes three at a1.
#[test]
fn snapback() {
    struct Corner;
    impl Visitor for Corner {
        type Output = Vec<String>;

        fn visit<G: Game>(self, game: G) -> Vec<String> {
            let end = after(&game, "a3 a2 b3 b2 c2 e5 c1 e4 a1 b1 a1");
            game.board(&end, None).lines().skip(3).take(2).map(str::to_string).collect()
        }
    }
    assert_eq!(with::<Go, _>(&[("size", "5")], Corner), [" 2  . . x . .", " 1  x . x . ."]);
}

#[test]
fn suicide_is_illegal_unless_it_captures() {
    // White between black stones: one stone on a1, and a second one beside it on b1.
    assert!(!may("4", "a2 d4 b1", "a1"));
    assert!(!may("4", "a2 a1 b2 d4 c1", "b1"));
    // By a1 the black stone on a2 loses its last liberty, and so the white one has one.
    assert!(may("3", "a2 a3 b1 b2 c3", "a1"));
}

/// x and o face each other across an empty column, which is neutral.
const WALLS: &str = "b1 d1 b2 d2 b3 d3 b4 d4 b5 d5";

#[test]
fn area_counts_stones_and_what_they_surround() {
    let end = |komi: &str, moves: &str| {
        with::<Go, _>(&[("size", "5"), ("komi", komi)], After(&format!("{moves} pass pass")))
    };
    assert_eq!(end("0", WALLS), Seen::over(&[0.5, 0.5]));
    assert_eq!(end("0.5", WALLS), Seen::over(&[0.0, 1.0]));
    assert_eq!(end("-0.5", WALLS), Seen::over(&[1.0, 0.0]));
    // A black stone on c3 is one point more.
    assert_eq!(end("1", &format!("{WALLS} c3")), Seen::over(&[0.5, 0.5]));
    // A white stone that is not captured leaves black only the five stones of the wall and c3.
    assert_eq!(end("-4", &format!("{WALLS} c3 a1")), Seen::over(&[0.0, 1.0]));
    assert_eq!(end("-5", &format!("{WALLS} c3 a1")), Seen::over(&[0.5, 0.5]));
    // One stone has the whole board; no stone has nothing.
    assert_eq!(end("25", "c3"), Seen::over(&[0.5, 0.5]));
    assert_eq!(end("0", ""), Seen::over(&[0.5, 0.5]));
}

#[test]
fn points_may_be_the_reward() {
    let end = |komi: &str, moves: &str| {
        let settings = [("size", "5"), ("komi", komi), ("reward", "points")];
        with::<Go, _>(&settings, After(&format!("{moves} pass pass")))
    };
    // A lead of 1 of 25 points, of all of them, and of more than there are.
    assert_eq!(end("0", &format!("{WALLS} c3")), Seen::over(&[0.52, 0.48]));
    assert_eq!(end("2", &format!("{WALLS} c3")), Seen::over(&[0.48, 0.52]));
    assert_eq!(end("0", "c3"), Seen::over(&[1.0, 0.0]));
    assert_eq!(end("-9", "c3"), Seen::over(&[1.0, 0.0]));
    conforms::<Go>(&[("size", "4"), ("reward", "points")], 50);
}

#[test]
fn the_limit_ends_the_game() {
    let seen = |plies, moves| with::<Go, _>(&[("size", "5"), ("komi", "1"), ("plies", plies)], After(moves));
    assert_eq!(seen("3", "c3 c4 d3"), Seen::over(&[0.5, 0.5]));
    assert_eq!(seen("4", "c3 c4 d3").turn, Turn::Player(Player(1)));
}

#[test]
fn columns_skip_i() {
    let moves = legal("9", "");
    assert!(moves.contains("h9 j9") && !moves.contains('i'));
    assert!(legal("19", "T19 J3").starts_with("a1 "));
}

#[test]
fn komi_comes_in_halves() {
    let mut args = Args::defaults(Go::FACTS.params);
    args.set(&Go::FACTS.params[1], "6.25").unwrap();
    let error = Go::configure(&args, Perft(1)).unwrap_err();
    assert_eq!(error.to_string(), "komi=6.25: must be a multiple of 0.5");
}

/// Flood fill, and a list of all boards.
#[derive(Clone)]
struct Naive {
    stones: Stones,
    past: Vec<Stones>,
    player: u8,
    passes: usize,
    ply: usize,
    komi: f64,
    /// How often superko forbade a stone because of a board older than the last but one.
    bans: usize,
}

impl Naive {
    fn new(size: usize, komi: f64) -> Self {
        let stones = Stones::new(size);
        Self { past: vec![stones.clone()], stones, player: 0, passes: 0, ply: 0, komi, bans: 0 }
    }

    fn name(&self, point: usize) -> String {
        format!("{}{}", go_letter(point % self.stones.size), point / self.stones.size + 1)
    }

    /// The points on which a stone is legal.
    fn points(&self) -> impl Iterator<Item = usize> {
        let new = |p: &usize| self.with_stone(*p).is_some_and(|after| !self.past.contains(&after));
        self.stones.empty().filter(new)
    }

    /// The board after a stone on the empty `point`; `None` for suicide.
    fn with_stone(&self, point: usize) -> Option<Stones> {
        let mut after = self.stones.clone();
        after.points[point] = Some(self.player);
        for n in after.near(point) {
            if after.points[n] == Some(1 - self.player) && !after.has_liberty(n) {
                after.group(n).into_iter().for_each(|p| after.points[p] = None);
            }
        }
        after.has_liberty(point).then_some(after)
    }

    /// Whether random play of the player to move spares this point.
    fn is_eye(&self, point: usize) -> bool {
        let stones = &self.stones;
        let corners = stones.around(point, [(1, 1), (1, -1), (-1, 1), (-1, -1)]);
        let others = corners.iter().filter(|&&c| stones.points[c] == Some(1 - self.player)).count();
        stones.near(point).iter().all(|&n| stones.points[n] == Some(self.player))
            && others <= usize::from(corners.len() == 4)
    }

    fn area(&self, player: u8) -> usize {
        let stones = &self.stones;
        let borders = |point| {
            let around = stones.group(point).into_iter().flat_map(|p| stones.near(p));
            around.filter_map(|n| stones.points[n]).collect::<HashSet<u8>>()
        };
        let owns = |&point: &usize| match stones.points[point] {
            Some(owner) => owner == player,
            None => borders(point) == HashSet::from([player]),
        };
        (0..stones.points.len()).filter(owns).count()
    }
}

impl Plain for Naive {
    const IN_ORDER: bool = true;

    fn turn(&self) -> Option<u8> {
        (self.passes < 2 && self.ply < 3 * self.stones.points.len()).then_some(self.player)
    }

    fn moves(&self) -> Vec<String> {
        match self.turn() {
            Some(_) => self.points().map(|p| self.name(p)).chain(["pass".to_string()]).collect(),
            None => vec![],
        }
    }

    fn play(&mut self, text: &str) {
        let old = &self.past[..self.past.len().saturating_sub(2)];
        let boards = self.stones.empty().filter_map(|p| self.with_stone(p));
        self.bans += boards.filter(|after| old.contains(after)).count();
        let point = self.stones.empty().find(|&p| self.name(p) == text);
        match point.map(|point| self.with_stone(point).unwrap()) {
            Some(after) => {
                self.past.push(after.clone());
                self.stones = after;
                self.passes = 0;
            }
            None => self.passes += 1,
        }
        self.player = 1 - self.player;
        self.ply += 1;
    }

    fn rewards(&self) -> Vec<f64> {
        let lead = self.area(0) as f64 - self.area(1) as f64 - self.komi;
        won_by((lead != 0.0).then_some(u8::from(lead < 0.0)), 2)
    }
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Go>(&[], "c3 d4 e5", &[2, 1]);
}
