use crate::Error;
use crate::erased::{AnyGame, ErasedGame, Shared};
use crate::spec::canonical;
use permutree_game::{Args, Configure, Facts, Game, ParamError, Visitor};
use std::sync::Arc;

/// A family of games with parameters, which a spec names.
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

/// The entry of a family. Calling it compiles every search for the games of the family, so keep the entry in a `static`: a
/// `const` is compiled again wherever it is used.
#[must_use]
pub const fn entry<F: Configure>() -> GameEntry {
    GameEntry { facts: F::FACTS, make: make::<F> }
}

fn make<F: Configure>(args: &Args, spec: String) -> Result<Arc<dyn AnyGame>, ParamError> {
    struct Erase(String);
    impl Visitor for Erase {
        type Output = Arc<dyn AnyGame>;

        fn visit<G: Game>(self, game: G) -> Self::Output {
            Arc::new(ErasedGame::new(Shared { game, spec: self.0 }))
        }
    }
    F::configure(args, Erase(spec))
}

impl GameEntry {
    /// The game with these parameters.
    pub fn game(&self, args: &Args) -> Result<Arc<dyn AnyGame>, Error> {
        let Facts { name, params, .. } = self.facts;
        let spec = canonical(name, params, args, true);
        (self.make)(args, spec).map_err(|error| Error::Param { name, error })
    }
}
