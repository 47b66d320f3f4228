use crate::kit::{End, Perft, Table7, conforms, drawn, golden, with};
use crate::plain::{Lockstep, Plain};
use crate::playouts::Playouts;
use permutree_game::{Player, Rewards};
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

#[test]
fn games_agree_with_plain_rules() {
    for (pairs, players) in [(1, 2), (3, 2), (11, 2), (20, 2), (1, 3), (2, 3), (10, 3), (11, 3)] {
        let texts = [pairs, players].map(|x: usize| x.to_string());
        let plain = Wealth { pairs: vec![vec![0; players]; pairs], slot: 0 };
        let settings = [("pairs", &*texts[0]), ("players", &*texts[1])];
        with::<Investment, _>(&settings, Lockstep { plain, opening: "", games: 50 });
    }
}

/// The wealth of each member of a pair, and the slot to act.
#[derive(Clone)]
struct Wealth {
    pairs: Vec<Vec<u8>>,
    slot: usize,
}

impl Wealth {
    fn is_open(&self, pair: usize) -> bool {
        self.pairs[pair].iter().all(|&wealth| wealth < 3)
    }

    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.pairs.len()).filter(|&pair| self.is_open(pair))
    }

    fn teams(&self) -> usize {
        self.pairs[0].len()
    }

    fn giver(&self) -> (usize, usize) {
        (self.slot / self.teams(), self.slot % self.teams())
    }
}

impl Plain for Wealth {
    const IN_ORDER: bool = true;

    fn turn(&self) -> Option<u8> {
        self.open().next().map(|_| self.giver().1 as u8)
    }

    fn moves(&self) -> Vec<String> {
        let (pair, team) = self.giver();
        let letter = ["a", "b", "c"][team];
        self.open().map(|target| format!("{letter}{}>{letter}{}", pair + 1, target + 1)).collect()
    }

    /// Slots act in turn; members who have lost their pair are skipped.
    fn play(&mut self, text: &str) {
        let (_, target) = text.split_once('>').unwrap();
        let (_, team) = self.giver();
        self.pairs[target[1..].parse::<usize>().unwrap() - 1][team] += 1;
        loop {
            self.slot = (self.slot + 1) % (self.pairs.len() * self.teams());
            let (pair, team) = self.giver();
            if self.is_open(pair) || self.pairs[pair][team] == 3 {
                return;
            }
        }
    }

    fn rewards(&self) -> Vec<f64> {
        let won = |team: usize| self.pairs.iter().filter(|pair| pair[team] == 3).count();
        let won: Vec<usize> = (0..self.teams()).map(won).collect();
        let most = *won.iter().max().unwrap();
        let sharers = won.iter().filter(|pairs| **pairs == most).count();
        won.into_iter().map(|pairs| if pairs == most { 1.0 / sharers as f64 } else { 0.0 }).collect()
    }
}

#[test]
fn who_won_most_pairs_wins_and_ties_share() {
    // a1 wins the first pair with the fifth gift; b1 has lost and b2 goes on alone for b.
    let two = "a1>a1 b1>b2 a2>a1 b2>b2 a1>a1 a2>a2 b2>b2";
    assert_eq!(with::<Investment, _>(&[("pairs", "2")], End(two)), Some(Rewards::draw(2)));
    let two = "a1>a1 b1>b1 a2>a1 b2>b1 a1>a1 a2>a2 b2>b2 a1>a2 a2>a2";
    assert_eq!(with::<Investment, _>(&[("pairs", "2")], End(two)), Some(Rewards::win(2, Player(0))));
    // One pair for the first team and one for the third: they share, and the second has nothing.
    let three = "a1>a1 b1>b1 c1>c2 a2>a1 b2>b1 c2>c2 a1>a1 a2>a2 b2>b2 c2>c2";
    assert_eq!(
        with::<Investment, _>(&[("pairs", "2"), ("players", "3")], End(three)),
        Some(Rewards::share(3, 0b101))
    );
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

/// Team b has lost the first pair.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Investment>(&[("pairs", "3")], "a1>a1 b1>b1 a2>a1 b2>b2 a3>a1", &[3, 2]);
}
