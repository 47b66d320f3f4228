//! Games against a second version of their rules, written the slow and plain way.

use permutree_game::{Game, Player, Rng, Turn, Visitor, perft};

/// A position of a game in its plain version.
pub(crate) trait Plain: Clone {
    type Move;

    /// The legal moves in the order in which the game lists them; none when it is over.
    fn moves(&self) -> Vec<Self::Move>;

    fn text(&self, mv: &Self::Move) -> String;

    fn play(&mut self, mv: &Self::Move);

    /// Whose turn it is, from 0.
    fn player(&self) -> u8;

    /// What each player gets at the end.
    fn rewards(&self) -> Vec<f64>;

    fn perft(&self, counts: &mut [u64]) {
        let moves = self.moves();
        counts[0] += moves.len() as u64;
        if counts.len() > 1 {
            for mv in moves {
                let mut next = self.clone();
                next.play(&mv);
                next.perft(&mut counts[1..]);
            }
        }
    }
}

/// Compares a game with its plain version: the tree from the start to the depth of `perft`, and whole random games, the
/// ends of which it returns.
pub(crate) struct Agrees<'a, P> {
    pub(crate) naive: P,
    pub(crate) perft: &'a [u64],
    pub(crate) games: u64,
}

impl<P: Plain> Visitor for Agrees<'_, P> {
    type Output = Vec<P>;

    fn visit<G: Game>(self, game: G) -> Vec<P> {
        let depth = self.perft.len();
        if depth > 0 {
            let mut counts = vec![0; depth];
            self.naive.perft(&mut counts);
            assert_eq!(counts, self.perft, "the plain game's perft");
            assert_eq!(perft(&game, &game.start(), depth), self.perft);
        }
        (0..self.games).map(|number| lockstep(&game, self.naive.clone(), Rng::stream(5, number))).collect()
    }
}

fn lockstep<G: Game, P: Plain>(game: &G, mut naive: P, mut rng: Rng) -> P {
    let mut position = game.start();
    let mut moves = Vec::new();
    loop {
        moves.clear();
        game.moves(&position, &mut moves);
        let plain = naive.moves();
        let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(&position, mv)).collect();
        let names: Vec<String> = plain.iter().map(|mv| naive.text(mv)).collect();
        assert_eq!(texts, names, "{}", game.board(&position, None));
        if plain.is_empty() {
            break;
        }
        assert_eq!(game.turn(&position), Turn::Player(Player(naive.player())));
        let i = rng.below(plain.len());
        game.play(&mut position, moves[i]);
        naive.play(&plain[i]);
    }
    assert_eq!(game.turn(&position), Turn::Over);
    assert_eq!(game.rewards(&position).as_slice(), naive.rewards(), "{}", game.board(&position, None));
    naive
}
