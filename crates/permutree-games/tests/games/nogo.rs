use crate::kit::{Table7, conforms, golden, with};
use crate::stones::{After, Agrees, Naive, Rules, SameDistribution, Seen};
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
    let check = |size: usize, players: u8, perft: &[u64], games: u64| {
        let naive = Naive::new(Rules::Nogo { players }, size);
        let (size, players) = (size.to_string(), players.to_string());
        with::<Nogo, _>(&[("size", &size), ("players", &players)], Agrees { naive, perft, games });
    };
    check(3, 2, &[], 100);
    check(3, 3, &[], 100);
    check(5, 2, &[], 100);
    check(5, 3, &[], 100);
    check(7, 3, &[], 20);
    check(9, 2, &[], 5);
    check(12, 3, &[], 1);
}

#[test]
fn playouts_are_uniform() {
    with::<Nogo, _>(&[], SameDistribution);
    with::<Nogo, _>(&[("players", "3")], SameDistribution);
}
