use crate::erased::{AnyGame, Shared};
use crate::spec::{Spec, canonical};
use crate::{Error, erased};
use permutree_game::{Args, Configure, Facts, Game, ParamError, Visitor};
use permutree_games::*;
use std::sync::{Arc, PoisonError, RwLock};

/// A family of games in the list.
#[derive(Clone, Copy)]
pub struct GameEntry {
    /// Name, rules, source and parameters.
    pub facts: Facts,
    make: Make,
}

/// Makes the game from its parameters and its canonical spec.
type Make = fn(&Args, String) -> Result<Arc<dyn AnyGame>, ParamError>;

impl std::fmt::Debug for GameEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("GameEntry").field(&self.facts.name).finish()
    }
}

/// Every game, by name.
///
/// A static, not a constant: who uses a constant compiles every game and search again.
pub static GAMES: &[GameEntry] = &[
    entry::<Atarigo>(),
    entry::<Breakthrough>(),
    entry::<Connect4>(),
    entry::<Domineering>(),
    entry::<Go>(),
    entry::<Gomoku>(),
    entry::<Hex>(),
    entry::<Hnefatafl>(),
    entry::<Investment>(),
    entry::<Knightthrough>(),
    entry::<Nim>(),
    entry::<Nogo>(),
    entry::<OrderAndChaos>(),
    entry::<Pig>(),
    entry::<Reversi>(),
    entry::<SameGame>(),
    entry::<Skirmish>(),
    entry::<SkirmishArena>(),
    entry::<TicTacChess>(),
    entry::<TicTacMo>(),
    entry::<TicTacToe>(),
    entry::<Tree>(),
    entry::<Triad>(),
    entry::<Tsp>(),
    entry::<UltimateTicTacToe>(),
    entry::<Wargame>(),
    entry::<Yavalade>(),
    entry::<Yavalath>(),
];

const fn entry<F: Configure>() -> GameEntry {
    GameEntry { facts: F::FACTS, make: make::<F> }
}

fn make<F: Configure>(args: &Args, spec: String) -> Result<Arc<dyn AnyGame>, ParamError> {
    struct Erase(String);
    impl Visitor for Erase {
        type Output = Arc<dyn AnyGame>;

        fn visit<G: Game>(self, game: G) -> Self::Output {
            Arc::new(erased::ErasedGame::new(Shared { game, spec: self.0 }))
        }
    }
    F::configure(args, Erase(spec))
}

/// Makes a game from what follows the name in its spec, or says why there is none.
pub type Outside = fn(&str) -> Result<Arc<dyn AnyGame>, String>;

/// Games that are made outside of the zoo, by the name that their specs begin with.
static OUTSIDE: RwLock<Vec<(&str, Outside)>> = RwLock::new(Vec::new());

/// From now on `make` makes the games whose specs begin with `name` and a colon, here and in files: `py:module:Class` for
/// `py`. A name that the zoo has itself stays the zoo's.
pub fn register(name: &'static str, make: Outside) {
    let mut outside = OUTSIDE.write().unwrap_or_else(PoisonError::into_inner);
    outside.retain(|(known, _)| *known != name);
    outside.push((name, make));
}

/// Who makes the games that begin with `name`, if they are not of the zoo.
fn outside(name: &str) -> Option<Outside> {
    let outside = OUTSIDE.read().unwrap_or_else(PoisonError::into_inner);
    outside.iter().find(|(known, _)| *known == name).map(|(_, make)| *make)
}

/// The game that a spec names, such as `hex:7,opening=b2`.
pub fn game(spec: &str) -> Result<Arc<dyn AnyGame>, Error> {
    if let Some((name, rest)) = spec.split_once(':')
        && GAMES.iter().all(|entry| entry.facts.name != name)
        && let Some(make) = outside(name)
    {
        return make(rest).map_err(|why| Error::Outside { spec: spec.to_string(), why });
    }
    let (entry, args) = read(spec)?;
    entry.game(&args)
}

/// The game that a spec names, but with another value of one parameter, such as `size` 11 for `hex:7`.
pub fn game_with(spec: &str, key: &str, value: &str) -> Result<Arc<dyn AnyGame>, Error> {
    let (entry, mut args) = read(spec)?;
    let Facts { name, params, .. } = entry.facts;
    let param = params.iter().find(|param| param.key == key).ok_or_else(|| Error::UnknownKey {
        name,
        key: key.to_string(),
        known: params.iter().map(|param| param.key).collect(),
    })?;
    args.set(param, value).map_err(|error| Error::Param { name, error })?;
    entry.game(&args)
}

/// The parameters of the game that a spec names, defaults filled in.
pub fn game_args(spec: &str) -> Result<Args, Error> {
    Ok(read(spec)?.1)
}

/// The family and the parameters that a spec gives.
fn read(spec: &str) -> Result<(&'static GameEntry, Args), Error> {
    let spec = Spec::parse(spec)?;
    let entry =
        GAMES.iter().find(|entry| entry.facts.name == spec.name).ok_or_else(|| Error::UnknownName {
            what: "game",
            name: spec.name.to_string(),
            known: GAMES.iter().map(|entry| entry.facts.name).collect(),
        })?;
    let args = spec.args(entry.facts.name, entry.facts.params)?;
    Ok((entry, args))
}

impl GameEntry {
    fn game(&self, args: &Args) -> Result<Arc<dyn AnyGame>, Error> {
        let Facts { name, params, .. } = self.facts;
        let canonical = canonical(name, params, args, true);
        (self.make)(args, canonical).map_err(|error| Error::Param { name, error })
    }
}
