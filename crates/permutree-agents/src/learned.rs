use crate::{AnyGame, Error};
use permutree_game::{Hasher, MAX_PLAYERS};
use permutree_search::statistics::Values;
use std::sync::Arc;

/// Values of a game's positions learned in training, and their file format.
///
/// A file contains, all numbers little-endian: [`Learned::MAGIC`]; the version, 4 bytes; the length of the game's spec, 4
/// bytes; the spec; the number of players, 4 bytes; the number of positions, 8 bytes; for each position, by ascending hash, its
/// hash, 8 bytes, its visits, 4 bytes, and each player's value in [0, 1] as a float of 4 bytes; the hash of all this, 8 bytes.
#[derive(Clone, Debug)]
pub struct Learned {
    game: String,
    values: Arc<Values>,
}

const VERSION: u32 = 1;

impl Learned {
    /// The first bytes of a file.
    pub const MAGIC: [u8; 16] = *b"permutree values";

    /// The greatest size of a file in bytes.
    pub const MOST_BYTES: usize = (Values::MOST + 1) * (12 + 4 * MAX_PLAYERS);

    /// No values yet, for this game.
    #[must_use]
    pub fn new(game: &dyn AnyGame) -> Self {
        Self { game: game.spec().to_string(), values: Arc::new(Values::new(game.players())) }
    }

    /// The number of positions with a value.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// Adds the values that a search has learned.
    pub fn add(&mut self, values: &Values) {
        Arc::make_mut(&mut self.values).add_all(values);
    }

    /// The values, if they are of the game with this spec.
    pub(crate) fn of(&self, game: &str, players: usize) -> Result<Arc<Values>, Error> {
        if self.game != game || self.values.players() != players {
            return Err(Error::ValuesOfAnotherGame { values: self.game.clone(), game: game.to_string() });
        }
        Ok(self.values.clone())
    }

    /// The content of a file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut positions: Vec<_> = self.values.iter().collect();
        positions.sort_unstable_by_key(|(hash, ..)| *hash);
        let mut bytes = Self::MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.game.len() as u32).to_le_bytes());
        bytes.extend(self.game.as_bytes());
        bytes.extend((self.values.players() as u32).to_le_bytes());
        bytes.extend((positions.len() as u64).to_le_bytes());
        for (hash, visits, means) in positions {
            bytes.extend(hash.to_le_bytes());
            bytes.extend(visits.to_le_bytes());
            bytes.extend(means.iter().flat_map(|mean| mean.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the content of a file, which may be any bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || refusal("it is damaged");
        let begun = bytes.strip_prefix(&Self::MAGIC);
        let mut rest = Reader(begun.ok_or_else(|| refusal("it is not a file of learned values"))?);
        match rest.u32() {
            Some(VERSION) => {}
            Some(version) => {
                return Err(refusal(&format!("it has version {version}; only {VERSION} is supported")));
            }
            None => return Err(damaged()),
        }
        let (body, sum) = bytes.split_last_chunk().ok_or_else(damaged)?;
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(damaged());
        }
        rest.learned().filter(|_| rest.0.len() == sum.len()).ok_or_else(damaged)
    }
}

fn refusal(why: &str) -> Error {
    Error::Values { why: why.to_string() }
}

fn checksum(bytes: &[u8]) -> u64 {
    Hasher::new().bytes(bytes).word(bytes.len() as u64).finish()
}

/// The bytes not read yet. Reads return `None` if there are too few or they are invalid.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(4)?.try_into().ok()?))
    }

    fn u64(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    /// Reads everything after the version.
    fn learned(&mut self) -> Option<Learned> {
        let length = self.u32()? as usize;
        let game = std::str::from_utf8(self.take(length)?).ok()?.to_string();
        let players = self.u32().filter(|players| (1..=MAX_PLAYERS as u32).contains(players))? as usize;
        let count = self.u64().filter(|&count| count <= Values::MOST as u64)?;
        let mut values = Values::new(players);
        let (mut last, mut means) = (None, Vec::new());
        for _ in 0..count {
            let hash = self.u64().filter(|&hash| last.is_none_or(|last| last < hash))?;
            let visits = self.u32().filter(|&visits| visits > 0)?;
            means.clear();
            for _ in 0..players {
                let mean = f32::from_bits(self.u32()?);
                // -0.0 would be written as 0.0.
                if mean.is_sign_negative() || !(0.0..=1.0).contains(&mean) {
                    return None;
                }
                means.push(f64::from(mean));
            }
            values.add(hash, visits, means.iter().copied());
            last = Some(hash);
        }
        Some(Learned { game, values: Arc::new(values) })
    }
}
