use crate::kit::{Table7, conforms, golden, with};
use crate::stones::{After, Agrees, Naive, Rules, SameDistribution, Seen};
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
    let check = |size: usize, perft: &[u64], games: u64| {
        let naive = Naive::new(Rules::Atarigo, size);
        with::<Atarigo, _>(&[("size", &size.to_string())], Agrees { naive, perft, games });
    };
    check(3, &[], 100);
    check(6, &[], 100);
    check(9, &[], 5);
    check(12, &[], 1);
}

#[test]
fn playouts_are_uniform() {
    with::<Atarigo, _>(&[("size", "4")], SameDistribution);
    with::<Atarigo, _>(&[], SameDistribution);
}
