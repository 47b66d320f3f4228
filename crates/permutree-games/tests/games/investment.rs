use crate::kit::{Perft, Table7, after, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Rng, Turn, Visitor};
use permutree_games::Investment;

#[test]
fn kit() {
    golden::<Investment>(&[("pairs", "3")], 100, "investment");
    golden::<Investment>(&[("pairs", "2"), ("players", "3")], 100, "investment-3");
    conforms::<Investment>(&[("pairs", "1")], 10);
    conforms::<Investment>(&[("pairs", "1"), ("players", "3")], 10);
    conforms::<Investment>(&[], 20);
    conforms::<Investment>(&[("pairs", "50"), ("players", "3")], 1);
}

/// Eleven receivers at every ply, but for the eleven ways in which the first three gifts of the first team, at plies 1, 3
/// and 5, decide a pair: then ten are left.
#[test]
fn perft_counts() {
    let counts = with::<Investment, _>(&[], Perft(6));
    assert_eq!(counts, [11, 121, 1331, 14_641, 161_051, 161_051 * 11 - 11 * 121]);
}

/// Random games in lockstep with the rules written the plain way.
#[test]
fn games_agree_with_plain_rules() {
    for (pairs, players) in [(1, 2), (3, 2), (11, 2), (20, 2), (1, 3), (2, 3), (10, 3), (11, 3)] {
        let texts = [pairs, players].map(|x: usize| x.to_string());
        let settings = [("pairs", &*texts[0]), ("players", &*texts[1])];
        with::<Investment, _>(&settings, Lockstep { pairs, teams: players });
    }
}

struct Lockstep {
    pairs: usize,
    teams: usize,
}

impl Visitor for Lockstep {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let mut position = game.start();
            let mut wealth = vec![vec![0; self.teams]; self.pairs];
            let open = |pair: &Vec<i32>| pair.iter().all(|&w| w < 3);
            // Slots are visited in turn; whoever has lost his pair is passed over.
            for slot in (0..self.pairs * self.teams).cycle() {
                let (pair, team) = (slot / self.teams, slot % self.teams);
                let targets: Vec<usize> = (0..self.pairs).filter(|&p| open(&wealth[p])).collect();
                if targets.is_empty() {
                    break;
                }
                if !open(&wealth[pair]) && wealth[pair][team] < 3 {
                    continue;
                }
                assert_eq!(game.turn(&position), Turn::Player(Player(team as u8)));
                let letter = ["a", "b", "c"][team];
                let text = |target: usize| format!("{letter}{}>{letter}{}", pair + 1, target + 1);
                let mut moves = Vec::new();
                game.moves(&position, &mut moves);
                let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
                assert_eq!(texts, targets.iter().map(|&t| text(t)).collect::<Vec<_>>());
                let choice = rng.below(targets.len());
                game.play(&mut position, moves[choice]);
                wealth[targets[choice]][team] += 1;
            }
            assert_eq!(game.turn(&position), Turn::Over);
            let won = |team: usize| wealth.iter().filter(|pair| pair[team] == 3).count();
            let most = (0..self.teams).map(won).max().unwrap();
            let sharers = (0..self.teams).filter(|&team| won(team) == most).count();
            for team in 0..self.teams {
                let reward = if won(team) == most { 1.0 / sharers as f64 } else { 0.0 };
                assert_eq!(game.rewards(&position).of(Player(team as u8)), reward);
            }
        }
    }
}

/// The rewards after these gifts.
struct Rewards<'a>(&'a str);

impl Visitor for Rewards<'_> {
    type Output = Vec<f64>;

    fn visit<G: Game>(self, game: G) -> Vec<f64> {
        let position = after(&game, self.0);
        assert_eq!(game.turn(&position), Turn::Over);
        game.rewards(&position).as_slice().to_vec()
    }
}

#[test]
fn who_won_most_pairs_wins_and_ties_share() {
    // a1 wins the first pair with the fifth gift; b1 has lost and b2 goes on alone for b.
    let two = "a1>a1 b1>b2 a2>a1 b2>b2 a1>a1 a2>a2 b2>b2";
    assert_eq!(with::<Investment, _>(&[("pairs", "2")], Rewards(two)), [0.5, 0.5]);
    let two = "a1>a1 b1>b1 a2>a1 b2>b1 a1>a1 a2>a2 b2>b2 a1>a2 a2>a2";
    assert_eq!(with::<Investment, _>(&[("pairs", "2")], Rewards(two)), [1.0, 0.0]);
    // One pair for the first team and one for the third: they share, and the second has nothing.
    let three = "a1>a1 b1>b1 c1>c2 a2>a1 b2>b1 c2>c2 a1>a1 a2>a2 b2>b2 c2>c2";
    assert_eq!(with::<Investment, _>(&[("pairs", "2"), ("players", "3")], Rewards(three)), [0.5, 0.0, 0.5]);
}

#[test]
fn table_7() {
    let row = |settings: &[(&str, &str)], moves, plies, exact, abstracted| {
        let presence = &[("exact", exact), ("abstract", abstracted)];
        with::<Investment, _>(settings, Table7 { moves, plies, presence });
    };
    row(&[("pairs", "11")], 11, 46.212, 0.372, 0.901);
    row(&[("pairs", "21")], 21, 87.559, 0.353, 0.890);
    row(&[("pairs", "10"), ("players", "3")], 10, 52.254, 0.295, 0.847);
}

#[test]
fn playouts_agree() {
    with::<Investment, _>(&[("pairs", "3")], Playouts::from_start(10_000));
    with::<Investment, _>(&[("pairs", "11"), ("players", "3")], Playouts::from_start(2_000));
    let opening = "a1>a1 b1>b1 a2>a1 b2>b1 a3>a1";
    with::<Investment, _>(&[("pairs", "3")], Playouts { opening, games: 10_000 });
}
