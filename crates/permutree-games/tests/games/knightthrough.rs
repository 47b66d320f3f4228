use crate::kit::{Table7, conforms, drawn, golden, with};
use crate::plain::Lockstep;
use crate::playouts::Playouts;
use crate::racing::{Material, Race};
use permutree_games::Knightthrough;

const WAYS: &[(isize, isize, bool)] = &[(-2, 1, true), (-1, 2, true), (1, 2, true), (2, 1, true)];

#[test]
fn kit() {
    golden::<Knightthrough>(&[], 20, "knightthrough");
    conforms::<Knightthrough>(&[("size", "4")], 100);
    conforms::<Knightthrough>(&[("rows", "12"), ("columns", "4")], 10);
    conforms::<Knightthrough>(&[("size", "12")], 5);
}

#[test]
fn plain_rules_agree() {
    for (rows, columns) in [(8, 8), (4, 4), (6, 5), (5, 12), (12, 12)] {
        let settings = [("rows", &*rows.to_string()), ("columns", &*columns.to_string())];
        with::<Knightthrough, _>(
            &settings,
            Lockstep { plain: Race::new(rows, columns, WAYS), opening: "", games: 10 },
        );
    }
}

#[test]
fn table_7() {
    with::<Knightthrough, _>(&[], Table7 { moves: 40, plies: 33.624, presence: &[("exact", 0.210)] });
}

#[test]
fn playouts_agree() {
    with::<Knightthrough, _>(&[], Playouts::from_start(5_000));
    with::<Knightthrough, _>(&[("rows", "9"), ("columns", "4")], Playouts::from_start(5_000));
}

#[test]
fn material_is_judged() {
    let moves = Material { even: "b2c4 d7e5", taking: "c4xe5", back: "f7xe5" };
    with::<Knightthrough, _>(&[], moves);
}

#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Knightthrough>(&[("size", "4")], "a2xb4", &[8, 7]);
}
