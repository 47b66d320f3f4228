use crate::kit::{Table7, after, conforms, drawn, golden, with};
use crate::playouts::{AnyOrder, Playouts};
use permutree_game::{Game, Player, Rewards, Rng, Turn, perft};
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

/// 49 * 48 * 47 * 46: four plies cannot connect seven rows.
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
    // The pie rule comes into play on the way.
    with::<Hex, _>(&[("size", "3"), ("swap", "true")], Playouts::from_start(10_000));
    with::<Hex, _>(&[("size", "3")], Playouts { opening: "a1 b1 a2", games: 10_000 });
    with::<Hex, _>(&[("size", "9")], Playouts::from_start(2_000));
}

/// Random positions are judged by the stones that each player needs, found by relaxing the distance of every cell until
/// nothing changes.
#[test]
fn distances_are_judged() {
    let hex = Hex::<1>::new(6, None, false);
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let mut position = hex.start();
        for _ in 0..rng.below(25) {
            if let Some(mv) = hex.random_move(&position, &mut rng, &mut Vec::new()) {
                hex.play(&mut position, mv);
            }
        }
        if hex.turn(&position) == Turn::Over {
            continue;
        }
        let board = hex.board(&position, None);
        // The lowest row of text is that of letters.
        let rows: Vec<Vec<char>> = board
            .lines()
            .rev()
            .skip(1)
            .map(|line| line.chars().filter(|letter| ".xo".contains(*letter)).collect())
            .collect();
        let [first, second] = ['x', 'o'].map(|stone| needed(&rows, stone));
        let expected = Rewards::leaning(&[f64::from(second), f64::from(first)]);
        assert_eq!(hex.evaluate(&position), Some(expected), "{board}");
    }
    let judge = |moves| hex.evaluate(&after(&hex, moves)).unwrap().of(Player(0));
    assert_eq!(judge(""), 0.5);
    assert!(judge("c3") > 0.5 && judge("a1 c3 f6 d3") < 0.5);
}

/// The stones that `stone` still needs.
fn needed(rows: &[Vec<char>], stone: char) -> u32 {
    const FAR: u32 = 1000;
    let size = rows.len();
    let along = |column: usize, row: usize| if stone == 'x' { row } else { column };
    let cells = || (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
    let mut distance = vec![vec![FAR; size]; size];
    loop {
        let before = distance.clone();
        for (column, row) in cells() {
            let neighbours =
                [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].into_iter().filter_map(|(c, r)| {
                    before.get(row.checked_add_signed(r)?)?.get(column.checked_add_signed(c)?).copied()
                });
            let nearest = if along(column, row) == 0 { 0 } else { neighbours.min().unwrap() };
            let cost = match rows[row][column] {
                '.' => 1,
                other if other == stone => 0,
                _ => FAR,
            };
            distance[row][column] = before[row][column].min(nearest + cost);
        }
        if distance == before {
            break;
        }
    }
    let ends = cells().filter(|&(column, row)| along(column, row) == size - 1);
    ends.map(|(column, row)| distance[row][column]).min().unwrap()
}

/// Each player also has two sides of the board.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Hex>(&[], "a1 b2 c3", &[4, 3]);
}

/// Where the order does not matter, the rest of the board is recorded too: each player takes every second cell, and who has
/// connected on the full board has won.
#[test]
fn in_any_order_the_board_is_filled() {
    fn check<const W: usize>(size: usize, opening: &str) {
        let hex = Hex::<W>::new(size, None, false);
        let start = after(&hex, opening);
        let Turn::Player(first) = hex.turn(&start) else { panic!("the game goes on") };
        let mut rng = Rng::new(4);
        let mut wins = 0;
        for _ in 0..2000 {
            let (mut end, mut seen) = (start, AnyOrder::default());
            hex.playout(&mut end, 0, &mut rng, &mut Vec::new(), &mut seen);
            let mut order: [Vec<u32>; 2] = [0, 1].map(|player| {
                seen.0.iter().filter(|(who, _)| who.0 == player).map(|(_, code)| *code).collect()
            });
            let mut position = start;
            for ply in 0.. {
                let player = if ply % 2 == 0 { first } else { first.other() };
                let Some(code) = order[player.index()].pop() else { break };
                if hex.turn(&position) == Turn::Over {
                    continue;
                }
                let mut moves = Vec::new();
                hex.moves(&position, &mut moves);
                let found = moves.iter().find(|&&mv| hex.code(&position, mv, 0) == code);
                hex.play(&mut position, *found.expect("an empty cell"));
            }
            assert!(order.iter().all(Vec::is_empty), "{order:?}");
            assert_eq!(seen.0.len(), size * size - opening.split_whitespace().count());
            assert_eq!((hex.turn(&position), hex.rewards(&position)), (Turn::Over, hex.rewards(&end)));
            wins += u32::from(hex.rewards(&end).of(first) == 1.0);
        }
        // Symmetric but for the first move.
        assert!((900..1200).contains(&wins), "{wins} of 2000");
    }
    check::<1>(5, "");
    check::<1>(7, "b2");
    check::<3>(11, "");
}
