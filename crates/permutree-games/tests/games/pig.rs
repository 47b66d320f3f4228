use crate::kit::{Perft, after, conforms, drawn, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Turn, Visitor};
use permutree_games::Pig;

#[test]
fn kit() {
    golden::<Pig>(&[("goal", "10")], 500, "pig");
    conforms::<Pig>(&[], 20);
    conforms::<Pig>(&[("goal", "200")], 5);
}

/// A roll is forced at the start of a turn; after a 1 the other player has to roll.
#[test]
fn perft_counts() {
    assert_eq!(with::<Pig, _>(&[], Perft(4)), [1, 6, 5 * 2 + 1, 5 * (6 + 1) + 6]);
}

/// The turn after these moves, and the reward of player 1 if the game is over.
struct Play<'a>(&'a str);

impl Visitor for Play<'_> {
    type Output = (Turn, f64);

    fn visit<G: Game>(self, game: G) -> (Turn, f64) {
        let position = after(&game, self.0);
        let turn = game.turn(&position);
        (turn, if turn == Turn::Over { game.rewards(&position).of(Player(0)) } else { 0.0 })
    }
}

#[test]
fn rules() {
    let after = |moves| with::<Pig, _>(&[("goal", "10")], Play(moves));
    assert_eq!(after("roll"), (Turn::Chance, 0.0));
    assert_eq!(after("roll 1"), (Turn::Player(Player(1)), 0.0));
    assert_eq!(after("roll 6"), (Turn::Player(Player(0)), 0.0));
    assert_eq!(after("roll 6 hold"), (Turn::Player(Player(1)), 0.0));
    assert_eq!(after("roll 6 roll 4"), (Turn::Over, 1.0));
    // A 1 loses what was gathered and not what was banked.
    assert_eq!(after("roll 6 roll 1 roll 2 hold roll 4"), (Turn::Player(Player(0)), 0.0));
    assert_eq!(after("roll 6 hold roll 2 hold roll 2 roll 2"), (Turn::Over, 1.0));
    assert_eq!(after("roll 1 roll 5 roll 5"), (Turn::Over, 0.0));
}

#[test]
fn playouts_agree() {
    with::<Pig, _>(&[("goal", "30")], Playouts::from_start(10_000));
}

/// A bar for each bank.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Pig>(&[], "", &[1, 1]);
}
