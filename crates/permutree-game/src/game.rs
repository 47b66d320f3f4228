use crate::{Args, Facts, ParamError, Player, Rewards, Rng, Turn};
use std::fmt::Debug;

/// A move seen from far: what search statistics are kept by.
///
/// Codes are dense integers that include the player. A coding may give one code to several moves of a position.
pub type Code = u32;

/// The rules of a game, as a value: `Hex` of size 7 and `Hex` of size 11 are two values of one type.
///
/// The required part comes first: `players`, `start`, `turn`, `moves`, `play`, `rewards`, `hash`, `codes`, `code`,
/// `move_text` and `board` make a complete game. The rest has defaults that a game overrides to be faster or nicer.
///
/// What must hold (checked by [`crate::conformance::check`]):
/// - `moves` is empty exactly when the turn is [`Turn::Over`], and lists no move twice;
/// - rewards are in [0, 1], one per player;
/// - codes are below `codes(coding)` and never shared by two players;
/// - positions with one hash have one future;
/// - move texts are unique in a position.
pub trait Game: Clone + Send + Sync + 'static {
    /// Everything that decides the future of the game. Cloned once per iteration, so small and flat.
    type Position: Clone + Send + Sync + 'static;
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// How many players there are, at most [`crate::MAX_PLAYERS`].
    fn players(&self) -> usize;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Whose turn it is, or that the game is over.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Appends the legal moves, or the outcomes of chance, in a fixed order. `out` comes empty.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// What each player gets. Asked only when the game is over.
    fn rewards(&self, position: &Self::Position) -> Rewards;

    /// A hash of everything that decides the future.
    fn hash(&self, position: &Self::Position) -> u64;

    /// The number of codes in a coding: codes are `0..codes(coding)`.
    fn codes(&self, coding: usize) -> usize;

    /// The code of a move of the player to move, before it is played. Never asked for chance.
    fn code(&self, position: &Self::Position, mv: Self::Move, coding: usize) -> Code;

    /// The move as players of the game write it, unique in the position.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The position as text with coordinates, for a terminal, the last move marked if there is one.
    fn board(&self, position: &Self::Position, last: Option<Self::Move>) -> String;

    /// The names of the codings. The first is the default.
    fn codings(&self) -> &'static [&'static str] {
        &["exact"]
    }

    /// The legal move that `text` names, in any case and with spaces around it.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.move_text(position, mv).eq_ignore_ascii_case(text.trim()))
    }

    /// The position as an SVG document, the last move marked if there is one.
    fn picture(&self, position: &Self::Position, last: Option<Self::Move>) -> String {
        crate::draw::text_picture(&self.board(position, last))
    }

    /// The colour of each player's pieces in [`Game::picture`], at least one per player.
    fn colours(&self) -> &'static [&'static str] {
        &crate::draw::COLOURS
    }

    /// The probability of an outcome when it is chance's turn.
    fn chance(&self, position: &Self::Position, _outcome: Self::Move) -> f64 {
        let mut outcomes = Vec::new();
        self.moves(position, &mut outcomes);
        1.0 / outcomes.len() as f64
    }

    /// A rough guess of the rewards of a position that is not over, for searches that stop before the end; `None` if the
    /// game has no such guess. [`Rewards::leaning`] makes one of scores such as counts of pieces.
    fn evaluate(&self, _position: &Self::Position) -> Option<Rewards> {
        None
    }

    /// Appends the moves that random play may make: what playouts with a will of their own choose from. `out` comes empty.
    ///
    /// All legal moves unless the game leaves some out in [`Game::random_move`], as Go does with those that fill eyes.
    #[inline]
    fn playout_moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.moves(position, out);
    }

    /// One of the moves of [`Game::playout_moves`] whose codes have the greatest `merit`. Every code has one, also where its
    /// moves are not legal, and none is negative or no number. Of `n > 1` moves it is the one at `rng.below(n)` among them in
    /// the order of that list, so that nobody can tell whether the moves were listed.
    ///
    /// `None` if the game has no quicker way than to list them, or is over.
    #[inline]
    fn move_of_merit(
        &self,
        _position: &Self::Position,
        _coding: usize,
        _merit: impl Fn(Code) -> f64,
        _rng: &mut Rng,
    ) -> Option<Self::Move> {
        None
    }

    /// Appends the moves that win at once or, if there are none, those that keep the next player from winning at once.
    /// `out` comes empty and stays so where nothing is urgent.
    ///
    /// False if the game has no quicker way to tell than by trying every move.
    fn urgent_moves(&self, _position: &Self::Position, _out: &mut Vec<Self::Move>) -> bool {
        false
    }

    /// Appends a score for each of these legal moves by the pattern of stones around it, such as the lines that it makes;
    /// `scores` comes empty. False if the game has no patterns.
    fn pattern_scores(
        &self,
        _position: &Self::Position,
        _moves: &[Self::Move],
        _scores: &mut Vec<f64>,
    ) -> bool {
        false
    }

    /// A move for random play, or an outcome by its probability; `None` when the game is over.
    ///
    /// Uniform over the legal moves unless the game says otherwise. `scratch` may be used and holds nothing of value.
    #[inline]
    fn random_move(
        &self,
        position: &Self::Position,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        scratch.clear();
        self.moves(position, scratch);
        rng.choose(scratch)
    }

    /// Plays random moves to the end and tells `recorder` each player's code before it is played.
    ///
    /// A game overrides this when a whole random game can be had faster than move by move; the distribution of
    /// records and rewards must be that of [`Game::random_move`]. Of the final position only the turn and the rewards
    /// are looked at, so with a recorder that ignores everything the moves themselves need not be found.
    #[inline]
    fn playout<R: Recorder>(
        &self,
        position: &mut Self::Position,
        coding: usize,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
        recorder: &mut R,
    ) {
        play_while(self, position, coding, rng, scratch, recorder, |_| true);
    }
}

/// Plays random moves, and records them as [`Game::playout`] does, until the game is over or `goes_on` no longer holds.
///
/// For games whose own playout starts or ends with moves that it cannot make in its faster way.
#[inline]
pub fn play_while<G: Game, R: Recorder>(
    game: &G,
    position: &mut G::Position,
    coding: usize,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
    recorder: &mut R,
    goes_on: impl Fn(&G::Position) -> bool,
) {
    while goes_on(position)
        && let Some(mv) = game.random_move(position, rng, scratch)
    {
        if R::RECORDS
            && let Turn::Player(player) = game.turn(position)
        {
            recorder.record(player, game.code(position, mv, coding));
        }
        game.play(position, mv);
    }
}

/// Sees the moves of a playout as they are made.
pub trait Recorder {
    /// False when the recorder ignores everything, so that games need not compute codes.
    const RECORDS: bool = true;

    /// `player` makes a move with this code.
    fn record(&mut self, player: Player, code: Code);
}

/// The recorder that ignores everything.
#[derive(Clone, Copy, Debug)]
pub struct Ignore;

impl Recorder for Ignore {
    const RECORDS: bool = false;

    #[inline]
    fn record(&mut self, _player: Player, _code: Code) {}
}

impl Recorder for Vec<(Player, Code)> {
    #[inline]
    fn record(&mut self, player: Player, code: Code) {
        self.push((player, code));
    }
}

/// A family of games that users can name, made from parameters.
pub trait Configure {
    /// Name, rules in brief, source and parameters.
    const FACTS: Facts;

    /// Hands `visitor` the game with these parameters, or says why there is none.
    ///
    /// A visitor and not a return value: a family may choose among types, such as bitboards of one word and of six.
    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError>;
}

/// Takes a game of whatever type it is.
pub trait Visitor {
    /// What becomes of the game.
    type Output;

    /// Takes the game.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}
