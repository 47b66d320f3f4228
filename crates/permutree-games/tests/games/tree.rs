use crate::kit::{after, conforms, drawn, golden, with};
use crate::playouts::Playouts;
use permutree_game::{Game, Player, Rng, Turn, conformance};
use permutree_games::Tree;

/// One of everything: labels, chance with weights, a named player, three rewards.
const RICH: &str = "(x:?(3*[1 0 0] y:[0 1 0]) y:3([0 0 1] x:[0.5 0.25 0.25]) ([0 0 0] 1([1 1 1])))";

#[test]
fn kit() {
    golden::<Tree>(&[], 100, "tree");
    let summary = golden::<Tree>(&[("tree", RICH)], 1000, "tree-rich");
    // One game in six has a third ply; 0.06 is five standard deviations.
    assert!((summary.plies - 13.0 / 6.0).abs() < 0.06, "{summary:?}");
    conforms::<Tree>(&[("tree", "([0.5] 1([1] [0]))")], 100);
}

#[test]
fn players_alternate_unless_named() {
    let tree = Tree::parse(RICH).unwrap();
    let turn = |moves| tree.turn(&after(&tree, moves));
    assert_eq!(turn(""), Turn::Player(Player(0)));
    assert_eq!(turn("x"), Turn::Chance);
    assert_eq!(turn("y"), Turn::Player(Player(2)));
    assert_eq!(turn("c"), Turn::Player(Player(1)));
    assert_eq!(turn("c b"), Turn::Player(Player(0)));
    assert_eq!(turn("c b a"), Turn::Over);
    // Chance does not take a turn.
    let tree = Tree::parse("(?((1)))").unwrap();
    assert_eq!(tree.turn(&after(&tree, "a a")), Turn::Player(Player(1)));
    assert_eq!(tree.rewards(&after(&tree, "a a a")).as_slice(), [1.0, 0.0]);
}

#[test]
fn chances_follow_their_weights() {
    let tree = Tree::parse(RICH).unwrap();
    let (position, mut rng) = (after(&tree, "x"), Rng::new(1));
    let first = tree.parse_move(&position, "a").unwrap();
    assert_eq!(tree.chance(&position, first), 0.75);
    let hits = (0..10_000).filter(|_| tree.random_move(&position, &mut rng, &mut Vec::new()) == Some(first));
    // Five standard deviations of 43.
    assert!(hits.count().abs_diff(7500) < 217);
}

#[test]
fn playouts_agree() {
    with::<Tree, _>(&[("tree", RICH)], Playouts::from_start(10_000));
}

#[test]
fn one_label_one_code() {
    let tree = Tree::parse("(x:1(x:1 y:0) y:(x:0 z:1))").unwrap();
    let code = |moves: &str, text: &str| {
        let position = after(&tree, moves);
        tree.code(&position, tree.parse_move(&position, text).unwrap(), 0)
    };
    assert_eq!(tree.codes(0), 6);
    assert_eq!(code("", "x"), code("x", "x"));
    assert_eq!(code("", "y"), code("x", "y"));
    assert_eq!(code("y", "x"), 3 + code("", "x"));
    assert_eq!(code("y", "z"), 5);
}

#[test]
fn errors_name_the_column() {
    let cases = [
        ("", "column 1: a tree is made of nodes in parentheses, such as (1 0)"),
        ("0.5", "column 1: the root must have children, as in (1 0)"),
        ("(1 0", "column 1: this parenthesis is not closed"),
        ("(1 0))", "column 6: ')' follows the end of the tree"),
        (")", "column 1: no parenthesis is open"),
        ("(1 ())", "column 5: a node needs at least one child"),
        ("(1 1.5)", "column 4: '1.5' is not a reward from 0 to 1"),
        ("(1 nan)", "column 4: 'nan' is not a reward from 0 to 1"),
        ("(1,0)", "column 3: expected a node, found ','"),
        ("(é 0)", "column 2: expected a node, found 'é'"),
        ("(9(1))", "column 2: '9' is not a player from 1 to 8"),
        ("(x:1 X:0)", "column 8: label X twice in one node"),
        ("(b:1 0)", "column 6: label b twice in one node"),
        ("(x:y:1)", "column 4: a node has one label, before the weight"),
        ("(x:)", "column 4: a node is missing before )"),
        ("x:(1)", "column 3: the root has no label and no weight"),
        ("(2*1 0)", "column 4: only the children of ? have weights"),
        ("?(0*1 0)", "column 3: '0' is not a weight from 0.000001 to 1000000"),
        ("(?1)", "column 3: expected ("),
        ("([1 0)", "column 6: expected a node, found ')'"),
        ("([1 0", "column 2: this bracket is not closed"),
        ("([] 1)", "column 2: expected 1 to 8 rewards"),
        ("([1 0 0] 1)", "column 10: expected 3 rewards, found 2"),
    ];
    for (text, expected) in cases {
        assert_eq!(Tree::parse(text).unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn depth_and_size_are_limited() {
    let nested = |depth: usize| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Tree::parse(&nested(1000)).is_ok());
    let error = Tree::parse(&nested(100_000)).unwrap_err().to_string();
    assert_eq!(error, "column 1001: more than 1000 nodes deep");
    let wide = |leaves: usize| format!("({})", "1 ".repeat(leaves));
    assert!(Tree::parse(&wide(99_999)).is_ok());
    assert!(Tree::parse(&wide(100_000)).unwrap_err().to_string().ends_with("more than 100000 nodes"));
}

/// No text makes the parser panic, and what it accepts is a game.
#[test]
fn random_texts() {
    let mut rng = Rng::new(1);
    let pieces = [
        "(", ")", "(", ")", " ", " ", "1", "0", "0.5", "[", "]", "2", "3", "?", "x:", "y:", "*", ".", "-",
        "é",
    ];
    let mut accepted = 0;
    for i in 0..50_000 {
        // Half of them are pieces at random, half a tree with one or two pieces put in place of others.
        let mut text: Vec<String> = RICH.chars().map(String::from).collect();
        if i % 2 == 0 {
            text = vec![String::new(); rng.below(14)];
            text.fill_with(|| pieces[rng.below(pieces.len())].to_string());
        } else {
            for _ in 0..1 + rng.below(2) {
                let at = rng.below(text.len());
                text[at] = pieces[rng.below(pieces.len())].to_string();
            }
        }
        let text = text.concat();
        if let Ok(tree) = Tree::parse(&text) {
            accepted += 1;
            conformance::check(&tree, 1, 1).unwrap_or_else(|fault| panic!("{text}: {fault}"));
        }
    }
    assert!(accepted > 1000, "only {accepted} texts are trees");
}

/// The nodes where each player moves.
#[test]
fn pictures_show_the_colours_of_the_players() {
    drawn::<Tree>(&[], "", &[1, 2]);
}
