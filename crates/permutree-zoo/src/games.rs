use permutree_agents::spec::Spec;
use permutree_agents::{AnyGame, Error, GameEntry};
use permutree_game::{Args, Facts};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

/// Every game, by name.
pub static GAMES: LazyLock<Vec<GameEntry>> = LazyLock::new(|| {
    let groups = [
        permutree_zoo_connection::GAMES,
        permutree_zoo_hexagons::GAMES,
        permutree_zoo_lines::GAMES,
        permutree_zoo_pieces::GAMES,
        permutree_zoo_stones::GAMES,
        permutree_zoo_various::GAMES,
    ];
    let mut games = groups.concat();
    games.sort_by_key(|entry| entry.facts.name);
    games
});

/// Makes a game from the part of its spec after the name and the colon, or returns why it cannot.
pub type Outside = fn(&str) -> Result<Arc<dyn AnyGame>, String>;

/// Registered games from outside the zoo, by the name at the start of their specs. Described games are such games.
static OUTSIDE: LazyLock<RwLock<Vec<(&str, Outside)>>> =
    LazyLock::new(|| RwLock::new(vec![("gdl", permutree_zoo_gdl::game as Outside)]));

/// Registers games from outside the zoo: from now on `make` makes the games whose specs start with `name` and a colon, such as
/// `py:module:Class` for `py`. Names of the zoo's own games take precedence.
pub fn register(name: &'static str, make: Outside) {
    let mut outside = OUTSIDE.write().unwrap_or_else(PoisonError::into_inner);
    outside.retain(|(known, _)| *known != name);
    outside.push((name, make));
}

/// The registered function for specs that start with `name`.
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

/// The game that a spec names, with another value of one parameter, such as `size` 11 for `hex:7`.
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

/// The parameters of the game that a spec names, including defaults.
pub fn game_args(spec: &str) -> Result<Args, Error> {
    Ok(read(spec)?.1)
}

/// The family of games that a spec names, and its parameters.
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

/// A family of games, with the properties of its default parameters.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct GameListing {
    /// Name, rules, source and parameters.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub facts: Facts,
    /// The number of players.
    pub players: usize,
    /// The codings that statistics can use.
    pub codings: &'static [&'static str],
}

/// Every family of games, with the properties of its default parameters.
#[must_use]
pub fn listing() -> Vec<GameListing> {
    let listed = |entry: &GameEntry| {
        let game = entry.game(&Args::defaults(entry.facts.params)).ok()?;
        Some(GameListing { facts: entry.facts, players: game.players(), codings: game.codings() })
    };
    GAMES.iter().filter_map(listed).collect()
}
