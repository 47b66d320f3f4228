use crate::agent::Agent;
use crate::{Error, playouts, sessions};
use permutree_game::conformance::{self, Summary};
use permutree_game::{Code, Game, Ignore, Presence, Rewards, Rng, Turn, perft, presence};
use permutree_search::statistics::Values;
use permutree_search::{Budget, Clock, Report, Stopwatch};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// A game of any type.
pub trait AnyGame: Measure + Send + Sync {
    /// The canonical spec, which identifies the game in stored results.
    fn spec(&self) -> &str;

    /// The number of players.
    fn players(&self) -> usize;

    /// The names of the codings; the first is the default.
    fn codings(&self) -> &'static [&'static str];

    /// The number of codes in a coding, by its index in the list; 0 if there is no such coding.
    fn codes(&self, coding: usize) -> usize;

    /// The colour of each player's pieces in pictures.
    fn colours(&self) -> &'static [&'static str];

    /// Whether the game scores moves for pattern playouts.
    fn has_patterns(&self) -> bool;

    /// The position before the first move.
    fn start(&self) -> Box<dyn AnyPosition>;
}

/// Measurements and checks over random games.
pub trait Measure {
    /// Length of random games and presence of codes.
    fn presence(&self, playouts: u64, seed: u64) -> Presence;

    /// Random games, checked at every ply: their length, branching and rewards, or what is wrong.
    fn soak(&self, games: u32, seed: u64) -> Result<Summary, String>;

    /// The thread time of this many random playouts from the start, with nothing recorded.
    fn time_playouts(&self, playouts: u64, seed: u64) -> Duration;
}

/// A position of a game of any type. Moves are texts, or indices into the list of legal moves.
pub trait AnyPosition: Send {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnyPosition>;

    /// Whose turn it is.
    fn turn(&self) -> Turn;

    /// The legal moves, or the outcomes of chance.
    fn moves(&self) -> Vec<String>;

    /// The codes of the legal moves in a coding, in the order of the list. Empty if chance is to move or there is no such
    /// coding.
    fn codes(&self, coding: usize) -> Vec<Code>;

    /// The index of the legal move that `text` names.
    fn find(&self, text: &str) -> Result<usize, Error>;

    /// Plays the legal move at `index`.
    fn play(&mut self, index: usize) -> Result<(), Error>;

    /// The index of a random legal move, or of an outcome drawn by its probability.
    fn random(&self, rng: &mut Rng) -> Option<usize>;

    /// The rewards, which are meaningful once the game is over.
    fn rewards(&self) -> Rewards;

    /// The hash of the position.
    fn hash(&self) -> u64;

    /// The position as text, with the last move marked.
    fn board(&self) -> String;

    /// The position as an SVG document, with the last move marked.
    fn picture(&self) -> String;

    /// The number of move sequences of each length up to `depth`.
    fn perft(&self, depth: usize) -> Vec<u64>;

    /// A search of this position.
    fn session(&self, agent: &Agent, seed: u64) -> Result<Box<dyn Session>, Error>;

    /// The position as `Any`, for downcasts to its type.
    fn as_any(&self) -> &dyn Any;
}

impl dyn AnyPosition {
    /// Plays the moves in `text`, separated by spaces or commas. Returns them in the game's own notation.
    pub fn play_all(&mut self, text: &str) -> Result<Vec<String>, Error> {
        let mut played = Vec::new();
        for name in text.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty()) {
            let index = self.find(name)?;
            played.extend(self.moves().into_iter().nth(index));
            self.play(index)?;
        }
        Ok(played)
    }
}

/// A search of one position, with moves as text.
pub trait Session: Send {
    /// Searches until the budget is used up. Another call continues where the last one stopped.
    fn advance(&mut self, budget: &Budget);

    /// The result so far.
    fn report(&mut self) -> Report<String>;

    /// The result so far for the position after these moves, each an index into the legal moves of its position; `None` if the
    /// search has no expanded node there. Without moves it is the report of the root.
    fn look(&mut self, moves: &[usize]) -> Option<Report<String>>;

    /// Adds the values of positions that the search has learned, if the agent has [learned values](Agent::with_values), even if
    /// these are empty.
    fn learned(&self, into: &mut Values);

    /// Moves the root along these moves, each an index into the legal moves of its position. Keeps what is still valid if the
    /// search can, otherwise starts over.
    fn follow(&mut self, moves: &[usize], seed: u64) -> Result<(), Error>;

    /// Starts over from another position of the same game, as a new search would, except for statistics that the agent
    /// [keeps](Agent::keeps).
    fn restart(&mut self, position: &dyn AnyPosition, seed: u64) -> Result<(), Error>;
}

/// Turns a game of any type into an [`AnyGame`], the form that sessions and matches take.
pub fn erase<G: Game>(game: G, spec: impl Into<String>) -> Arc<dyn AnyGame> {
    Arc::new(ErasedGame::new(Shared { game, spec: spec.into() }))
}

/// A game and the spec that names it.
pub(crate) struct Shared<G> {
    pub(crate) game: G,
    pub(crate) spec: String,
}

pub(crate) struct ErasedGame<G>(Arc<Shared<G>>);

impl<G: Game> ErasedGame<G> {
    pub(crate) fn new(shared: Shared<G>) -> Self {
        Self(Arc::new(shared))
    }
}

/// A position with its game and the last move, which showing it needs.
pub(crate) struct ErasedPosition<G: Game> {
    pub(crate) shared: Arc<Shared<G>>,
    pub(crate) position: G::Position,
    last: Option<G::Move>,
}

impl<G: Game> AnyGame for ErasedGame<G> {
    fn spec(&self) -> &str {
        &self.0.spec
    }

    fn players(&self) -> usize {
        self.0.game.players()
    }

    fn codings(&self) -> &'static [&'static str] {
        self.0.game.codings()
    }

    fn codes(&self, coding: usize) -> usize {
        if coding < self.codings().len() { self.0.game.codes(coding) } else { 0 }
    }

    fn colours(&self) -> &'static [&'static str] {
        self.0.game.colours()
    }

    fn has_patterns(&self) -> bool {
        playouts::has_patterns(&self.0.game)
    }

    fn start(&self) -> Box<dyn AnyPosition> {
        Box::new(ErasedPosition { shared: self.0.clone(), position: self.0.game.start(), last: None })
    }
}

impl<G: Game> Measure for ErasedGame<G> {
    fn presence(&self, playouts: u64, seed: u64) -> Presence {
        presence(&self.0.game, playouts, seed)
    }

    fn soak(&self, games: u32, seed: u64) -> Result<Summary, String> {
        conformance::soak(&self.0.game, games, seed)
    }

    fn time_playouts(&self, playouts: u64, seed: u64) -> Duration {
        let game = &self.0.game;
        let (start, mut rng, mut scratch) = (game.start(), Rng::new(seed), Vec::new());
        let watch = Stopwatch::start(Clock::Thread);
        for _ in 0..playouts {
            let mut position = start.clone();
            game.playout(&mut position, 0, &mut rng, &mut scratch, &mut Ignore);
            // Without a use of the rewards the compiler could remove the playout.
            std::hint::black_box(game.rewards(&position));
        }
        watch.elapsed()
    }
}

impl<G: Game> ErasedPosition<G> {
    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.shared.game.moves(&self.position, &mut moves);
        moves
    }
}

impl<G: Game> AnyPosition for ErasedPosition<G> {
    fn boxed_clone(&self) -> Box<dyn AnyPosition> {
        Box::new(Self { shared: self.shared.clone(), position: self.position.clone(), last: self.last })
    }

    fn turn(&self) -> Turn {
        self.shared.game.turn(&self.position)
    }

    fn moves(&self) -> Vec<String> {
        self.legal().into_iter().map(|mv| self.shared.game.move_text(&self.position, mv)).collect()
    }

    fn codes(&self, coding: usize) -> Vec<Code> {
        let game = &self.shared.game;
        match game.turn(&self.position) {
            Turn::Player(_) if coding < game.codings().len() => {
                self.legal().into_iter().map(|mv| game.code(&self.position, mv, coding)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn find(&self, text: &str) -> Result<usize, Error> {
        let mv = self.shared.game.parse_move(&self.position, text);
        let index = mv.and_then(|mv| self.legal().iter().position(|legal| *legal == mv));
        index.ok_or_else(|| Error::IllegalMove { text: text.to_string(), legal: self.moves() })
    }

    fn play(&mut self, index: usize) -> Result<(), Error> {
        let legal = self.legal();
        let &mv = legal.get(index).ok_or(Error::NoMove { index, legal: legal.len() })?;
        self.shared.game.play(&mut self.position, mv);
        self.last = Some(mv);
        Ok(())
    }

    fn random(&self, rng: &mut Rng) -> Option<usize> {
        let mv = self.shared.game.random_move(&self.position, rng, &mut Vec::new())?;
        self.legal().iter().position(|legal| *legal == mv)
    }

    fn rewards(&self) -> Rewards {
        self.shared.game.rewards(&self.position)
    }

    fn hash(&self) -> u64 {
        self.shared.game.hash(&self.position)
    }

    fn board(&self) -> String {
        self.shared.game.board(&self.position, self.last)
    }

    fn picture(&self) -> String {
        self.shared.game.picture(&self.position, self.last)
    }

    fn perft(&self, depth: usize) -> Vec<u64> {
        perft(&self.shared.game, &self.position, depth)
    }

    fn session(&self, agent: &Agent, seed: u64) -> Result<Box<dyn Session>, Error> {
        sessions::open(&self.shared, &self.position, agent, seed)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
