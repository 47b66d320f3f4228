use permutree_zoo::{Hasher, Learned, Values, agent, game};
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

/// The bytes with a correct checksum.
fn summed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len().saturating_sub(8);
    let sum = Hasher::new().bytes(&bytes[..body]).word(body as u64).finish();
    bytes.splice(body.., sum.to_le_bytes());
    bytes
}

/// Valid bytes are written as they were read.
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
    assert_eq!((read.positions(), read.write()), (3, bytes.clone()));
    let error = |bytes: &[u8]| Learned::read(bytes).unwrap_err().to_string();
    assert_eq!(error(b""), "it is not a file of learned values");
    assert_eq!(error(&bytes[..bytes.len() - 1]), "it is damaged");
    let mut newer = bytes.clone();
    newer[16] = 2;
    assert_eq!(error(&newer), "it has version 2; only 1 is supported");
    let sarsa = agent("sarsa-uct").unwrap().with_values(read);
    let open =
        |name: &str| game(name).unwrap().start().session(&sarsa, 1).err().map(|error| error.to_string());
    assert_eq!(open("connect4"), None);
    let other = "the values were learned in connect4:7, not in connect4:5";
    assert_eq!(open("connect4:5").as_deref(), Some(other));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), begun: bool) {
        check(&bytes);
        let version = 1u32.to_le_bytes();
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
