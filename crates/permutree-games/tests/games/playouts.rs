//! Fast playouts against slow ones.

use permutree_game::{Game, Player, Rng, Turn, Visitor};

/// Compares the game's own playout with one that lists the moves and chooses among them: mean plies and mean reward
/// must agree within four standard errors. Outcomes of chance must be equally likely, and count as no ply.
pub(crate) struct AgainstListing(pub(crate) u32);

impl Visitor for AgainstListing {
    type Output = ();

    fn visit<G: Game>(self, game: G) {
        let mut rng = Rng::new(5);
        let mut sums = [[Mean::default(); 2]; 2];
        for _ in 0..self.0 {
            let mut position = game.start();
            let mut steps: Vec<(Player, u32)> = Vec::new();
            game.playout(&mut position, 0, &mut rng, &mut Vec::new(), &mut steps);
            sums[0][0].add(steps.len() as f64);
            sums[0][1].add(game.rewards(&position).of(Player(0)));

            let mut position = game.start();
            let (mut moves, mut plies) = (Vec::new(), 0);
            loop {
                moves.clear();
                game.moves(&position, &mut moves);
                let Some(mv) = rng.choose(&moves) else { break };
                plies += i32::from(game.turn(&position) != Turn::Chance);
                game.play(&mut position, mv);
            }
            sums[1][0].add(f64::from(plies));
            sums[1][1].add(game.rewards(&position).of(Player(0)));
        }
        for (fast, slow) in sums[0].iter().zip(&sums[1]) {
            let error = (fast.variance() + slow.variance()).sqrt();
            assert!((fast.mean() - slow.mean()).abs() < 4.0 * error, "{} and {}", fast.mean(), slow.mean());
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, x: f64) {
        self.count += 1.0;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    /// Of the mean, not of one sample.
    fn variance(&self) -> f64 {
        (self.squares / self.count - self.mean().powi(2)) / self.count
    }
}
