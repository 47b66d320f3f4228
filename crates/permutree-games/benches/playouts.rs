//! Random games per second, the speed that every search is built on: with the codes of all moves recorded, as GRAVE and
//! MCPS need them, and without, as UCT plays them.
//!
//!     cargo bench -p permutree-games --bench playouts -- gomoku

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use permutree_game::{Args, Code, Configure, Game, Ignore, Player, Rng, Turn, Visitor};
use permutree_games::{Atarigo, Breakthrough, Connect4, Go, Gomoku, Hex, Nogo, Reversi};

const GAMES: [&str; 10] = [
    "hex:7",
    "hex:11",
    "gomoku:9",
    "breakthrough:8",
    "connect4:7",
    "go:9",
    "go:19",
    "reversi:8",
    "nogo:5",
    "atarigo:6",
];

/// Random games in a sample.
const PLAYOUTS: usize = 100;

fn main() {
    divan::main();
}

#[divan::bench(args = GAMES)]
fn recorded(bencher: Bencher<'_, '_>, spec: &str) {
    with_game(spec, Recorded(bencher));
}

#[divan::bench(args = GAMES)]
fn unrecorded(bencher: Bencher<'_, '_>, spec: &str) {
    with_game(spec, Unrecorded(bencher));
}

/// Makes the game with this value of its first parameter.
fn with_game<V: Visitor<Output = ()>>(spec: &str, visitor: V) {
    let Some((name, size)) = spec.split_once(':') else { panic!("{spec} has no size") };
    match name {
        "hex" => configured::<Hex, V>(size, visitor),
        "gomoku" => configured::<Gomoku, V>(size, visitor),
        "breakthrough" => configured::<Breakthrough, V>(size, visitor),
        "connect4" => configured::<Connect4, V>(size, visitor),
        "go" => configured::<Go, V>(size, visitor),
        "reversi" => configured::<Reversi, V>(size, visitor),
        "nogo" => configured::<Nogo, V>(size, visitor),
        "atarigo" => configured::<Atarigo, V>(size, visitor),
        _ => panic!("no game {name}"),
    }
}

fn configured<F: Configure, V: Visitor<Output = ()>>(size: &str, visitor: V) {
    let params = F::FACTS.params;
    let mut args = Args::defaults(params);
    args.set(&params[0], size).and_then(|()| F::configure(&args, visitor)).unwrap_or_else(|e| panic!("{e}"));
}

struct Recorded<'a, 'b>(Bencher<'a, 'b>);

impl Visitor for Recorded<'_, '_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (start, mut rng, mut scratch) = (game.start(), Rng::new(1), Vec::new());
        let mut record: Vec<(Player, Code)> = Vec::new();
        self.0.counter(ItemsCount::new(PLAYOUTS)).bench_local(|| {
            let mut plies = 0;
            for _ in 0..PLAYOUTS {
                let mut position = start.clone();
                record.clear();
                game.playout(&mut position, 0, &mut rng, &mut scratch, &mut record);
                plies += record.len();
                black_box(game.rewards(&position));
            }
            // No random game of these is shorter, and every code is one of the game's.
            assert!(plies >= PLAYOUTS * 4, "{plies}");
            assert!(record.iter().all(|&(_, code)| (code as usize) < game.codes(0)));
            plies
        });
    }
}

struct Unrecorded<'a, 'b>(Bencher<'a, 'b>);

impl Visitor for Unrecorded<'_, '_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let (start, mut rng, mut scratch) = (game.start(), Rng::new(1), Vec::new());
        self.0.counter(ItemsCount::new(PLAYOUTS)).bench_local(|| {
            let mut first = 0.0;
            for _ in 0..PLAYOUTS {
                let mut position = start.clone();
                game.playout(&mut position, 0, &mut rng, &mut scratch, &mut Ignore);
                assert_eq!(game.turn(&position), Turn::Over);
                first += game.rewards(&position).of(Player(0));
            }
            // Either player wins some of a hundred random games.
            assert!(first > 0.0 && first < PLAYOUTS as f64, "{first}");
            first
        });
    }
}
