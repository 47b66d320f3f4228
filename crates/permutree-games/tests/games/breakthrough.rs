use crate::kit::{Perft, Table7, conforms, drawn, golden, with};
use crate::plain::Lockstep;
use crate::playouts::Playouts;
use crate::racing::{Material, Race};
use permutree_game::{Args, Configure};
use permutree_games::Breakthrough;

const WAYS: &[(isize, isize, bool)] = &[(0, 1, false), (-1, 1, true), (1, 1, true)];

#[test]
fn kit() {
    golden::<Breakthrough>(&[], 20, "breakthrough");
    conforms::<Breakthrough>(&[("size", "4")], 100);
    conforms::<Breakthrough>(&[("rows", "5"), ("columns", "12")], 10);
    conforms::<Breakthrough>(&[("size", "12")], 5);
}

#[test]
fn perft_counts() {
    assert_eq!(with::<Breakthrough, _>(&[], Perft(4)), [22, 484, 11_132, 256_036]);
}

#[test]
fn plain_rules_agree() {
    for (rows, columns) in [(8, 8), (4, 4), (6, 5), (5, 12), (12, 12)] {
        let settings = [("rows", &*rows.to_string()), ("columns", &*columns.to_string())];
        with::<Breakthrough, _>(
            &settings,
            Lockstep { plain: Race::new(rows, columns, WAYS), opening: "", games: 10 },
        );
    }
}

#[test]
fn table_7() {
    with::<Breakthrough, _>(&[], Table7 { moves: 22, plies: 64.100, presence: &[("exact", 0.423)] });
}

#[test]
fn playouts_agree() {
    with::<Breakthrough, _>(&[], Playouts::from_start(5_000));
    with::<Breakthrough, _>(&[("rows", "9"), ("columns", "4")], Playouts::from_start(5_000));
}

#[test]
fn narrow_boards_are_refused() {
    let mut args = Args::defaults(Breakthrough::FACTS.params);
    args.set(&Breakthrough::FACTS.params[1], "3").unwrap();
    let error = Breakthrough::configure(&args, Perft(1)).unwrap_err().to_string();
    assert_eq!(error, "rows=3: must be 0 or a whole number 4..12");
}

#[test]
fn material_is_judged() {
    let moves = Material { even: "b2b3 a7a6 b3b4 a6a5", taking: "b4xa5", back: "b7b6 h2h3 b6xa5" };
    with::<Breakthrough, _>(&[], moves);
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Breakthrough>(&[("size", "4")], "a2xb3", &[8, 7]);
}
