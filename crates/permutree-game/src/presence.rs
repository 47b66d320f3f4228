use crate::{Code, Game, Player, Recorder, Rng, Turn};

/// The length of random games and how often codes occur in them, as in table 7 of the MCPS paper.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Presence {
    /// Legal moves at the start.
    pub moves: usize,
    /// Mean number of players' moves in a playout from the start.
    pub plies: f64,
    /// For each coding, the probability that the code of a move occurs in a playout, averaged over the moves legal at
    /// the start.
    pub codings: Vec<(&'static str, f64)>,
}

/// Measures `playouts` random games from the start.
pub fn presence<G: Game>(game: &G, playouts: u64, seed: u64) -> Presence {
    let mut moves = Vec::new();
    let start = start_of_players(game, seed);
    game.moves(&start, &mut moves);
    let mut plies = 0.0;
    let mut codings = Vec::new();
    for (coding, &name) in game.codings().iter().enumerate() {
        let mut rng = Rng::new(seed);
        let mut counts = Counts {
            occurred: vec![0; game.codes(coding)],
            last: vec![0; game.codes(coding)],
            playout: 0,
            plies: 0,
        };
        let mut scratch = Vec::new();
        for playout in 1..=playouts {
            counts.playout = playout;
            game.playout(&mut start.clone(), coding, &mut rng, &mut scratch, &mut counts);
        }
        let occurred: u64 =
            moves.iter().map(|&mv| counts.occurred[game.code(&start, mv, coding) as usize]).sum();
        codings.push((name, occurred as f64 / (playouts.max(1) * moves.len().max(1) as u64) as f64));
        plies = counts.plies as f64 / playouts.max(1) as f64;
    }
    Presence { moves: moves.len(), plies, codings }
}

/// The first position where a player moves, after any chance events before it.
fn start_of_players<G: Game>(game: &G, seed: u64) -> G::Position {
    let (mut position, mut rng, mut scratch) = (game.start(), Rng::new(seed), Vec::new());
    while game.turn(&position) == Turn::Chance {
        match game.random_move(&position, &mut rng, &mut scratch) {
            Some(outcome) => game.play(&mut position, outcome),
            None => break,
        }
    }
    position
}

/// The number of playouts in which each code occurred.
struct Counts {
    occurred: Vec<u64>,
    last: Vec<u64>,
    playout: u64,
    plies: u64,
}

impl Recorder for Counts {
    fn record(&mut self, _player: Player, code: Code) {
        self.plies += 1;
        let code = code as usize;
        if self.last[code] != self.playout {
            self.last[code] = self.playout;
            self.occurred[code] += 1;
        }
    }
}
