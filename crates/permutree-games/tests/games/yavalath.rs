use crate::hexagon::Stones;
use crate::kit::{End, Guess, after, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, cell, name, won_by};
use crate::playouts::{OrderChangesNothing, Playouts};
use permutree_game::{Game, Player, Rewards, Turn, Visitor};
use permutree_games::Yavalath;

#[test]
fn kit() {
    golden::<Yavalath>(&[], 50, "yavalath");
    conforms::<Yavalath>(&[("side", "3"), ("swap", "true")], 200);
    conforms::<Yavalath>(&[("side", "4")], 50);
    conforms::<Yavalath>(&[("side", "6"), ("swap", "true")], 20);
    conforms::<Yavalath>(&[("side", "7")], 3);
    conforms::<Yavalath>(&[("side", "8"), ("swap", "true")], 2);
}

/// Stones by column and row, rows counted from the last stone.
#[derive(Clone)]
struct PlainYavalath {
    stones: Stones,
    swap: bool,
    player: usize,
    winner: Option<usize>,
}

impl PlainYavalath {
    fn new(side: i32, swap: bool) -> Self {
        Self { stones: Stones::none(side), swap, player: 0, winner: None }
    }
}

impl Plain for PlainYavalath {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some(self.player as u8)
    }

    fn moves(&self) -> Vec<String> {
        if self.winner.is_some() {
            return Vec::new();
        }
        let second = self.stones.at.len() == 1 && self.player == 1;
        let swap = (self.swap && second).then(|| "swap".to_string());
        self.stones.empty().map(name).chain(swap).collect()
    }

    fn play(&mut self, text: &str) {
        if text == "swap" {
            self.stones.at.values_mut().for_each(|owner| *owner = 1);
        } else {
            let (last, player) = (cell(text), self.player);
            self.stones.at.insert(last, player);
            let longest =
                self.stones.runs(last, |owner| owner == player).map(|run| run.len()).into_iter().max();
            self.winner = match longest {
                Some(4..) => Some(player),
                Some(3) => Some(1 - player),
                _ => None,
            };
        }
        self.player = 1 - self.player;
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner.map(|winner| winner as u8), 2)
    }
}

#[test]
fn games_follow_plain_rules() {
    for (side, swap, games) in
        [(3, true, 500), (4, false, 100), (5, true, 200), (6, false, 20), (8, true, 20)]
    {
        let texts = [side.to_string(), swap.to_string()];
        let settings = [("side", &*texts[0]), ("swap", &*texts[1])];
        with::<Yavalath, _>(
            &settings,
            Lockstep { plain: PlainYavalath::new(side, swap), opening: "", games },
        );
    }
}

/// Without the pie rule no player makes three before ply 5, so the counts up to there are falling factorials; the others
/// agree with the plain rules.
#[test]
fn perft_counts() {
    let counts = |side: i32, swap: bool, opening, depth| {
        let texts = [side.to_string(), swap.to_string()];
        let settings = [("side", &*texts[0]), ("swap", &*texts[1])];
        let plain = PlainYavalath::new(side, swap);
        with::<Yavalath, _>(&settings, SamePerft { plain, opening, depth })
    };
    assert_eq!(counts(5, false, "", 3), [61, 3660, 215_940]);
    // 61 * (60 + 1) second plies; after a stone 59 cells are left, after the swap 60.
    assert_eq!(counts(5, true, "", 3), [61, 3721, 61 * (60 * 59 + 60)]);
    assert_eq!(counts(8, false, "", 2), [169, 169 * 168]);
    // Of the 57 moves only c1 ends the game.
    assert_eq!(counts(5, false, "a1 e5 b1 e6", 2), [57, 56 * 56]);
    counts(3, false, "a1 c3 b1 b2 d3", 4);
    counts(4, true, "b2 swap d4 c3 c4 e4 e6 d5", 3);
}

#[test]
fn four_wins_and_three_loses() {
    let end = |moves| with::<Yavalath, _>(&[], End(moves));
    let [first, second] = [Player(0), Player(1)].map(|player| Some(Rewards::win(2, player)));
    // Along a row, a column and the diagonal from a1; for either player.
    assert_eq!(end("a1 a5 b1 c5 d1 i9 c1"), first);
    assert_eq!(end("a1 c1 a2 c3 a4 i9 a3"), first);
    assert_eq!(end("a1 a5 b2 c5 d4 i9 c3"), first);
    assert_eq!(end("a5 a1 c5 b1 i9 d1 i7 c1"), second);
    assert_eq!(end("a1 a5 b1 c5 c1"), second);
    assert_eq!(end("a1 c1 a2 c3 a3"), second);
    assert_eq!(end("a5 a1 c5 b1 i9 c1"), first);
    // Five win too, and so does a stone that makes four in one line and three in another.
    assert_eq!(end("a1 a5 b1 c5 d1 i9 e1 i7 c1"), first);
    assert_eq!(end("a1 a5 b1 c5 d1 i9 c2 i7 c3 e9 c1"), first);
    // The other diagonal is no line: a3, b2 and c1 do not touch.
    assert_eq!(end("a3 a5 b2 c5 c1"), None);
}

#[test]
fn a_full_board_is_a_draw() {
    let all = "a1 c1 b1 b2 a2 a3 c2 d3 d2 b4 b3 c4 c3 e4 e3 d5 d4 e5 c5";
    assert_eq!(with::<Yavalath, _>(&[("side", "3")], End(all)), Some(Rewards::draw(2)));
}

struct Swapped;

impl Visitor for Swapped {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let first = after(&game, "e5");
        let swap = game.parse_move(&first, "swap").unwrap();
        let swapped = after(&game, "e5 swap");
        assert_eq!(game.turn(&swapped), Turn::Player(Player(0)));
        assert!(game.board(&first, None).contains('x'));
        assert!(game.board(&swapped, Some(swap)).contains("[o]"));
        for gone in ["swap", "e5"] {
            assert!(game.parse_move(&swapped, gone).is_none());
        }
        let later = after(&game, "e5 e6 a1");
        assert!(game.parse_move(&later, "swap").is_none());
        // The same stones with the other player to move are another position.
        let [a, b] = ["e5 swap a1", "a1 e5"].map(|moves| after(&game, moves));
        assert_eq!(game.board(&a, None), game.board(&b, None));
        assert_ne!(game.hash(&a), game.hash(&b));
    }
}

#[test]
fn the_pie_rule_takes_the_stone_over() {
    with::<Yavalath, _>(&[("swap", "true")], Swapped);
}

#[test]
fn who_is_nearer_to_four_is_judged_ahead() {
    let guess = |moves| with::<Yavalath, _>(&[], Guess(moves)).of(Player(0));
    assert_eq!(guess(""), 0.5);
    assert!(guess("e5 a1 f5 i9") > 0.5);
    assert!(guess("e5 a1 i9 b1") < 0.5);
    // Two in a line that a stone has closed on a line of five cells count no more than one.
    assert_eq!(guess("a1 e5 b1 c1"), 0.5);
}

#[test]
fn playouts_agree() {
    with::<Yavalath, _>(&[], Playouts::from_start(10_000));
    with::<Yavalath, _>(&[("side", "3")], Playouts::from_start(10_000));
    with::<Yavalath, _>(&[("side", "3"), ("swap", "true")], Playouts::from_start(10_000));
    with::<Yavalath, _>(&[("side", "4"), ("swap", "true")], Playouts { opening: "c3", games: 10_000 });
    with::<Yavalath, _>(&[("side", "8")], Playouts::from_start(2_000));
    // The second player to move, both with threats; and a board that is nearly full.
    with::<Yavalath, _>(&[], Playouts { opening: "e5 a1 f5 b1 h5", games: 10_000 });
    let late = "a1 c1 b1 b2 a2 a3 c2 d3 d2 b4 b3 c4 c3 e4 e3";
    with::<Yavalath, _>(&[("side", "3")], Playouts { opening: late, games: 1_000 });
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Yavalath>(&[], "a1 b2 c4", &[2, 1]);
}

#[test]
fn order_changes_nothing() {
    with::<Yavalath, _>(&[], OrderChangesNothing);
}
