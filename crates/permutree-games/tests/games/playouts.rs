//! Random games in all the ways that a game can play them.

use crate::kit::after;
use permutree_game::{Code, Game, Ignore, Player, Recorder, Rewards, Rng, Turn, Visitor};

/// Plays random games after `opening` in four ways: by listing the moves and choosing among them, by single random moves,
/// and by the game's own playout with and without a recorder. Plies and every player's reward must agree with those by
/// listing within four standard errors, and recorded codes must replay to the end of the game.
pub(crate) struct Playouts<'a> {
    pub(crate) opening: &'a str,
    pub(crate) games: u32,
}

impl Playouts<'_> {
    pub(crate) fn from_start(games: u32) -> Self {
        Self { opening: "", games }
    }
}

impl Visitor for Playouts<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        self.compare(&game, list);
    }
}

/// Records moves in any order.
#[derive(Default)]
pub(crate) struct AnyOrder(pub(crate) Vec<(Player, Code)>);

impl Recorder for AnyOrder {
    fn ordered(&self) -> bool {
        false
    }

    fn record(&mut self, player: Player, code: Code) {
        self.0.push((player, code));
    }
}

/// With the same random numbers, the game's own playout records the same moves in order and in any order.
pub(crate) struct OrderChangesNothing;

impl Visitor for OrderChangesNothing {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        for seed in 0..300 {
            let mut start = game.start();
            let mut rng = Rng::new(seed);
            for _ in 0..seed % 7 {
                let mv = game.random_move(&start, &mut rng, &mut Vec::new());
                mv.into_iter().for_each(|mv| game.play(&mut start, mv));
            }
            let (mut a, mut b, mut steps, mut set) =
                (start.clone(), start, Vec::<(Player, Code)>::new(), AnyOrder::default());
            game.playout(&mut a, 0, &mut rng.clone(), &mut Vec::new(), &mut steps);
            game.playout(&mut b, 0, &mut rng, &mut Vec::new(), &mut set);
            steps.sort_unstable();
            set.0.sort_unstable();
            assert_eq!((steps, game.rewards(&a)), (set.0, game.rewards(&b)));
        }
    }
}

/// [`Playouts`] for a game whose random play is not uniform over the legal moves: compares with its single random moves.
pub(crate) struct OwnPlayouts<'a>(pub(crate) Playouts<'a>);

impl Visitor for OwnPlayouts<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        self.0.compare(&game, |game, position, rng| game.random_move(position, rng, &mut Vec::new()));
    }
}

impl Playouts<'_> {
    fn compare<G: Game>(self, game: &G, choose: fn(&G, &G::Position, &mut Rng) -> Option<G::Move>) {
        let start = after(game, self.opening);
        let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
        // In other codings several moves may share a code.
        let coding = game.codings().iter().position(|&name| name == "exact").unwrap_or(0);
        let mut ways = [const { Vec::new() }; 4];
        for number in 0..self.games {
            ways[0].push(move_by_move(game, &start, |position| choose(game, position, &mut rng)));
            ways[1].push(move_by_move(game, &start, |position| {
                game.random_move(position, &mut rng, &mut scratch)
            }));

            let mut position = start.clone();
            let mut steps: Vec<(Player, Code)> = Vec::new();
            game.playout(&mut position, coding, &mut rng, &mut scratch, &mut steps);
            ways[2].push((steps.len(), game.rewards(&position)));
            if number < 100 {
                replay(game, &start, coding, &steps, &game.rewards(&position));
            }

            let mut position = start.clone();
            game.playout(&mut position, 0, &mut rng, &mut scratch, &mut Ignore);
            assert_eq!(game.turn(&position), Turn::Over);
            // Without a recorder the plies are unknown.
            ways[3].push((0, game.rewards(&position)));
        }
        for (way, ends) in ["random_move", "playout", "playout without recorder"].iter().zip(&ways[1..]) {
            if !way.ends_with("recorder") {
                agree(way, "plies", &ways[0], ends, |(plies, _)| *plies as f64);
            }
            for player in (0..game.players() as u8).map(Player) {
                agree(way, "rewards", &ways[0], ends, |(_, rewards)| rewards.of(player));
            }
        }
    }
}

/// The players' plies of a game and its rewards.
type End = (usize, Rewards);

fn move_by_move<G: Game>(
    game: &G,
    start: &G::Position,
    mut choose: impl FnMut(&G::Position) -> Option<G::Move>,
) -> End {
    let (mut position, mut plies) = (start.clone(), 0);
    while let Some(mv) = choose(&position) {
        plies += usize::from(game.turn(&position) != Turn::Chance);
        game.play(&mut position, mv);
    }
    (plies, game.rewards(&position))
}

/// One of the legal moves, all equally likely, or an outcome of chance by its probability.
fn list<G: Game>(game: &G, position: &G::Position, rng: &mut Rng) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    if game.turn(position) != Turn::Chance {
        return rng.choose(&moves);
    }
    let mut left = rng.unit();
    moves.into_iter().find(|&outcome| {
        left -= game.chance(position, outcome);
        left < 1e-9
    })
}

/// Plays the moves with these codes, up to the first chance event, which has no code.
fn replay<G: Game>(
    game: &G,
    start: &G::Position,
    coding: usize,
    steps: &[(Player, Code)],
    rewards: &Rewards,
) {
    let mut position = start.clone();
    for &(player, code) in steps {
        if game.turn(&position) == Turn::Chance {
            return;
        }
        assert_eq!(game.turn(&position), Turn::Player(player));
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        moves.retain(|&mv| game.code(&position, mv, coding) == code);
        assert_eq!(moves.len(), 1, "moves with code {code} in\n{}", game.board(&position, None));
        game.play(&mut position, moves[0]);
    }
    if game.turn(&position) != Turn::Chance {
        assert_eq!((game.turn(&position), &game.rewards(&position)), (Turn::Over, rewards));
    }
}

fn agree(way: &str, what: &str, listed: &[End], ends: &[End], of: impl Fn(&End) -> f64) {
    let ((expected, a), (mean, b)) = (moments(listed, &of), moments(ends, &of));
    let error = ((a + b) / ends.len() as f64).sqrt();
    assert!((mean - expected).abs() <= 4.0 * error, "{way}: {what} {mean} and not {expected}, error {error}");
}

/// Mean and variance.
fn moments(ends: &[End], of: impl Fn(&End) -> f64) -> (f64, f64) {
    let mean = ends.iter().map(&of).sum::<f64>() / ends.len() as f64;
    (mean, ends.iter().map(|end| (of(end) - mean).powi(2)).sum::<f64>() / ends.len() as f64)
}

/// Every legal move of the position comes as often from `random_move` as any other.
pub(crate) fn uniform<G: Game>(game: &G, position: &G::Position) {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    uniform_among(game, position, &moves, 1000, &mut Rng::new(1));
}

/// Each of these moves comes about `each` times from as many calls of `random_move` for each of them, and no other.
pub(crate) fn uniform_among<G: Game>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    each: u32,
    rng: &mut Rng,
) {
    let (mut counts, mut scratch) = (vec![0u32; moves.len()], Vec::new());
    for _ in 0..each as usize * moves.len() {
        let drawn = game.random_move(position, rng, &mut scratch);
        let drawn = drawn.and_then(|drawn| moves.iter().position(|&mv| mv == drawn));
        counts[drawn.expect("one of the moves")] += 1;
    }
    // Each count is nearly Poisson; beyond five standard deviations is one in a million.
    let far = |count: &u32| f64::from(count.abs_diff(each)) > 5.0 * f64::from(each).sqrt();
    assert!(!counts.iter().any(far), "{counts:?}");
}
