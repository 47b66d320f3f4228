//! Parsers do not panic, whatever the input.

use permutree_zoo::{AGENTS, AnyPosition, GAMES, Param, Rng, agent, game};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// The names of games and agents with their parameters.
fn lists() -> Vec<(&'static str, Vec<Param>)> {
    let games = GAMES.iter().map(|entry| (entry.facts.name, entry.facts.params.to_vec()));
    games.chain(AGENTS.iter().map(|facts| (facts.name, facts.params.list()))).collect()
}

/// The tokens of specs, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let mut words = vec![
        "0",
        "1",
        "7",
        "50",
        "-1",
        "0.5",
        "1e-5",
        "1e999",
        "NaN",
        "inf",
        "99999999999999999999",
        "true",
        "a1",
        "z9",
        "é",
        "20ms",
        "1GB",
    ];
    for (name, params) in lists() {
        words.push(name);
        words.extend(params.iter().flat_map(|param| [param.key, param.default]));
    }
    let signs = vec![":", ",", "=", "(", ")", "[", "]", "?", "*", " "];
    prop::collection::vec(prop_oneof![select(words), select(signs)], 0..12).prop_map(|words| words.concat())
}

/// A name with well-formed parameters, so that many specs are valid.
fn likely() -> impl Strategy<Value = String> {
    let chosen = prop::collection::vec((any::<Index>(), value()), 0..3);
    (select(lists()), chosen).prop_map(|((name, params), chosen)| {
        let items = chosen.iter().filter(|_| !params.is_empty());
        let items: Vec<String> =
            items.map(|(index, value)| format!("{}={value}", index.get(&params).key)).collect();
        if items.is_empty() { name.to_string() } else { format!("{name}:{}", items.join(",")) }
    })
}

fn value() -> impl Strategy<Value = String> {
    let words = ["true", "false", "paper", "optimal", "mean", "abstract", "c3", "20ms", "64MB"];
    let trees = ["(1 0)", "?(3*1 0)", "(a:[1 0 0] b:3(0 1))", "(1,0)", "((1)"];
    prop_oneof![
        (-2i64..60).prop_map(|x| x.to_string()),
        any::<f64>().prop_map(|x| x.to_string()),
        select(words.to_vec()).prop_map(String::from),
        select(trees.to_vec()).prop_map(String::from),
    ]
}

/// The canonical form of a valid spec is its own canonical form.
fn check_spec(text: &str) {
    if let Ok(found) = game(text) {
        let again = game(found.spec()).unwrap_or_else(|error| panic!("{text}: {}: {error}", found.spec()));
        assert_eq!(again.spec(), found.spec(), "{text}");
        assert_eq!(again.players(), found.players(), "{text}");
        assert_eq!(again.start().board(), found.start().board(), "{text}");
    }
    if let Ok(found) = agent(text) {
        let again = agent(found.spec()).unwrap_or_else(|error| panic!("{text}: {}: {error}", found.spec()));
        assert_eq!(again.spec(), found.spec(), "{text}");
    }
}

/// A position of every game, some moves in.
fn positions(seed: u64) -> Vec<Box<dyn AnyPosition>> {
    let mut rng = Rng::new(seed);
    let more =
        ["hex:19,swap=true", "nogo:9,players=3", "wargame:10,players=3", "breakthrough:12", "gomoku:19"];
    let specs = GAMES.iter().map(|entry| entry.facts.name).chain(more);
    let mut positions = Vec::new();
    for spec in specs {
        let mut position = game(spec).unwrap().start();
        for _ in 0..rng.below(12) {
            if let Some(index) = position.random(&mut rng) {
                position.play(index).unwrap();
            }
        }
        positions.push(position);
    }
    positions
}

/// If a text is accepted as a move, it is a legal one, and its own text names it too. Returns the number of games that accept it.
fn check_move(seed: u64, text: &str) -> usize {
    let mut taken = 0;
    for position in positions(seed) {
        if let Ok(index) = position.find(text) {
            let moves = position.moves();
            assert!(index < moves.len(), "{text}");
            assert_eq!(position.find(&moves[index]), Ok(index), "{text}");
            taken += 1;
        }
    }
    taken
}

#[test]
fn the_moves_that_are_there_are_taken() {
    assert!(check_move(1, "b3") > 3);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn any_text_as_spec(text in any::<String>()) {
        check_spec(&text);
    }

    #[test]
    fn pieces_as_spec(text in pieces()) {
        check_spec(&text);
    }

    #[test]
    fn likely_specs(text in likely()) {
        check_spec(&text);
    }

    #[test]
    fn any_text_as_move(seed in 0u64..50, text in any::<String>()) {
        check_move(seed, &text);
    }

    #[test]
    fn likely_moves(
        seed in 0u64..50,
        words in prop::collection::vec(
            select("a b c t A Z 0 1 2 3 19 255 256 99999999999 - x > * + é roll hold swap pass".split(' ').collect::<Vec<_>>()),
            0..5,
        ),
    ) {
        check_move(seed, &words.concat());
    }
}
