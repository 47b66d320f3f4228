use crate::kit::{conforms, drawn, golden, with};
use crate::plain::{Cell, Lockstep, Plain, SamePerft, cell, name, won_by};
use crate::playouts::{Playouts, uniform};
use permutree_game::{Game, Player, Rewards, Turn, perft};
use permutree_games::{Hnefatafl, hnefatafl::Position};
use std::collections::BTreeMap;

const GAME: fn() -> Hnefatafl = || Hnefatafl::new(500);

/// A position with few men, of which some can be taken at once.
const FEW: &str = "xe4 xd7 xg6 xb1 of4 oe9 og9 oc1 Kf8";

#[test]
fn kit() {
    golden::<Hnefatafl>(&[("plies", "60")], 5, "hnefatafl");
    conforms::<Hnefatafl>(&[], 2);
    conforms::<Hnefatafl>(&[("plies", "1")], 3);
}

#[test]
fn plain_rules() {
    for (plies, games) in [(500, 20), (10_000, 5)] {
        let plain = Board { plies, ..Board::start() };
        with::<Hnefatafl, _>(&[("plies", &plies.to_string())], Lockstep { plain, opening: "", games });
    }
}

/// The first ply by hand: on each side d1 and h1 have 6 moves, e1 and g1 3, f1 none and f2 11, which is 29; 4 * 29 = 116.
/// The other counts are those of the plain rules, which take ten seconds for the third; then a position with few pieces.
#[test]
fn perft_counts() {
    let game = GAME();
    assert_eq!(perft(&game, &game.start(), 3), [116, 6788, 806_344]);
    with::<Hnefatafl, _>(&[], SamePerft { plain: Board::start(), opening: "", depth: 2 });
    for player in [0, 1] {
        let few = Board::new(FEW, player);
        assert_eq!(perft(&game, &few.position(), 3), few.perft(3));
    }
}

/// The board after a move of the piece on the first cell, both as lists of pieces.
fn then(men: &str, text: &str) -> Board {
    let player = u8::from(!men.contains(&format!("x{}", text.split('-').next().unwrap())));
    let game = GAME();
    let mut position = Board::new(men, player).position();
    let mv = game.parse_move(&position, text).unwrap_or_else(|| panic!("{text} is not legal with {men}"));
    game.play(&mut position, mv);
    Board::read(&position)
}

/// Which men a move takes.
fn taken(men: &str, text: &str) -> String {
    let left = then(men, text);
    let (from, to) = ends(text);
    let gone = men.split_whitespace().filter(|man| {
        let at = cell(&man[1..]);
        at != from && at != to && !left.men.contains_key(&at)
    });
    gone.collect::<Vec<_>>().join(" ")
}

#[test]
fn captures() {
    for (men, text, expected) in [
        // Between two attackers; between two defenders; on two sides at once. Two in a row are safe, and so is a piece that
        // moves between two enemies.
        ("xd4 oe4 xh4 Kf8", "h4-f4", "oe4"),
        ("od4 xe4 oh4 Kf8", "h4-f4", "xe4"),
        ("xc4 od4 oe5 xe6 xh4 Ka5", "h4-e4", "od4 oe5"),
        ("xa4 ob4 oc4 xd9 Kf6", "d9-d4", ""),
        ("xd4 xf4 oe9 Kf6", "e9-e4", ""),
        // Against a corner.
        ("ob1 xc5 Kf6", "c5-c1", "ob1"),
        ("xb1 oc5 Kf6", "c5-c1", "xb1"),
        // Against the centre, with or without the king.
        ("oe6 xd9 Ka5", "d9-d6", "oe6"),
        ("oe6 xd9 Kf6", "d9-d6", "oe6"),
        ("xe6 od9 Ka5", "d9-d6", "xe6"),
        // Not against the edge.
        ("oe1 xe5 Kf6", "e5-e2", ""),
        // The king captures together with others.
        ("od4 xe4 Kf9", "f9-f4", "xe4"),
        ("oh5 xg4 Kf4", "h5-h4", "xg4"),
    ] {
        assert_eq!(taken(men, text), expected, "{men}: {text}");
    }
}

#[test]
fn the_king_is_taken_on_all_sides() {
    for (men, text, is_taken) in [
        ("Kf9 xe9 xh9", "h9-g9", false),
        ("Kf9 xe9 xf10 xf8 xh9", "h9-g9", true),
        ("Kf9 xe9 xf10 of8 xh9", "h9-g9", false),
        // On the edge, beside the centre, in the centre, beside a corner.
        ("Ka5 xa4 xa6 xd5", "d5-b5", true),
        ("Ka5 xa4 xd5", "d5-b5", false),
        ("Kf7 xe7 xg7 xf10", "f10-f8", true),
        ("Kf6 xe6 xg6 xf5 xf10", "f10-f7", true),
        ("Kf6 xe6 xg6 xf10", "f10-f7", false),
        ("Kb1 xc1 xb5", "b5-b2", true),
        // He steps off the centre into a closed place by himself.
        ("Kf6 xe7 xg7 xf8", "f6-f7", false),
        // He stays free there when an attacker moves far away, and is taken when one comes back.
        ("Kf7 xe7 xg7 xf8 xa2", "a2-a3", false),
        ("Kf7 xe7 xg7 xf9", "f9-f8", true),
    ] {
        let end = then(men, text);
        assert_eq!(end.winner, is_taken.then_some(0), "{men}: {text}");
    }
}

#[test]
fn the_king_alone_enters_the_centre_and_wins_on_a_corner() {
    let legal = |men: &str, player, text: &str| {
        GAME().parse_move(&Board::new(men, player).position(), text).is_some()
    };
    for (men, text) in [("xf2 Ka5", "f2-f5"), ("xa5 Kf6", "a5-a2"), ("xa2 Kf6", "a2-a10")] {
        assert!(legal(men, 0, text), "{men}: {text}");
    }
    for (men, text) in [("xf2 Ka5", "f2-f6"), ("xf2 Ka5", "f2-f7"), ("xa5 Kf6", "a5-a1")] {
        assert!(!legal(men, 0, text), "{men}: {text}");
    }
    assert!(legal("Kf2 xa5", 1, "f2-f6") && legal("Kf2 xa5", 1, "f2-f9"));
    assert_eq!(then("Kf2 xa5", "f2-f6").winner, None);
    assert_eq!(then("Ka2 xa5", "a2-a1").winner, Some(1));
    assert_eq!(then("Ka2 xa5", "a2-b2").winner, None);
}

/// The attacker on b1 is blocked after the first move, and the defenders move until it is free.
#[test]
fn a_player_without_a_move_is_skipped() {
    let game = GAME();
    let mut position = Board::new("xb1 oc1 ob4 Kf6", 1).position();
    for (text, next) in [("b4-b2", 1), ("f6-f7", 1), ("c1-c2", 0)] {
        let mv = game.parse_move(&position, text).unwrap();
        game.play(&mut position, mv);
        assert_eq!(game.turn(&position), Turn::Player(Player(next)), "{text}");
    }
}

#[test]
fn the_last_ply() {
    let end = |plies, men: &str, text: &str| {
        let game = Hnefatafl::new(plies);
        let mut position = Board::new(men, 1).position();
        let mv = game.parse_move(&position, text).unwrap();
        game.play(&mut position, mv);
        (game.turn(&position) == Turn::Over).then(|| game.rewards(&position))
    };
    assert_eq!(end(1, "Ka2 xa5", "a2-b2"), Some(Rewards::draw(2)));
    assert_eq!(end(2, "Ka2 xa5", "a2-b2"), None);
    assert_eq!(end(1, "Ka2 xa5", "a2-a1"), Some(Rewards::win(2, Player(1))));
}

#[test]
fn playouts_agree() {
    with::<Hnefatafl, _>(&[], Playouts::from_start(1_000));
    uniform(&GAME(), &GAME().start());
    uniform(&GAME(), &Board::new(FEW, 1).position());
}

#[test]
fn material_is_judged() {
    let judge = |men: &str| GAME().evaluate(&Board::new(men, 0).position()).unwrap().of(Player(0));
    assert_eq!(GAME().evaluate(&GAME().start()).unwrap(), Rewards::draw(2));
    assert_eq!(judge("xa4 xa5 ob4 Kf6"), 0.5);
    assert!(judge("xa4 xa5 xa6 ob4 Kf6") > 0.5 && judge("xa4 ob4 Kf6") < 0.5);
}

/// Men by their cells.
#[derive(Clone)]
struct Board {
    men: BTreeMap<Cell, char>,
    player: u8,
    ply: usize,
    plies: usize,
    winner: Option<u8>,
}

const STEPS: [Cell; 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The first cell that the text names, and the last.
fn ends(text: &str) -> (Cell, Cell) {
    let (from, to) = text.split_once('-').unwrap();
    (cell(from), cell(to))
}

fn on_board((column, row): Cell) -> bool {
    (0..11).contains(&column) && (0..11).contains(&row)
}

fn is_corner((column, row): Cell) -> bool {
    (column == 0 || column == 10) && (row == 0 || row == 10)
}

fn is_hostile(at: Cell) -> bool {
    is_corner(at) || at == (5, 5)
}

impl Board {
    fn new(men: &str, player: u8) -> Self {
        let men = men.split_whitespace().map(|man| (cell(&man[1..]), man.chars().next().unwrap()));
        Self { men: men.collect(), player, ply: 0, plies: 500, winner: None }
    }

    fn start() -> Self {
        let attackers = "d1 e1 f1 g1 h1 f2 a4 a5 a6 a7 a8 b6 k4 k5 k6 k7 k8 j6 d11 e11 f11 g11 h11 f10";
        let defenders = "f4 e5 f5 g5 d6 e6 g6 h6 e7 f7 g7 f8";
        let men = |letter: char, cells: &str| {
            cells.split(' ').map(|cell| format!("{letter}{cell} ")).collect::<String>()
        };
        Self::new(&(men('x', attackers) + &men('o', defenders) + "Kf6"), 0)
    }

    /// What the game's own text shows.
    fn read(position: &Position) -> Self {
        let game = GAME();
        let mut board = Self::new("", 0);
        for (row, line) in (0..).zip(game.board(position, None).lines().rev().skip(1)) {
            for (column, letter) in (0..).zip(line[3..].chars().filter(|letter| *letter != ' ')) {
                if "xoK".contains(letter) {
                    board.men.insert((column, row), letter);
                }
            }
        }
        if game.turn(position) == Turn::Over {
            board.winner = (0..2).find(|&player| game.rewards(position).of(Player(player)) == 1.0);
        }
        board
    }

    fn position(&self) -> Position {
        let at = |column: usize, row: usize| *self.men.get(&(column as i32, row as i32)).unwrap_or(&'.');
        Position::new(at, Player(self.player))
    }

    fn moves_of(&self, player: u8) -> Vec<String> {
        let mut texts = Vec::new();
        for (&from, &letter) in self.men.iter().filter(|man| (*man.1 == 'x') == (player == 0)) {
            for step in STEPS {
                let mut to = (from.0 + step.0, from.1 + step.1);
                while on_board(to) && !self.men.contains_key(&to) && (letter == 'K' || !is_hostile(to)) {
                    texts.push(format!("{}-{}", name(from), name(to)));
                    to = (to.0 + step.0, to.1 + step.1);
                }
            }
        }
        texts
    }
}

impl Plain for Board {
    fn turn(&self) -> Option<u8> {
        (self.winner.is_none() && self.ply < self.plies).then_some(self.player)
    }

    fn moves(&self) -> Vec<String> {
        self.turn().map_or(Vec::new(), |player| self.moves_of(player))
    }

    fn play(&mut self, text: &str) {
        let (from, to) = ends(text);
        let letter = self.men.remove(&from).unwrap();
        self.men.insert(to, letter);
        let is_friend = |letter: char| (letter == 'x') == (self.player == 0);
        for (dc, dr) in STEPS {
            let (near, beyond) = ((to.0 + dc, to.1 + dr), (to.0 + 2 * dc, to.1 + 2 * dr));
            let is_closed = |at| is_hostile(at) || self.men.get(&at).is_some_and(|&man| is_friend(man));
            match self.men.get(&near) {
                Some('K') if letter == 'x' => {
                    let closed = STEPS.iter().all(|(dc, dr)| {
                        let side = (near.0 + dc, near.1 + dr);
                        !on_board(side) || is_hostile(side) || self.men.get(&side) == Some(&'x')
                    });
                    if closed {
                        self.winner = Some(0);
                    }
                }
                Some(&other) if !is_friend(other) && is_closed(beyond) => {
                    self.men.remove(&near);
                }
                _ => {}
            }
        }
        if letter == 'K' && is_corner(to) {
            self.winner = Some(1);
        }
        self.ply += 1;
        if !self.moves_of(1 - self.player).is_empty() {
            self.player = 1 - self.player;
        }
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner, 2)
    }
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Hnefatafl>(&[], "", &[24, 13]);
}
