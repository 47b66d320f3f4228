use crate::kit::{End, Perft, conforms, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Args, Configure, Game, Player, Rewards, Turn, Visitor};
use permutree_games::Nim;

#[test]
fn kit() {
    golden::<Nim>(&[], 500, "nim");
    conforms::<Nim>(&[("heaps", "1"), ("misere", "true")], 5);
    conforms::<Nim>(&[("heaps", "1-3-5-7"), ("misere", "true")], 200);
    conforms::<Nim>(&[("heaps", "99-99-99-99-99-99-99-99")], 2);
}

#[test]
fn heaps_that_are_none_are_refused() {
    for bad in ["0", "3-0", "100", "3-", "-3", "3--4", "a", "1-1-1-1-1-1-1-1-1", "", "99999999999999999999"] {
        let mut args = Args::defaults(Nim::FACTS.params);
        args.set(&Nim::FACTS.params[0], bad).unwrap();
        let error = Nim::configure(&args, Perft(1)).unwrap_err().to_string();
        assert_eq!(error, format!("heaps={bad}: must be 1 to 8 numbers 1..99, such as 3-4-5"));
    }
}

/// Taking from 2-1: 2 + 1 first moves; b1 leaves 2 moves, a1 leaves 1 + 1, a2 leaves 1; of those five sequences a1 b1,
/// a1 a1 and b1 a1 leave one match more.
#[test]
fn perft_counts() {
    assert_eq!(with::<Nim, _>(&[("heaps", "2-1")], Perft(4)), [3, 5, 3, 0]);
    // A single heap of n: sequences of k moves are compositions of at most n into k parts.
    assert_eq!(with::<Nim, _>(&[("heaps", "5")], Perft(5)), [5, 10, 10, 5, 1]);
}

/// Solves the game by trying everything, and compares with Bouton's rule: the player to move wins unless the exclusive or
/// of the heaps is 0. In misere play the rule is the same while a heap of two or more is left, and the opposite after.
struct Solve {
    misere: bool,
}

impl Solve {
    /// Whether the player to move wins. Heaps are told by how many moves start with their letter.
    fn wins<G: Game>(&self, game: &G, position: &G::Position, seen: &mut u32) -> bool {
        let Turn::Player(player) = game.turn(position) else {
            return self.misere;
        };
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let mut heaps = [0usize; 8];
        for &mv in &moves {
            heaps[usize::from(game.move_text(position, mv).as_bytes()[0] - b'a')] += 1;
        }
        let wins = moves.iter().any(|&mv| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            if game.turn(&next) == Turn::Over {
                assert_eq!(game.rewards(&next).of(player), f64::from(u8::from(!self.misere)));
            }
            !self.wins(game, &next, seen)
        });
        let unbalanced = heaps.iter().fold(0, |xor, heap| xor ^ heap) != 0;
        let small = heaps.iter().all(|heap| *heap < 2);
        assert_eq!(wins, unbalanced ^ (self.misere && small), "{heaps:?}");
        *seen += 1;
        wins
    }
}

impl Visitor for Solve {
    type Output = u32;

    fn visit<G: Game>(self, game: G) -> u32 {
        let mut seen = 0;
        self.wins(&game, &game.start(), &mut seen);
        seen
    }
}

#[test]
fn boutons_rule_holds() {
    for heaps in ["1", "1-1", "3-4-5", "1-2-3", "1-3-5", "2-2-1-3", "1-1-1-1-1"] {
        for misere in ["false", "true"] {
            let solve = Solve { misere: misere == "true" };
            let seen = with::<Nim, _>(&[("heaps", heaps), ("misere", misere)], solve);
            assert!(seen > 0);
        }
    }
}

#[test]
fn the_last_to_take_wins_or_loses() {
    let end = |settings: &[(&str, &str)]| with::<Nim, _>(settings, End("c5 a3 b4"));
    assert_eq!(end(&[]), Some(Rewards::win(2, Player(0))));
    assert_eq!(end(&[("misere", "true")]), Some(Rewards::win(2, Player(1))));
}

#[test]
fn playouts_agree() {
    with::<Nim, _>(&[("heaps", "1-2-9")], Playouts::from_start(20_000));
}
