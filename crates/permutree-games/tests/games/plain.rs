//! Games beside the same rules written the slow and plain way.

use crate::kit::{after, texts, with};
use permutree_game::{Configure, Game, Player, Rng, Turn, Visitor, perft};

/// A position with its rules as plain as can be, and moves as text.
pub(crate) trait Plain: Clone {
    /// Whether `moves` come in the order in which the game lists them.
    const IN_ORDER: bool = false;

    /// Who is to move, from 0; `None` when the game is over.
    fn turn(&self) -> Option<u8>;

    /// The legal moves; none when the game is over.
    fn moves(&self) -> Vec<String>;

    /// Plays one of `moves`.
    fn play(&mut self, text: &str);

    /// What each player gets when the game is over.
    fn rewards(&self) -> Vec<f64>;

    /// Among which moves random games choose: all of them, unless the rare positions are wanted.
    fn choices(&self) -> Vec<String> {
        self.moves()
    }

    /// The position after these moves, each of which must be legal.
    fn after(mut self, moves: &str) -> Self {
        for text in moves.split_whitespace() {
            assert!(self.moves().iter().any(|legal| legal == text), "{text} is not legal by the plain rules");
            self.play(text);
        }
        self
    }

    /// Counts move sequences up to this length.
    fn perft(&self, depth: usize) -> Vec<u64> {
        let mut counts = vec![0; depth];
        count(self, &mut counts);
        counts
    }
}

fn count(plain: &impl Plain, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    let moves = plain.moves();
    *here += moves.len() as u64;
    if !deeper.is_empty() {
        for text in moves {
            let mut next = plain.clone();
            next.play(&text);
            count(&next, deeper);
        }
    }
}

/// All to the winner; equal shares if there is none.
pub(crate) fn won_by(winner: Option<u8>, players: u8) -> Vec<f64> {
    let share = 1.0 / f64::from(players);
    (0..players).map(|player| winner.map_or(share, |winner| f64::from(u8::from(winner == player)))).collect()
}

/// Plays random games after `opening` and checks at every ply that the game and the plain rules agree on turn, moves and
/// rewards. Returns the plain ends.
pub(crate) struct Lockstep<'a, P> {
    pub(crate) plain: P,
    pub(crate) opening: &'a str,
    pub(crate) games: u64,
}

impl<P: Plain> Visitor for Lockstep<'_, P> {
    type Output = Vec<P>;

    fn visit<G: Game>(self, game: G) -> Vec<P> {
        let start = (after(&game, self.opening), self.plain.after(self.opening));
        (0..self.games).map(|seed| lockstep(&game, start.clone(), Rng::new(seed))).collect()
    }
}

fn lockstep<G: Game, P: Plain>(game: &G, start: (G::Position, P), mut rng: Rng) -> P {
    let (mut position, mut plain) = start;
    loop {
        let turn = plain.turn().map_or(Turn::Over, |player| Turn::Player(Player(player)));
        let (mut moves, mut expected) = (texts(game, &position), plain.moves());
        if !P::IN_ORDER {
            moves.sort_unstable();
            expected.sort_unstable();
        }
        assert_eq!((game.turn(&position), moves), (turn, expected), "{}", game.board(&position, None));
        if turn == Turn::Over {
            assert_eq!(
                game.rewards(&position).as_slice(),
                plain.rewards(),
                "{}",
                game.board(&position, None)
            );
            return plain;
        }
        let mut choices = plain.choices();
        let text = choices.swap_remove(rng.below(choices.len()));
        let mv = game.parse_move(&position, &text).expect("a choice is one of the moves");
        game.play(&mut position, mv);
        plain.play(&text);
    }
}

/// Counts the move sequences after `opening` up to `depth` with the game and with the plain rules, which must agree.
pub(crate) struct SamePerft<'a, P> {
    pub(crate) plain: P,
    pub(crate) opening: &'a str,
    pub(crate) depth: usize,
}

impl<P: Plain> Visitor for SamePerft<'_, P> {
    type Output = Vec<u64>;

    fn visit<G: Game>(self, game: G) -> Vec<u64> {
        let counts = perft(&game, &after(&game, self.opening), self.depth);
        assert_eq!(counts, self.plain.after(self.opening).perft(self.depth), "after '{}'", self.opening);
        counts
    }
}

/// Both from the start: the counts of move sequences, which must also be those given, and random games, the ends of which
/// it returns.
pub(crate) fn agrees<F: Configure, P: Plain>(
    settings: &[(&str, &str)],
    plain: P,
    counts: &[u64],
    games: u64,
) -> Vec<P> {
    let same = SamePerft { plain: plain.clone(), opening: "", depth: counts.len() };
    assert_eq!(with::<F, _>(settings, same), counts);
    with::<F, _>(settings, Lockstep { plain, opening: "", games })
}

/// Column and row, both from 0, with a sign so that a step may leave the board.
pub(crate) type Cell = (i32, i32);

pub(crate) fn name((column, row): Cell) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

pub(crate) fn cell(name: &str) -> Cell {
    (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1)
}
