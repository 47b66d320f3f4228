//! Descriptions with something wrong: one line that says what and where, or a slip that is accepted.

use permutree_game::{Game, Rng, Turn};
use permutree_gdl::{Described, Options};
use std::time::{Duration, Instant};

/// A game for one player who takes one step.
const WALK: &str = "(role walker) (init (at 1)) (legal walker step)
    (<= (next (at 2)) (does walker step)) (<= terminal (true (at 2))) (<= (goal walker 100) (true (at 2)))";

fn fault(text: &str) -> String {
    Described::read(text, Options::default()).expect_err(text).to_string()
}

/// The fault of the walk with this line after it.
fn with(line: &str) -> String {
    fault(&format!("{WALK}\n{line}"))
}

#[test]
fn what_is_missing_is_said() {
    assert_eq!(fault(""), "there is no role; a game has at least one, such as (role white)");
    assert_eq!(fault("(role a)"), "there is no rule for legal, so there are no moves");
    let nine: String = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
        .iter()
        .map(|role| format!("(role {role}) (legal {role} wait)"))
        .collect();
    assert_eq!(fault(&format!("{nine} terminal (<= (goal ?r 0) (role ?r))")), "9 roles; a game has 1 to 8");
    assert_eq!(with("(role sitter)"), "sitter never has a legal move");
}

#[test]
fn faulty_rules_are_pointed_at() {
    for (line, expected) in [
        (
            "(<= (far ?x) (true (at 2)))",
            "3:1: ?x occurs in the head but in no condition that holds, so it has no values",
        ),
        ("(far ?x)", "3:1: ?x occurs in the head but in no condition that holds, so it has no values"),
        (
            "(<= far (distinct ?x 1))",
            "3:1: ?x occurs in distinct but in no condition that holds, so it has no values",
        ),
        ("(<= far (true 1 2))", "3:9: true takes 1 argument, not 2"),
        ("(far 1) (<= near (far 1 2))", "3:18: far takes 1 argument as in line 3, not 2"),
        ("(<= far (not (true (at 1)) (true (at 2))))", "3:9: not takes 1 condition, not 2"),
        ("(<= far (distinct 1))", "3:9: distinct takes 2 terms, not 1"),
        ("(<= (true (at 1)) (role walker))", "3:1: true cannot be the head of a rule"),
        ("(<= far (next (at 1)))", "3:9: next cannot be a condition"),
        ("(<= far ?x)", "3:9: ?x is a variable; a relation is expected here"),
        ("(=> far near)", "3:1: '=>' is not GDL; rules are written (<= head conditions ..)"),
        ("(<=)", "3:1: a rule without a head"),
        ("()", "3:1: an empty list"),
        ("((far))", "3:2: a relation starts with its name"),
        ("(<= (far) (near ((1))))", "3:17: a term starts with a name"),
        (
            "(base 1) (<= (far ?x) (base ?x) (not (far ?x)))",
            "3:10: far depends on its own absence through (not (far ..))",
        ),
        ("(<= (legal walker jump) (does walker step))", "3:1: legal must not depend on does"),
        ("(<= (init (at 3)) (true (at 1)))", "3:1: init must not depend on true, does or legal"),
        ("(<= (far ?x) (role ?x) (or (and a b c)", "3:1: this '(' is never closed"),
    ] {
        assert_eq!(with(line), expected, "{line}");
    }
    // The same relation with other arguments may be absent; with the same ones it may not.
    assert_eq!(
        with("(<= (far ?x) (true (at ?x)) (not (far ?x))) (<= (goal walker 0) (far 1))"),
        "(far 1) depends on its own absence"
    );
}

#[test]
fn slips_are_accepted_with_a_warning() {
    let text =
        WALK.replace("terminal", "(terminal)").replace("(legal walker step)", "(<= (Legal walker step))")
            + "(<= nobody (not (true (at ?anywhere)))) (<= (goal walker 50) nobody (nowhere))
           (<= (goal walker 0) (not (goal walker 100)))
           (<= (sees walker all) (true (at 1)))";
    let game = Described::read(&text, Options::default()).unwrap();
    assert_eq!(game.warnings().len(), 4, "{:?}", game.warnings());
    assert_eq!(game.warnings()[1], "sees is ignored: all players see everything");
    assert_eq!(game.warnings()[2], "2:149: no rule makes nowhere hold");
    // Its only move is forced.
    assert_eq!(game.turn(&game.start()), Turn::Over);
    assert_eq!(game.rewards(&game.start()).as_slice(), [1.0]);
}

/// Reads with little to spend, and returns how long it took.
fn bounded(text: &str) -> (String, Duration) {
    let mut options = Options::default();
    options.limits.instances = 100_000;
    options.limits.time = Duration::from_secs(5);
    let began = Instant::now();
    (Described::read(text, options).expect_err("a fault").to_string(), began.elapsed())
}

#[test]
fn too_much_work_is_given_up() {
    let digits: String = (0..10).map(|i| format!("(digit {i})")).collect();
    let nine: Vec<String> = (0..9).map(|i| format!("?x{i}")).collect();
    let each: String = nine.iter().map(|x| format!("(digit {x})")).collect();
    let joined = nine.join(" ");
    // A billion facts, a billion instances, terms without end.
    for (line, expected) in [
        (format!("{digits} (<= (number {joined}) {each})"), "grounding takes more than 100000 facts"),
        (
            format!("{digits} (<= (next (number {joined})) (true (at ?y)) {each})"),
            "grounding takes more than 100000 instances of rules; it stopped in this rule for next",
        ),
        (
            "(init (count 0)) (<= (next (count (s ?n))) (true (count ?n)))".to_string(),
            "terms grow more than 64 deep",
        ),
        ("(peano 0) (<= (peano (s ?n)) (peano ?n))".to_string(), "peano calls itself with ever larger terms"),
    ] {
        let (found, took) = bounded(&format!("{WALK}\n{line}"));
        assert!(found.starts_with("3:") && found.contains(expected) && !found.contains('\n'), "{found}");
        assert!(took < Duration::from_secs(10), "{took:?} for {found}");
    }
}

#[test]
fn noise_is_refused() {
    let mut rng = Rng::new(1);
    let alphabet: Vec<char> = "()? ;\n<=abtrueroledoes01\u{e9}\u{feff}".chars().collect();
    for length in [10, 1000, 100_000, 3_000_000, 10_000_000] {
        let noise: String = (0..length).map(|_| alphabet[rng.below(alphabet.len())]).collect();
        let (found, took) = bounded(&noise);
        assert!(!found.contains('\n') && took < Duration::from_secs(10), "{took:?} for {found}");
    }
    for part in ["(", "a ", "(a)", "(a b) ", "?x ", "(<= (a ?x) (b ?x)) "] {
        let (found, took) = bounded(&part.repeat(2_000_000 / part.len()));
        assert!(!found.contains('\n') && took < Duration::from_secs(10), "{took:?} for {found}");
    }
    let wide = format!("{WALK} (<= (wide {}) {})", "?x ".repeat(10), "(role walker) ".repeat(100_000));
    assert_eq!(bounded(&wide).0, "2:108: a rule with more than 1000 conditions");
}

/// Descriptions of ours with words taken out, doubled, exchanged or replaced: refused in one line, or games that end.
#[test]
fn damaged_descriptions_are_refused_or_end() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let mut options = Options::default();
    options.limits.instances = 50_000;
    options.steps = 50;
    let (mut rng, mut read, mut refused) = (Rng::new(11), 0, 0);
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        let text: String = text.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
        let words: Vec<String> =
            text.replace('(', " ( ").replace(')', " ) ").split_whitespace().map(String::from).collect();
        for _ in 0..40 {
            let mut damaged = words.clone();
            for _ in 0..=rng.below(3) {
                let (at, other) = (rng.below(damaged.len()), rng.below(damaged.len()));
                match rng.below(4) {
                    0 => drop(damaged.remove(at)),
                    1 => damaged.insert(at, damaged[other].clone()),
                    2 => damaged.swap(at, other),
                    _ => damaged[at] = damaged[other].clone(),
                }
            }
            match Described::read(&damaged.join(" "), options) {
                Ok(game) => {
                    read += 1;
                    let mut position = game.start();
                    game.playout(&mut position, 0, &mut rng, &mut Vec::new(), &mut permutree_game::Ignore);
                    assert_eq!(game.turn(&position), Turn::Over);
                    assert!(
                        game.rewards(&position).as_slice().iter().all(|reward| (0.0..=1.0).contains(reward))
                    );
                    let _ = (game.board(&game.start(), None), game.picture(&position, None));
                    let sums =
                        game.playouts(&game.start(), &mut rng, &mut permutree_gdl::Playouts::default());
                    assert_eq!(sums.len(), game.players());
                }
                Err(error) => {
                    refused += 1;
                    assert!(!error.to_string().contains('\n'));
                }
            }
        }
    }
    assert!(read > 20 && refused > 200, "{read} read, {refused} refused");
}
