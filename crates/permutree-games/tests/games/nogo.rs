use crate::kit::{Table7, conforms, drawn, golden, with};
use crate::plain::agrees;
use crate::playouts::Playouts;
use crate::stones::{After, Naive, Rules, Seen};
use permutree_games::Nogo;

#[test]
fn kit() {
    golden::<Nogo>(&[], 100, "nogo");
    golden::<Nogo>(&[("players", "3")], 100, "nogo-3-players");
    for (size, games) in [("3", 200), ("7", 5), ("9", 3), ("19", 1)] {
        for players in ["2", "3"] {
            conforms::<Nogo>(&[("size", size), ("players", players)], games);
        }
    }
}

#[test]
fn paper_figures() {
    with::<Nogo, _>(&[], Table7 { moves: 25, plies: 22.023, presence: &[("exact", 0.450)] });
    let three = Table7 { moves: 25, plies: 20.844, presence: &[("exact", 0.292)] };
    with::<Nogo, _>(&[("players", "3")], three);
}

/// The numbers come from the plain game.
#[test]
fn agrees_with_flood_fill() {
    let check = |size: usize, players: u8, counts: &[u64], games: u64| {
        let naive = Naive::new(Rules::Nogo { players }, size);
        let (size, players) = (size.to_string(), players.to_string());
        agrees::<Nogo, _>(&[("size", &size), ("players", &players)], naive, counts, games);
    };
    check(3, 2, &[9, 72, 496, 2832, 12_768, 41_328], 100);
    check(3, 3, &[9, 72, 480, 2592, 10_136, 23_264], 100);
    check(4, 2, &[16, 240, 3352, 43_264], 100);
    check(5, 2, &[], 100);
    check(5, 3, &[], 100);
    check(7, 3, &[], 20);
    check(9, 2, &[], 5);
    check(12, 3, &[], 1);
}

#[test]
fn playouts_agree() {
    with::<Nogo, _>(&[], Playouts::from_start(10_000));
    with::<Nogo, _>(&[("players", "3")], Playouts::from_start(10_000));
}

#[test]
fn suicide_and_capture_are_illegal() {
    let after = |moves| with::<Nogo, _>(&[("size", "3")], After(moves));
    // a1 has its only liberty at a2: closed to the enemy, open to its owner.
    assert_eq!(after("b1 a1"), Seen::player(1, "c1 b2 c2 a3 b3 c3"));
    assert_eq!(after("b1 a1 c3"), Seen::player(2, "c1 a2 b2 c2 a3 b3"));
    // a1 has no liberty for the second player; the first may fill it, since a2 keeps others.
    assert_eq!(after("b1 c3 a2"), Seen::player(2, "c1 b2 c2 a3 b3"));
    assert_eq!(after("b1 c3 a2 b3"), Seen::player(1, "a1 c1 b2 c2 a3"));
}

#[test]
fn who_cannot_move_loses() {
    let after = |moves| with::<Nogo, _>(&[("size", "3")], After(moves));
    // b2 is the last liberty of everyone on the board once c3 is filled.
    assert_eq!(after("b1 b3 a2 c2 c1 a3 a1"), Seen::player(2, "c3"));
    assert_eq!(after("b1 b3 a2 c2 c1 a3 a1 c3"), Seen::over(&[0.0, 1.0]));
}

/// x o .    The first player has no move: every point is surrounded, and a2 would leave its own stones without a
/// . z o    liberty. He is out and the second is to move.
/// x z .
#[test]
fn the_last_of_three_wins() {
    let after = |moves| with::<Nogo, _>(&[("size", "3"), ("players", "3")], After(moves));
    assert_eq!(after("a1 b3 b1 a3 c2 b2"), Seen::player(2, "c1 c3"));
    // Now the third has none either: both points left would capture.
    assert_eq!(after("a1 b3 b1 a3 c2 b2 c1"), Seen::over(&[0.0, 1.0, 0.0]));
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Nogo>(&[("players", "3")], "a1 c3 e5 a5", &[2, 1, 1]);
}
