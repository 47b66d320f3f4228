use crate::kit::{Table7, after, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Rewards, Turn, perft};
use permutree_games::{Hex, hex::Move};

#[test]
fn kit() {
    golden::<Hex>(&[("opening", "b2")], 300, "hex");
    conforms::<Hex>(&[("size", "3"), ("swap", "true")], 1000);
    conforms::<Hex>(&[("size", "9")], 20);
    conforms::<Hex>(&[("size", "11"), ("swap", "true"), ("opening", "a2")], 10);
    conforms::<Hex>(&[("size", "19")], 2);
}

#[test]
fn table_7() {
    with::<Hex, _>(&[("opening", "b2")], Table7 { moves: 48, plies: 41.300, presence: &[("exact", 0.435)] });
}

/// 49 * 48 * 47 * 46: nobody joins seven rows in four plies.
#[test]
fn perft_counts() {
    let hex = Hex::<1>::new(7, None, false);
    assert_eq!(perft(&hex, &hex.start(), 3), [49, 2352, 110_544]);
    // With the pie rule the second ply has one move more: 9 * (8 + 1), then 9 * (8 * 7 + 8).
    let hex = Hex::<1>::new(3, None, true);
    assert_eq!(perft(&hex, &hex.start(), 3), [9, 81, 576]);
}

#[test]
fn sides_and_neighbours() {
    let hex = Hex::<1>::new(3, None, false);
    let check = |moves, winner| {
        let end = after(&hex, moves);
        assert_eq!(hex.turn(&end), Turn::Over, "{moves}");
        assert_eq!(hex.rewards(&end), Rewards::win(2, Player(winner)), "{moves}");
    };
    check("a1 b1 a2 b2 a3", 0);
    // The short diagonal joins: b1 and a2 touch, a2 and a3 touch.
    check("b1 c1 a2 c2 a3", 0);
    check("c3 a2 c2 b2 a1 c1", 1);
    // The long diagonal does not: a1, b2, c3.
    let open = after(&hex, "a1 b1 b2 a2 c3");
    assert_eq!(hex.turn(&open), Turn::Player(Player(1)));
}

#[test]
fn the_same_game_in_more_words() {
    fn counts<const W: usize>() -> Vec<u64> {
        let hex = Hex::<W>::new(4, Some((1, 1)), false);
        perft(&hex, &after(&hex, "a1 c2 a2 c3 a3 d1 b4 a4"), 5)
    }
    assert_eq!(counts::<1>(), counts::<2>());
    assert_eq!(counts::<1>(), counts::<6>());
}

#[test]
fn the_pie_rule_mirrors_the_stone() {
    let hex = Hex::<1>::new(5, None, true);
    let swapped = after(&hex, "d2 swap");
    assert_eq!(hex.turn(&swapped), Turn::Player(Player(0)));
    assert!(hex.board(&swapped, Some(Move::Swap)).contains("[o]"));
    assert!(hex.parse_move(&swapped, "b4").is_none(), "the mirrored cell is taken");
    assert!(hex.parse_move(&swapped, "swap").is_none());
}

/// Without a recorder only the cells are dealt, with one the last move is found: two ways to one winner. Odd and even
/// numbers of empty cells, on boards so small that one cell more or less for a player shows.
#[test]
fn playouts_agree() {
    with::<Hex, _>(&[("size", "3")], Playouts::from_start(10_000));
    with::<Hex, _>(&[("size", "5")], Playouts { opening: "b2 c3 d1", games: 10_000 });
    with::<Hex, _>(&[("size", "4"), ("swap", "true")], Playouts { opening: "b2", games: 10_000 });
    with::<Hex, _>(&[("size", "3")], Playouts { opening: "a1 b1 a2", games: 10_000 });
    with::<Hex, _>(&[("size", "9")], Playouts::from_start(2_000));
}
