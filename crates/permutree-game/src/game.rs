use crate::{Args, Facts, ParamError, Player, Rewards, Rng, Turn};
use std::fmt::Debug;

/// A dense integer that stands for a move in search statistics.
///
/// Codes include the player: the same cell taken by two players has two codes. A coding may map several moves of a
/// position to one code.
pub type Code = u32;

/// The rules of a game, as a value: `Hex` of size 7 and `Hex` of size 11 are two values of one type.
///
/// The required methods come first: `players`, `start`, `turn`, `moves`, `play`, `rewards`, `hash`, `codes`, `code`,
/// `move_text` and `board` make a complete game. The others have defaults that a game overrides for speed or for better
/// pictures. The [front page](crate#example) has a complete game in 40 lines.
///
/// What must hold (checked by [`crate::conformance::check`]):
/// - `moves` is empty exactly when the turn is [`Turn::Over`], and lists no move twice;
/// - rewards are in [0, 1], one per player;
/// - codes are below `codes(coding)` and never shared by two players;
/// - positions with equal hashes have the same future;
/// - move texts are unique in a position.
pub trait Game: Clone + Send + Sync + 'static {
    /// Everything that decides how the game continues. Cloned at every iteration of a search: keep it small and flat.
    type Position: Clone + Send + Sync + 'static;
    /// A move, or an outcome of chance.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// How many players there are, at most [`crate::MAX_PLAYERS`].
    fn players(&self) -> usize;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// Whose turn it is, or that the game is over.
    fn turn(&self, position: &Self::Position) -> Turn;

    /// Appends the legal moves, or the chance outcomes, in a fixed order. `out` is empty on entry.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays a legal move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// The reward of each player. Called only when the game is over.
    fn rewards(&self, position: &Self::Position) -> Rewards;

    /// A hash of everything that decides how the game continues.
    fn hash(&self, position: &Self::Position) -> u64;

    /// The number of codes in a coding: codes are `0..codes(coding)`.
    fn codes(&self, coding: usize) -> usize;

    /// The code of a move of the player to move, before it is played. Never called for chance outcomes.
    fn code(&self, position: &Self::Position, mv: Self::Move, coding: usize) -> Code;

    /// The move in the notation of the game, unique in the position.
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The position as text with coordinates, for a terminal. Marks the last move if there is one.
    fn board(&self, position: &Self::Position, last: Option<Self::Move>) -> String;

    /// The names of the codings. The first is the default.
    fn codings(&self) -> &'static [&'static str] {
        &["exact"]
    }

    /// The legal move with this text. Case and surrounding spaces do not matter.
    fn parse_move(&self, position: &Self::Position, text: &str) -> Option<Self::Move> {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.into_iter().find(|&mv| self.move_text(position, mv).eq_ignore_ascii_case(text.trim()))
    }

    /// The position as an SVG document. Marks the last move if there is one.
    fn picture(&self, position: &Self::Position, last: Option<Self::Move>) -> String {
        crate::draw::text_picture(&self.board(position, last))
    }

    /// The colour of each player's pieces in [`Game::picture`], at least one per player.
    fn colours(&self) -> &'static [&'static str] {
        &crate::draw::COLOURS
    }

    /// The probability of a chance outcome; all are equally likely by default.
    fn chance(&self, position: &Self::Position, _outcome: Self::Move) -> f64 {
        let mut outcomes = Vec::new();
        self.moves(position, &mut outcomes);
        1.0 / outcomes.len() as f64
    }

    /// A heuristic estimate of the rewards of an unfinished game, for searches that cut playouts short; `None` if the game
    /// has none. [`Rewards::leaning`] turns scores such as piece counts into rewards.
    fn evaluate(&self, _position: &Self::Position) -> Option<Rewards> {
        None
    }

    /// Appends the moves that playouts may choose from. `out` is empty on entry.
    ///
    /// These are all legal moves unless [`Game::random_move`] leaves some out, as Go does with moves that fill eyes.
    #[inline]
    fn playout_moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>) {
        self.moves(position, out);
    }

    /// A move of [`Game::playout_moves`] whose code has the greatest `merit`, found without listing the moves.
    ///
    /// `merit` accepts every code, whether or not a move with it is legal, and is never negative or NaN. If `n > 1` moves
    /// are best, the result is number `rng.below(n)` of them in the order of the list; a single best move draws no random
    /// number. So an implementation consumes the same random numbers as one that lists the moves.
    ///
    /// `None` if the game has no faster way than listing, or is over.
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

    /// Appends the moves that win at once or, if there are none, those that stop the next player from winning at once.
    /// `out` is empty on entry, and stays empty if nothing is urgent.
    ///
    /// Returns false if the game has no faster way than trying every move.
    fn urgent_moves(&self, _position: &Self::Position, _out: &mut Vec<Self::Move>) -> bool {
        false
    }

    /// Appends a score for each of these legal moves, by the pattern of stones around it, such as the lines that it
    /// extends. `scores` is empty on entry. Returns false if the game has no patterns.
    fn pattern_scores(
        &self,
        _position: &Self::Position,
        _moves: &[Self::Move],
        _scores: &mut Vec<f64>,
    ) -> bool {
        false
    }

    /// A random move, or a chance outcome drawn by its probability; `None` when the game is over.
    ///
    /// Uniform over the legal moves unless the game documents otherwise. `scratch` is a buffer with arbitrary content.
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

    /// Plays random moves to the end and reports the code of each player's move to `recorder`.
    ///
    /// A game overrides this if it can play a whole random game faster than move by move. Records and rewards must have
    /// the same distribution as with [`Game::random_move`]. Only the turn and the rewards of the final position are read,
    /// so with a recorder that ignores everything the moves themselves need not be found, and with one that is not
    /// [ordered](Recorder::ordered) not their order.
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

/// Plays and records random moves, as [`Game::playout`] does by default, while `goes_on` holds and until the game is over.
///
/// For games whose own playout is faster than this for part of the game only.
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

/// Receives the moves of a playout as they are made.
pub trait Recorder {
    /// False if the recorder ignores everything, so that games can skip computing codes.
    const RECORDS: bool = true;

    /// Whether the recorder needs the moves in the order in which they are made, and only those. If not, a game may report them
    /// in any order, and report more moves where play could go on after the end without changing the result.
    fn ordered(&self) -> bool {
        true
    }

    /// Records a move of `player` with this code.
    fn record(&mut self, player: Player, code: Code);

    /// Records moves of `player`: one with the code `first + i` for each bit `i` of `set`, which has 64 bits in a word.
    #[inline]
    fn record_set(&mut self, player: Player, first: Code, set: &[u64]) {
        for (word, first) in set.iter().zip((first..).step_by(64)) {
            let mut rest = *word;
            while rest != 0 {
                self.record(player, first + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
    }
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

/// A family of games that is made from parameters, such as Hex of any size.
pub trait Configure {
    /// Name, rules in brief, source and parameters, for help texts and errors.
    const FACTS: Facts;

    /// Passes the game with these parameters to `visitor`, or returns why they are refused.
    ///
    /// The game is not returned, because its type may depend on the parameters: a bitboard of one word or of six.
    fn configure<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, ParamError>;
}

/// Receives a game of any type.
pub trait Visitor {
    /// What the visit returns.
    type Output;

    /// Receives the game.
    fn visit<G: Game>(self, game: G) -> Self::Output;
}
