use crate::hexagon::Stones;
use crate::kit::{End, Guess, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain, SamePerft, cell, name, won_by};
use crate::playouts::{OrderChangesNothing, Playouts};
use permutree_game::Rewards;
use permutree_games::Yavalade;

#[test]
fn kit() {
    golden::<Yavalade>(&[], 30, "yavalade");
    conforms::<Yavalade>(&[("side", "3"), ("strict", "true")], 200);
    conforms::<Yavalade>(&[("side", "4")], 50);
    conforms::<Yavalade>(&[("side", "6"), ("strict", "true")], 5);
    conforms::<Yavalade>(&[("side", "7")], 2);
    conforms::<Yavalade>(&[("side", "8"), ("strict", "true")], 2);
}

/// Stones by column and row; the rows of each pair through the last stone, in the order of the players.
#[derive(Clone)]
struct PlainYavalade {
    stones: Stones,
    strict: bool,
    winner: Option<usize>,
}

impl PlainYavalade {
    fn new(side: i32, strict: bool) -> Self {
        Self { stones: Stones::none(side), strict, winner: None }
    }

    fn wins(&self, last: (i32, i32), pair: [usize; 2]) -> bool {
        let runs = self.stones.runs(last, |colour| pair.contains(&colour));
        pair.contains(&self.stones.at[&last])
            && runs
                .iter()
                .any(|run| run.len() >= 5 && (!self.strict || pair.iter().all(|colour| run.contains(colour))))
    }
}

impl Plain for PlainYavalade {
    fn turn(&self) -> Option<u8> {
        (!self.moves().is_empty()).then_some((self.stones.at.len() % 3) as u8)
    }

    fn moves(&self) -> Vec<String> {
        self.stones.empty().filter(|_| self.winner.is_none()).map(name).collect()
    }

    fn play(&mut self, text: &str) {
        let last = cell(text);
        self.stones.at.insert(last, self.stones.at.len() % 3);
        self.winner = [[0, 2], [0, 1], [1, 2]].into_iter().position(|pair| self.wins(last, pair));
    }

    fn rewards(&self) -> Vec<f64> {
        won_by(self.winner.map(|winner| winner as u8), 3)
    }
}

#[test]
fn games_follow_plain_rules() {
    for (side, strict, games) in
        [(3, false, 500), (3, true, 500), (4, false, 200), (5, true, 200), (5, false, 100), (8, true, 10)]
    {
        let texts = [side.to_string(), strict.to_string()];
        let settings = [("side", &*texts[0]), ("strict", &*texts[1])];
        with::<Yavalade, _>(
            &settings,
            Lockstep { plain: PlainYavalade::new(side, strict), opening: "", games },
        );
    }
}

/// No player has five before ply 5, so the counts up to there are falling factorials; the others agree with the plain rules.
#[test]
fn perft_counts() {
    let counts = |side: i32, opening, depth| {
        let plain = PlainYavalade::new(side, false);
        with::<Yavalade, _>(&[("side", &side.to_string())], SamePerft { plain, opening, depth })
    };
    assert_eq!(counts(5, "", 3), [61, 3660, 215_940]);
    assert_eq!(counts(7, "", 2), [127, 127 * 126]);
    // Player 1 ends the game at e5, with a row of colours 1 and 2 that belongs to player 2.
    assert_eq!(counts(5, "a5 b5 a1 c5 d5 i9", 2), [55, 54 * 54]);
    counts(3, "a3 c3 b3 c1 c2 e5 e3", 3);
}

/// Who gets all, from 1; `None` when the game goes on.
fn winner(strict: &str, moves: &str) -> Option<usize> {
    let rewards = with::<Yavalade, _>(&[("strict", strict)], End(moves))?;
    let rewards = rewards.as_slice();
    assert_eq!(rewards.iter().sum::<f64>(), 1.0);
    rewards.iter().position(|&reward| reward == 1.0).map(|player| player + 1)
}

#[test]
fn a_row_of_two_colours_wins_for_the_owner_of_the_pair() {
    for strict in ["false", "true"] {
        // Colours 1 and 3, 1 and 2, 2 and 3; the last stone is that of player 1, 1 and 2.
        assert_eq!(winner(strict, "a5 a1 b5 c5 i9 d5 e5"), Some(1));
        assert_eq!(winner(strict, "a5 b5 a1 c5 d5 i9 e5"), Some(2));
        assert_eq!(winner(strict, "a1 a5 b5 i9 c5 d5 e1 e5"), Some(3));
        // The third colour breaks the row, and four are not enough.
        assert_eq!(winner(strict, "a5 b5 c5 d5 a1 i9 e5"), None);
        assert_eq!(winner(strict, "a5 a1 b5 c5 i9 d5 f5"), None);
    }
}

#[test]
fn a_row_of_one_colour_wins_unless_strict() {
    let ones = "a5 a1 i9 b5 c1 g9 c5 e1 e9 d5 a3 i7 e5";
    assert_eq!(winner("false", ones), Some(1));
    assert_eq!(winner("true", ones), None);
    // A stone of the other colour at its end gives the row to the owner of the pair.
    assert_eq!(winner("true", &format!("{ones} f5")), Some(2));
    // Colour 2 belongs to players 2 and 3, colour 3 to players 1 and 3: the first of them wins.
    assert_eq!(winner("false", "a1 a5 i9 c1 b5 g9 e1 c5 e9 a3 d5 i7 f3 e5"), Some(2));
    assert_eq!(winner("false", "a1 i9 a5 c1 g9 b5 e1 e9 c5 a3 i7 d5 f3 g7 e5"), Some(1));
}

#[test]
fn of_two_rows_that_of_the_first_player_counts() {
    // The stone e5 of player 3 completes colours 1 and 3 in row 5, and colours 2 and 3 in column e.
    let two = "a5 e1 b5 c5 e3 d5 i9 a1 e2 g9 c1 e4 i7 a3 e5";
    assert_eq!(winner("false", two), Some(1));
    assert_eq!(winner("true", two), Some(1));
    // Without the row of colours 1 and 3, player 3 wins.
    assert_eq!(winner("false", &two.replace("a5", "a4")), Some(3));
}

#[test]
fn a_full_board_is_shared_by_three() {
    let all = "c1 a2 a1 b2 c3 b1 d2 b4 c2 a3 c4 d3 b3 d4 c5 e3 e5 d5 e4";
    assert_eq!(with::<Yavalade, _>(&[("side", "3")], End(all)), Some(Rewards::share(3, 0b111)));
}

#[test]
fn whose_pair_is_nearer_to_five_is_judged_ahead() {
    let guess = |moves| with::<Yavalade, _>(&[], Guess(moves));
    let [first, second, third] = *guess("e5 a1 f5 h5").as_slice() else { panic!() };
    assert!(first > second && first > third);
    let [first, second, third] = *guess("e5 f5 a1 h5").as_slice() else { panic!() };
    assert!(second > first && second > third);
    let [first, second, third] = *guess("a1 e5 f5 i9 h5").as_slice() else { panic!() };
    assert!(third > first && third > second);
}

#[test]
fn playouts_agree() {
    with::<Yavalade, _>(&[], Playouts::from_start(10_000));
    with::<Yavalade, _>(&[("strict", "true")], Playouts::from_start(5_000));
    with::<Yavalade, _>(&[("side", "3")], Playouts::from_start(10_000));
    with::<Yavalade, _>(&[("side", "8")], Playouts::from_start(1_000));
    // The second and the third player to move, with threats on the board.
    with::<Yavalade, _>(&[], Playouts { opening: "e5 d5 f5 g5", games: 10_000 });
    with::<Yavalade, _>(&[("strict", "true")], Playouts { opening: "e5 a1 f5 g5 a2", games: 5_000 });
}

/// Below the board each colour is shown for two players.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Yavalade>(&[], "a1 b2 c4 d4", &[4, 3, 3]);
}

#[test]
fn order_changes_nothing() {
    with::<Yavalade, _>(&[], OrderChangesNothing);
}
