//! A part of `permutree-zoo`: games written in the Game Description Language, with every search compiled for them.
//!
//! Use `permutree-zoo`, where a spec such as `gdl:games/hex.kif` names such a game. After the path the spec may have `steps=N`, after
//! which the game is over in any case, and `text=HASH`, which refuses a file with another content. The canonical spec has the
//! hash, so that stored results belong to the rules and not to a file that may change. A path with a comma, a colon or a
//! quotation mark is written in quotation marks, which are doubled inside.

use permutree_agents::{AnyGame, erase};
use permutree_game::{Game, Hasher, Rng};
use permutree_gdl::{Described, Options};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game from a file, with its spec.
#[derive(Clone, Debug)]
pub struct Read {
    /// The canonical spec.
    pub spec: String,
    /// The game.
    pub game: Described,
}

/// The game of a spec without its `gdl:`, or why there is none.
pub fn game(rest: &str) -> Result<Arc<dyn AnyGame>, String> {
    let Read { spec, game } = read(rest)?;
    Ok(erase(game, spec))
}

/// The parts of a spec.
#[derive(Debug, PartialEq)]
struct Parts {
    path: String,
    steps: Option<u32>,
    text: Option<String>,
}

/// Splits a spec without its `gdl:`.
fn parts(rest: &str) -> Result<Parts, String> {
    let (path, settings) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let mut end = 0;
            loop {
                let Some(quote) = quoted[end..].find('"') else {
                    return Err("the path has no closing quotation mark".to_string());
                };
                end += quote;
                if !quoted[end + 1..].starts_with('"') {
                    break;
                }
                end += 2;
            }
            (quoted[..end].replace("\"\"", "\""), &quoted[end + 1..])
        }
        None => {
            let end = rest.find(',').unwrap_or(rest.len());
            (rest[..end].to_string(), &rest[end..])
        }
    };
    if path.is_empty() {
        return Err("a path is missing, as in gdl:games/hex.kif".to_string());
    }
    let mut parts = Parts { path, steps: None, text: None };
    if settings.is_empty() {
        return Ok(parts);
    }
    let Some(settings) = settings.strip_prefix(',') else {
        return Err(format!("'{settings}' after the path; settings follow a comma"));
    };
    for setting in settings.split(',') {
        match setting.split_once('=') {
            Some(("steps", value)) => {
                let steps = value.parse().ok().filter(|steps| (1..=MOST_STEPS).contains(steps));
                parts.steps = Some(steps.ok_or_else(|| format!("steps={value} is not in 1..{MOST_STEPS}"))?);
            }
            Some(("text", value)) => parts.text = Some(value.to_string()),
            _ => {
                let hint = "a path with a comma is written in quotation marks";
                return Err(format!("'{setting}' is neither steps=N nor text=HASH; {hint}"));
            }
        }
    }
    Ok(parts)
}

/// Games of more steps count as endless in all tests.
const MOST_STEPS: u32 = 50_000;

/// The games read last, by their text and number of steps: a server reads the same game at every request.
static KNOWN: Mutex<Vec<(String, u32, Described)>> = Mutex::new(Vec::new());

/// How many are kept.
const KEPT: usize = 8;

/// The folder that descriptions are read from, once they are confined.
static CONFINED: Mutex<Option<Option<PathBuf>>> = Mutex::new(None);

fn confined() -> MutexGuard<'static, Option<Option<PathBuf>>> {
    CONFINED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on this process reads descriptions from files in this folder only, or from no files at all: specs that come from
/// others, as those that a server is sent, must not name any file of the machine.
pub fn confine(folder: Option<&Path>) -> std::io::Result<()> {
    let folder = folder.map(Path::canonicalize).transpose()?;
    *confined() = Some(folder);
    Ok(())
}

/// As [`confine`] without a folder, unless descriptions are confined already.
pub fn confine_if_open() {
    confined().get_or_insert(None);
}

/// Whether a path may be read.
fn check_confined(path: &str) -> Result<(), String> {
    match &*confined() {
        None => Ok(()),
        Some(None) => {
            Err("descriptions of games are not read here; start the server with --descriptions FOLDER".into())
        }
        Some(Some(folder)) => match Path::new(path).canonicalize() {
            Ok(full) if full.starts_with(folder) => Ok(()),
            // Nothing tells whether there is such a file.
            _ => Err(format!("there is no description {path} in {}", folder.display())),
        },
    }
}

/// The bytes of a file that is not longer than descriptions can be.
fn bytes(path: &str) -> std::io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("this is no file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(permutree_gdl::LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the game of a spec without its `gdl:`.
pub fn read(rest: &str) -> Result<Read, String> {
    let parts = parts(rest)?;
    let path = &parts.path;
    check_confined(path)?;
    let bytes = bytes(path).map_err(|error| format!("{path}: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{path} is not text in UTF-8"))?;
    let hash = format!("{:08x}", Hasher::new().bytes(text.as_bytes()).finish() as u32);
    if let Some(expected) = parts.text.filter(|expected| *expected != hash) {
        return Err(format!("{path} has changed: its text is {hash}, not {expected}"));
    }
    let mut options = Options::default();
    options.steps = parts.steps.unwrap_or(options.steps);
    let quoted = match path.contains([',', ':', '"']) || path.trim() != path {
        true => format!("\"{}\"", path.replace('"', "\"\"")),
        false => path.clone(),
    };
    let mut spec = format!("gdl:{quoted}");
    if options.steps != Options::default().steps {
        spec += &format!(",steps={}", options.steps);
    }
    spec += &format!(",text={hash}");

    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |(other, steps, _): &(String, u32, Described)| *other == text && *steps == options.steps;
    if let Some((_, _, game)) = known().iter().find(|entry| same(entry)) {
        return Ok(Read { spec, game: game.clone() });
    }
    let game = Described::read(&text, options).map_err(|error| match error.place {
        Some(_) => format!("{path}:{error}"),
        None => format!("{path}: {error}"),
    })?;
    let mut known = known();
    if known.len() == KEPT {
        known.remove(0);
    }
    known.push((text, options.steps, game.clone()));
    Ok(Read { spec, game })
}

/// What a described game is like.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct About {
    /// The canonical spec.
    pub spec: String,
    /// The roles in order, `random` included.
    pub roles: Vec<String>,
    /// Whether players choose at the same time, in any of some random games.
    pub simultaneous: bool,
    /// The mean number of choices in them, chance not included.
    pub choices: f64,
    /// The fluents and the moves by their first name: how many there are, and one of them.
    pub fluents: Vec<(usize, String)>,
    /// The moves in the same way.
    pub moves: Vec<(usize, String)>,
    /// Slips of the author that were accepted.
    pub warnings: Vec<String>,
}

/// What the game of a spec without its `gdl:` is like, or why there is none.
pub fn about(rest: &str) -> Result<About, String> {
    let Read { spec, game } = read(rest)?;
    let (simultaneous, choices) = sampled(&game);
    Ok(About {
        spec,
        roles: game.roles().to_vec(),
        simultaneous,
        choices,
        fluents: by_name(game.fluents()),
        moves: by_name(game.all_moves()),
        warnings: game.warnings().to_vec(),
    })
}

/// The terms by their first name: how many, and the first.
fn by_name(terms: &[String]) -> Vec<(usize, String)> {
    let name =
        |term: &str| term.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default().to_string();
    let mut found: Vec<(usize, String)> = Vec::new();
    for term in terms {
        match found.iter_mut().find(|(_, first)| name(first) == name(term)) {
            Some((count, _)) => *count += 1,
            None => found.push((1, term.clone())),
        }
    }
    found
}

/// Plays a few random games: whether players choose at the same time, and how many choices a game has.
fn sampled(game: &Described) -> (bool, f64) {
    const GAMES: u64 = 20;
    let (mut simultaneous, mut choices) = (false, 0);
    for number in 0..GAMES {
        let (mut position, mut rng, mut scratch) = (game.start(), Rng::stream(1, number), Vec::new());
        while let Some(mv) = game.random_move(&position, &mut rng, &mut scratch) {
            simultaneous |= game.choosing(&position) > 1;
            choices += usize::from(game.turn(&position) != permutree_game::Turn::Chance);
            game.play(&mut position, mv);
        }
    }
    (simultaneous, choices as f64 / GAMES as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(rest: &str) -> Result<(String, Option<u32>, Option<String>), String> {
        parts(rest).map(|Parts { path, steps, text }| (path, steps, text))
    }

    #[test]
    fn specs_have_a_path_and_settings() {
        assert_eq!(split("a/b.kif"), Ok(("a/b.kif".into(), None, None)));
        assert_eq!(split("C:\\b.kif,steps=20"), Ok(("C:\\b.kif".into(), Some(20), None)));
        assert_eq!(
            split("\"a,b\"\"c\",text=00ff,steps=7"),
            Ok(("a,b\"c".into(), Some(7), Some("00ff".into())))
        );
        for (bad, why) in [
            ("", "a path is missing"),
            ("\"a", "no closing quotation mark"),
            ("\"a\"b", "'b' after the path"),
            ("a,b.kif", "written in quotation marks"),
            ("a,steps=0", "steps=0 is not in 1..50000"),
            ("a,steps=x", "steps=x is not"),
            ("a,", "'' is neither"),
        ] {
            let found = split(bad).unwrap_err();
            assert!(found.contains(why), "{bad}: {found}");
        }
    }

    #[test]
    fn files_are_read_once_and_named_with_their_hash() {
        let directory = std::env::temp_dir().join(format!("permutree-gdl-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("one, two.kif").display().to_string();
        let text = "(role a) (legal a x) (legal a y) (init s) (<= terminal (not (true s))) (goal a 100)";
        std::fs::write(&path, text).unwrap();
        let first = read(&format!("\"{path}\"")).unwrap();
        assert!(first.spec.starts_with(&format!("gdl:\"{path}\",text=")), "{}", first.spec);
        let again = read(first.spec.strip_prefix("gdl:").unwrap()).unwrap();
        assert_eq!(again.spec, first.spec);
        let about = about(&format!("\"{path}\"")).unwrap();
        assert_eq!((about.simultaneous, about.choices), (false, 1.0));
        assert_eq!(
            (about.fluents, about.moves),
            (vec![(1, "s".to_string())], vec![(1, "x".into()), (1, "y".into())])
        );
        assert_eq!(game(&format!("\"{path}\",steps=9")).unwrap().players(), 1);

        std::fs::write(&path, format!("{text} (")).unwrap();
        let changed = read(first.spec.strip_prefix("gdl:").unwrap()).unwrap_err();
        assert!(changed.contains("has changed"), "{changed}");
        let broken = read(&format!("\"{path}\"")).unwrap_err();
        assert_eq!(broken, format!("{path}:1:85: this '(' is never closed"));
        std::fs::remove_dir_all(&directory).unwrap();
        assert!(read(&format!("\"{path}\"")).unwrap_err().starts_with(&path));
    }
}
