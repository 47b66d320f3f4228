use crate::kit::{Perft, Table7, conforms, drawn, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Turn, Visitor};
use permutree_games::Wargame;

#[test]
fn kit() {
    golden::<Wargame>(&[("units", "3")], 100, "wargame");
    golden::<Wargame>(&[("units", "2"), ("players", "3")], 100, "wargame-3");
    conforms::<Wargame>(&[("units", "1")], 10);
    conforms::<Wargame>(&[], 20);
    conforms::<Wargame>(&[("units", "50"), ("players", "3")], 1);
}

/// Ten targets at every ply, but for the 100 ways to spend five plies on killing b3 before its turn: then a4 acts and has
/// nine.
#[test]
fn perft_counts() {
    assert_eq!(with::<Wargame, _>(&[], Perft(6)), [10, 100, 1000, 10_000, 100_000, 999_900]);
}

/// The player to move after each of these moves; `None` after the end.
struct Play<'a>(&'a [&'a str]);

impl Visitor for Play<'_> {
    type Output = Vec<Option<u8>>;

    fn visit<G: Game>(self, game: G) -> Vec<Option<u8>> {
        let mut position = game.start();
        let mut turns = Vec::new();
        for text in self.0 {
            let mv = game.parse_move(&position, text).unwrap_or_else(|| panic!("{text} is not legal"));
            game.play(&mut position, mv);
            turns.push(match game.turn(&position) {
                Turn::Player(Player(player)) => Some(player),
                _ => None,
            });
        }
        turns
    }
}

#[test]
fn the_slots_of_the_dead_are_skipped() {
    // The fifth shot kills b2, whose slot lies between those of a2 and a1: a shoots twice in a row.
    let shots = ["a1>b2", "b1>a1", "a2>b2", "b2>a1", "a1>b2", "b1>a2", "a2>b1", "a1>b1", "b1>a2", "a2>b1"];
    let turns = with::<Wargame, _>(&[("units", "2")], Play(&shots));
    let [a, b] = [Some(0), Some(1)];
    assert_eq!(turns, [b, a, b, a, b, a, a, b, a, None]);
}

#[test]
fn table_7() {
    let row = |settings: &[(&str, &str)], moves, plies, exact, abstracted| {
        let presence = &[("exact", exact), ("abstract", abstracted)];
        with::<Wargame, _>(settings, Table7 { moves, plies, presence });
    };
    row(&[("units", "10")], 10, 54.448, 0.116, 0.297);
    row(&[("units", "20")], 20, 110.525, 0.059, 0.157);
    row(&[("units", "10"), ("players", "3")], 20, 84.520, 0.058, 0.159);
}

#[test]
fn playouts_agree() {
    with::<Wargame, _>(&[("units", "2")], Playouts::from_start(10_000));
    with::<Wargame, _>(&[("units", "11"), ("players", "3")], Playouts::from_start(2_000));
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Wargame>(&[("units", "3")], "", &[3, 3]);
}
