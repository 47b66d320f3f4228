//! A game's own playout against one made of single random moves.

use permutree_game::{Game, Ignore, Player, Rng, Turn, Visitor};

/// Plays `opening`, then `playouts` random games in both ways from there. Lengths and rewards must agree within four
/// standard errors.
pub(crate) struct Agree<'a> {
    pub(crate) opening: &'a str,
    pub(crate) playouts: u32,
}

impl Visitor for Agree<'_> {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut start = game.start();
        for text in self.opening.split_whitespace() {
            let mv = game.parse_move(&start, text).unwrap();
            game.play(&mut start, mv);
        }
        let (mut whole, mut single) = (Means::default(), Means::default());
        let (mut rng, mut scratch) = (Rng::new(5), Vec::new());
        for _ in 0..self.playouts {
            let mut position = start.clone();
            let mut steps: Vec<(Player, u32)> = Vec::new();
            game.playout(&mut position, 0, &mut rng, &mut scratch, &mut steps);
            whole.add(steps.len() as f64, game.rewards(&position).of(Player(0)));

            let (mut position, mut plies) = (start.clone(), 0.0);
            while let Some(mv) = game.random_move(&position, &mut rng, &mut scratch) {
                game.play(&mut position, mv);
                plies += 1.0;
            }
            single.add(plies, game.rewards(&position).of(Player(0)));
        }
        whole.agrees_with(&single);
    }
}

/// Sums of length and reward and of their squares.
#[derive(Default)]
struct Means {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
}

impl Means {
    fn add(&mut self, plies: f64, reward: f64) {
        self.count += 1.0;
        for (i, value) in [plies, reward].into_iter().enumerate() {
            self.sums[i] += value;
            self.squares[i] += value * value;
        }
    }

    fn agrees_with(&self, other: &Self) {
        for i in 0..2 {
            let mean = |m: &Self| m.sums[i] / m.count;
            let variance = |m: &Self| (m.squares[i] / m.count - mean(m) * mean(m)) / m.count;
            let error = (variance(self) + variance(other)).sqrt();
            assert!((mean(self) - mean(other)).abs() <= 4.0 * error, "{} {}", mean(self), mean(other));
        }
    }
}

/// Playouts that record and playouts that do not are the same games, and the recorded codes, which must be one to a
/// move, replay to the same end and no sooner.
pub(crate) struct Records {
    pub(crate) playouts: u64,
}

impl Visitor for Records {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        for seed in 0..self.playouts {
            let (mut silent, mut heard) = (game.start(), game.start());
            let mut steps: Vec<(Player, u32)> = Vec::new();
            game.playout(&mut silent, 0, &mut Rng::new(seed), &mut Vec::new(), &mut Ignore);
            game.playout(&mut heard, 0, &mut Rng::new(seed), &mut Vec::new(), &mut steps);
            let mut replayed = game.start();
            for &(player, code) in &steps {
                assert_eq!(game.turn(&replayed), Turn::Player(player));
                let mut moves = Vec::new();
                game.moves(&replayed, &mut moves);
                let mv = moves.into_iter().find(|&mv| game.code(&replayed, mv, 0) == code).unwrap();
                game.play(&mut replayed, mv);
            }
            for position in [&heard, &replayed] {
                assert_eq!(game.turn(position), Turn::Over);
                assert_eq!(game.hash(position), game.hash(&silent));
                assert_eq!(game.rewards(position), game.rewards(&silent));
            }
        }
    }
}
