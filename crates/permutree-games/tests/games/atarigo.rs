use crate::kit::{Table7, conforms, drawn, golden, with};
use crate::plain::agrees;
use crate::playouts::Playouts;
use crate::stones::{After, Naive, Rules, Seen};
use permutree_games::Atarigo;

#[test]
fn kit() {
    golden::<Atarigo>(&[], 100, "atarigo");
    for (size, games) in [("3", 200), ("5", 50), ("9", 3), ("19", 1)] {
        conforms::<Atarigo>(&[("size", size)], games);
    }
}

#[test]
fn paper_figures() {
    with::<Atarigo, _>(&[], Table7 { moves: 36, plies: 24.165, presence: &[("exact", 0.343)] });
}

/// The numbers come from the plain game.
#[test]
fn agrees_with_flood_fill() {
    let check = |size: usize, counts: &[u64], games: u64| {
        let naive = Naive::new(Rules::Atarigo, size);
        agrees::<Atarigo, _>(&[("size", &size.to_string())], naive, counts, games);
    };
    check(3, &[9, 72, 504, 2928, 13_952, 48_000], 100);
    check(4, &[16, 240, 3360, 43_472], 100);
    check(6, &[], 100);
    check(9, &[], 5);
    check(12, &[], 1);
}

#[test]
fn playouts_agree() {
    with::<Atarigo, _>(&[("size", "4")], Playouts::from_start(10_000));
    with::<Atarigo, _>(&[], Playouts::from_start(10_000));
}

#[test]
fn the_first_capture_wins() {
    let after = |moves| with::<Atarigo, _>(&[("size", "3")], After(moves));
    assert_eq!(after("b1 a1 a2"), Seen::over(&[1.0, 0.0]));
}

/// o . .    a1 is suicide for the second player until b2 leaves a2 no other liberty; then it captures.
/// x . .
/// . x .
#[test]
fn suicide_is_illegal_unless_it_captures() {
    let after = |moves| with::<Atarigo, _>(&[("size", "3")], After(moves));
    assert_eq!(after("a2 a3 b1"), Seen::player(2, "c1 b2 c2 b3 c3"));
    assert_eq!(after("a2 a3 b1 b2 c3"), Seen::player(2, "a1 c1 c2 b3"));
    assert_eq!(after("a2 a3 b1 b2 c3 a1"), Seen::over(&[0.0, 1.0]));
}

/// x o o x    The first player is to move and has only suicide.
/// x o o x
/// . o . x
/// x o o x
#[test]
fn who_cannot_move_loses() {
    let game = "a3 c4 a1 b2 d1 c1 a4 c3 d3 b3 d2 b4 d4 b1";
    assert_eq!(with::<Atarigo, _>(&[("size", "4")], After(game)), Seen::over(&[0.0, 1.0]));
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Atarigo>(&[], "c3 d4 e5", &[2, 1]);
}
