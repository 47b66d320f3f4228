use crate::kit::{Perft, after, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Rng, Visitor};
use permutree_games::Tsp;

#[test]
fn kit() {
    golden::<Tsp>(&[("cities", "7")], 50, "tsp");
    for cities in ["4", "20", "32", "33", "99"] {
        conforms::<Tsp>(&[("cities", cities)], 3);
    }
}

/// All orders of the other cities.
#[test]
fn perft_counts() {
    assert_eq!(with::<Tsp, _>(&[("cities", "8")], Perft(7)), [7, 42, 210, 840, 2520, 5040, 5040]);
    assert_eq!(with::<Tsp, _>(&[("cities", "99")], Perft(2)), [98, 98 * 97]);
}

/// Rewards agree with those found from the roads between cities, which the game shows in the lengths of short tours.
#[test]
fn rewards_follow_from_the_distances() {
    for cities in [4, 5, 20, 33, 99] {
        with::<Tsp, _>(&[("cities", &cities.to_string())], Check(cities));
    }
}

struct Check(usize);

impl Visitor for Check {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let n = self.0;
        let length = |moves: &str| -> i64 {
            let board = game.board(&after(&game, moves), None);
            board.lines().last().unwrap().strip_prefix("length ").unwrap().parse().unwrap()
        };
        // The tour goes on after two moves, so that no way back is in the lengths.
        let road = |a: usize, b: usize| match (a, b) {
            _ if a == b => 0,
            (0, city) | (city, 0) => length(&format!("{}", city + 1)),
            _ => length(&format!("{} {}", a + 1, b + 1)) - length(&format!("{}", a + 1)),
        };
        let roads: Vec<Vec<i64>> = (0..n).map(|a| (0..n).map(|b| road(a, b)).collect()).collect();
        assert!((0..n).all(|a| (0..n).all(|b| roads[a][b] == roads[b][a] && (roads[a][b] > 0) == (a != b))));

        let two = |longest: bool, city: usize| -> i64 {
            let mut others: Vec<i64> = (0..n).filter(|&b| b != city).map(|b| roads[city][b]).collect();
            others.sort_unstable();
            if longest { others[n - 3..].iter().sum() } else { others[..2].iter().sum() }
        };
        let bound = |longest: bool| (0..n).map(|city| two(longest, city)).sum::<i64>() as f64 / 2.0;
        let (low, high) = (bound(false).ceil(), bound(true).floor());
        let mut rng = Rng::new(4);
        for _ in 0..20 {
            let mut tour: Vec<usize> = (0..n).collect();
            rng.shuffle(&mut tour[1..]);
            let texts: Vec<String> = tour[1..].iter().map(|city| (city + 1).to_string()).collect();
            let end = after(&game, &texts.join(" "));
            let sum: i64 = (0..n).map(|i| roads[tour[i]][tour[(i + 1) % n]]).sum();
            let expected = (high - sum as f64) / (high - low);
            assert!((game.rewards(&end).of(Player(0)) - expected).abs() < 1e-12);
        }
    }
}

/// Where the best of all tours of nine cities lies between the bounds.
#[test]
fn the_best_tour_is_near_the_bound() {
    struct Best;
    impl Visitor for Best {
        type Output = (f64, f64);

        fn visit<G: Game>(self, game: G) -> (f64, f64) {
            fn walk<G: Game>(game: &G, position: &G::Position) -> (f64, f64) {
                let mut moves = Vec::new();
                game.moves(position, &mut moves);
                if moves.is_empty() {
                    let reward = game.rewards(position).of(Player(0));
                    return (reward, reward);
                }
                let ends = moves.into_iter().map(|mv| {
                    let mut next = position.clone();
                    game.play(&mut next, mv);
                    walk(game, &next)
                });
                ends.fold((1.0, 0.0), |(low, high), (l, h)| (f64::min(low, l), f64::max(high, h)))
            }
            walk(&game, &game.start())
        }
    }
    let (worst, best) = with::<Tsp, _>(&[("cities", "9")], Best);
    assert!(worst < 0.2 && best > 0.8, "{worst} {best}");
}

#[test]
fn playouts_agree() {
    for cities in ["5", "40"] {
        with::<Tsp, _>(&[("cities", cities)], Playouts::from_start(2_000));
    }
}
