//! What every game must pass: the conformance kit, its golden playthrough, the playout statistics of its paper.

use permutree_game::{
    Args, Configure, Game, Rewards, Turn, Visitor, conformance, perft, playthrough, presence,
};
use std::path::PathBuf;

/// What a test asks of a game: `games` random games through the kit, and its golden playthrough if it has one.
struct Check<'a> {
    games: u32,
    golden: Option<&'a str>,
}

impl Visitor for Check<'_> {
    type Output = conformance::Summary;

    fn visit<G: Game>(self, game: G) -> conformance::Summary {
        if let Some(name) = self.golden {
            compare(&playthrough(&game, 1), name);
        }
        conformance::check(&game, self.games, 1).unwrap_or_else(|fault| panic!("{fault}"))
    }
}

/// Compares a whole random game with `tests/playthroughs/NAME.txt`; `BLESS=1` writes the file anew.
pub(crate) fn compare(now: &str, name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/playthroughs/{name}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, now).unwrap();
    }
    let then = std::fs::read_to_string(&path).unwrap_or_default();
    let at = now.lines().zip(then.lines()).position(|(a, b)| a != b);
    assert!(now == then, "{name} differs from its playthrough, first at line {at:?}; BLESS=1 accepts it");
}

/// The family's game with `settings` such as `("size", "5")` put through `visitor`.
pub(crate) fn with<F: Configure, V: Visitor>(settings: &[(&str, &str)], visitor: V) -> V::Output {
    let mut args = Args::defaults(F::FACTS.params);
    for (key, text) in settings {
        let param = F::FACTS.params.iter().find(|p| p.key == *key).unwrap();
        args.set(param, text).unwrap();
    }
    F::configure(&args, visitor).unwrap()
}

/// Checks a variant without a golden file.
pub(crate) fn conforms<F: Configure>(settings: &[(&str, &str)], games: u32) -> conformance::Summary {
    with::<F, _>(settings, Check { games, golden: None })
}

/// Checks a variant and its golden file.
pub(crate) fn golden<F: Configure>(
    settings: &[(&str, &str)],
    games: u32,
    name: &str,
) -> conformance::Summary {
    with::<F, _>(settings, Check { games, golden: Some(name) })
}

/// Random playouts from the start against a row of table 7 of the MCPS paper (Cazenave 2025): moves, plies and the
/// presence of each coding's codes.
pub(crate) struct Table7<'a> {
    pub(crate) moves: usize,
    pub(crate) plies: f64,
    pub(crate) presence: &'a [(&'a str, f64)],
}

impl Visitor for Table7<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let got = presence(&game, 20_000, 1);
        assert_eq!(got.moves, self.moves);
        assert!((got.plies / self.plies - 1.0).abs() < 0.01, "plies {} and not {}", got.plies, self.plies);
        for &(coding, expected) in self.presence {
            let found = got.codings.iter().find(|(name, _)| *name == coding).unwrap().1;
            assert!(
                (found - expected).abs() < 0.005,
                "presence of {coding} codes {found} and not {expected}"
            );
        }
    }
}

/// The position after these moves, each of which must be legal.
pub(crate) fn after<G: Game>(game: &G, moves: &str) -> G::Position {
    let mut position = game.start();
    for text in moves.split_whitespace() {
        let mv = game.parse_move(&position, text);
        let mv = mv.unwrap_or_else(|| panic!("{text} is not legal in\n{}", game.board(&position, None)));
        game.play(&mut position, mv);
    }
    position
}

/// The legal moves as texts, in the order in which the game lists them.
pub(crate) fn texts<G: Game>(game: &G, position: &G::Position) -> Vec<String> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves.into_iter().map(|mv| game.move_text(position, mv)).collect()
}

/// What each player gets if these moves end the game.
pub(crate) struct End<'a>(pub(crate) &'a str);

impl Visitor for End<'_> {
    type Output = Option<Rewards>;

    fn visit<G: Game>(self, game: G) -> Option<Rewards> {
        let position = after(&game, self.0);
        (game.turn(&position) == Turn::Over).then(|| game.rewards(&position))
    }
}

/// What the game guesses of the rewards after these moves.
pub(crate) struct Guess<'a>(pub(crate) &'a str);

impl Visitor for Guess<'_> {
    type Output = Rewards;

    fn visit<G: Game>(self, game: G) -> Rewards {
        game.evaluate(&after(&game, self.0)).unwrap()
    }
}

/// Counts move sequences from the start up to this length.
pub(crate) struct Perft(pub(crate) usize);

impl Visitor for Perft {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, game: G) -> Vec<u64> {
        perft(&game, &game.start(), self.0)
    }
}

/// Checks the number of shapes in the colour of each player in the picture after these moves.
pub(crate) fn drawn<F: Configure>(settings: &[(&str, &str)], moves: &str, shapes: &[usize]) {
    with::<F, _>(settings, Drawn { moves, shapes });
}

struct Drawn<'a> {
    moves: &'a str,
    shapes: &'a [usize],
}

impl Visitor for Drawn<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let picture = game.picture(&after(&game, self.moves), None);
        let count = |colour: &&str| picture.matches(&format!("\"{colour}\"")).count();
        let shapes: Vec<usize> = game.colours().iter().take(game.players()).map(count).collect();
        assert_eq!(shapes, self.shapes, "{:?} in {picture}", game.colours());
    }
}
