use crate::{AnyGame, Error};
use permutree_game::{Hasher, MAX_PLAYERS};
use permutree_search::Values;
use std::sync::Arc;

/// Values of a game's positions that were learned in training, and the form in which files keep them.
///
/// A file has, all numbers with the lowest byte first: [`Learned::MAGIC`]; the version, 4 bytes; the length of the game's spec, 4 bytes;
/// the spec; the number of players, 4 bytes, and of positions, 8 bytes; for each position, by ascending hash, its hash, 8
/// bytes, its visits, 4 bytes, and each player's value in [0, 1] as a float of 4 bytes; the hash of all this, 8 bytes.
#[derive(Clone, Debug)]
pub struct Learned {
    game: String,
    values: Arc<Values>,
}

const VERSION: u32 = 1;

impl Learned {
    /// What a file begins with.
    pub const MAGIC: [u8; 16] = *b"permutree values";

    /// The most bytes that a file can have.
    pub const MOST_BYTES: usize = (Values::MOST + 1) * (12 + 4 * MAX_PLAYERS);

    /// Nothing yet.
    #[must_use]
    pub fn new(game: &dyn AnyGame) -> Self {
        Self { game: game.spec().to_string(), values: Arc::new(Values::new(game.players())) }
    }

    /// How many positions have a value.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.values.len()
    }

    /// Adds what a search has learned.
    pub fn add(&mut self, values: &Values) {
        Arc::make_mut(&mut self.values).add_all(values);
    }

    /// The values for a game with this spec, if they are of that game.
    pub(crate) fn of(&self, game: &str, players: usize) -> Result<Arc<Values>, Error> {
        if self.game != game || self.values.players() != players {
            return Err(Error::ValuesOfAnotherGame { values: self.game.clone(), game: game.to_string() });
        }
        Ok(self.values.clone())
    }

    /// The bytes of a file.
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

    /// Reads the bytes of a file, whatever they are.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || refusal("it is damaged");
        let begun = bytes.strip_prefix(&Self::MAGIC);
        let mut rest = Reader(begun.ok_or_else(|| refusal("it is no file of learned values"))?);
        match rest.u32() {
            Some(VERSION) => {}
            Some(version) => {
                return Err(refusal(&format!("it has version {version}, and only {VERSION} can be read")));
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

/// The bytes that are not read yet. Reading gives `None` where there are too few or they cannot be.
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

    /// What comes after the version.
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
                // -0.0 would not be written as it was read.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use proptest::prelude::*;

    fn learned(positions: &[(u64, u32, f64)]) -> Learned {
        let mut learned = Learned::new(&*game("connect4").unwrap());
        let mut values = Values::new(2);
        for &(hash, visits, mean) in positions {
            values.add(hash, visits.max(1), [mean, 1.0 - mean]);
        }
        learned.add(&values);
        learned
    }

    /// The bytes with their checksum made right.
    fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
        let body = bytes.len().saturating_sub(8);
        let sum = checksum(&bytes[..body]);
        bytes.splice(body.., sum.to_le_bytes());
        bytes
    }

    /// Anything that is taken is written as it was.
    fn check(bytes: &[u8]) -> bool {
        match Learned::read(bytes) {
            Ok(learned) => {
                assert_eq!(learned.write(), bytes);
                true
            }
            Err(error) => {
                assert_eq!(error.to_string().lines().count(), 1);
                false
            }
        }
    }

    #[test]
    fn files_round_trip_and_refuse() {
        let some = learned(&[(9, 3, 0.25), (1, 1, 1.0), (u64::MAX, 7, 0.0)]);
        let bytes = some.write();
        assert!(check(&bytes) && check(&learned(&[]).write()));
        let read = Learned::read(&bytes).unwrap();
        assert_eq!(read.of("connect4", 2).err(), some.of("connect4", 2).err());
        let spec = game("connect4").unwrap().spec().to_string();
        assert_eq!(read.of(&spec, 2).unwrap().get(9), Some((3, &[0.25, 0.75][..])));
        let error = |bytes: &[u8]| Learned::read(bytes).unwrap_err().to_string();
        assert_eq!(error(b""), "it is no file of learned values");
        assert_eq!(error(&bytes[..bytes.len() - 1]), "it is damaged");
        let mut newer = bytes.clone();
        newer[16] = 2;
        assert_eq!(error(&newer), "it has version 2, and only 1 can be read");
        let other = read.of("connect4:9,9", 2).unwrap_err().to_string();
        assert_eq!(other, format!("the values were learned in {spec}, not in connect4:9,9"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), begun: bool) {
            check(&bytes);
            let version = VERSION.to_le_bytes();
            let begun = if begun { [&Learned::MAGIC[..], &version].concat() } else { Learned::MAGIC.to_vec() };
            check(&summed([begun, bytes].concat()));
        }

        #[test]
        fn changed_bytes(
            positions in prop::collection::vec((any::<u64>(), any::<u32>(), 0.0..=1.0f64), 0..20),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
            cut in any::<prop::sample::Index>(),
        ) {
            let whole = learned(&positions).write();
            prop_assert!(check(&whole));
            let mut bytes = whole.clone();
            for (place, byte) in changes {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            prop_assert_eq!(check(&bytes), bytes == whole);
            check(&summed(bytes));
            let cut = &whole[..cut.index(whole.len())];
            prop_assert!(!check(cut));
            check(&summed(cut.to_vec()));
        }
    }
}
